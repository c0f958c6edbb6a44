#pragma once

// How a function that solves a model's problem becomes an Implementation that the harness can run.
// A model adds its Problem and its Solution<Real>, the table of its parameters, and three functions
// that argument-dependent lookup finds beside the first two:
//
//   void fill_with_poison(const Problem&, Solution<Real>&);    full size, NaN and -1
//   Outcome judge(const Problem&, const Solution<Real>&, bool thorough);
//   std::uint64_t hash_of(const Solution<Real>&);              equal for equal bits
//
// and, if other cases can start from a solution, a fourth, which `macrobench run --save` calls:
//
//   std::string text_of(const Problem&, const Solution<Real>&, const std::string& key);
//
// A Solution that names its parts (solution_file.hpp) can be stored and certified again.

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

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
  /// What the time of the published algorithm grows with; null if that is the size.
  double (*work)(const Problem& problem) = nullptr;
  /// The floor of all its solvers; null if they differ.
  Floor (*floor)(const Problem& problem, const Outcome& outcome) = nullptr;
  /// Null, or: empty if a case with these parameters can run on this machine, else the reason.
  std::string (*unavailable)(const Problem& problem) = nullptr;
  /// Null, or: whether a GPU does a stage, or the whole if none is named, for every solver; none if
  /// the solver decides.
  std::optional<bool> (*on_gpu)(const Problem& problem, std::string_view stage) = nullptr;
};

namespace detail {

template <class Problem, class Solution>
concept Savable = requires(const Problem& problem, const Solution& solution,
                           const std::string& key) { text_of(problem, solution, key); };

template <class Solution>
concept Storable = requires(const Solution& solution, Solution& restored, SolutionWriter& writer,
                            SolutionReader& reader) {
  Solution::each_part(solution, writer);
  Solution::each_part(restored, reader);
};

/// A solver bound to a problem and a precision.
template <class Problem, class Solution>
class SolverInstance final : public Instance {
 public:
  using Notes = std::map<std::string, std::string> (*)();

  SolverInstance(void (*start_in)(const Problem&), Solve<Problem, Solution> solve_in,
                 Notes notes_in, Problem problem)
      : start_(start_in), solve_(solve_in), notes_of_(notes_in), problem_(std::move(problem)) {}

  void start() override {
    if (start_ != nullptr) start_(problem_);
  }

  void poison() override {
    solution_ = {};
    fill_with_poison(problem_, solution_);
  }

  void solve(Stages& stages) override {
    solve_(problem_, stages, solution_);
    if (notes_of_ != nullptr) notes_ = notes_of_();
  }

  Outcome check(bool thorough) override {
    Outcome outcome = judge(problem_, solution_, thorough);
    outcome.notes.insert(notes_.begin(), notes_.end());
    return outcome;
  }

  [[nodiscard]] std::uint64_t fingerprint() const override { return hash_of(solution_); }

  [[nodiscard]] std::string saved(const std::string& key) const override {
    if constexpr (Savable<Problem, Solution>) {
      return text_of(problem_, solution_, key);
    } else {
      return Instance::saved(key);
    }
  }

  [[nodiscard]] std::string stored(const std::string& key) const override {
    if constexpr (Storable<Solution>) {
      SolutionWriter writer(key);
      Solution::each_part(solution_, writer);
      return writer.text();
    } else {
      return Instance::stored(key);
    }
  }

  void restore(std::string_view text, const std::string& key) override {
    if constexpr (Storable<Solution>) {
      SolutionReader reader(text, key);
      Solution::each_part(solution_, reader);
      reader.finish();
    } else {
      Instance::restore(text, key);
    }
  }

 private:
  void (*start_)(const Problem&);
  Solve<Problem, Solution> solve_;
  Notes notes_of_;
  std::map<std::string, std::string> notes_;  ///< of the last solution
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
    }
    if (axis.name == "real") {
      if (solver.solve_double == nullptr) std::erase(axis.choices, "double");
      if (solver.solve_single == nullptr) std::erase(axis.choices, "single");
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

/// The function of a problem as a function of its parameters; empty for a null one.
template <class Problem, class Result, class... Rest>
std::function<Result(const Parameters&, Rest...)> of_parameters(const AxisTable<Problem>& axes,
                                                                Result (*function)(const Problem&,
                                                                                   Rest...)) {
  if (function == nullptr) return {};
  return [&axes, function](const Parameters& given, Rest... rest) {
    return function(axes.problem_of(given), rest...);
  };
}

}  // namespace detail

/// Adds the model to the registry, with the axes of its table. Its table outlives it.
template <class Problem>
SolverModel<Problem> registered(SolverModel<Problem> made) {
  const AxisTable<Problem>& axes = made.axes;
  made.model.axes = axes.axes();
  made.model.work = detail::of_parameters(axes, made.work);
  made.model.floor = detail::of_parameters(axes, made.floor);
  made.model.on_gpu = detail::of_parameters(axes, made.on_gpu);
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
  implementation.saves = detail::Savable<Problem, Solution<double>>;
  implementation.stores = detail::Storable<Solution<double>>;
  implementation.runs_on = solver.runs_on;
  if (solver.unavailable != nullptr) implementation.unavailable = solver.unavailable;
  implementation.case_unavailable = [&axes, of_model = model.unavailable,
                                     its = solver.problem_unavailable](const Parameters& given) {
    const Problem problem = axes.problem_of(given);
    std::string why = of_model == nullptr ? "" : of_model(problem);
    return why.empty() && its != nullptr ? its(problem) : why;
  };
  implementation.instantiate = [solver,
                                &axes](const Parameters& given) -> std::unique_ptr<Instance> {
    const auto bound = [&]<class S>(Solve<Problem, S> solve) -> std::unique_ptr<Instance> {
      return std::make_unique<detail::SolverInstance<Problem, S>>(solver.start, solve, solver.notes,
                                                                  axes.problem_of(given));
    };
    return is_single(given) ? bound(solver.solve_single) : bound(solver.solve_double);
  };
  if (solver.known_invalid != nullptr) {
    implementation.known_invalid = detail::of_parameters(axes, solver.known_invalid);
  }
  implementation.work = detail::of_parameters(axes, solver.work);
  implementation.floor = detail::of_parameters(axes, solver.floor);
  return implementation;
}

/// Adds the solver to the registry as an implementation of the model.
template <class Problem, template <class> class Solution>
void register_solver(const SolverModel<Problem>& model, const Solver<Problem, Solution>& solver) {
  Registry::global().add(implementation_of(model, solver));
}

}  // namespace macrobench
