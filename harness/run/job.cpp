#include "harness/run/job.hpp"

#include "harness/records/record_json.hpp"
#include "harness/text/json_fields.hpp"

namespace macrobench {

namespace {

JsonType<Sampling> sampling() {
  return JsonFields<Sampling>()
      .field("relative_spread", &Sampling::relative_spread, as::number())
      .field("minimum", &Sampling::minimum, as::at_least_0<int>())
      .field("maximum", &Sampling::maximum, as::at_least_0<int>())
      .field("seconds", &Sampling::seconds, as::number())
      .field("processes", &Sampling::processes, as::at_least_0<int>())
      .type();
}

}  // namespace

const JsonFields<Job>& job_fields() {
  static const auto fields =
      JsonFields<Job>()
          .field("implementation", &Job::implementation, as::text())
          .field("parameters", &Job::parameters, parameters_type())
          .field("sampling", &Job::sampling, sampling())
          .field("thorough", &Job::thorough, as::truth())
          .field("draw", &Job::draw, as::text(), {}, Presence::later)
          .field("repeats", &Job::repeats, as::truth())
          .field("checked", &Job::checked, as::text_or_null())
          .field("out", &Job::out, as::text())
          .field("store", &Job::store, as::text())
          .field("certify", &Job::certify, as::text())
          .field("certify_key", &Job::certify_key, as::text(), {}, Presence::later)
          .field("energy_within", &Job::energy_within, as::or_null(as::number()), {},
                 Presence::later)
          .field("memory_within", &Job::memory_within, as::or_null(as::number()), {},
                 Presence::later)
          .field("cores", &Job::cores, as::or_null(as::count<int>()), {}, Presence::later);
  return fields;
}

const JsonFields<JobAnswer>& job_answer_fields() {
  static const auto fields =
      JsonFields<JobAnswer>()
          .field("sample", &JobAnswer::sample, sample_fields().type())
          .field("outcome", &JobAnswer::outcome, as::or_null(outcome_type()))
          .field("fingerprint", &JobAnswer::fingerprint, as::text())
          .field("solution", &JobAnswer::solution, as::text_or_null(), {}, Presence::later);
  return fields;
}

}  // namespace macrobench
