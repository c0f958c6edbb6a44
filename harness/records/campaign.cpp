#include "harness/records/campaign.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <random>
#include <stdexcept>

#include "harness/records/statistics.hpp"
#include "harness/text/json_fields.hpp"
#include "harness/text/json_values.hpp"

namespace macrobench {

namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr double most = 1e30;

JsonType<Speed> speed_type() {
  const JsonType<double> amount = as::number_within(0, most);
  return JsonFields<Speed>()
      .field("key", &Speed::key, as::name(), "The key of the case of the model roofline.")
      .field("bytes", &Speed::bytes, amount, "Bytes that a solution moves.")
      .field("operations", &Speed::operations, amount, "Operations that a solution does.")
      .field("seconds", &Speed::seconds, as::list(amount), "Seconds of each solution, one or more.")
      .rule([](const Speed& speed, const JsonCursor& cursor) {
        if (!(speed.rate() > 0 && speed.rate() <= most)) cursor.fail("it must have a rate");
      })
      .type();
}

JsonType<bool> event_type() {
  const JsonType<std::string> word = as::one_of({"began", "ended"});
  return {[](const bool& begins) { return ordered_json(begins ? "began" : "ended"); },
          [word](const JsonCursor& cursor) { return word.read(cursor) == "began"; }, word.schema};
}

}  // namespace

double Speed::rate() const {
  return std::max(bytes, operations) / median(seconds);
}

std::string new_campaign_id(const std::string& time) {
  return fmt::format("{} {:08x}", time, std::random_device()());
}

const JsonFields<CampaignEvent>& campaign_event_fields() {
  static const auto fields =
      JsonFields<CampaignEvent>(
          "A line of campaigns.jsonl: the beginning or the end of a campaign's sitting. Campaigns "
          "of "
          "earlier versions may have several of each.")
          .version(campaign_schema)
          .field("campaign", &CampaignEvent::campaign, as::name(),
                 "Its id, which its records name.")
          .field("event", &CampaignEvent::begins, event_type())
          .field("time", &CampaignEvent::time, as::utc_time(), "UTC.")
          .optional_field("asked", &CampaignEvent::asked, as::name(),
                          "The command line, with absolute paths cut to their last part.")
          .optional_field("machine", &CampaignEvent::machine, as::hexadecimal(64),
                          "An id in machines.jsonl.")
          .field("speeds", &CampaignEvent::speeds, as::list(speed_type()),
                 "How fast the machine then did a short fixed piece of work.")
          .rule(
              [](const CampaignEvent& event, const JsonCursor& cursor) {
                for (const char* name : {"asked", "machine"}) {
                  if (event.begins) {
                    static_cast<void>(cursor.at(name));
                  } else if (cursor.has(name)) {
                    cursor.at(name).fail("only a beginning has it");
                  }
                }
              },
              parsed<ordered_json>(R"({"if": {"properties": {"event": {"const": "began"}}},
                                      "then": {"required": ["asked", "machine"]},
                                      "else": {"properties": {"asked": false, "machine": false}}})"));
  return fields;
}

ordered_json to_json(const CampaignEvent& event) {
  return campaign_event_fields().write(event);
}

CampaignEvent event_from_json(const json& line) {
  return campaign_event_fields().read(JsonCursor(line));
}

void add_event(std::vector<Campaign>& campaigns, const CampaignEvent& event) {
  const auto known = std::ranges::find(campaigns, event.campaign, &Campaign::id);
  if (event.begins) {
    Campaign& campaign =
        known != campaigns.end()
            ? *known
            : campaigns.emplace_back(Campaign{.id = event.campaign, .sittings = {}});
    campaign.sittings.push_back({.asked = event.asked,
                                 .machine = event.machine,
                                 .began = event.time,
                                 .ended = {},
                                 .speeds = event.speeds});
    return;
  }
  if (known == campaigns.end()) throw std::invalid_argument("/campaign: it never began");
  Sitting& sitting = known->sittings.back();
  if (!sitting.ended.empty()) throw std::invalid_argument("/campaign: it ended before");
  sitting.ended = event.time;
}

}  // namespace macrobench
