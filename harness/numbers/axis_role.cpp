#include "harness/numbers/axis_role.hpp"

#include <algorithm>

namespace macrobench {

Role role_of(const Axis& axis, const Model& model) {
  const auto is_one_of = [&](const std::vector<std::string>& names) {
    return std::ranges::count(names, axis.name) > 0;
  };
  if (model.grows_along(axis.name)) return Role::size;
  if (axis.name == "real") return Role::precision;
  if (is_one_of(model.method_axes)) return Role::method;
  if (axis.name.ends_with("tolerance")) return Role::tolerance;
  if (axis.counts_cores || is_one_of({"gpus", "block", "blocks", "processes"})) {
    return Role::resources;
  }
  return axis.name.ends_with("_cap") ? Role::method : Role::problem;
}

}  // namespace macrobench
