#include "harness/machine/conditions.hpp"

#include "harness/text/json_fields.hpp"

namespace macrobench {

namespace {

/// An odd counter must not cost a finished measurement: outside of its bounds it is unknown.
JsonType<std::optional<double>> amount() {
  constexpr double most = 1e12;
  JsonType<std::optional<double>> type = as::or_null(as::nine_digits(as::number_within(0, most)));
  type.write = [write = type.write](const std::optional<double>& value) {
    return write(value && *value >= 0 && *value <= most ? value : std::nullopt);
  };
  return type;
}

JsonType<BeforeAndAfter> before_and_after() {
  return JsonFields<BeforeAndAfter>()
      .field("before", &BeforeAndAfter::before, amount())
      .field("after", &BeforeAndAfter::after, amount())
      .type();
}

JsonType<MetQuota> quota() {
  return JsonFields<MetQuota>()
      .field("cores", &MetQuota::cores, as::number_above_0())
      .field("throttled_seconds", &MetQuota::throttled_seconds, amount(),
             "For which it held the case's processors back, summed over them.")
      .type();
}

}  // namespace

const JsonFields<Conditions>& conditions_fields() {
  static const auto fields =
      JsonFields<Conditions>(
          "Conditions on the machine during the case; null if the kernel does not say.")
          .field("cores", &Conditions::cores, as::count<int>(),
                 "The cores that the case may run on.")
          .field("threads", &Conditions::threads, as::count<int>(),
                 "The threads that the case uses.")
          .field("others_cores", &Conditions::others_cores, amount(),
                 "Average number of those cores that other processes kept busy.")
          .field("stolen_cores", &Conditions::stolen_cores, amount(),
                 "How many the hypervisor gave to other machines on average.")
          .field("cpu_seconds", &Conditions::cpu_seconds, amount(),
                 "CPU time of the case's processes, over all their threads.")
          .field("preempted", &Conditions::preempted, as::or_null(as::at_least_0<std::int64_t>()),
                 "How often a thread of the case was made to give way.")
          .field("load", &Conditions::load, before_and_after(),
                 "Average over the last minute, in tasks.")
          .field("runnable", &Conditions::runnable, before_and_after(),
                 "Tasks that run or would run.")
          .field("mhz", &Conditions::mhz, before_and_after(), "Mean clock of the cores.")
          .field("environment", &Conditions::environment, as::map(as::text()),
                 "The variables that decide how threads wait, and on which cores they run.")
          .field("attempts", &Conditions::attempts, as::count<int>(),
                 "Runs of the whole case, of which the record keeps the last.")
          .optional_field(
              "quota", &Conditions::quota, quota(),
              "On CPU time, of the control group that the case ran in; absent without one.");
  return fields;
}

}  // namespace macrobench
