#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace macrobench {

/// The schema of the lines of campaigns.jsonl. harness/records/campaign.schema.json follows from
/// campaign_event_fields().
inline constexpr int campaign_schema = 1;

template <class Struct>
class JsonFields;

/// How fast the machine did a short fixed piece of work, which belongs to no paper.
struct Speed {
  std::string key;              ///< of the case: "roofline/cpu ceiling=copy ..."
  double bytes = 0;             ///< that a solution moves ...
  double operations = 0;        ///< ... or the operations that it does
  std::vector<double> seconds;  ///< of each solution

  /// Bytes or operations per second, of the median solution.
  [[nodiscard]] double rate() const;
};

/// One command of a campaign, from its beginning to its end.
struct Sitting {
  std::string asked;          ///< the command line: "replicate aldrich_2010 --budget 5m"
  std::string machine;        ///< SHA-256 of the machine block
  std::string began;          ///< UTC, ISO 8601
  std::string ended;          ///< likewise; empty if it was interrupted
  std::vector<Speed> speeds;  ///< at its beginning
};

/// What `replicate`, `sweep` and kept `run`s measured on one machine, with one build, while the
/// machine did not change. Its records name it.
struct Campaign {
  std::string id;
  std::vector<Sitting> sittings;  ///< one or more, in order

  [[nodiscard]] const Sitting& first() const { return sittings.front(); }
};

/// A line of campaigns.jsonl: the beginning or the end of a sitting.
struct CampaignEvent {
  std::string campaign;  ///< its id
  std::string time;
  std::vector<Speed> speeds = {};  ///< of a beginning; ends of earlier versions have some too
  bool begins = false;
  std::string asked = {};    ///< only of a beginning; as a Sitting's
  std::string machine = {};  ///< likewise
};

/// An id that no other campaign has: the time and eight random digits.
std::string new_campaign_id(const std::string& time);

/// A line of campaigns.jsonl. Reading throws std::invalid_argument that names the JSON pointer of
/// what is wrong.
const JsonFields<CampaignEvent>& campaign_event_fields();
nlohmann::ordered_json to_json(const CampaignEvent& event);
CampaignEvent event_from_json(const nlohmann::json& line);

/// Adds the event to the campaigns. Throws std::invalid_argument, with the JSON pointer in its
/// line, if it does not follow from those before.
void add_event(std::vector<Campaign>& campaigns, const CampaignEvent& event);

}  // namespace macrobench
