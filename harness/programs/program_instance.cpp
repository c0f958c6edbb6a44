#include "harness/programs/program_instance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <utility>
#include <variant>

namespace macrobench::detail {

namespace {

/// A guess at why choices are wrong, which are indices of a grid; empty if it cannot be that.
std::string counted_from_1(const ArrayView& array) {
  const std::size_t count = array.choices.empty() || !array.is_whole ? 0 : count_of(array.shape);
  for (std::size_t i = 0; i < count; ++i) {
    if (array.number(i) < 1) return {};
  }
  return count == 0 ? "" : fmt::format("; {} has no 0: counted from 1?", array.name);
}

class ProgramInstance final : public Instance {
 public:
  ProgramInstance(MakeProblem make, ProgramSetting setting)
      : make_(std::move(make)), run_(std::move(setting)) {}

  void start() override {
    solves_ = 0;
    run_.start();
  }

  /// The first solution belongs to the problem itself, and each later one to another beside it, so
  /// that no answer can be kept.
  void poison() override {
    const bool is_first = !run_.is_started() || solves_ == 0;
    if (!is_first) {
      // A long first solution may have been a compiler's, but one more of them costs too much.
      constexpr double long_seconds = 5;
      if (batch_ == 0 && run_.last_seconds() < long_seconds) {
        batch_ = run_.calibrate([this] { return make(another()).data(); });
      }
    }
    problems_.clear();
    for (int i = 0; i < (is_first ? 1 : std::max(1, batch_)); ++i) {
      problems_.push_back(make(is_first ? 0 : another()));
    }
    if (run_.is_started()) {
      std::vector<ProblemData> data;
      for (const GivenProblem& problem : problems_) data.push_back(problem.data());
      ids_ = run_.load(data);
    }
    for (const GivenProblem& problem : problems_) problem.solution->poison();
  }

  void solve(Stages& stages) override {
    run_.solve(ids_);
    stages.finish();
    ++solves_;
    // Too long for a calibration, which looks for work after the answer in others.
    const bool is_long = solves_ == 2 && batch_ == 0;
    for (std::size_t i = 0; i < ids_.size(); ++i) {
      try {
        const ResultFolder result(is_long ? run_.write_twice(ids_[i]) : run_.write(ids_[i]));
        run_.hear(result);
        result_ = &result;
        problems_[i].solution->solve(stages);
      } catch (const NotAResult& error) {
        run_.object(error.what());
      }
    }
  }

  Outcome check(const Scrutiny& scrutiny) override {
    Outcome outcome;
    outcome.why = run_.objection();
    if (!outcome.why.empty() && !run_.is_too_short()) return outcome;
    outcome = problems_.front().solution->check(scrutiny);
    for (std::size_t i = 1; i < problems_.size() && outcome.valid; ++i) {
      Outcome other = problems_[i].solution->check(scrutiny);
      if (!other.valid) outcome = std::move(other);
    }
    const bool is_certified = outcome.valid;
    if (is_certified) compare_iterations(outcome, scrutiny);
    for (const auto& [name, seconds] : run_.seconds()) {
      if (name.starts_with("their_")) outcome.figures[name + "_seconds"] = seconds.back();
    }
    if (!is_certified) {
      const std::string why = run_.too_few_digits(outcome.residual);
      if (!why.empty()) outcome.why += "; " + why;
      for (const ArrayView& array : first().arrays()) {
        const bool is_meant = outcome.why.find(array.name) != std::string::npos;
        if (is_meant) outcome.why += counted_from_1(array);
      }
    } else if (outcome.valid && run_.is_too_short()) {
      outcome.valid = false;
      outcome.why = run_.objection();
    }
    return outcome;
  }

  /// Equal only if the first solution is: each later one is of another problem, and only check()
  /// knows whether its times can stand.
  [[nodiscard]] std::string fingerprint() const override {
    const bool is_first = solves_ <= 1 && run_.objection().empty();
    return is_first ? first().fingerprint() : fmt::format("solution {}", solves_);
  }

  [[nodiscard]] int solutions_at_once() const override {
    return static_cast<int>(problems_.size());
  }

  [[nodiscard]] Surroundings surroundings() const override {
    Surroundings found{
        .seconds = run_.seconds(), .notes = run_.notes(), .resident_bytes = run_.resident_bytes()};
    if (batch_ > 1) found.notes["batch"] = std::to_string(batch_) + " problems at a time";
    return found;
  }

  [[nodiscard]] std::string stored(const std::string& key) const override {
    return first().stored(key);
  }
  [[nodiscard]] std::vector<ArrayView> arrays() const override { return first().arrays(); }
  void restore(std::string_view text, const std::string& key) override {
    first().restore(text, key);
  }

