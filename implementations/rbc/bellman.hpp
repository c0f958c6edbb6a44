#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "implementations/numerics/methods/choice_tree.hpp"
#include "implementations/rbc/model.hpp"

namespace macrobench::rbc {

/// The Bellman operator in double, exhaustive over all choices: the yardstick. No implementation
/// uses it, and it assumes nothing of V, neither concave nor monotone.
///
/// Exhaustive need not mean that every choice is evaluated: utility falls in K', which ChoiceTree
/// makes use of.
class Bellman {
 public:
  explicit Bellman(const Problem& problem);

  /// Takes the continuation value V, shape nz x nk.
  void set_value(const std::vector<double>& V);

  /// The maximum at state (i, j), and the lowest choice that attains it. `guess` is the
  /// choice to start from: the nearer it is to the best, the shorter the search.
  struct Best {
    double value;
    std::int32_t choice;
  };
  [[nodiscard]] Best maximise(int i, int j, std::int32_t guess) const;

  /// The right-hand side of one choice, which must be feasible.
  [[nodiscard]] double value(int i, int j, std::int32_t choice) const;

  [[nodiscard]] double available(int i, int j) const;  ///< Z K^alpha + (1-delta) K
  [[nodiscard]] std::int32_t last_feasible(int i, int j) const;
  [[nodiscard]] const Grids<double>& grids() const { return grids_; }
  [[nodiscard]] const std::vector<double>& choices() const { return choices_; }
  [[nodiscard]] const Problem& problem() const { return problem_; }

 private:
  [[nodiscard]] double flow(double consumption) const;

  Problem problem_;
  Grids<double> grids_;
  std::vector<double> choices_;                 ///< capital grid, or the future grid
  std::vector<double> available_;               ///< shape nz x nk
  std::vector<numerics::ChoiceTree> expected_;  ///< discounted, of each choice, for each Z
};

}  // namespace macrobench::rbc
