#pragma once

// A program from outside as a case that the harness runs like any other. A model has one
// ProgramView, which is all that it knows of programs.

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "harness/model/registry.hpp"
#include "harness/model/solver_model.hpp"
#include "harness/programs/program_models.hpp"
#include "harness/programs/program_run.hpp"
#include "harness/text/error.hpp"

namespace macrobench {

/// A model as programs see it.
template <class Problem, template <class> class Solution>
struct ProgramView {
  /// What a program needs to know of a problem, besides the parameters of its case.
  ProblemData (*data)(const Problem& problem) = nullptr;
  /// The part of that which goes beside a solution, which may be large; null: all of it.
  ProblemData (*given)(const Problem& problem) = nullptr;
  /// Of a model in double alone: puts what it wrote into a poisoned solution. Throws NotAResult.
  /// The arrays of others are read by their names.
  void (*take)(const Problem&, const ResultFolder&, Solution<double>&) = nullptr;
  /// A problem that takes as long and has another solution: `by` is from -1 to 1, and not near 0.
  Problem (*varied)(const Problem& problem, double by) = nullptr;
  /// A Solver's work, of a program whose program.json has "statements": an interpreter takes long
  /// for each statement, and not for vectors. Null: nobody knows it.
  double (*work_of_statements)(const Problem& problem) = nullptr;
  /// As a Solver's. A program's algorithm is its own affair: a floor that holds for all.
  Hooks<Problem> hooks = {};
  /// Of the model's parameters, those that programs have only in part, and how much of them. They
  /// have these whatever program.json says, which can name less.
  std::vector<TakenAxis> axes = {};
  std::string source = {};  ///< __FILE__
};

namespace detail {

/// Reads the arrays of a solution from a result, by their names.
struct TakeArrays {
  const ResultFolder& result;

  template <class Element>
  void operator()(const std::string& name, std::vector<Element>& array, const Shape& shape) {
    if constexpr (std::is_arithmetic_v<Element>) {
      if (count_of(shape) > 0) result.array(name, counts_of(shape), array);
    }
  }
  void operator()(const std::string& name, double& array) { array = result.number(name); }
  void operator()(const std::string& name, bool& array) { array = result.whole(name, 0, 1) == 1; }
  void operator()(const std::string& name, int& array) {
    array = static_cast<int>(result.whole(name, 0, std::numeric_limits<int>::max()));
  }
};

template <class Problem, class Solution>
void take_arrays(const Problem& problem, const ResultFolder& result, Solution& solution) {
  TakeArrays take{result};
  Solution::each_array(problem, solution, take);
}

/// True for each member of a solution that is an array, by its name. A struct of numbers is one.
struct NameArrays {
  std::map<std::string, bool>& is_array;

