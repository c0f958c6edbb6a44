// Records of schema 1, as one of our machines wrote them: they are read, and migrated without loss.

#include "harness/records/migrate.hpp"

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>
#include <vector>

#include "harness/model/registry.hpp"
#include "harness/records/record_json.hpp"
#include "harness/records/record_store.hpp"
#include "harness/text/error.hpp"
#include "tests/harness/support.hpp"
#include "tests/matchers.hpp"
#include "tests/paths.hpp"

namespace macrobench {
namespace {

using nlohmann::json;
using testing::ThrowsMessage;
namespace fs = std::filesystem;

fs::path fixture() {
  return fs::path(source_folder()) / "tests/harness/records/fixtures/schema_1";
}

std::vector<json> lines_of(const fs::path& path) {
  std::vector<json> lines;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) lines.push_back(json::parse(line));
  return lines;
}

bool accepts(const std::string& schema_file, const json& line) {
  using valijson::adapters::NlohmannJsonAdapter;
  const json document =
      json::parse(content_of(source_folder() + "/harness/records/" + schema_file));
  valijson::Schema schema;
  valijson::SchemaParser().populateSchema(NlohmannJsonAdapter(document), schema);
  return valijson::Validator().validate(schema, NlohmannJsonAdapter(line), nullptr);
}

class Migrate : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(folder_);
    for (const char* name : {"records.jsonl", "machines.jsonl"}) {
      fs::copy_file(fixture() / name, folder_ / name);
    }
  }
  [[nodiscard]] fs::path records() const { return folder_ / "records.jsonl"; }

  TemporaryFolder temporary_;
  fs::path folder_ = temporary_.path() / "machine";
};

TEST_F(Migrate, TheFixtureIsOfSchema1AndIsRead) {
  const std::vector<json> lines = lines_of(records());
  ASSERT_GT(lines.size(), 20U);
  for (const json& line : lines) EXPECT_TRUE(accepts("record.schema.json", line)) << line;
  const Results results = read_results(folder_);
  EXPECT_THAT(results.warnings, IsEmpty());
  ASSERT_EQ(results.records.size(), lines.size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const Record& record = results.records[i];
    EXPECT_EQ(to_string(record.why),
              lines[i]["why"].is_null() ? "" : lines[i]["why"].get<std::string>());
    EXPECT_EQ(record.campaign, "");
    const bool is_here =
        Registry::global().find(record.model + "/" + record.implementation) != nullptr;
    EXPECT_TRUE(!is_here || (record.work && record.on_gpu)) << record.key;
  }
}

TEST_F(Migrate, RewritesEveryRecordAndLosesNothing) {
  const std::vector<json> before = lines_of(records());
  const Migration migration = migrate(folder_);
  EXPECT_EQ(migration.rewritten, static_cast<int>(before.size()));
  EXPECT_EQ(migration.unchanged + migration.passed_over, 0);
  const std::vector<json> after = lines_of(records());
  ASSERT_EQ(after.size(), before.size());
  int floors = 0;
  int gave_up = 0;
  for (std::size_t i = 0; i < after.size(); ++i) {
    EXPECT_EQ(after[i]["schema"], 3);
    EXPECT_TRUE(accepts("record.schema.json", after[i])) << after[i];
    for (const auto& [name, value] : before[i].items()) {
      if (name == "schema" || name == "key" || name == "why" || name == "case" || name == "outcome")
        continue;
      EXPECT_EQ(after[i][name], value) << name;
    }
    for (const char* object : {"case", "outcome"}) {
      for (const auto& [name, value] : before[i][object].items()) {
        if (name == "implementation" || name == "origin") continue;  // the present ones
        if (name == "parameters") {
          for (const auto& [axis, held] : value.items()) {
            EXPECT_EQ(after[i]["case"]["parameters"][axis], held) << axis;
          }
          continue;
        }
        EXPECT_EQ(after[i][object][name], value) << name;
      }
    }
    EXPECT_EQ(after[i]["reason"].is_null(), before[i]["why"].is_null());
    floors += after[i]["case"]["floor"].is_null() ? 0 : 1;
    gave_up += after[i]["outcome"].contains("gave_up") ? 1 : 0;
  }
  EXPECT_GT(floors, 0);
  EXPECT_GT(gave_up, 0) << "said by the reason alone until then";
}

