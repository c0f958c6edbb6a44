#pragma once

// What every model's solvers have in common: how a function that solves a problem becomes an
// Implementation that the harness can run. A model adds its Problem and its Solution<Real>, its
// axes, and three functions that argument-dependent lookup finds beside those two:
//
//   void fill_with_poison(const Problem&, Solution<Real>&);    full size, NaN and -1
//   Outcome judge(const Problem&, const Solution<Real>&, bool thorough);
//   std::uint64_t hash_of(const Solution<Real>&);              equal for equal bits
//
// and, if other cases can start from a solution, a fourth, which `macrobench run --save` asks:
//
//   std::string text_of(const Problem&, const Solution<Real>&, const std::string& key);

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "harness/model/origin.hpp"
#include "harness/model/registry.hpp"
#include "harness/model/stages.hpp"

namespace macrobench {

/// Solves the problem into `solution`, which is poisoned on entry. Deterministic: the same problem
/// gives the same bits, run after run.
template <class Problem, class Solution>
using Solve = void (*)(const Problem& problem, Stages& stages, Solution& solution);

/// An axis that not all of a model's solvers have, or that a solver has in part only.
struct TakenAxis {
  std::string name;
  std::vector<std::string> choices = {};  ///< those it has, where it has not all
  std::optional<Interval> interval = {};  ///< the numbers it allows, where not all
  std::string otherwise = {};             ///< and what to do about others
};

/// One implementation: two functions, and what the harness must know of them.
template <class Problem, template <class> class Solution>
struct Solver {
  std::string name;
  Origin origin = Origin::published;
  std::string summary;               ///< one line
  std::vector<TakenAxis> axes = {};  ///< of the model's optional axes, those it takes

  /// Null, or: empty if it can run on this machine, else why not.
  std::string (*unavailable)() = nullptr;
  /// What the papers call start-up (device context, libraries); null where there is none.
  void (*start)(const Problem& problem) = nullptr;
  Solve<Problem, Solution<float>> solve_single = nullptr;  ///< null: no single precision
  Solve<Problem, Solution<double>> solve_double = nullptr;

  std::string source;  ///< __FILE__
};

/// A model as its solvers need it. Its axis `real`, if any, chooses between single and double.
template <class Problem>
struct SolverModel {
  Model model;
  std::vector<std::string> optional_axes;  ///< a solver has them only if it says so
  Problem (*problem_of)(const Parameters& parameters);
  /// Null, or: empty if what a case chooses on its axes can run on this machine, else why not.
  std::string (*unavailable)(const Parameters& parameters) = nullptr;
  /// Null, or: why a case is known not to come out right (a published finding); empty if it is not.
  std::string (*known_invalid)(std::string_view solver, const Parameters& parameters) = nullptr;
};

/// A hash of the values' bits.
template <class T>
std::uint64_t hash_of_bits(const std::vector<T>& values) {
  return std::hash<std::string_view>()(
      {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)});
}

namespace detail {

template <class Problem, class Solution>
concept Savable = requires(const Problem& problem, const Solution& solution,
                           const std::string& key) { text_of(problem, solution, key); };

/// A solver bound to a problem and a precision.
template <class Problem, class Solution>
class SolverInstance final : public Instance {
 public:
  SolverInstance(void (*start_in)(const Problem&), Solve<Problem, Solution> solve_in,
                 Problem problem)
      : start_(start_in), solve_(solve_in), problem_(std::move(problem)) {}

  void start() override {
    if (start_ != nullptr) start_(problem_);
  }

  void poison() override {
    solution_ = {};
    fill_with_poison(problem_, solution_);
  }

  void solve(Stages& stages) override { solve_(problem_, stages, solution_); }

  Outcome check(bool thorough) override { return judge(problem_, solution_, thorough); }

  [[nodiscard]] std::uint64_t fingerprint() const override { return hash_of(solution_); }