  template <class Member>
  void operator()(const std::string& name, const Member& /*member*/, const Shape& /*shape*/) {
    is_array[name] = true;
  }
  template <class Member>
  void operator()(const std::string& name, const Member& /*member*/) {
    is_array[name] = !std::is_arithmetic_v<Member>;
  }
};

/// The members of a solution by name, and whether each is an array.
template <class Problem, class Solution>
std::map<std::string, bool> members_of(const Problem& problem) {
  std::map<std::string, bool> is_array;
  Solution solution;
  NameArrays name_arrays{is_array};
  Solution::each_array(problem, solution, name_arrays);
  return is_array;
}

/// A problem that a program is given.
struct GivenProblem {
  std::function<ProblemData()> data;
  /// Holds its solution and judges it. Its solve() takes what the program wrote.
  std::unique_ptr<Instance> solution;
};

/// The case's own problem where `by` is 0, else one beside it, as ProgramView::varied makes it.
/// `result` has what the program wrote when solve() is called.
using MakeProblem =
    std::function<GivenProblem(double by, const std::function<const ResultFolder&()>& result)>;

/// Solves a case with a program.
std::unique_ptr<Instance> program_instance(MakeProblem make, ProgramSetting setting);

/// How the program is to solve these parameters.
ProgramSetting setting_of(const Manifest& manifest, const std::string& device,
                          const Parameters& given);

/// The reason why a program does not take these parameters; empty if it does.
std::string not_taken(const Manifest& manifest, const Parameters& given);

/// The axes that the program takes: the ones that it names, within the ones that programs have. An
/// interval that it names is left out: outside it a case is not run, and the request is not a
/// mistake.
std::vector<TakenAxis> taken_axes(const Manifest& manifest, std::vector<TakenAxis> taken);

/// The axes that it names must be the model's, of which programs have `taken` only in part.
void check_axes(const Manifest& manifest, std::vector<Axis> axes,
                const std::vector<TakenAxis>& taken);

/// An existing program must give each of the model's arrays a shape, and a number none.
/// `is_array` has the members of a solution by name.
void check_shapes(const Manifest& manifest, const std::map<std::string, bool>& is_array);

/// The problem as a program gets it: `given` names the parameters of its case, files left out, and
/// the problem has their values.
template <class Problem, template <class> class Solution>
ProblemData data_of(const AxisTable<Problem>& axes, const ProgramView<Problem, Solution>& view,
                    const Parameters& given, const Problem& problem) {
  ProblemData data = view.data(problem);
  const Parameters held = axes.parameters_of(problem);
  Parameters others;
  for (const Axis& axis : axes.axes()) {
    if (given.find(axis.name) == nullptr || axis.is_file) continue;
    others.set(axis.name, *held.find(axis.name));
  }
  data.add_others(others);
  return data;
}

/// What solves a case of the model with the program, on this device.
template <class Problem, template <class> class Solution>
auto instances_of(const SolverModel<Problem>& model, const ProgramView<Problem, Solution>& view,
                  const Manifest& manifest, const std::string& device) {
  return [&model, view, manifest, device](const Parameters& given) {
    const Problem problem = model.axes.problem_of(given);
    const auto make = [&model, view, given, problem, origin = *manifest.origin](
                          double by, const std::function<const ResultFolder&()>& result) {
      const Problem its = by == 0 ? problem : view.varied(problem, by);
      const auto instance = [&]<class S>(void (*take)(const Problem&, const ResultFolder&, S&)) {
        const Solve<Problem, S> solve = [result, take](const Problem& solved, Stages&, S& into) {
          take(solved, result(), into);
        };
        return std::unique_ptr<Instance>(std::make_unique<SolverInstance<Problem, S>>(
            std::function<void(const Problem&)>(), solve,
            std::function<std::map<std::string, std::string>()>(), origin, its));
      };
      GivenProblem made{
          .data = [&model, view, given, its] { return data_of(model.axes, view, given, its); },
          .solution = {}};
      if constexpr (std::is_same_v<Solution<float>, Solution<double>>) {
        made.solution = instance(view.take);
      } else {
        made.solution = is_single(given) ? instance(take_arrays<Problem, Solution<float>>)
                                         : instance(take_arrays<Problem, Solution<double>>);
      }
      return made;
    };
    return program_instance(make, setting_of(manifest, device, given));
  };
}

}  // namespace detail

/// Lets programs solve the model.
template <class Problem, template <class> class Solution>
ProgramModel program_model(const SolverModel<Problem>& model,
                           const ProgramView<Problem, Solution>& view) {
  const auto add = [&model, view](const Manifest& manifest) {
    detail::check_axes(manifest, model.model.axes, view.axes);
    detail::check_shapes(manifest, detail::members_of<Problem, Solution<double>>(
                                       model.axes.problem_of(complete(model.model.axes, {}, 1))));
    constexpr bool has_both = !std::is_same_v<Solution<float>, Solution<double>>;
    if (!manifest.work.empty() && view.work_of_statements == nullptr) {
      throw UsageError("{} at /work: {} has no law of statements",
                       (manifest.folder / manifest_name).string(), manifest.model);
    }
    for (const std::string& device : manifest.devices) {
      const auto has = [&](const char* real) {
        return std::ranges::count(manifest.real, real) > 0;
      };
      Solver<Problem, Solution> solver{
          .name = manifest.name + (device == "gpu" ? "_gpu" : ""),
          .origin = *manifest.origin,
          .summary = manifest.summary,
          .axes = detail::taken_axes(manifest, view.axes),
          .runs_on = device == "gpu" ? RunsOn::gpu : RunsOn::other_processes,
          .hooks = view.hooks,
          .source = view.source};
      if (!manifest.work.empty()) {
        solver.hooks.work = view.work_of_statements;
        // What takes long there is no byte and no operation.
        solver.hooks.floor = [](const Problem&, const Outcome&) { return Floor{}; };
      }
      // Only whether there are any: the instance below solves.
      if (has("single") && has_both) {
        solver.solve_single = [](const Problem&, Stages&, Solution<float>&) {};
      }
      if (has("double")) {
        solver.solve_double = [](const Problem&, Stages&, Solution<double>&) {};
      }
      Implementation made = implementation_of(model, solver);
      made.has_start = true;
      made.folder = manifest.folder.string();
      made.of_today = !manifest.of_a_paper;
      made.folder_digest = manifest.digest;
      made.unavailable = [manifest, device] {
        // First what no set-up changes.
        const std::string why = device == "gpu" ? why_no_gpu() : "";
        return why.empty() ? manifest.unavailable() : why;
      };
      made.hooks.unavailable = [manifest](const Parameters& given) {
        return detail::not_taken(manifest, given);
      };
      made.instantiate = detail::instances_of(model, view, manifest, device);
      Registry::global().add(std::move(made));
    }
  };
  const auto data = [&model, view](const Parameters& given) {
    return detail::data_of(model.axes, view, given, model.axes.problem_of(given));
  };
  const auto given = [&model, view](const Parameters& parameters) {
    const auto made = view.given == nullptr ? view.data : view.given;
    return made(model.axes.problem_of(parameters)).arrays();
  };
  return {.model = model.model.name, .add = add, .data = data, .given = given};
}

}  // namespace macrobench
