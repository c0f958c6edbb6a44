#pragma once

// One way to solve a model's Problem, as its file declares it.

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/model/floor.hpp"
#include "harness/model/outcome.hpp"
#include "harness/model/parameters.hpp"
#include "harness/model/solution_arrays.hpp"
#include "harness/model/stages.hpp"

namespace macrobench {

/// Where an implementation's algorithm comes from.
enum class Origin {
  published,  ///< the paper's algorithm, its quirks included
  corrected,  ///< a published bug or unequal comparison corrected, under its own name
  frontier,   ///< ours: the best that we know, and all that runs on several devices
  yours,      ///< a program from outside this repository
  original    ///< the same, that says that it is a paper's authors' own
};
inline constexpr Origin all_origins[] = {Origin::published, Origin::corrected, Origin::frontier,
                                         Origin::yours, Origin::original};

/// What an implementation runs on.
enum class RunsOn {
  cpu,             ///< threads of this process
  gpu,             ///< a GPU
  other_processes  ///< which this one starts and waits for: an interpreter, forks
};

/// Solves the problem into `solution`, which is poisoned on entry. Deterministic: the same problem
/// gives the same bits, run after run.
template <class Problem, class Solution>
using Solve = std::function<void(const Problem& problem, Stages& stages, Solution& solution)>;

/// An axis that not all of a model's solvers have, that a solver has only in part, or for which it
/// has its own default.
struct TakenAxis {
  std::string name;
  std::vector<std::string> choices = {};  ///< those it has, if not all
  std::optional<Interval> interval = {};  ///< the numbers it allows, if not all
  std::string otherwise = {};             ///< and what to do about others
  int (*all)() = nullptr;                 ///< what "all" means of a number; null: nothing
  std::optional<Value> usually = {};      ///< its own default; none: the model's
};

/// What is known of a case before it runs, and the floor of its outcome. `Of` is the model's
/// Problem where this is declared, and a case's Parameters in the registry. Each may be empty.
template <class Of>
struct Hooks {
  /// What its time grows with, in its own unit. Empty: as its model's published algorithm, or else
  /// the size.
  std::function<double(const Of& of)> work = {};
  /// The least that a solution must move and compute; the outcome says how many iterations it took.
  /// Empty: its model's, or else not known.
  std::function<Floor(const Of& of, const Outcome& outcome)> floor = {};
  /// Why it cannot run on this machine, where others can; empty if it can.
  std::function<std::string(const Of& of)> unavailable = {};
  /// Why it is known to give a wrong result (a published finding); empty if not.
  std::function<std::string(const Of& of)> known_invalid = {};
};

/// One implementation: two functions, and what the harness must know about them.
template <class Problem, template <class> class Solution>
struct Solver {
  std::string name;
  Origin origin = Origin::published;
  std::string summary;  ///< one line
  /// Of the model's optional axes, those it has; and of all, what it does its own way.
  std::vector<TakenAxis> axes = {};

  RunsOn runs_on = RunsOn::cpu;
  /// Empty if it can run on this machine, else the reason.
  std::function<std::string()> unavailable = [] { return std::string(); };
  /// What the papers call start-up (device context, libraries); empty if there is none.
  std::function<void(const Problem& problem)> start = {};
  Solve<Problem, Solution<float>> solve_single = {};  ///< empty: no single precision
  Solve<Problem, Solution<double>> solve_double = {};

  /// Words about the last start and solution for the outcome's notes, by name: where several
  /// processes or devices were, and what linked them. Empty if there are none.
  std::function<std::map<std::string, std::string>()> notes = {};
  Hooks<Problem> hooks = {};

  std::string source;  ///< __FILE__
};

template <class Problem>
struct SolverModel;

/// Put one in each implementation's file, at namespace scope: this is all that adds an
/// implementation. The model's own file instantiates it.
template <class Problem, template <class> class Solution, const SolverModel<Problem>& (*model)()>
struct RegisterSolver {
  explicit RegisterSolver(const Solver<Problem, Solution>& solver);
};

}  // namespace macrobench
