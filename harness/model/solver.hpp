#pragma once

// One way to solve a model's Problem, as its file declares it.

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/model/floor.hpp"
#include "harness/model/outcome.hpp"
#include "harness/model/parameters.hpp"
#include "harness/model/stages.hpp"

namespace macrobench {

/// Where an implementation's algorithm comes from.
enum class Origin {
  published,  ///< the paper's algorithm, its quirks included
  corrected,  ///< a published bug or unequal comparison corrected, under its own name
  frontier    ///< the best that we know
};

/// What an implementation runs on.
enum class RunsOn {
  cpu,             ///< threads of this process
  gpu,             ///< a GPU
  another_program  ///< which this process starts and waits for: an interpreter, MPI processes
};

/// Solves the problem into `solution`, which is poisoned on entry. Deterministic: the same problem
/// gives the same bits, run after run.
template <class Problem, class Solution>
using Solve = void (*)(const Problem& problem, Stages& stages, Solution& solution);

/// An axis that not all of a model's solvers have, or of which a solver has only a part.
struct TakenAxis {
  std::string name;
  std::vector<std::string> choices = {};  ///< those it has, if not all
  std::optional<Interval> interval = {};  ///< the numbers it allows, if not all
  std::string otherwise = {};             ///< and what to do about others
  int (*all)() = nullptr;                 ///< what "all" means of a number; null: nothing
};

/// One implementation: two functions, and what the harness must know about them.
template <class Problem, template <class> class Solution>
struct Solver {
  std::string name;
  Origin origin = Origin::published;
  std::string summary;               ///< one line
  std::vector<TakenAxis> axes = {};  ///< of the model's optional axes, those it has

  RunsOn runs_on = RunsOn::cpu;
  /// Null, or: empty if it can run on this machine, else the reason.
  std::string (*unavailable)() = nullptr;
  /// Null, or: empty if this problem can run on this machine, else the reason.
  std::string (*problem_unavailable)(const Problem& problem) = nullptr;
  /// What the papers call start-up (device context, libraries); null if there is none.
  void (*start)(const Problem& problem) = nullptr;
  Solve<Problem, Solution<float>> solve_single = nullptr;  ///< null: no single precision
  Solve<Problem, Solution<double>> solve_double = nullptr;

  /// What its time grows with, in its own unit. Null: as its model's published algorithm.
  double (*work)(const Problem& problem) = nullptr;
  /// The least that a solution must move and compute. Null: not known.
  Floor (*floor)(const Problem& problem, const Outcome& outcome) = nullptr;
  /// Null, or: words about the last start and solution for the outcome's notes, by name: where
  /// several processes or devices were, and what linked them.
  std::map<std::string, std::string> (*notes)() = nullptr;
  /// Null, or: why a case is known to give a wrong result (a published finding); empty if not.
  std::string (*known_invalid)(const Problem& problem) = nullptr;

  std::string source;  ///< __FILE__
};

/// A hash of the values' bits.
template <class T>
std::uint64_t hash_of_bits(const std::vector<T>& values) {
  return std::hash<std::string_view>()(
      {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)});
}

}  // namespace macrobench
