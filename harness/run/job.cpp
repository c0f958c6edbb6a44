#include "harness/run/job.hpp"

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "harness/records/record_json.hpp"
#include "harness/text/json_values.hpp"

namespace macrobench {

using nlohmann::json;
using nlohmann::ordered_json;

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Sampling, relative_spread, minimum, maximum, seconds, processes)

ordered_json to_json(const Job& job) {
  return {{"implementation", job.implementation},
          {"parameters", to_json(job.parameters)},
          {"sampling", json(job.sampling)},
          {"thorough", job.thorough},
          {"draw", job.draw},
          {"repeats", job.repeats},
          {"checked", or_null(job.checked)},
          {"save", job.save},
          {"store", job.store},
          {"certify", job.certify},
          {"certify_key", job.certify_key},
          {"energy_within", or_null(job.energy_within)},
          {"cores", or_null(job.cores)}};
}

Job job_from_json(const json& object) {
  Job job{.implementation = object.at("implementation").get<std::string>(),
          .parameters = parameters_from_json(object.at("parameters")),
          .sampling = object.at("sampling").get<Sampling>(),
          .thorough = object.at("thorough").get<bool>(),
          .draw = object.value("draw", ""),
          .repeats = object.at("repeats").get<bool>(),
          .checked = {},
          .save = object.at("save").get<std::string>(),
          .store = object.at("store").get<std::string>(),
          .certify = object.at("certify").get<std::string>(),
          .certify_key = object.value("certify_key", "")};
  const json& checked = object.at("checked");
  if (!checked.is_null()) job.checked = checked.get<std::uint64_t>();
  // Another commit's runner gives neither.
  const json energy = object.value("energy_within", json());
  if (!energy.is_null()) job.energy_within = energy.get<double>();
  const json cores = object.value("cores", json());
  if (!cores.is_null()) job.cores = cores.get<int>();
  return job;
}

ordered_json to_json(const JobAnswer& answer) {
  return {{"sample", to_json(answer.sample)},
          {"outcome", answer.outcome ? to_json(*answer.outcome) : ordered_json(nullptr)},
          {"fingerprint", answer.fingerprint},
          {"solution", or_null(answer.solution)}};
}

JobAnswer job_answer_from_json(const json& object) {
  JobAnswer answer;
  answer.sample = sample_from_json(object.at("sample"), "/sample");
  const json& outcome = object.at("outcome");
  if (!outcome.is_null()) answer.outcome = outcome_from_json(outcome, "/outcome");
  const json& fingerprint = object.at("fingerprint");
  if (!fingerprint.is_number_unsigned()) {
    throw std::invalid_argument("/fingerprint: it must be a whole number, 0 or more");
  }
  answer.fingerprint = fingerprint.get<std::uint64_t>();
  // The build of an earlier commit stores nothing.
  const json solution = object.value("solution", json());
  if (!solution.is_null()) answer.solution = solution.get<std::string>();
  return answer;
}

}  // namespace macrobench
