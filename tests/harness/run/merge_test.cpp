#include "harness/run/merge.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "harness/files/digest.hpp"
#include "harness/model/solution_file.hpp"
#include "harness/model/solution_folder.hpp"
#include "harness/process/process.hpp"
#include "harness/records/record_store.hpp"
#include "harness/records/results_folder.hpp"
#include "harness/text/error.hpp"
#include "tests/harness/support.hpp"
#include "tests/matchers.hpp"

namespace macrobench {
namespace {

namespace fs = std::filesystem;

Record a_record_at(const std::string& key, int minute) {
  Record record = a_record(key);
  record.time = fmt::format("2026-11-20T10:{:02}:00Z", minute);
  return record;
}

class MergeTest : public testing::Test {
 protected:
  void SetUp() override { results = temporary.path() / "results"; }

  [[nodiscard]] fs::path machine() const { return results / a_machine().own_name(); }
  [[nodiscard]] fs::path shard(const std::string& name) const {
    return shards_folder(machine()) / name;
  }

  /// A shard of one campaign with these records.
  void write(const std::string& name, const std::vector<Record>& records,
             const Machine& on = a_machine()) const {
    RecordStore store(shard(name));
    CampaignEvent event{.campaign = "campaign of " + name,
                        .time = "2026-11-20T10:00:00Z",
                        .speeds = {},
                        .begins = true,
                        .asked = "sweep fake --part " + name,
                        .machine = on.id()};
    store.append(event, on);
    for (Record record : records) {
      record.campaign = event.campaign;
      record.machine = on.id();
      store.append(record, on);
    }
    event.begins = false;
    event.asked.clear();
    event.machine.clear();
    event.time = "2026-11-20T10:59:00Z";
    store.append(event, on);
  }

  Merge merge_all() const { return merge(shards_in(results), results); }
  std::vector<std::string> keys() const {
    std::vector<std::string> all;
    for (const Record& record : read_results(machine()).records) all.push_back(record.key);
    return all;
  }
  /// What the machine's own files say.
  std::map<std::string, std::string> files() const {
    std::map<std::string, std::string> all;
    for (const auto& entry : fs::directory_iterator(machine())) {
      const std::string name = entry.path().filename().string();
      if (entry.is_regular_file() && name != ".lock") all[name] = content_of(entry.path());
    }
    return all;
  }