 private:
  [[nodiscard]] Instance& first() const { return *problems_.front().solution; }

  /// A problem beside the first one may take fewer iterations. The first one itself takes
  /// as many again as before, unless the program begins from another solution.
  void compare_iterations(Outcome& outcome, const Scrutiny& scrutiny) {
    if (solves_ == 1) first_iterations_ = outcome.iterations;
    if (takes_as_many_again_ || !is_fewer(outcome.iterations)) return;
    const std::int64_t again = first_again(scrutiny).iterations;
    takes_as_many_again_ = !is_fewer(again);
    if (takes_as_many_again_) return;
    outcome.valid = false;
    outcome.why = fmt::format(
        "asked for the first problem again it took {} iterations, and {} before: does it begin "
        "from the solution before?",
        again, first_iterations_);
  }

  [[nodiscard]] bool is_fewer(std::int64_t iterations) const {
    constexpr double rounding = 0.5;  // of a count
    return static_cast<double>(iterations) <
           0.9 * static_cast<double>(first_iterations_) - rounding;
  }

  Outcome first_again(const Scrutiny& scrutiny) {
    const GivenProblem problem = make(0);
    problem.solution->poison();
    const std::vector<std::string> ids = run_.load({problem.data()});
    run_.solve(ids);
    try {
      const ResultFolder result(run_.write(ids.front()));
      result_ = &result;
      NoStages stages;
      problem.solution->solve(stages);
    } catch (const NotAResult& error) {
      Outcome none;
      none.why = error.what();
      return none;
    }
    return problem.solution->check(scrutiny);
  }

  GivenProblem make(double by) {
    return make_(by, [this]() -> const ResultFolder& { return *result_; });
  }

  double another() {
    std::uniform_real_distribution<double> size(0.2, 1);
    const double by = size(random_);
    return random_() % 2 == 0 ? by : -by;
  }

  MakeProblem make_;
  ProgramRun run_;
  std::mt19937_64 random_{std::random_device{}()};
  int solves_ = 0;
  std::int64_t first_iterations_ = 0;
  bool takes_as_many_again_ = false;  ///< the first problem, as is known
  int batch_ = 0;                     ///< 0 before it is known
  std::vector<GivenProblem> problems_;
  std::vector<std::string> ids_;
  const ResultFolder* result_ = nullptr;  ///< that a problem's solve() takes
};

}  // namespace

std::unique_ptr<Instance> program_instance(MakeProblem make, ProgramSetting setting) {
  return std::make_unique<ProgramInstance>(std::move(make), std::move(setting));
}

ProgramSetting setting_of(const Manifest& manifest, const std::string& device,
                          const Parameters& given) {
  const Value* threads = given.find("threads");
  return {.manifest = manifest,
          .device = device,
          .threads = threads == nullptr ? 1 : static_cast<int>(std::get<std::int64_t>(*threads)),
          .real = is_single(given) ? "single" : "double"};
}

std::string not_taken(const Manifest& manifest, const Parameters& given) {
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

std::vector<TakenAxis> taken_axes(const Manifest& manifest, std::vector<TakenAxis> taken) {
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

void check_axes(const Manifest& manifest, std::vector<Axis> axes,
                const std::vector<TakenAxis>& taken) {
  const std::string file = (manifest.folder / manifest_name).string();
  for (const TakenAxis& one : taken) {
    const auto axis = std::ranges::find(axes, one.name, &Axis::name);
    if (axis != axes.end() && !one.choices.empty()) axis->choices = one.choices;
  }
  for (const TakenAxis& named : manifest.parameters) {
    const Axis& axis = [&]() -> const Axis& {
      try {
        return find_axis(axes, named.name);
      } catch (const UsageError& error) {
        throw UsageError("{}: {}", file, error.what());
      }
    }();
    for (const std::string& choice : named.choices) {
      if (std::ranges::count(axis.choices, choice) > 0) continue;
      throw UsageError("{} at /parameters/{}: {} has no '{}'", file, named.name, named.name,
                       choice);
    }
  }
}

void check_shapes(const Manifest& manifest, const std::map<std::string, bool>& is_array) {
  if (!manifest.existing) return;
  for (const auto& [name, place] : manifest.existing->result) {
    const auto its = is_array.find(name);
    if (its == is_array.end() || its->second != place.shape.empty()) continue;
    throw UsageError("{} at /existing/result/{}: {}", (manifest.folder / manifest_name).string(),
                     name,
                     its->second ? name + " is an array and needs a 'shape'"
                                 : name + " is one number and has no 'shape'");
  }
}

}  // namespace macrobench::detail
