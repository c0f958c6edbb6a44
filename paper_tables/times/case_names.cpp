#include "paper_tables/times/case_names.hpp"

#include "harness/model/registry.hpp"

namespace macrobench {

CaseNames names_of(const Record& record, const std::function<Belongs(const Axis&)>& place_of) {
  const Model& model = Registry::global().model(record.model);
  CaseNames names{.problem = "", .implementation = record.implementation};
  for (const Axis& axis : model.axes) {
    const Value* its = record.parameters.find(axis.name);
    if (its == nullptr) continue;
    const bool is_told = axis.headline || axis.counts_cores || axis.name == model.size_axis ||
                         *its != axis.default_value;
    const Belongs place = place_of(axis);
    if (!is_told || place == Belongs::nowhere) continue;
    (place == Belongs::to_problem ? names.problem : names.implementation) +=
        key_field(axis.name, to_string(*its));
  }
  if (!names.problem.empty()) names.problem.erase(0, 1);
  return names;
}

}  // namespace macrobench
