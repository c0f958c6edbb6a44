// Every kind of record against the JSON Schema in the repository, and the wrong ones too.

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "harness/machine/machine.hpp"
#include "harness/records/record.hpp"
#include "harness/records/record_json.hpp"
#include "harness/records/record_store.hpp"
#include "harness/text/strings.hpp"
#include "tests/harness/support.hpp"
#include "tests/json_schema.hpp"
#include "tests/paths.hpp"

namespace macrobench {
namespace {

using nlohmann::json;

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

TEST(RecordSchema, RejectsWrongOnes) {
  Validator validator("record.schema.json");
  Record full = a_record();
  full.samples[0].gpu = GpuConditions{.sm_mhz = ReadingRange{1200, 1900, 1980}, .throttled = {1}};
  full.samples[0].energy = Energy{.why_not = "no counter"};
  const json good = to_json(full);
  ASSERT_TRUE(validator.accepts(good));
  const auto rejects = [&](const char* pointer, const json& value) {
    json line = good;
    line[json::json_pointer(pointer)] = value;
    EXPECT_FALSE(validator.accepts(line)) << pointer << " = " << value;
  };
  rejects("/schema", 1);
  rejects("/key", "");
  rejects("/status", "done");
  rejects("/reason", {{"clause", "a measured record has none"}, {"detail", nullptr}});
  rejects("/campaign", "");
  rejects("/case/work", "much");
  rejects("/case/floor", {{"bytes", -1}, {"operations", 0}, {"stages", json::array()}});
  rejects("/case/on_gpu", 1);
  rejects("/case/gpu_stages", {1});
  rejects("/outcome", nullptr);
  rejects("/outcome/valid", false);
  rejects("/outcome/iterations", 1.5);
  rejects("/outcome/figures/x", "many");
  rejects("/outcome/series/path", 1.5);
  rejects("/outcome/more", 1);
  rejects("/samples", json::array());
  rejects("/samples/0/start", -1);
  rejects("/samples/0/start", nullptr);
  rejects("/samples/0/solutions", 1);
  rejects("/samples/0/stages/policy", json{"fast"});
  rejects("/samples/0/gpu", nullptr);
  rejects("/samples/0/gpu/sm_mhz", json{1, 2});
  rejects("/samples/0/gpu/throttled/0", -1);
  rejects("/samples/0/gpu/more", 1);
  rejects("/samples/0/energy/joules_per_solution", -1);
  rejects("/samples/0/energy/solutions", 1.5);
  rejects("/samples/0/energy/more", 1);
  rejects("/case/origin", "ours");
  rejects("/case/parameters/size", true);
  rejects("/machine", "here");
  rejects("/source", "ABC");
  rejects("/time", "yesterday");
  rejects("/seconds", -1);
  rejects("/expected_invalid", true);
  rejects("/more", 1);
  for (const auto& [name, value] : good.items()) {
    json line = good;
    line.erase(name);
    EXPECT_FALSE(validator.accepts(line)) << "without " << name;
  }
  json silent = to_json(record_with(Status::failed));
  silent["reason"] = nullptr;
  EXPECT_FALSE(validator.accepts(silent));
  json valid = to_json(record_with(Status::invalid));
  valid["outcome"]["valid"] = true;
  EXPECT_FALSE(validator.accepts(valid));
  json untimed = to_json(record_with(Status::noisy));
  untimed["samples"] = json::array();
  EXPECT_FALSE(validator.accepts(untimed)) << "a doubted time is a time";
}

TEST(RecordSchema, ConditionsMayBeThereAndMustBeWhole) {
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
  for (const auto& [name, value] : good["conditions"].items()) {
    json line = good;
    line["conditions"].erase(name);
    EXPECT_FALSE(validator.accepts(line)) << "without " << name;
    EXPECT_THROW(record_from_json(line), std::invalid_argument) << "without " << name;
  }
  for (const char* pointer : {"/conditions/cores", "/conditions/others_cores",
                              "/conditions/load/before", "/conditions/attempts"}) {
    json line = good;
    line[json::json_pointer(pointer)] = -1;
    EXPECT_FALSE(validator.accepts(line)) << pointer;
    EXPECT_THROW(record_from_json(line), std::invalid_argument) << pointer;
  }
}

TEST(MachineSchema, AcceptsThisMachineAndWhatTheStoreWrites) {
  Validator validator("machine.schema.json");
  const TemporaryFolder folder;
  for (const Machine& machine :
       {this_machine(), a_machine(), a_machine().placed("close").shared(true)}) {
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
