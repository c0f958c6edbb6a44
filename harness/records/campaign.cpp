#include "harness/records/campaign.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <random>

#include "harness/records/statistics.hpp"
#include "harness/text/json_cursor.hpp"

namespace macrobench {

namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr double most = 1e30;

Speed speed_at(const JsonCursor& cursor) {
  const auto amount = [](const JsonCursor& number) { return number.number_within(0, most); };
  Speed speed{.key = cursor.at("key").text(),
              .bytes = amount(cursor.at("bytes")),
              .operations = amount(cursor.at("operations")),
              .seconds = cursor.at("seconds").list_of(amount)};
  if (!(speed.rate() > 0 && speed.rate() <= most)) cursor.fail("it must have a rate");
  return speed;
}

ordered_json to_json(const std::vector<Speed>& speeds) {
  ordered_json list = ordered_json::array();
  for (const Speed& speed : speeds) {
    list.push_back({{"key", speed.key},
                    {"bytes", speed.bytes},
                    {"operations", speed.operations},
                    {"seconds", speed.seconds}});
  }
  return list;
}

}  // namespace

double Speed::rate() const {
  return std::max(bytes, operations) / median(seconds);
}

const std::vector<Speed>& Campaign::last_speeds() const {
  const Sitting& last = sittings.back();
  return is_cut_off() ? last.speeds_at_begin : last.speeds_at_end;
}

std::string new_campaign_id(const std::string& time) {
  return fmt::format("{} {:08x}", time, std::random_device()());
}

ordered_json to_json(const CampaignEvent& event) {
  ordered_json line{{"schema", campaign_schema},
                    {"campaign", event.campaign},
                    {"event", event.beginning ? "began" : "ended"},
                    {"time", event.time}};
  if (event.beginning) {
    line["asked"] = event.beginning->asked;
    line["machine"] = event.beginning->machine;
  }
  line["speeds"] = to_json(event.speeds);
  return line;
}

void add_event(std::vector<Campaign>& campaigns, const json& line) {
  const JsonCursor cursor(line);
  cursor.at("schema").check_schema(campaign_schema);
  const std::string id = cursor.at("campaign").text();
  const std::string event = cursor.at("event").text();
  const std::string time = cursor.at("time").text();
  std::vector<Speed> speeds = cursor.at("speeds").list_of(speed_at);
  const auto known = std::ranges::find(campaigns, id, &Campaign::id);
  if (event == "began") {
    Campaign& campaign = known != campaigns.end()
                             ? *known
                             : campaigns.emplace_back(Campaign{.id = id, .sittings = {}});
    campaign.sittings.push_back({.asked = cursor.at("asked").text(),
                                 .machine = cursor.at("machine").text(),
                                 .began = time,
                                 .ended = {},
                                 .speeds_at_begin = std::move(speeds),
                                 .speeds_at_end = {}});
  } else if (event == "ended") {
    if (known == campaigns.end()) cursor.at("campaign").fail("it never began");
    Sitting& sitting = known->sittings.back();
    if (!sitting.ended.empty()) cursor.at("campaign").fail("it ended before");
    sitting.ended = time;
    sitting.speeds_at_end = std::move(speeds);
  } else {
    cursor.at("event").fail("it must be began or ended");
  }
}

std::optional<double> drift(const std::vector<Speed>& earlier, const Speed& later) {
  const auto same = std::ranges::find_if(earlier, [&](const Speed& speed) {
    return speed.key == later.key && speed.bytes == later.bytes &&
           speed.operations == later.operations;
  });
  return same == earlier.end() ? std::nullopt : std::optional(later.rate() / same->rate() - 1);
}

}  // namespace macrobench
