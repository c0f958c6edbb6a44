#include "harness/machine/conditions.hpp"

#include <nlohmann/json.hpp>

#include "harness/text/format.hpp"
#include "harness/text/json_values.hpp"

namespace macrobench {

namespace {

using nlohmann::ordered_json;

constexpr double most = 1e12;

/// With the digits that mean something.
ordered_json rounded(const std::optional<double>& number) {
  return number ? ordered_json(to_nine_digits(*number)) : ordered_json(nullptr);
}

ordered_json to_json(const BeforeAndAfter& both) {
  return {{"before", rounded(both.before)}, {"after", rounded(both.after)}};
}

std::optional<double> amount_at(const JsonCursor& cursor) {
  if (cursor.is_null()) return std::nullopt;
  return cursor.number_within(0, most);
}

BeforeAndAfter both_at(const JsonCursor& cursor) {
  return {amount_at(cursor.at("before")), amount_at(cursor.at("after"))};
}

int count_at(const JsonCursor& cursor) {
  return static_cast<int>(cursor.count());
}

}  // namespace

ordered_json to_json(const Conditions& conditions) {
  ordered_json json{{"cores", conditions.cores},
                    {"threads", conditions.threads},
                    {"others_cores", rounded(conditions.others_cores)},
                    {"stolen_cores", rounded(conditions.stolen_cores)},
                    {"cpu_seconds", rounded(conditions.cpu_seconds)},
                    {"preempted", or_null(conditions.preempted)},
                    {"load", to_json(conditions.load)},
                    {"runnable", to_json(conditions.runnable)},
                    {"mhz", to_json(conditions.mhz)},
                    {"environment", conditions.environment},
                    {"attempts", conditions.attempts}};
  if (const std::optional<MetQuota>& quota = conditions.quota) {
    json["quota"] = {{"cores", quota->cores},
                     {"throttled_seconds", rounded(quota->throttled_seconds)}};
  }
  return json;
}

Conditions conditions_at(const JsonCursor& cursor) {
  Conditions conditions;
  conditions.cores = count_at(cursor.at("cores"));
  conditions.threads = count_at(cursor.at("threads"));
  conditions.others_cores = amount_at(cursor.at("others_cores"));
  conditions.stolen_cores = amount_at(cursor.at("stolen_cores"));
  conditions.cpu_seconds = amount_at(cursor.at("cpu_seconds"));
  if (cursor.has("quota")) {
    const JsonCursor quota = cursor.at("quota");
    conditions.quota =
        MetQuota{quota.at("cores").number(), amount_at(quota.at("throttled_seconds"))};
    if (!(conditions.quota->cores > 0)) quota.at("cores").fail("it must be above 0");
  }
  const JsonCursor preempted = cursor.at("preempted");
  if (!preempted.is_null()) conditions.preempted = preempted.at_least_0();
  conditions.load = both_at(cursor.at("load"));
  conditions.runnable = both_at(cursor.at("runnable"));
  conditions.mhz = both_at(cursor.at("mhz"));
  conditions.environment = cursor.at("environment").map_of(&JsonCursor::text);
  conditions.attempts = count_at(cursor.at("attempts"));
  return conditions;
}

}  // namespace macrobench
