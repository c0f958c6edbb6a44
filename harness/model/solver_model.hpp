#pragma once

// How a function that solves a model's problem becomes an Implementation that the harness can run.
// A model adds its Problem and its Solution<Real>, which names its arrays (solution_arrays.hpp),
// the table of its parameters, and a function that argument-dependent lookup finds beside the first
// two:
//
//   Outcome judge(const Problem&, const Solution<Real>&, const Scrutiny&);
//
// and, if one of its arrays has choices from a grid, a second (array_view.hpp), choices_of().

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "harness/model/array_view.hpp"
#include "harness/model/axis_table.hpp"
#include "harness/model/registry.hpp"
#include "harness/model/solution_file.hpp"
#include "harness/model/solver.hpp"

namespace macrobench {

/// A model as its solvers need it. The axis `real` of its table, if any, chooses between single and
/// double.
template <class Problem>
struct SolverModel {
  Model model;  ///< everything except what is below
  const AxisTable<Problem>& axes;
  Hooks<Problem> hooks = {};  ///< of all its solvers that do not declare their own
};

namespace detail {

/// A solver bound to a problem and a precision.
template <class Problem, class Solution>
class SolverInstance final : public Instance {
 public:
  SolverInstance(std::function<void(const Problem&)> start_in, Solve<Problem, Solution> solve_in,
                 std::function<std::map<std::string, std::string>()> notes_in, Origin origin,
                 Problem problem)
      : start_(std::move(start_in)),
        solve_(std::move(solve_in)),
        notes_of_(std::move(notes_in)),
        origin_(origin),
        problem_(std::move(problem)) {}

  void start() override {
    if (start_) start_(problem_);
  }

  void poison() override { fill_with_poison(problem_, solution_); }

  void solve(Stages& stages) override {
    solve_(problem_, stages, solution_);
    if (notes_of_) notes_ = notes_of_();
  }

  Outcome check(const Scrutiny& scrutiny) override {
    Outcome outcome = judge(problem_, solution_, scrutiny.of(origin_));
    outcome.notes.insert(notes_.begin(), notes_.end());
    return outcome;
  }

  [[nodiscard]] std::string fingerprint() const override { return sha256_of(problem_, solution_); }

  [[nodiscard]] std::string stored(const std::string& key) const override {
    return stored_text(problem_, solution_, key);
  }

  [[nodiscard]] std::vector<ArrayView> arrays() const override {
    return views_of(problem_, solution_);
  }

  void restore(std::string_view text, const std::string& key) override {
    macrobench::restore(problem_, solution_, text, key);
  }

 private:
  std::function<void(const Problem&)> start_;
  Solve<Problem, Solution> solve_;
  std::function<std::map<std::string, std::string>()> notes_of_;
  std::map<std::string, std::string> notes_;  ///< of the last solution
  Origin origin_;
  Problem problem_;
  Solution solution_;
};

template <class Problem, template <class> class Solution>
std::vector<Axis> axes_of(const SolverModel<Problem>& model,
                          const Solver<Problem, Solution>& solver) {
  std::vector<Axis> axes;
  for (Axis axis : model.model.axes) {
    const auto taken = std::ranges::find(solver.axes, axis.name, &TakenAxis::name);
    if (taken == solver.axes.end() && axis.optional) continue;
    if (taken != solver.axes.end()) {
      if (!taken->choices.empty()) axis.choices = taken->choices;
      axis.interval = taken->interval.value_or(axis.interval);
      if (!taken->otherwise.empty()) axis.otherwise = taken->otherwise;
      axis.all = taken->all;
      axis.own_default = taken->usually;
    }
    if (axis.name == "real") {
      if (!solver.solve_double) std::erase(axis.choices, "double");
      if (!solver.solve_single) std::erase(axis.choices, "single");
    }
    // If the solver lacks the default, its first choice becomes the default.
    if (const auto* name = std::get_if<std::string>(&axis.default_value);
        name != nullptr && !axis.choices.empty() && std::ranges::count(axis.choices, *name) == 0) {
      axis.default_value = axis.choices.front();
    }
    axes.push_back(std::move(axis));
  }
  return axes;
}

/// The function of a problem as a function of its parameters; empty for an empty one.
template <class Problem, class Result, class... Rest>
std::function<Result(const Parameters&, Rest...)> of_parameters(
    const AxisTable<Problem>& axes,
    const std::function<Result(const Problem&, Rest...)>& function) {
  if (!function) return {};
  return [&axes, function](const Parameters& given, Rest... rest) {
    return function(axes.problem_of(given), rest...);
  };
}

template <class Problem>
Hooks<Parameters> of_parameters(const AxisTable<Problem>& axes, const Hooks<Problem>& hooks) {
  return {.work = of_parameters(axes, hooks.work),
          .floor = of_parameters(axes, hooks.floor),
          .unavailable = of_parameters(axes, hooks.unavailable),
          .known_invalid = of_parameters(axes, hooks.known_invalid)};
}

}  // namespace detail

/// Adds the model to the registry, with the axes of its table. Its table outlives it.
template <class Problem>
SolverModel<Problem> registered(SolverModel<Problem> made) {
  const AxisTable<Problem>& axes = made.axes;
  made.model.axes = axes.axes();
  made.model.hooks = detail::of_parameters(axes, made.hooks);
  made.model.held = [&axes](const Parameters& given) {
    return axes.parameters_of(axes.problem_of(given));
  };
  Registry::global().add(made.model);
  return made;
}

/// The solver as an implementation of the model.
template <class Problem, template <class> class Solution>
Implementation implementation_of(const SolverModel<Problem>& model,
                                 const Solver<Problem, Solution>& solver) {
  const AxisTable<Problem>& axes = model.axes;
  Implementation implementation;
  implementation.model = model.model.name;
  implementation.name = solver.name;
  implementation.origin = solver.origin;
  implementation.summary = solver.summary;
  implementation.axes = detail::axes_of(model, solver);
  implementation.source = solver.source;
  implementation.has_start = solver.start != nullptr;
  implementation.stores = model.model.stores;
  implementation.runs_on = solver.runs_on;
  implementation.unavailable = solver.unavailable;
  implementation.hooks = detail::of_parameters(axes, solver.hooks);
  implementation.instantiate = [solver,
                                &axes](const Parameters& given) -> std::unique_ptr<Instance> {
    const auto bound = [&]<class S>(Solve<Problem, S> solve) -> std::unique_ptr<Instance> {
      return std::make_unique<detail::SolverInstance<Problem, S>>(
          solver.start, solve, solver.notes, solver.origin, axes.problem_of(given));
    };
    return is_single(given) ? bound(solver.solve_single) : bound(solver.solve_double);
  };
  return implementation;
}

template <class Problem, template <class> class Solution, const SolverModel<Problem>& (*model)()>
RegisterSolver<Problem, Solution, model>::RegisterSolver(const Solver<Problem, Solution>& solver) {
  Registry::global().add(implementation_of(model(), solver));
}

}  // namespace macrobench