TEST_F(Migrate, ASecondTimeChangesNothing) {
  migrate(folder_);
  const std::string once = content_of(records());
  const Migration again = migrate(folder_);
  EXPECT_EQ(again.rewritten, 0);
  EXPECT_EQ(again.unchanged, static_cast<int>(lines_of(records()).size()));
  EXPECT_EQ(content_of(records()), once);
}

TEST_F(Migrate, GivesACaseItsPresentName) {
  json line = lines_of(records()).front();
  line["key"] = "silent/plain size=1 rounds=2";
  line["case"]["model"] = "silent";
  line["case"]["implementation"] = "plain";
  line["case"]["parameters"] = {{"size", 1}, {"rounds", 2}};
  write_file(records(), line.dump() + "\n");
  migrate(folder_);
  EXPECT_EQ(lines_of(records()).front()["key"], "silent/several size=1 rounds=2");
  EXPECT_EQ(lines_of(records()).front()["case"]["implementation"], "several");
  EXPECT_EQ(read_results(folder_).records.front().key, "silent/several size=1 rounds=2");
}

TEST_F(Migrate, KeepsLinesThatAreNoRecord) {
  const std::string text = content_of(records());
  write_file(records(), "garbage\n" + text + "{\"schema\": 1}\n");
  EXPECT_EQ(migrate(folder_).passed_over, 2);
  EXPECT_THAT(content_of(records()), StartsWith("garbage\n{"));
  EXPECT_THAT(content_of(records()), EndsWith("}\n{\"schema\": 1}\n"));
}

TEST_F(Migrate, NamesFilesWithoutTheirFolders) {
  json line = lines_of(records()).front();
  line["case"]["model"] = "fake";
  line["case"]["implementation"] = "plain";
  line["case"]["parameters"] = {
      {"size", 1}, {"behaviour", "fine"}, {"input", "/home/me/my files/a.bin@0123456789ab"}};
  line["key"] = "fake/plain size=1 input='/home/me/my files/a.bin@0123456789ab'";
  write_file(records(), line.dump() + "\n");
  EXPECT_EQ(migrate(folder_).rewritten, 1);
  const json after = lines_of(records()).front();
  EXPECT_EQ(after["key"], "fake/plain size=1 input=a.bin@0123456789ab");
  EXPECT_EQ(after["case"]["parameters"]["input"], "a.bin@0123456789ab");
  EXPECT_EQ(after["case"]["parameters"]["size"], 1);
}

TEST_F(Migrate, RefusesAFolderInUseAndLeavesItAlone) {
  const RecordStore store(folder_);
  const std::string before = content_of(records());
  EXPECT_THAT([&] { migrate(folder_); },
              ThrowsMessage<Failure>(HasSubstr("in use by another run")));
  EXPECT_EQ(content_of(records()), before);
}

TEST_F(Migrate, ALaterSchemaIsRefusedAndLeftAlone) {
  const std::string with = content_of(records()) + "{\"schema\":4,\"key\":\"new\"}\n";
  write_file(records(), with);
  EXPECT_THAT([&] { migrate(folder_); }, ThrowsMessage<Failure>(HasSubstr("later version")));
  EXPECT_EQ(content_of(records()), with);
}

TEST_F(Migrate, WhatALineSaysBesideARecordIsNotDroppedInSilence) {
  json line = lines_of(records()).front();
  line["remark"] = "by hand";
  const std::string with = line.dump() + "\n";
  write_file(records(), with);
  EXPECT_THAT([&] { migrate(folder_); },
              ThrowsMessage<Failure>(AllOf(HasSubstr("line 1"), HasSubstr("/remark"))));
  EXPECT_EQ(content_of(records()), with);
}

}  // namespace
}  // namespace macrobench