  [[nodiscard]] std::string saved(const std::string& key) const override {
    if constexpr (Savable<Problem, Solution>) {
      return text_of(problem_, solution_, key);
    } else {
      return Instance::saved(key);
    }
  }

 private:
  void (*start_)(const Problem&);
  Solve<Problem, Solution> solve_;
  Problem problem_;
  Solution solution_;
};

template <class Problem, template <class> class Solution>
std::vector<Axis> axes_of(const SolverModel<Problem>& model,
                          const Solver<Problem, Solution>& solver) {
  std::vector<Axis> axes;
  for (Axis axis : model.model.axes) {
    const auto taken = std::ranges::find(solver.axes, axis.name, &TakenAxis::name);
    const bool optional = std::ranges::count(model.optional_axes, axis.name) > 0;
    if (optional && taken == solver.axes.end()) continue;
    if (taken != solver.axes.end()) {
      if (!taken->choices.empty()) axis.choices = taken->choices;
      axis.interval = taken->interval.value_or(axis.interval);
      if (!taken->otherwise.empty()) axis.otherwise = taken->otherwise;
    }
    if (axis.name == "real") {
      if (solver.solve_double == nullptr) std::erase(axis.choices, "double");
      if (solver.solve_single == nullptr) std::erase(axis.choices, "single");
    }
    // A default that the solver has not gives way to the first it has.
    if (const auto* name = std::get_if<std::string>(&axis.fallback);
        name != nullptr && !axis.choices.empty() && std::ranges::count(axis.choices, *name) == 0) {
      axis.fallback = axis.choices.front();
    }
    axes.push_back(std::move(axis));
  }
  return axes;
}

}  // namespace detail

/// Adds the solver to the registry as an implementation of the model.
template <class Problem, template <class> class Solution>
void register_solver(const SolverModel<Problem>& model, const Solver<Problem, Solution>& solver) {
  Implementation implementation;
  implementation.model = model.model.name;
  implementation.name = solver.name;
  implementation.origin = solver.origin;
  implementation.summary = solver.summary;
  implementation.axes = detail::axes_of(model, solver);
  implementation.source = solver.source;
  implementation.has_start = solver.start != nullptr;
  implementation.saves = detail::Savable<Problem, Solution<double>>;
  implementation.unavailable = [reason = solver.unavailable] {
    return reason == nullptr ? std::string() : reason();
  };
  implementation.case_unavailable = model.unavailable;
  implementation.instantiate = [solver, problem_of = model.problem_of](
                                   const Parameters& given) -> std::unique_ptr<Instance> {
    const auto bound = [&]<class S>(Solve<Problem, S> solve) -> std::unique_ptr<Instance> {
      return std::make_unique<detail::SolverInstance<Problem, S>>(solver.start, solve,
                                                                  problem_of(given));
    };
    return is_single(given) ? bound(solver.solve_single) : bound(solver.solve_double);
  };
  // The models' own, by name, until the solvers' files say it.
  implementation.runs_on = solver.source.ends_with(".cu") ? RunsOn::gpu : RunsOn::cpu;
  if (model.model.work) {
    implementation.work = [work = model.model.work, name = solver.name](const Parameters& given) {
      return work(name, given);
    };
  }
  if (model.model.floor) {
    implementation.floor = [floor = model.model.floor, name = solver.name](const Parameters& given,
                                                                           const Outcome& outcome) {
      return floor(name, given, outcome);
    };
  }
  if (model.model.on_gpu) {
    implementation.on_gpu = [on_gpu = model.model.on_gpu, runs_on = implementation.runs_on](
                                std::string_view stage, const Parameters& given) {
      return on_gpu(stage, given).value_or(runs_on == RunsOn::gpu);
    };
  }
  implementation.known_invalid = [name = solver.name,
                                  known = model.known_invalid](const Parameters& given) {
    return known == nullptr ? std::string() : known(name, given);
  };
  Registry::global().add(std::move(implementation));
}

}  // namespace macrobench
