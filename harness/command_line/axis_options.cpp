#include "harness/command_line/axis_options.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <set>
#include <string_view>
#include <utility>

#include "harness/command_line/empty_value.hpp"
#include "harness/machine/machine.hpp"
#include "harness/text/error.hpp"
#include "harness/text/format.hpp"
#include "harness/text/nearest.hpp"
#include "harness/text/strings.hpp"

namespace macrobench {

namespace {

/// A parameter that none of the implementations has would only be passed over.
std::vector<std::string> names_in(const std::vector<const Implementation*>& implementations) {
  std::set<std::string> known;
  for (const Implementation* implementation : implementations) {
    for (const Axis& axis : implementation->axes) known.insert(axis.name);
  }
  return {known.begin(), known.end()};
}

using Texts = std::vector<std::pair<std::string, std::string>>;

/// Each of them is a process, and a plan of more takes longer than they do.
constexpr int most_cases = 10'000;

/// The values that the text names, piece by piece, so that no text makes more of them than there
/// may be cases.
std::vector<Value> values_in(const std::string& text, const Axis& axis) {
  if (axis.is_file) return parse_values(axis, text, available_cores());
  std::vector<Value> values;
  for (const std::string_view piece : split(text, ',')) {
    std::ranges::move(parse_values(axis, piece, available_cores()), std::back_inserter(values));
    if (std::ssize(values) > most_cases) {
      throw UsageError("{}: more than {} values; name fewer", axis.name,
                       with_separators(most_cases));
    }
  }
  return values;
}

/// Every combination of the values that the implementation allows.
std::vector<Parameters> grid_of(const Implementation& implementation, const Model& model,
                                const Texts& texts) {
  std::vector<std::pair<std::string, std::vector<Value>>> allowed;
  double cases = 1;
  const std::vector<Axis>& axes = implementation.axes;
  for (const auto& [name, text] : texts) {
    const auto axis = std::ranges::find(axes, name, &Axis::name);
    if (axis == axes.end()) continue;
    auto& values = allowed.emplace_back(name, values_in(text, find_axis(model.axes, name))).second;
    std::erase_if(values, [&](const Value& value) { return !allows(*axis, value); });
    cases *= static_cast<double>(values.size());
  }
  if (cases > most_cases) {
    throw UsageError(
        "{}: these values make {} cases, and at most {} are run at once: name fewer values",
        implementation.id(), with_separators(cases), with_separators(most_cases));
  }
  std::vector<Parameters> grid{Parameters{}};
  for (const auto& [name, values] : allowed) {
    std::vector<Parameters> finer;
    for (const Parameters& point : grid) {
      for (const Value& value : values) finer.emplace_back(point).set(name, value);
    }
    grid = std::move(finer);
  }
  return grid;
}

}  // namespace

void AxisOptions::check_names(const std::vector<std::string>& axes) const {
  for (const auto& [name, text] : values) {
    if (std::ranges::count(axes, name) > 0) continue;
    std::vector<std::string> known = axes;
    known.insert(known.end(), command_options.begin(), command_options.end());
    throw UsageError(unknown_name("parameter", name, known));
  }
}

Parameters AxisOptions::parameters(const std::vector<Axis>& axes) const {
  std::vector<std::string> known;
  for (const Axis& axis : axes) known.push_back(axis.name);
  check_names(known);
  Parameters given;
  for (const auto& [name, text] : values) {
    given.set(name, parse_value(find_axis(axes, name), text, available_cores()));
  }
  return given;
}

AxisOptions parse_axis_options(const std::vector<std::string>& arguments,
                               std::vector<std::string> command_options) {
  AxisOptions options;
  options.command_options = std::move(command_options);
  for (auto argument = arguments.begin(); argument != arguments.end(); ++argument) {
    if (!argument->starts_with("--")) {
      options.names.push_back(*argument);
      continue;
    }
    const std::size_t equals = argument->find('=');
    // The parameter is iteration_cap; shell users also type iteration-cap.
    std::string name = argument->substr(2, equals == std::string::npos ? equals : equals - 2);
    std::ranges::replace(name, '-', '_');
    if (equals == std::string::npos && argument + 1 == arguments.end()) {
      throw UsageError("--{} needs a value", name);
    }
    if (std::ranges::count(options.values, name, [](const auto& given) { return given.first; }) >
        0) {
      throw UsageError("--{} is given twice", name);
    }
    std::string value = equals == std::string::npos ? *++argument : argument->substr(equals + 1);
    if (value.empty()) throw UsageError("--{}: {}", name, empty_value_is_wrong);
    options.values.emplace_back(std::move(name), std::move(value));
  }
  return options;
}

std::vector<const Implementation*> implementations_of(const std::string& name) {
  const Registry& registry = Registry::global();
  if (name.find('/') != std::string::npos) return {&registry.implementation(name)};
  std::vector<const Implementation*> all = registry.implementations();
  std::erase_if(all, [&model = registry.model(name)](const Implementation* one) {
    return one->model != model.name;
  });
  return all;
}

std::vector<Case> cases_of(const std::vector<const Implementation*>& implementations,
                           const AxisOptions& options, Unnamed unnamed) {
  options.check_names(names_in(implementations));
  const Registry& registry = Registry::global();
  std::vector<Case> cases;
  std::set<std::string> keys;
  for (const Implementation* implementation : implementations) {
    const Model& model = *implementation->its_model;
    Texts texts = options.values;
    const bool has_size = std::ranges::count(texts, model.size_axis, &Texts::value_type::first) > 0;
    if (unnamed == Unnamed::quick && !has_size && !model.trial_sizes.empty()) {
      texts.emplace_back(model.size_axis, std::to_string(model.trial_sizes.front()));
    }
    for (const Parameters& point : grid_of(*implementation, model, texts)) {
      Case made = registry.make_case(implementation->id(), point, available_cores());
      if (keys.insert(made.key()).second) cases.push_back(std::move(made));
    }
  }
  if (cases.empty()) {
    throw UsageError(
        "no implementation allows all of these values (macrobench list shows what each allows)");
  }
  return cases;
}

}  // namespace macrobench
