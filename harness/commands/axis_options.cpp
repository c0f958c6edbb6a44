#include "harness/commands/axis_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "harness/records/machine.hpp"
#include "harness/text/error.hpp"

namespace macrobench {

namespace {

/// Whether the implementation allows this value. An axis that it lacks is no objection: it is left
/// out.
bool can_take(const Implementation& implementation, const std::string& name, const Value& value) {
  const auto axis = std::ranges::find(implementation.axes, name, &Axis::name);
  return axis == implementation.axes.end() || allows(*axis, value);
}

}  // namespace

Parameters AxisOptions::parameters(const std::vector<Axis>& axes) const {
  Parameters given;
  for (const auto& [name, text] : values) {
    given.set(name, parse_value(find_axis(axes, name), text, available_cores()));
  }
  return given;
}

AxisOptions parse_axis_options(const std::vector<std::string>& arguments) {
  AxisOptions options;
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
      throw UsageError(fmt::format("--{} needs a value", name));
    }
    if (std::ranges::count(options.values, name, [](const auto& given) { return given.first; }) >
        0) {
      throw UsageError(fmt::format("--{} is given twice", name));
    }
    std::string value = equals == std::string::npos ? *++argument : argument->substr(equals + 1);
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

std::vector<Case> all_cases(const std::vector<const Implementation*>& implementations,
                            const std::vector<Direction>& directions) {
  std::vector<Case> cases;
  std::set<std::string> keys;
  for (const Implementation* implementation : implementations) {
    const auto combine = [&](const auto& self, std::size_t depth, Parameters given) -> void {
      if (depth == directions.size()) {
        Case made = Registry::global().make_case(
            implementation->id(), only_taken(*implementation, given), available_cores());
        if (keys.insert(made.key()).second) cases.push_back(std::move(made));
        return;
      }
      for (const Value& value : directions[depth].values) {
        if (!can_take(*implementation, directions[depth].name, value)) continue;
        given.set(directions[depth].name, value);
        self(self, depth + 1, given);
      }
    };
    combine(combine, 0, {});
  }
  return cases;
}

void check_not_empty(const std::vector<Case>& cases) {
  if (!cases.empty()) return;
  throw UsageError(
      "no implementation allows all of these values (macrobench list shows what each allows)");
}

}  // namespace macrobench
