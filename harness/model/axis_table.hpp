#pragma once

// Every parameter of a model, declared once: its name, where it is in the model's Problem, what it
// means and what it allows. The table gives the axes, their defaults (those of a Problem{}), the
// problem that follows from parameters, and the parameters of a problem.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "harness/model/calibrations.hpp"
#include "harness/model/given_numbers.hpp"
#include "harness/model/input_file.hpp"
#include "harness/model/parameters.hpp"
#include "harness/text/error.hpp"

namespace macrobench {

constexpr Interval from_to(double lowest, double highest) {
  return {.lowest = lowest, .highest = highest};
}
/// Without either end.
constexpr Interval between(double lowest, double highest) {
  return {.lowest = lowest, .highest = highest, .lowest_allowed = false, .highest_allowed = false};
}
inline constexpr Interval above_zero{.lowest = 0, .lowest_allowed = false};
inline constexpr Interval open_unit = between(0, 1);
/// The highest is allowed and the lowest is not; and the other way round.
constexpr Interval above_up_to(double lowest, double highest) {
  return {.lowest = lowest, .highest = highest, .lowest_allowed = false};
}
constexpr Interval from_below(double lowest, double highest) {
  return {.lowest = lowest, .highest = highest, .highest_allowed = false};
}

/// A name that an axis allows, and its value in the problem.
template <class T>
struct Choice {
  const char* name;
  T value;
};

/// A name that is its own value.
template <>
struct Choice<std::string> {
  Choice(const char* its_name) : name(its_name), value(its_name) {}  // NOLINT(*-explicit-*)

  const char* name;
  std::string value;
};

/// A parameter of a model. `place` says where it is in a Problem: a pointer to a member, or a
/// function that returns a reference to it, for a constant Problem too.
template <class Problem>
class Parameter {
 public:
  template <class Place>
  using At = std::remove_cvref_t<std::invoke_result_t<const Place&, Problem&>>;

  /// A number: an int, a std::int64_t or a double.
  template <class Place>
  Parameter(std::string name, Place place, std::string help, Interval interval)
      : Parameter(std::move(name), std::move(help)) {
    using T = At<Place>;
    using Held = std::conditional_t<std::is_floating_point_v<T>, double, std::int64_t>;
    axis_.interval = interval;
    bind([place](const Problem& problem) { return Value(Held{std::invoke(place, problem)}); },
         [place](Problem& problem, const Value& value) {
           std::invoke(place, problem) = static_cast<T>(std::get<Held>(value));
         });
  }

  /// A name for each value that the problem can have there.
  template <class Place>
  Parameter(std::string name, Place place, std::string help,
            std::initializer_list<Choice<At<Place>>> choices)
      : Parameter(std::move(name), std::move(help)) {
    for (const auto& choice : choices) axis_.choices.emplace_back(choice.name);
    bind(
        [place, all = std::vector(choices)](const Problem& problem) {
          for (const auto& choice : all) {
            if (choice.value == std::invoke(place, problem)) return Value(choice.name);
          }
          throw std::logic_error("a problem has a value for which its axis has no name");
        },
        [place, all = std::vector(choices)](Problem& problem, const Value& value) {
          for (const auto& choice : all) {
            if (choice.name == std::get<std::string>(value)) {
              std::invoke(place, problem) = choice.value;
            }
          }
        });
  }

  /// A user's file.
  Parameter(std::string name, InputFile Problem::* place, std::string help)
      : Parameter(std::move(name), std::move(help)) {
    axis_.is_file = true;
    bind([place](const Problem& problem) { return Value(to_string(problem.*place)); },
         [place](Problem& problem, const Value& value) {
           problem.*place = input_file_from(std::get<std::string>(value));
         });
  }

  /// A user's calibrations, which are read only when they are needed.
  Parameter(std::string name, const Calibrations* Problem::* place, std::string help)
      : Parameter(std::move(name), std::move(help)) {
    axis_.is_file = true;
    bind(
        [place](const Problem& problem) {
          const Calibrations* held = problem.*place;
          return Value(held == nullptr ? "" : to_string(held->file()));
        },
        [place](Problem& problem, const Value& value) {
          problem.*place = calibrations_in(input_file_from(std::get<std::string>(value)));
        });
  }

