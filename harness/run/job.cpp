#include "harness/run/job.hpp"

#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "harness/records/record_json.hpp"
#include "harness/text/json_values.hpp"

namespace macrobench {

using nlohmann::json;
using nlohmann::ordered_json;

ordered_json to_json(const Job& job) {
  const Sampling& s = job.sampling;
  return {{"implementation", job.implementation},
          {"parameters", to_json(job.parameters)},
          {"sampling",
           {{"relative_spread", s.relative_spread},
            {"minimum", s.minimum},
            {"maximum", s.maximum},
            {"seconds", s.seconds},  // null if there is no limit: JSON has no infinity
            {"processes", s.processes}}},
          {"thorough", job.thorough},
          {"repeats", job.repeats},
          {"checked", or_null(job.checked)},
          {"save", job.save}};
}

Job job_from_json(const json& object) {
  Job job;
  job.implementation = object.at("implementation").get<std::string>();
  job.parameters = parameters_from_json(object.at("parameters"));
  const json& sampling = object.at("sampling");
  job.sampling.relative_spread = sampling.at("relative_spread").get<double>();
  job.sampling.minimum = sampling.at("minimum").get<int>();
  job.sampling.maximum = sampling.at("maximum").get<int>();
  const json& seconds = sampling.at("seconds");
  job.sampling.seconds =
      seconds.is_null() ? std::numeric_limits<double>::infinity() : seconds.get<double>();
  job.sampling.processes = sampling.at("processes").get<int>();
  job.thorough = object.at("thorough").get<bool>();
  job.repeats = object.at("repeats").get<bool>();
  const json& checked = object.at("checked");
  if (!checked.is_null()) job.checked = checked.get<std::uint64_t>();
  job.save = object.at("save").get<std::string>();
  return job;
}

ordered_json to_json(const JobAnswer& answer) {
  return {{"sample", to_json(answer.sample)},
          {"outcome", answer.outcome ? to_json(*answer.outcome) : ordered_json(nullptr)},
          {"fingerprint", answer.fingerprint}};
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
  return answer;
}

}  // namespace macrobench