  TemporaryFolder temporary;
  fs::path results;
};

TEST_F(MergeTest, AppendsWhatIsNew) {
  write("1_of_2", {a_record_at("a", 1), a_record_at("c", 3)});
  write("2_of_2", {a_record_at("b", 2), a_record_at("d", 4)});
  const Merge merged = merge_all();
  EXPECT_THAT(merged.warnings, IsEmpty());
  ASSERT_THAT(merged.shards, SizeIs(2));
  EXPECT_EQ(merged.shards[0].into, machine());
  EXPECT_EQ(merged.shards[0].added, 2u);
  const Results all = read_results(machine());
  EXPECT_THAT(all.warnings, IsEmpty());
  EXPECT_THAT(keys(), ElementsAre("a", "b", "c", "d")) << "in the order of time";
  ASSERT_THAT(all.campaigns, SizeIs(2));
  EXPECT_NE(all.campaigns[0].first().ended, "");
  EXPECT_EQ(all.records[1].campaign, "campaign of 2_of_2");
  EXPECT_THAT(all.machines, SizeIs(1));
  EXPECT_THAT(machine_folders_in(results), ElementsAre(machine())) << "shards are no machines";
  const auto before = files();
  const Merge again = merge_all();
  EXPECT_EQ(files(), before);
  EXPECT_EQ(again.shards.at(0).added, 0u);
  EXPECT_EQ(again.shards[0].records, 2u);
}

TEST_F(MergeTest, AnOlderRecordThatIsMergedLaterIsNotTheNewest) {
  write("1_of_2", {a_record_at("a", 30)});
  merge_all();
  write("2_of_2", {a_record_at("a", 20)});
  merge_all();
  const Results all = read_results(machine());
  ASSERT_THAT(all.records, SizeIs(2));
  EXPECT_EQ(all.records.back().time, "2026-11-20T10:30:00Z");
}

TEST_F(MergeTest, ATimeThatWasFoundNoisyLaterIsNoContradiction) {
  Record noisy = a_record_at("a", 1);
  write("1_of_1", {noisy});
  merge_all();
  noisy.status = Status::noisy;
  noisy.why = "slower than with one thread";
  noisy.campaign = "campaign of 1_of_1";
  RecordStore(shard("1_of_1")).append(noisy, a_machine());
  EXPECT_EQ(merge_all().shards.at(0).added, 1u);
  EXPECT_EQ(merge_all().shards.at(0).added, 0u);
  EXPECT_EQ(read_written(machine()).records.back().status, Status::noisy);
}

TEST_F(MergeTest, AContradictionIsRefusedBeforeAnythingIsWritten) {
  write("1_of_2", {a_record_at("a", 1)});
  write("2_of_2", {a_record_at("b", 1)});
  const fs::path copy = temporary.path() / "copy";
  fs::copy(shard("1_of_2"), copy);
  std::string text = content_of(copy / "records.jsonl");
  text.replace(text.find("\"seconds\":1.5"), 13, "\"seconds\":2.5");
  write_file(copy / "records.jsonl", text);
  const auto both = [&] { merge({shard("1_of_2"), shard("2_of_2"), copy}, results); };
  EXPECT_THAT(complaint_of<ReadableError>(both),
              AllOf(HasSubstr("contradicts"), HasSubstr("a of 2026-11-20T10:01:00Z")));
  EXPECT_FALSE(fs::exists(machine() / "records.jsonl"));
  merge_all();
  const auto before = files();
  EXPECT_THAT(complaint_of<ReadableError>([&] { merge({copy}, results); }),
              HasSubstr("contradicts"));
  EXPECT_EQ(files(), before);
}

TEST_F(MergeTest, AShardThatIsHalfWrittenIsReadUpToItsLastWholeLine) {
  write("1_of_1", {a_record_at("a", 1), a_record_at("b", 2)});
  const fs::path records = shard("1_of_1") / "records.jsonl";
  const fs::path events = shard("1_of_1") / "campaigns.jsonl";
  const std::string whole = content_of(records);
  const std::string all_events = content_of(events);
  write_file(records, whole.substr(0, whole.size() - 40));
  write_file(events, all_events.substr(0, all_events.find('\n') + 1));
  EXPECT_THAT(merge_all().warnings, ElementsAre(HasSubstr("torn")));
  EXPECT_THAT(keys(), ElementsAre("a"));
  EXPECT_EQ(read_results(machine()).campaigns.at(0).first().ended, "");
  write_file(records, whole);
  write_file(events, all_events);
  merge_all();
  EXPECT_THAT(keys(), ElementsAre("a", "b"));
  EXPECT_NE(read_results(machine()).campaigns.at(0).first().ended, "");
}

TEST_F(MergeTest, AShardInUseIsReadAndAMachineInUseIsNot) {
  write("1_of_1", {a_record_at("a", 1)});
  const RecordStore part(shard("1_of_1"));
  EXPECT_THAT(merge_all().shards, SizeIs(1));
  EXPECT_THAT(complaint_of<ReadableError>([&] { RecordStore second(shard("1_of_1")); }),
              HasSubstr("in use"));
  const RecordStore run(machine());
  EXPECT_THAT(complaint_of<ReadableError>([&] { merge_all(); }), HasSubstr("in use"));
}

TEST_F(MergeTest, LinksAreRefused) {
  write("1_of_2", {a_record_at("a", 1)});
  fs::rename(shard("1_of_2"), temporary.path() / "elsewhere");
  fs::create_directory_symlink(temporary.path() / "elsewhere", shard("1_of_2"));
  EXPECT_THAT(complaint_of<ReadableError>([&] { merge_all(); }), HasSubstr("link"));
  fs::remove(shard("1_of_2"));
  fs::rename(temporary.path() / "elsewhere", shard("1_of_2"));
  fs::rename(shard("1_of_2") / "records.jsonl", temporary.path() / "records");
  fs::create_symlink(temporary.path() / "records", shard("1_of_2") / "records.jsonl");
  EXPECT_THAT(complaint_of<ReadableError>([&] { merge_all(); }), HasSubstr("not a regular file"));
  EXPECT_FALSE(fs::exists(machine() / "records.jsonl"));
}

TEST_F(MergeTest, NothingIsWrittenThroughALinkInTheMachinesFolder) {
  write("1_of_1", {a_record_at("a", 1)});
  write_file(temporary.path() / "dear", "");
  fs::create_symlink(temporary.path() / "dear", machine() / "records.jsonl");
  EXPECT_NE(complaint_of<ReadableError>([&] { merge_all(); }), "");
  EXPECT_EQ(content_of(temporary.path() / "dear"), "");
}

TEST_F(MergeTest, AFolderHasOneKindOfMachine) {
  write("1_of_2", {a_record_at("a", 1)}, identified("a"));
  write("2_of_2", {a_record_at("b", 2)}, identified("b"));
  EXPECT_THAT(merge_all().shards, SizeIs(2));
  EXPECT_THAT(read_results(results / identified("a").own_name()).records, SizeIs(1));
  const fs::path reference = results / reference_name / a_machine().slug();
  merge({shard("1_of_2"), shard("2_of_2")}, results, reference);
  EXPECT_THAT(read_results(reference).records, SizeIs(2));
  write("1_of_1", {a_record_at("c", 3)}, a_machine(64));
  EXPECT_THAT(complaint_of<ReadableError>([&] { merge({shard("1_of_1")}, results, reference); }),
              HasSubstr("two kinds"));
  RecordStore(shard("1_of_1")).append(a_record_at("b", 2), a_machine(3));
  EXPECT_THAT(complaint_of<ReadableError>([&] { merge({shard("1_of_1")}, results); }),
              HasSubstr("two kinds"));
  EXPECT_THAT(read_results(reference).records, SizeIs(2));
}

TEST_F(MergeTest, ARecordWithoutItsMachineIsRefused) {
  Record stray = a_record_at("b", 2);
  stray.machine = a_machine(7).id();
  RecordStore(shard("1_of_1")).append(stray, a_machine());
  EXPECT_THAT(complaint_of<ReadableError>([&] { merge_all(); }), HasSubstr("names a machine"));
}

TEST_F(MergeTest, ARecordIsMergedAsItWasWrittenNotAsItIsJudged) {
  Record impossible = a_record_at("fake/plain size=1", 1);
  impossible.samples[0].first_solution = 1e9;
  write("1_of_1", {impossible});
  ASSERT_EQ(read_results(shard("1_of_1")).records.at(0).status, Status::implausible);
  merge_all();
  EXPECT_EQ(nlohmann::json::parse(content_of(machine() / "records.jsonl")),
            nlohmann::json::parse(content_of(shard("1_of_1") / "records.jsonl")));
}

TEST_F(MergeTest, StoredSolutionsComeAlong) {
  Record stored = a_record_at("a", 1);
  stored.solution = sha256("the solution");
  Record lost = a_record_at("b", 2);
  lost.solution = sha256("another");
  Record changed = a_record_at("c", 3);
  changed.solution = sha256("as it was");
  Record linked = a_record_at("d", 4);
  linked.solution = sha256("dear");
  write("1_of_1", {stored, lost, changed, linked});
  fs::create_directories(shard("1_of_1") / "solutions");
  // As older versions stored them: a file each.
  const auto older = [](const fs::path& folder, const std::string& key) {
    return folder / "solutions" / sha256(key);
  };
  write_file(older(shard("1_of_1"), "a"), "the solution");
  write_file(older(shard("1_of_1"), "c"), "as it is");
  write_file(temporary.path() / "dear", "dear");
  fs::create_symlink(temporary.path() / "dear", older(shard("1_of_1"), "d"));
  const Merge merged = merge_all();
  EXPECT_THAT(
      merged.warnings,
      ElementsAre(HasSubstr("the stored solution of b is not there"),
                  HasSubstr("the stored solution of c is not the one that the record names"),
                  HasSubstr("the stored solution of d is not there")));
  EXPECT_EQ(content_of(older(machine(), "a")), "the solution");
  EXPECT_THAT(keys(), SizeIs(4));
  EXPECT_THAT(merge_all().warnings, IsEmpty());
}

TEST_F(MergeTest, TakesAFoldersArraysAlong) {
  SolutionWriter writer("a");
  const std::vector<double> V{1, 2};
  writer("V", V);
  Record stored = a_record_at("a", 1);
  stored.solution = sha256(writer.text());
  write("1_of_1", {stored});
  const ArrayView view{
      .name = "V", .shape = {{"K", 2}}, .type = "<f8", .number = {}, .bytes = bytes_of(V)};
  write_solution(OutputFolder(solution_folder(shard("1_of_1"), "a")),
                 {.stored = writer.text(), .arrays = {view}, .given = {}, .units = {}},
                 nlohmann::ordered_json::object());
  EXPECT_THAT(merge_all().warnings, IsEmpty());
  EXPECT_EQ(read_solution(stored_solution(machine(), "a")), writer.text());
}

TEST_F(MergeTest, FindsTheShardsThatTheUserMeans) {
  write("1_of_2", {a_record_at("a", 1)});
  write("2_of_2", {a_record_at("b", 1)});
  const auto both = ElementsAre(shard("1_of_2"), shard("2_of_2"));
  EXPECT_THAT(shards_in(results), both);
  EXPECT_THAT(shards_in(machine()), both);
  EXPECT_THAT(shards_in(shards_folder(machine())), both);
  EXPECT_THAT(shards_in(shard("1_of_2")), ElementsAre(shard("1_of_2")));
  merge_all();
  EXPECT_THAT(shards_in(results), both);
  EXPECT_THAT(complaint_of<ReadableError>([&] { shards_in(temporary.path() / "nowhere"); }),
              HasSubstr("there are no shards in it"));
}

TEST_F(MergeTest, KilledAtAnyMomentTheNextOneCompletesIt) {
  std::vector<Record> first, second;
  for (int i = 0; i < 60; ++i) {
    (i % 2 == 0 ? first : second).push_back(a_record_at(fmt::format("number {}", i), i));
  }
  write("1_of_2", first);
  write("2_of_2", second);
  const std::vector<std::string> command = test_child({"merge", results.string()});
  std::mt19937 random(20116);
  std::uniform_real_distribution<double> moment(0.0, 0.03);
  std::size_t before = 0;
  int partial = 0;
  for (int round = 0; round < 40 && before < 60; ++round) {
    run_process({command.front(), command, "", moment(random)});
    const Results seen = read_results(machine());
    ASSERT_GE(seen.records.size(), before);
    before = seen.records.size();
    partial += before > 0 && before < 60 ? 1 : 0;
    for (const Record& record : seen.records) {
      ASSERT_TRUE(seen.machines.contains(record.machine));
    }
  }
  merge_all();
  const auto killed = files();
  fs::rename(machine() / "shards", temporary.path() / "shards");
  fs::remove_all(machine());
  merge(shards_in(temporary.path()), results);
  EXPECT_EQ(killed, files()) << "as if it had never been killed";
  RecordProperty("partial", partial);
}

}  // namespace
}  // namespace macrobench