  /// Numbers of a user's file, which are read only when they are needed.
  Parameter(std::string name, const GivenNumbers* Problem::* place, std::string help)
      : Parameter(std::move(name), std::move(help)) {
    axis_.is_file = true;
    axis_.most_bytes = static_cast<std::uintmax_t>(GivenNumbers::most_bytes);
    bind(
        [place](const Problem& problem) {
          const GivenNumbers* held = problem.*place;
          return Value(held == nullptr ? "" : to_string(held->file()));
        },
        [place, axis = axis_.name](Problem& problem, const Value& value) {
          problem.*place = numbers_in(axis, input_file_from(std::get<std::string>(value)));
        });
  }

  /// One word in the keys of the solvers that name it, and nothing in the problem.
  static Parameter mark(std::string name, std::string help, const std::string& word) {
    Parameter made(std::move(name), std::move(help));
    made.axis_.choices = {word};
    made.axis_.in_every_key = true;
    made.bind([word](const Problem&) { return Value(word); }, [](Problem&, const Value&) {});
    return made.optional();
  }

  /// It is in every key.
  Parameter& headline() {
    axis_.headline = true;
    return *this;
  }
  /// "all" means every core of the machine.
  Parameter& counts_cores() {
    axis_.counts_cores = true;
    return *this;
  }
  /// Only solvers that name it have it.
  Parameter& optional() {
    axis_.optional = true;
    return *this;
  }
  /// The default of solvers that have it; those that lack it do as a Problem{} says.
  Parameter& usually(std::string value) {
    axis_.lacking = std::exchange(axis_.default_value, Value(std::move(value)));
    return *this;
  }
  /// Our implementations that lack it do as if it had this value.
  Parameter& of_ours(std::string value) {
    axis_.of_ours = std::move(value);
    return *this;
  }
  /// A larger file is refused.
  Parameter& at_most_bytes(double most) {
    axis_.most_bytes = static_cast<std::uintmax_t>(most);
    return *this;
  }
  /// Printed after the interval if a number is outside it: why, or what to do instead.
  Parameter& otherwise(std::string what) {
    axis_.otherwise = std::move(what);
    return *this;
  }

  [[nodiscard]] const Axis& axis() const { return axis_; }
  [[nodiscard]] Value read(const Problem& problem) const { return read_(problem); }
  void write(Problem& problem, const Value& value) const { write_(problem, value); }

 private:
  Parameter(std::string name, std::string help) {
    axis_.name = std::move(name);
    axis_.help = std::move(help);
  }

  void bind(std::function<Value(const Problem&)> read,
            std::function<void(Problem&, const Value&)> write) {
    axis_.default_value = read(Problem{});
    read_ = std::move(read);
    write_ = std::move(write);
  }

