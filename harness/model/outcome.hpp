#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace macrobench {

/// The result of a solution, and whether it is right. The model makes it from the timed run's own
/// result, by code other than the code timed.
struct Outcome {
  bool valid = false;
  std::string why;       ///< why it is not valid; empty if it is
  bool gave_up = false;  ///< its solver says itself that it has not converged

  std::int64_t iterations = 0;
  double residual = 0;  ///< that the model's certificate found
  double allowed = 0;   ///< the largest residual that is valid
  std::int64_t checked_states = 0;
  bool exhaustive = false;  ///< whether those are all the states
  /// The random bits by which those were drawn, see Scrutiny; empty if they are all the states.
  std::string draw;

  std::map<std::string, double> figures;  ///< other numbers: errors, distances, fingerprints
  /// Series to compare with those of another solution: a path over time.
  std::map<std::string, std::vector<double>> series;
  std::map<std::string, std::string> notes;  ///< other words: the way a frontier took
};

}  // namespace macrobench
