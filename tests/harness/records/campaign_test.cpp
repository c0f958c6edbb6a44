#include "harness/records/campaign.hpp"

#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>
#include <vector>

#include "harness/model/registry.hpp"
#include "harness/records/record_store.hpp"
#include "harness/records/results_folder.hpp"
#include "harness/run/campaign_run.hpp"
#include "harness/sources/source_digest.hpp"
#include "harness/text/format.hpp"
#include "tests/harness/support.hpp"
#include "tests/matchers.hpp"
#include "tests/paths.hpp"

namespace macrobench {
namespace {

using nlohmann::json;

const Speed copy{.key = "roofline/cpu ceiling=copy", .bytes = 1e9, .seconds = {0.1, 0.2, 0.1}};

CampaignEvent began(const std::string& id) {
  return {.campaign = id,
          .time = "2026-11-20T10:00:00Z",
          .speeds = {copy},
          .begins = true,
          .asked = "sweep rbc --nk 128",
          .machine = a_machine().id()};
}

CampaignEvent ended(const std::string& id, double seconds) {
  Speed later = copy;
  later.seconds = {seconds};
  return {.campaign = id, .time = "2026-11-20T10:05:00Z", .speeds = {later}};
}

TEST(Campaign, ComesBackFromItsTwoLinesWhichTheSchemaAccepts) {
  using valijson::adapters::NlohmannJsonAdapter;
  const json document =
      json::parse(content_of(source_folder() + "/harness/records/campaign.schema.json"));
  valijson::Schema schema;
  valijson::SchemaParser().populateSchema(NlohmannJsonAdapter(document), schema);
  const auto accepts = [&](const json& line) {
    return valijson::Validator().validate(schema, NlohmannJsonAdapter(line), nullptr);
  };

  std::vector<Campaign> campaigns;
  for (const CampaignEvent& event : {began("a"), began("b"), ended("a", 0.2)}) {
    json line = to_json(event);
    EXPECT_TRUE(accepts(line)) << line;
    add_event(campaigns, event_from_json(line));
    line.erase("time");
    EXPECT_FALSE(accepts(line));
  }
  json without = to_json(began("c"));
  without.erase("asked");
  EXPECT_FALSE(accepts(without));

  ASSERT_EQ(campaigns.size(), 2U);
  const Campaign& a = campaigns[0];
  EXPECT_EQ(a.id, "a");
  ASSERT_EQ(a.sittings.size(), 1U);
  EXPECT_EQ(a.first().asked, "sweep rbc --nk 128");
  EXPECT_EQ(a.first().machine, a_machine().id());
  EXPECT_EQ(a.first().began, "2026-11-20T10:00:00Z");
  EXPECT_EQ(a.first().ended, "2026-11-20T10:05:00Z");
  EXPECT_DOUBLE_EQ(a.first().speeds.at(0).rate(), 1e10);
  EXPECT_EQ(campaigns[1].first().ended, "") << "cut off";
  add_event(campaigns, began("a"));
  add_event(campaigns, ended("a", 0.4));
  ASSERT_EQ(campaigns.size(), 2U) << "continued by an earlier version";
  ASSERT_EQ(campaigns[0].sittings.size(), 2U);
}

TEST(Campaign, ErrorsNameTheJsonPointer) {
  const auto error_of = [](json line, const std::vector<CampaignEvent>& before = {}) {
    std::vector<Campaign> campaigns;
    for (const CampaignEvent& event : before) add_event(campaigns, event);
    return complaint_of<std::invalid_argument>(
        [&] { return add_event(campaigns, event_from_json(line)); });
  };
  const json good = to_json(began("a"));
  EXPECT_EQ(error_of(good), "");
  EXPECT_EQ(error_of(to_json(ended("a", 1)), {began("a"), ended("a", 1)}),
            "/campaign: it ended before");
  EXPECT_EQ(error_of(to_json(ended("a", 1))), "/campaign: it never began");
  json line = good;
  line["event"] = "paused";
  EXPECT_EQ(error_of(line), "/event: it must be one of began, ended");
  line = good;
  line["speeds"][0]["seconds"] = {-1};
  EXPECT_THAT(error_of(line), HasSubstr("/speeds/0/seconds/0: "));
  line["speeds"][0]["seconds"] = json::array();
  EXPECT_EQ(error_of(line), "/speeds/0: it must have a rate");
  line = good;
  line["schema"] = 2;
  EXPECT_THAT(error_of(line), HasSubstr("/schema: it must be 1"));
}

TEST(Campaign, TheStoreKeepsThemAndDropsATornLine) {
  const TemporaryFolder folder;
  {
    RecordStore store(folder.path());
    store.append(began("a"), a_machine());
    store.append(ended("a", 0.1), a_machine());
    EXPECT_EQ(store.results().campaigns.size(), 1U);
  }
  const auto path = folder.path() / "campaigns.jsonl";
  const std::string whole = content_of(path);
  const std::string torn = to_json(began("b")).dump().substr(0, 50);
  write_file(path, whole + torn);
  const Results seen = read_results(folder.path());
  ASSERT_EQ(seen.campaigns.size(), 1U);
  EXPECT_EQ(seen.campaigns[0].first().ended, "2026-11-20T10:05:00Z");
  ASSERT_EQ(seen.warnings.size(), 1U);
  EXPECT_THAT(seen.warnings[0], HasSubstr("campaigns.jsonl, line 3: the last line is torn"));
  RecordStore store(folder.path());
  store.append(began("b"), a_machine());
  EXPECT_EQ(read_results(folder.path()).campaigns.size(), 2U);
  EXPECT_EQ(read_results(folder.path()).warnings.size(), 0U);
}

TEST(Campaign, IdsDiffer) {
  std::set<std::string> ids;
  for (int i = 0; i < 100; ++i) ids.insert(new_campaign_id("2026-11-20T10:00:00Z"));
  EXPECT_EQ(ids.size(), 100U);
}

TEST(CampaignRun, MeasuresTheMachineAtItsBeginning) {
  const TemporaryFolder folder;
  const Machine machine = this_machine();
  {
    RecordStore store(folder.path());
    CampaignRun campaign(store, machine, "run rbc/serial", test_child({"child"}));
    EXPECT_EQ(store.results().campaigns.at(0).id, campaign.id());
    EXPECT_EQ(store.results().campaigns.at(0).first().ended, "");
    campaign.finish();
  }
  const Results results = read_results(folder.path());
  ASSERT_EQ(results.campaigns.size(), 1U);
  const Sitting& sitting = results.campaigns[0].first();
  EXPECT_EQ(sitting.machine, machine.id());
  EXPECT_TRUE(results.machines.contains(machine.id()));
  EXPECT_NE(sitting.ended, "");
  ASSERT_GE(sitting.speeds.size(), 2U) << "copy and multiply-add on the CPU";
  for (const Speed& speed : sitting.speeds) {
    EXPECT_GT(speed.rate(), 1e7) << speed.key;
    EXPECT_LT(speed.rate(), 1e16) << speed.key;
  }
}

TEST(CampaignRun, IsOneCommand) {
  const TemporaryFolder folder;
  RecordStore store(folder.path());
  const Machine machine = a_machine();
  for (const char* asked : {"sweep rbc", "sweep rbc"}) {
    CampaignRun campaign(store, machine, asked, {"/bin/false"});
    EXPECT_EQ(store.results().campaigns.back().id, campaign.id());
    campaign.finish();
  }
  EXPECT_EQ(read_results(folder.path()).campaigns.size(), 2U);
}

}  // namespace
}  // namespace macrobench
