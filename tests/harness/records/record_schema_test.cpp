// Every kind of record against the JSON Schema in the repository, and the wrong ones too.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "harness/machine/machine.hpp"
#include "harness/records/campaign.hpp"
#include "harness/records/record.hpp"
#include "harness/records/record_json.hpp"
#include "harness/records/record_store.hpp"
#include "harness/records/results_folder.hpp"
#include "harness/text/json_fields.hpp"
#include "harness/text/json_values.hpp"
#include "harness/text/strings.hpp"
#include "tests/golden.hpp"
#include "tests/harness/support.hpp"
#include "tests/json_schema.hpp"
#include "tests/paths.hpp"

namespace macrobench {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

class Validator : public JsonSchema {
 public:
  explicit Validator(const std::string& file)
      : JsonSchema(json::parse(content_of(source_folder() + "/harness/records/" + file))) {}
};

Record record_with(Status status) {
  Record record = a_record();
  record.status = status;
  if (status == Status::measured) return record;
  record.why = "a reason";
  if (has_right_result(status)) return record;
  if (status == Status::invalid) {
    record.expected_invalid = true;
    record.outcome->valid = false;
    record.outcome->why = "not converged";
    record.outcome->residual = std::numeric_limits<double>::quiet_NaN();
  } else {
    record.samples.clear();
    record.outcome.reset();
  }
  return record;
}

TEST(RecordSchema, AcceptsEveryKindOfRecord) {
  Validator validator("record.schema.json");
  for (int i = 0; i <= static_cast<int>(Status::timeout); ++i) {
    const auto status = static_cast<Status>(i);
    const json line = json::parse(to_json(record_with(status)).dump());
    EXPECT_TRUE(validator.accepts(line)) << line.dump(1);
  }
}

TEST(RecordSchema, SaysThatASolverGaveUp) {
  Validator validator("record.schema.json");
  Record record = record_with(Status::invalid);
  record.outcome->why = "economy 3 is wrong";
  EXPECT_FALSE(to_json(record)["outcome"].contains("gave_up"));
  record.outcome->gave_up = true;
  json line = json::parse(to_json(record).dump());
  EXPECT_TRUE(validator.accepts(line)) << line.dump(1);
  EXPECT_TRUE(record_from_json(line).outcome->gave_up);
  line["outcome"].erase("gave_up");
  EXPECT_FALSE(record_from_json(line).outcome->gave_up);
}

TEST(RecordSchema, FollowsFromTheFields) {
  const auto expect_schema = [](const std::string& file, const std::string& title,
                                const ordered_json& schema) {
    ordered_json document{{"$schema", "http://json-schema.org/draft-07/schema#"}, {"title", title}};
    document.update(schema);
    expect_golden(source_folder() + "/harness/records/" + file, to_text(document));
  };
  expect_schema("record.schema.json", "Macrobench record", record_fields().schema());
  expect_schema("campaign.schema.json", "Macrobench campaign", campaign_event_fields().schema());
}

/// Every pointer into the value, and the parts of a record that may be missing too.
std::vector<json::json_pointer> pointers_of(const json& value) {
  std::vector<json::json_pointer> all;
  const json flat = value.flatten();
  for (const auto& [pointer, leaf] : flat.items()) {
    for (json::json_pointer part(pointer);; part = part.parent_pointer()) {
      if (part.empty()) break;
      if (std::ranges::count(all, part) == 0) all.push_back(part);
    }
  }
  return all;
}

/// A record in which everything is said.
Record full_record() {
  Record full = a_record();
  full.samples[0].around = {{"load", {0.5, 0.5, 0.5}}};
  full.samples[0].kept_off = 0.25;
  full.samples[0].gpu = GpuConditions{.sm_mhz = ReadingRange{1200, 1900, 1980},
                                      .highest_celsius = 60,
                                      .reasons = {"sw_power_cap"},
                                      .throttled = {1}};
  full.samples[0].energy = Energy{.joules_per_solution = 2, .method = "NVML", .idle_watts = 60};
  full.samples[0].memory = {.resident_bytes = 1 << 20, .gpu_bytes = 1 << 30};
  full.floor->exchanged = 64;
  full.outcome->gave_up = true;
  full.outcome->draw = std::string(32, 'a');
  Conditions& met = full.conditions.emplace();
  met.others_cores = 0.5;
  met.preempted = 3;
  met.quota = MetQuota{.cores = 0.5, .throttled_seconds = 1};
  met.environment = {{"OMP_PLACES", "cores"}};
  full.solution = std::string(64, 'b');
  return full;
}

TEST(RecordSchema, AndTheReaderRefuseTheSame) {
  json schema = record_fields().schema();
  schema.erase("allOf");  // rules of a status, which a reader judges as contradictions
  JsonSchema described(schema);
  const json good = json::parse(to_json(full_record()).dump());
  ASSERT_TRUE(described.accepts(good));
  const auto is_read = [](const json& line) {
    try {
      record_from_json(line);
      return true;
    } catch (const std::invalid_argument& error) {
      const std::string_view why = error.what();
      // These rules are in allOf, or JSON Schema has no words for them.
      return why.find("must have a valid outcome") != std::string_view::npos ||
             why.find("only a record with turns") != std::string_view::npos ||
             why.find("in order") != std::string_view::npos;
    }
  };
  int refused = 0;
  const auto judge = [&](const json& line, const std::string& what) {
    EXPECT_EQ(is_read(line), described.accepts(line)) << what;
    if (!is_read(line)) ++refused;
  };
  for (const json::json_pointer& pointer : pointers_of(good)) {
    for (const json& value :
         {json(), json(""), json("hostile"), json(-1), json(0), json(1.5), json(3), json(1e30),
          json(true), json::array(), json{json::array()}, json::object(), json{{"more", 1}}}) {
      json line = good;
      line[pointer] = value;
      judge(line, fmt::format("{} = {}", pointer.to_string(), value.dump()));
    }
    json line = good;
    json& parent = line[pointer.parent_pointer()];
    if (!parent.is_object()) continue;
    parent.erase(pointer.back());
    judge(line, "without " + pointer.to_string());
  }
  EXPECT_GT(refused, 500);
}

TEST(RecordSchema, WhatIsShippedComesBack) {
  int lines = 0;
  const auto expect_back = [&](const std::filesystem::path& path, auto again) {
    std::istringstream content(content_of(path));
    for (std::string line; std::getline(content, line); ++lines) {
      const json before = json::parse(line);
      ASSERT_TRUE(json(again(before)) == before) << path << ": " << line;
    }
  };
  for (const auto& folder : machine_folders_in(source_folder() + "/results/reference")) {
    expect_back(folder / "records.jsonl",
                [](const json& line) { return to_json(record_from_json(line)); });
    expect_back(folder / "campaigns.jsonl",
                [](const json& line) { return to_json(event_from_json(line)); });
  }
  EXPECT_GT(lines, 2750);
}

TEST(RecordSchema, AnOddCounterOfTheMachineCostsNoRecord) {
  Record record = full_record();
  record.conditions->others_cores = -1;
  record.conditions->mhz = {std::numeric_limits<double>::quiet_NaN(), 1e300};
  const json line = to_json(record);
  EXPECT_TRUE(line["conditions"]["others_cores"].is_null());
  EXPECT_EQ(line["conditions"]["mhz"], (json{{"before", nullptr}, {"after", nullptr}}));
  EXPECT_TRUE(record_from_json(line).conditions.has_value());
}

TEST(RecordSchema, HoldsAStatusToItsRecord) {
  Validator validator("record.schema.json");
  const json good = to_json(a_record());
  const auto rejects = [&](json line, const char* pointer, const json& value) {
    ASSERT_TRUE(validator.accepts(line)) << pointer;
    line[json::json_pointer(pointer)] = value;
    EXPECT_FALSE(validator.accepts(line)) << pointer << " = " << value;
  };
  rejects(good, "/reason", {{"clause", "a measured record has none"}, {"detail", nullptr}});
  rejects(good, "/outcome", nullptr);
  rejects(good, "/outcome/valid", false);
  rejects(good, "/outcome/more", 1);
  rejects(good, "/samples", json::array());
  rejects(good, "/expected_invalid", true);
  rejects(good, "/more", 1);
  rejects(to_json(record_with(Status::failed)), "/reason", nullptr);
  rejects(to_json(record_with(Status::invalid)), "/outcome/valid", true);
  rejects(to_json(record_with(Status::noisy)), "/samples", json::array());
}

TEST(RecordSchema, ConditionsMayBeThere) {
  Validator validator("record.schema.json");
  Record record = a_record();
  record.conditions.emplace();
  EXPECT_TRUE(validator.accepts(to_json(record))) << "a kernel that says nothing";
  record.conditions = {.cores = 2,
                       .threads = 4,
                       .others_cores = 0.5,
                       .stolen_cores = 0,
                       .cpu_seconds = 1.5,
                       .preempted = 3,
                       .load = {0.5, 1.5},
                       .runnable = {1, 2},
                       .mhz = {2500, 2600},
                       .environment = {{"OMP_PLACES", "cores"}},
                       .attempts = 2};
  const json good = to_json(record);
  EXPECT_TRUE(validator.accepts(good)) << good.dump(1);
  EXPECT_EQ(json(to_json(record_from_json(good))), good);
}

TEST(MachineSchema, AcceptsThisMachineAndWhatTheStoreWrites) {
  Validator validator("machine.schema.json");
  const TemporaryFolder folder;
  Machine older = a_machine();
  older.block["cpu"]["place"] = "close";
  older.block["shared"] = true;
  for (const Machine& machine : {this_machine(), a_machine(), older}) {
    RecordStore(folder.path()).append(a_record(), machine);
  }
  const std::string lines = content_of(folder.path() / "machines.jsonl");
  for (const std::string_view text : split(trim(lines), '\n')) {
    const json line = json::parse(text);
    EXPECT_TRUE(validator.accepts(line)) << line.dump(1);
    json wrong = line;
    wrong["machine"]["cpu"]["cores_available"] = "many";
    EXPECT_FALSE(validator.accepts(wrong));
    wrong = line;
    wrong["machine"].erase("compiler");
    EXPECT_FALSE(validator.accepts(wrong));
    wrong = line;
    wrong["id"] = "here";
    EXPECT_FALSE(validator.accepts(wrong));
  }
}

}  // namespace
}  // namespace macrobench