  Axis axis_;
  std::function<Value(const Problem&)> read_;
  std::function<void(Problem&, const Value&)> write_;
};

/// Places in a member of the problem: in(&Problem::calibration)(&Calibration::beta).
template <class Problem, class Inner>
auto in(Inner Problem::* inner) {
  return
      [=](auto member) { return [=](auto& problem) -> auto& { return problem.*inner.*member; }; };
}

/// The precision, which is_single() asks for.
template <class Problem>
Parameter<Problem> precision(bool Problem::* single, std::string help = "precision") {
  return Parameter<Problem>("real", single, std::move(help), {{"double", false}, {"single", true}})
      .headline();
}

template <class Problem>
Parameter<Problem> cpu_threads(int Problem::* threads) {
  return Parameter<Problem>("threads", threads, "CPU threads, or all", from_to(1, 4096))
      .counts_cores();
}

/// How many calibrations one solution is for, at most `most` of them.
template <class Problem>
Parameter<Problem> batch_of_economies(int Problem::* economies, int most) {
  return Parameter<Problem>("economies", economies,
                            "calibrations to solve for: the one given and others drawn around it, "
                            "or those of a file",
                            from_to(1, most))
      .optional();
}

/// Which calibrations a batch draws.
template <class Problem>
Parameter<Problem> draw_of_economies(std::int64_t Problem::* draw) {
  return Parameter<Problem>("draw", draw, "which ones are drawn", from_to(0, 9e15)).optional();
}

/// A file of calibrations, instead of a draw.
template <class Problem>
Parameter<Problem> calibrations_of_economies(const Calibrations* Problem::* calibrations) {
  return Parameter<Problem>(std::string(Calibrations::axis), calibrations,
                            "a file of the batch's calibrations instead of a draw: parameter names "
                            "separated by commas, then a row of numbers for each economy")
      .at_most_bytes(Calibrations::most_bytes)
      .optional();
}

/// Solvers that have it say what "all" means.
template <class Problem>
Parameter<Problem> gpus_of_this_machine(int Problem::* gpus) {
  return Parameter<Problem>("gpus", gpus, "GPUs of this machine, or all", from_to(1, 64))
      .optional();
}

/// All parameters of a model, in the order of its keys.
template <class Problem>
class AxisTable {
 public:
  /// Sets what does not follow from a single parameter; null if everything does.
  using Finish = void (*)(Problem& problem, const Parameters& given);

  explicit AxisTable(std::vector<Parameter<Problem>> parameters, Finish finish = nullptr)
      : parameters_(std::move(parameters)), finish_(finish) {}

  [[nodiscard]] std::vector<Axis> axes() const {
    std::vector<Axis> all;
    for (const auto& parameter : parameters_) all.push_back(parameter.axis());
    return all;
  }

  /// The problem of these parameters; what they leave out is as in a Problem{}. The parameters must
  /// have been checked.
  [[nodiscard]] Problem problem_of(const Parameters& given) const {
    Problem problem;
    for (const auto& parameter : parameters_) {
      const Value* value = given.find(parameter.axis().name);
      if (value != nullptr) parameter.write(problem, *value);
    }
    if (finish_ != nullptr) finish_(problem, given);
    return problem;
  }

  /// Throws UsageError, with the economy or its line in the user's file, unless each economy of a
  /// batch has parameters that are allowed. Those that differ have these names; economy_of(e) is
  /// the problem of one, and check(problem, which) throws for others that the model does not
  /// allow. `which` begins its sentence.
  template <class EconomyOf, class Check>
  void check_economies(const Problem& batch, const std::vector<std::string>& names,
                       const EconomyOf& economy_of, const Check& check) const {
    const Calibrations* given = batch.calibrations;
    if (given != nullptr) given->check(batch.economies, names);
    std::vector<const Parameter<Problem>*> varied;
    for (const auto& parameter : parameters_) {
      if (std::ranges::count(names, parameter.axis().name) > 0) varied.push_back(&parameter);
    }
    for (int e = given == nullptr ? 1 : 0; e < batch.economies; ++e) {
      const Problem one = economy_of(e);
      const std::string which =
          given == nullptr
              ? "economy " + std::to_string(e) + " of draw = " + std::to_string(batch.draw) + ": "
              : given->where(static_cast<std::size_t>(e));
      for (const auto* parameter : varied) {
        const Axis& axis = parameter->axis();
        const Value value = parameter->read(one);
        if (allows(axis, value)) continue;
        throw UsageError(which + axis.name + " = " + to_string(value) + ": it must be " +
                         axis.interval.describe() +
                         (given == nullptr ? "; a batch needs a calibration farther from the ends "
                                             "of its ranges"
                                           : ""));
      }
      check(one, which);
    }
  }

  /// Every parameter, with the problem's value.
  [[nodiscard]] Parameters parameters_of(const Problem& problem) const {
    Parameters all;
    for (const auto& parameter : parameters_) {
      all.set(parameter.axis().name, parameter.read(problem));
    }
    return all;
  }

 private:
  std::vector<Parameter<Problem>> parameters_;
  Finish finish_;
};

}  // namespace macrobench
