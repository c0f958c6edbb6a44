#pragma once

// A program from outside as a case that the harness runs like any other. A model has one
// ProgramView, which is all that it knows of programs.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <random>
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
      std::vector<std::size_t> counts;
      for (const Extent& along : shape) counts.push_back(along.count);
      if (count_of(shape) > 0) result.array(name, counts, array);
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

/// What an existing program says of the model's arrays must have a shape, and of its numbers none.
template <class Problem, class Solution>
void check_shapes(const Manifest& manifest, const Problem& problem) {
  if (!manifest.existing) return;
  std::map<std::string, bool> is_array;
  Solution solution;
  NameArrays name_arrays{is_array};
  Solution::each_array(problem, solution, name_arrays);
  for (const auto& [name, place] : manifest.existing->result) {
    const auto its = is_array.find(name);
    if (its == is_array.end() || its->second != place.shape.empty()) continue;
    throw UsageError("{} at /existing/result/{}: {}", (manifest.folder / manifest_name).string(),
                     name,
                     its->second ? name + " is an array and needs a 'shape'"
                                 : name + " is one number and has no 'shape'");
  }
}

template <class Problem, class Solution>
class ProgramInstance final : public Instance {
 public:
  using Data = std::function<ProblemData(const Problem&)>;
  using Take = void (*)(const Problem&, const ResultFolder&, Solution&);
  using Varied = Problem (*)(const Problem&, double);

  ProgramInstance(Data data, Take take, Varied varied, ProgramSetting setting, Origin origin,
                  Problem problem)
      : data_(std::move(data)),
        take_(take),
        varied_(varied),
        origin_(origin),
        canonical_(std::move(problem)),
        run_(std::move(setting)) {}

  void start() override {
    solves_ = 0;
    run_.start();
  }

  /// The first solution is of the problem itself. Those after it are of others beside it, so that
  /// no answer can be kept.
  void poison() override {
    problems_.assign(1, canonical_);
    if (run_.is_started() && solves_ > 0) {
      // A long first solution may have been a compiler's, but one more of them costs too much.
      constexpr double long_seconds = 5;
      if (batch_ == 0 && run_.last_seconds() < long_seconds) {
        batch_ = run_.calibrate(data_(another()));
      }
      problems_.clear();
      for (int i = 0; i < std::max(1, batch_); ++i) problems_.push_back(another());
    }
    if (run_.is_started()) {
      std::vector<ProblemData> data;
      for (const Problem& problem : problems_) data.push_back(data_(problem));
      ids_ = run_.load(data);
    }
    solutions_.resize(problems_.size());
    for (std::size_t i = 0; i < problems_.size(); ++i) {
      fill_with_poison(problems_[i], solutions_[i]);
    }
  }

  void solve(Stages& stages) override {
    run_.solve(ids_);
    stages.finish();
    ++solves_;
    for (std::size_t i = 0; i < ids_.size(); ++i) {
      try {
        const ResultFolder result(run_.write(ids_[i]));
        run_.hear(result);
        take_(problems_[i], result, solutions_[i]);
      } catch (const NotAResult& error) {
        run_.object(error.what());
      }
    }
  }

  Outcome check(const Scrutiny& scrutiny) override {
    Outcome outcome;
    outcome.why = run_.objection();
    if (!outcome.why.empty()) return outcome;
    outcome = judge(problems_.front(), solutions_.front(), scrutiny.of(origin_));
    for (std::size_t i = 1; i < problems_.size() && outcome.valid; ++i) {
      Outcome other = judge(problems_[i], solutions_[i], scrutiny.of(origin_));
      if (!other.valid) outcome = std::move(other);
    }
    for (const auto& [name, seconds] : run_.seconds()) {
      if (name.starts_with("their_")) outcome.figures[name + "_seconds"] = seconds.back();
    }
    if (!outcome.valid) {
      const std::string why = run_.too_few_digits(outcome.residual);
      if (!why.empty()) outcome.why += "; " + why;
    }
    return outcome;
  }

  /// Equal only if the first solution is: each later one is of another problem, and what its times
  /// cannot stand for must be asked of check().
  [[nodiscard]] std::uint64_t fingerprint() const override {
    if (!run_.objection().empty()) return std::random_device{}();
    std::uint64_t hash = solves_ > 1 ? std::random_device{}() : 0;
    for (std::size_t i = 0; i < solutions_.size(); ++i) {
      hash = hash * 31 + hash_of(problems_[i], solutions_[i]);
    }
    return hash;
  }

  [[nodiscard]] int solutions_at_once() const override {
    return static_cast<int>(problems_.size());
  }

  [[nodiscard]] Surroundings surroundings() const override {
    Surroundings found{.seconds = run_.seconds(), .notes = run_.notes()};
    if (batch_ > 1) found.notes["batch"] = std::to_string(batch_) + " problems at a time";
    return found;
  }

  [[nodiscard]] std::string saved(const std::string& key) const override {
    if constexpr (Savable<Problem, Solution>) {
      return text_of(problems_.front(), solutions_.front(), key);
    } else {
      return Instance::saved(key);
    }
  }

  [[nodiscard]] std::string stored(const std::string& key) const override {
    return stored_text(problems_.front(), solutions_.front(), key);
  }

