#include "harness/records/campaign.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <random>
#include <stdexcept>

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

CampaignEvent event_from_json(const json& line) {
  const JsonCursor cursor(line);
  cursor.at("schema").check_schema(campaign_schema);
  CampaignEvent event{.campaign = cursor.at("campaign").text(),
                      .time = cursor.at("time").text(),
                      .speeds = cursor.at("speeds").list_of(speed_at),
                      .beginning = {}};
  const std::string kind = cursor.at("event").text();
  if (kind == "began") {
    event.beginning = {cursor.at("asked").text(), cursor.at("machine").text()};
  } else if (kind != "ended") {
    cursor.at("event").fail("it must be began or ended");
  }
  return event;
}

void add_event(std::vector<Campaign>& campaigns, const CampaignEvent& event) {
  const auto known = std::ranges::find(campaigns, event.campaign, &Campaign::id);
  if (event.beginning) {
    Campaign& campaign =
        known != campaigns.end()
            ? *known
            : campaigns.emplace_back(Campaign{.id = event.campaign, .sittings = {}});
    campaign.sittings.push_back({.asked = event.beginning->asked,
                                 .machine = event.beginning->machine,
                                 .began = event.time,
                                 .ended = {},
                                 .speeds_at_begin = event.speeds,
                                 .speeds_at_end = {}});
    return;
  }
  if (known == campaigns.end()) throw std::invalid_argument("/campaign: it never began");
  Sitting& sitting = known->sittings.back();
  if (!sitting.ended.empty()) throw std::invalid_argument("/campaign: it ended before");
  sitting.ended = event.time;
  sitting.speeds_at_end = event.speeds;
}

std::optional<double> drift(const std::vector<Speed>& earlier, const Speed& later) {
  const auto same = std::ranges::find_if(earlier, [&](const Speed& speed) {
    return speed.key == later.key && speed.bytes == later.bytes &&
           speed.operations == later.operations;
  });
  return same == earlier.end() ? std::nullopt : std::optional(later.rate() / same->rate() - 1);
}

}  // namespace macrobench
