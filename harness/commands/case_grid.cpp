#include "harness/commands/case_grid.hpp"

#include <algorithm>

#include "harness/records/machine.hpp"

namespace macrobench {

namespace {

/// Whether the implementation allows this value. An axis that it lacks is no objection: it is left
/// out.
bool can_take(const Implementation& implementation, const std::string& name, const Value& value) {
  const auto axis = std::ranges::find(implementation.axes, name, &Axis::name);
  return axis == implementation.axes.end() || allows(*axis, value);
}

}  // namespace

std::vector<Case> all_cases(const std::vector<const Implementation*>& implementations,
                            const std::vector<Direction>& directions) {
  std::vector<Case> cases;
  std::vector<std::string> keys;
  const auto add = [&](const Implementation& implementation, const Parameters& given) {
    Case made = Registry::global().make_case(implementation.id(), only_taken(implementation, given),
                                             available_cores());
    std::string key = made.key();
    if (std::count(keys.begin(), keys.end(), key) > 0) return;
    keys.push_back(std::move(key));
    cases.push_back(std::move(made));
  };
  for (const Implementation* implementation : implementations) {
    const auto combine = [&](const auto& self, std::size_t depth, Parameters given) -> void {
      if (depth == directions.size()) return add(*implementation, given);
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

}  // namespace macrobench