  [[nodiscard]] std::vector<ArrayView> arrays() const override {
    return views_of(problems_.front(), solutions_.front());
  }

  void restore(std::string_view text, const std::string& key) override {
    macrobench::restore(problems_.front(), solutions_.front(), text, key);
  }

 private:
  Problem another() {
    std::uniform_real_distribution<double> size(0.2, 1);
    const double by = size(random_);
    return varied_(canonical_, random_() % 2 == 0 ? by : -by);
  }

  Data data_;
  Take take_;
  Varied varied_;
  Origin origin_;
  Problem canonical_;
  ProgramRun run_;
  std::mt19937_64 random_{std::random_device{}()};
  int solves_ = 0;
  int batch_ = 0;  ///< 0 before it is known
  std::vector<Problem> problems_;
  std::vector<std::string> ids_;
  std::vector<Solution> solutions_;
};

/// Why a program does not take these parameters; empty if it does.
inline std::string not_taken(const Manifest& manifest, const Parameters& given) {
  for (const TakenAxis& taken : manifest.parameters) {
    const Value* value = given.find(taken.name);
    if (value == nullptr || !taken.interval) continue;
    const auto* whole = std::get_if<std::int64_t>(value);
    const auto* real = std::get_if<double>(value);
    const double number = whole != nullptr ? static_cast<double>(*whole) : real ? *real : 0;
    if (taken.interval->contains(number)) continue;
    return taken.name + " = " + to_string(*value) + ": the program takes " + taken.name + " " +
           taken.interval->describe();
  }
  return {};
}

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

/// A model's axes as its programs have them.
inline std::vector<Axis> of_programs(std::vector<Axis> axes, const std::vector<TakenAxis>& taken) {
  for (const TakenAxis& one : taken) {
    const auto axis = std::ranges::find(axes, one.name, &Axis::name);
    if (axis != axes.end() && !one.choices.empty()) axis->choices = one.choices;
  }
  return axes;
}

/// Those that the program takes: what it names, within what programs have. An interval that it
/// names is left out: outside it a case is not run, and the request is no mistake.
inline std::vector<TakenAxis> taken_axes(const Manifest& manifest, std::vector<TakenAxis> taken) {
  for (const TakenAxis& named : manifest.parameters) {
    const auto its = std::ranges::find(taken, named.name, &TakenAxis::name);
    if (its == taken.end()) {
      taken.push_back({.name = named.name, .choices = named.choices});
    } else if (!named.choices.empty()) {
      its->choices = named.choices;
    }
  }
  return taken;
}

/// The axes that it names must be the model's.
inline void check_axes(const Manifest& manifest, const std::vector<Axis>& axes) {
  for (const TakenAxis& taken : manifest.parameters) {
    const Axis& axis = [&]() -> const Axis& {
      try {
        return find_axis(axes, taken.name);
      } catch (const UsageError& error) {
        throw UsageError("{}: {}", (manifest.folder / manifest_name).string(), error.what());
      }
    }();
    for (const std::string& choice : taken.choices) {
      if (std::ranges::count(axis.choices, choice) > 0) continue;
      throw UsageError("{} at /parameters/{}: {} has no '{}'",
                       (manifest.folder / manifest_name).string(), taken.name, taken.name, choice);
    }
  }
}

/// What solves a case of the model with the program, on this device.
template <class Problem, template <class> class Solution>
auto instances_of(const SolverModel<Problem>& model, const ProgramView<Problem, Solution>& view,
                  const Manifest& manifest, const std::string& device) {
  using Made = std::unique_ptr<Instance>;
  return [&model, view, manifest, device](const Parameters& given) -> Made {
    const Value* threads = given.find("threads");
    ProgramSetting setting{
        .manifest = manifest,
        .device = device,
        .threads = threads == nullptr ? 1 : static_cast<int>(std::get<std::int64_t>(*threads)),
        .real = is_single(given) ? "single" : "double"};
    const Problem problem = model.axes.problem_of(given);
    const auto instance =
        [&]<class S>(void (*take)(const Problem&, const ResultFolder&, S&)) -> Made {
      const auto data = [&model, view, given](const Problem& one) {
        return data_of(model.axes, view, given, one);
      };
      return std::make_unique<ProgramInstance<Problem, S>>(
          data, take, view.varied, std::move(setting), *manifest.origin, problem);
    };
    if constexpr (std::is_same_v<Solution<float>, Solution<double>>) {
      return instance(view.take);
    } else {
      return is_single(given) ? instance(take_arrays<Problem, Solution<float>>)
                              : instance(take_arrays<Problem, Solution<double>>);
    }
  };
}

}  // namespace detail

/// Lets programs solve the model.
template <class Problem, template <class> class Solution>
ProgramModel program_model(const SolverModel<Problem>& model,
                           const ProgramView<Problem, Solution>& view) {
  const auto add = [&model, view](const Manifest& manifest) {
    detail::check_axes(manifest, detail::of_programs(model.model.axes, view.axes));
    detail::check_shapes<Problem, Solution<double>>(
        manifest, model.axes.problem_of(complete(model.model.axes, {}, 1)));
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
  return {.model = model.model.name, .add = add, .data = data};
}

}  // namespace macrobench
