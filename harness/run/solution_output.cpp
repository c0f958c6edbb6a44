#include "harness/run/solution_output.hpp"

#include <nlohmann/json.hpp>

#include "harness/files/output_folder.hpp"
#include "harness/model/solution_folder.hpp"
#include "harness/records/record_facts.hpp"
#include "harness/records/record_json.hpp"
#include "harness/text/json_fields.hpp"

namespace macrobench {

void write_solution(const Case& which, const Instance& instance, const std::string& stored,
                    const Outcome& outcome, const std::filesystem::path& folder) {
  const Implementation& implementation = *which.implementation;
  nlohmann::ordered_json about;
  about["case"] = {
      {"model", implementation.model},
      {"implementation", implementation.name},
      {"origin", to_string(implementation.origin)},
      {"parameters", parameters_type().write(recorded(implementation.axes, which.parameters))}};
  about["certificate"] = outcome_type().write(outcome);
  write_solution(OutputFolder(folder),
                 {.stored = stored,
                  .arrays = instance.arrays(),
                  .given = Registry::global().given_arrays(which),
                  .units = which.model().array_units},
                 about);
}

}  // namespace macrobench
