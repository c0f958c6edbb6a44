#include "harness/records/record_store.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "harness/process/process.hpp"
#include "tests/harness/support.hpp"
#include "tests/matchers.hpp"

namespace macrobench {
namespace {

/// No file of this process may grow beyond this, which simulates a full disk.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    rlimit now = before_;
    now.rlim_cur = bytes;
    ::setrlimit(RLIMIT_FSIZE, &now);
  }
  ~FileSizeLimit() { ::setrlimit(RLIMIT_FSIZE, &before_); }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;

 private:
  rlimit before_{};
};

class RecordStoreTest : public testing::Test {
 protected:
  void SetUp() override { folder = temporary.path() / "results" / "machine"; }

  void append(int count) {
    RecordStore store(folder);
    for (int i = 0; i < count; ++i)
      store.append(a_record(fmt::format("number {}", i)), a_machine());
  }
  [[nodiscard]] std::filesystem::path records() const { return folder / "records.jsonl"; }
  [[nodiscard]] std::filesystem::path machines() const { return folder / "machines.jsonl"; }

  TemporaryFolder temporary;
  std::filesystem::path folder;
};

TEST_F(RecordStoreTest, KeepsRecordsInOrderAndEachMachineOnce) {
  {
    RecordStore store(folder);
    EXPECT_THAT(store.results().records, IsEmpty());
    store.append(a_record("a"), a_machine(1));
    store.append(a_record("b"), a_machine(2));
    store.append(a_record("c"), a_machine(1));
    EXPECT_EQ(store.results().records.size(), 3u);
  }
  const Results results = read_results(folder);
  ASSERT_EQ(results.records.size(), 3u);
  EXPECT_EQ(results.records[2].key, "c");
  EXPECT_EQ(results.machines.size(), 2u);
  EXPECT_EQ(results.machines.at(a_machine(1).id()).block.dump(), a_machine(1).block.dump());
  EXPECT_THAT(results.warnings, IsEmpty());
  append(1);
  EXPECT_EQ(read_results(folder).machines.size(), 2u);
}

TEST_F(RecordStoreTest, AMissingFolderIsEmptyToAReader) {
  const Results results = read_results(folder);
  EXPECT_THAT(results.records, IsEmpty());
  EXPECT_FALSE(std::filesystem::exists(folder));
}

TEST_F(RecordStoreTest, TornLastLineIsDroppedWhereverItTears) {
  append(2);
  const std::string whole = content_of(records());
  const std::size_t second = whole.find('\n') + 1;
  for (std::size_t length = second + 1; length < whole.size(); length += 37) {
    write_file(records(), whole.substr(0, length));
    const Results seen = read_results(folder);
    EXPECT_EQ(seen.records.size(), 1u);
    ASSERT_EQ(seen.warnings.size(), 1u);
    EXPECT_THAT(seen.warnings[0], AllOf(HasSubstr("records.jsonl, line 2"), HasSubstr("torn")));
    RecordStore store(folder);
    EXPECT_EQ(store.results().warnings, seen.warnings);
    store.append(a_record("number 1"), a_machine());
    EXPECT_EQ(content_of(records()), whole);
  }
}

TEST_F(RecordStoreTest, BlankLinesAreNeitherRecordsNorFaults) {
  append(2);
  const std::string whole = content_of(records());
  const std::size_t second = whole.find('\n') + 1;
  const std::string first = whole.substr(0, second);
  for (const std::string blank : {"\n", "\n\n", " \t\n", "\r\n", " "}) {
    std::vector<std::string> texts{whole + blank};
    if (blank.ends_with('\n')) texts.push_back(first + blank + whole.substr(second));
    if (blank.ends_with('\n')) texts.push_back(blank + whole);
    for (const std::string& text : texts) {
      write_file(records(), text);
      EXPECT_THAT(read_results(folder).warnings, IsEmpty());
      RecordStore(folder).append(a_record("last"), a_machine());
      const Results seen = read_results(folder);
      EXPECT_EQ(seen.records.size(), 3U);
      EXPECT_THAT(seen.warnings, IsEmpty());
    }
  }
  write_file(folder / "campaigns.jsonl", "\n\n");
  EXPECT_THAT(read_results(folder).warnings, IsEmpty());
}

TEST_F(RecordStoreTest, WhatGitLeftIsNamedOnce) {
  append(2);
  const std::string whole = content_of(records());
  const std::string first = whole.substr(0, whole.find('\n') + 1);
  write_file(records(), "<<<<<<< HEAD\n" + first + "||||||| 1234567\n=======\n" +
                            whole.substr(first.size()) + ">>>>>>> theirs\n");
  const Results seen = read_results(folder);
  EXPECT_EQ(seen.records.size(), 2U);
  EXPECT_THAT(seen.warnings, ElementsAre(HasSubstr("line 1: a conflict that git left")));
  const std::string pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 3\n";
  write_file(records(), pointer);
  for (const bool writes : {false, true}) {
    EXPECT_THAT(failure_of([&] {
                  if (writes) RecordStore store(folder);
                  if (!writes) static_cast<void>(read_results(folder));
                }),
                HasSubstr("records.jsonl: a pointer of Git LFS"));
  }
  EXPECT_EQ(content_of(records()), pointer);
}

TEST_F(RecordStoreTest, ARecordWithANulAfterItIsNone) {
  append(3);
  std::string text = content_of(records());
  text.insert(text.find('\n'), std::string("\0 and more", 10));
  write_file(records(), text);
  const Results seen = read_results(folder);
  EXPECT_EQ(seen.records.size(), 2u);
  ASSERT_EQ(seen.warnings.size(), 1u);
  EXPECT_THAT(seen.warnings[0], HasSubstr("line 1: skipped, it is not a record (it is not JSON)"));
}

TEST_F(RecordStoreTest, ALineThatIsTooLongIsSkippedUnread) {
  append(2);
  std::string first = content_of(records());
  const std::string second = first.substr(first.find('\n') + 1);
  first.resize(first.size() - second.size());
  constexpr std::size_t too_long = (std::size_t{64} << 20) + 1;
  write_file(records(), first + std::string(too_long, '[') + "\n" + second);
  const Results seen = read_results(folder);
  EXPECT_EQ(seen.records.size(), 2u);
  ASSERT_EQ(seen.warnings.size(), 1u);
  EXPECT_THAT(seen.warnings[0], HasSubstr("it has 67108865 bytes, and at most 67108864 are read"));
}

TEST_F(RecordStoreTest, AFileThatIsTooLargeIsRefusedUnread) {
  append(1);
  std::filesystem::resize_file(records(), std::uintmax_t{40} << 30);
  const std::string why = failure_of([&] { read_results(folder); });
  EXPECT_THAT(why, AllOf(HasSubstr("records.jsonl: it is too large: it has 42949672960 bytes"),
                         HasSubstr("at most 1073741824 are read")));
  EXPECT_EQ(failure_of([&] { RecordStore store(folder); }), why);
}

TEST_F(RecordStoreTest, ATornLineMayEndInALineEnd) {
  append(1);
  const std::string whole = content_of(records());
  write_file(records(), whole + std::string(40, '\0') + "\n");
  EXPECT_EQ(RecordStore(folder).results().warnings.size(), 1u);
  EXPECT_EQ(content_of(records()), whole);
}

TEST_F(RecordStoreTest, ALastLineThatOnlyLacksItsEndIsKept) {
  append(2);
  const std::string whole = content_of(records());
  const std::string machine = content_of(machines());
  write_file(records(), whole.substr(0, whole.size() - 1));
  write_file(machines(), machine.substr(0, machine.size() - 1));
  EXPECT_EQ(read_results(folder).records.size(), 2u);
  {
    RecordStore store(folder);
    EXPECT_THAT(store.results().warnings, IsEmpty());
    store.append(a_record("number 2"), a_machine());
  }
  EXPECT_THAT(content_of(records()), StartsWith(whole));
  EXPECT_EQ(content_of(machines()), machine);
  EXPECT_EQ(read_results(folder).records.size(), 3u);
}

TEST_F(RecordStoreTest, OtherLineEndsAndAByteOrderMarkAreNothing) {
  append(2);
  std::string text = content_of(records());
  for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 2) {
    text.insert(at, 1, '\r');
  }
  write_file(records(), "\xef\xbb\xbf" + text);
  const Results results = read_results(folder);
  EXPECT_EQ(results.records.size(), 2u);
  EXPECT_THAT(results.warnings, IsEmpty());
}

TEST_F(RecordStoreTest, EmptyFilesHoldNothing) {
  append(1);
  write_file(records(), "");
  write_file(machines(), "");
  EXPECT_THAT(read_results(folder).records, IsEmpty());
  EXPECT_THAT(read_results(folder).warnings, IsEmpty());
  append(1);
  EXPECT_EQ(read_results(folder).records.size(), 1u);
}

TEST_F(RecordStoreTest, WhatNestsTooDeepIsPassedOver) {
  append(1);
  const std::size_t deep = 200'000;
  const std::string nested = std::string(deep, '[') + std::string(deep, ']');
  write_file(records(), "{\"schema\":1,\"x\":" + nested + "}\n" + content_of(records()));
  write_file(machines(), content_of(machines()) + R"({"schema":1,"id":"a","machine":{"cpu":)" +
                             nested + "}}\n");
  const Results results = read_results(folder);
  EXPECT_EQ(results.records.size(), 1u);
  EXPECT_EQ(results.machines.size(), 1u);
  ASSERT_EQ(results.warnings.size(), 2u);
  EXPECT_THAT(results.warnings[0], AllOf(HasSubstr("line 1"), HasSubstr("nests deeper than")));
}

TEST_F(RecordStoreTest, AMachineOfAMillionMembersIsPassedOver) {
  append(1);
  std::string line = R"({"schema":1,"id":"a","machine":{"cpu":{"model":null,"cores_available":2})";
  for (int i = 0; i < 1'000'000; ++i) line += fmt::format(R"(,"{}":0)", i);
  write_file(machines(), line + "}}\n" + content_of(machines()));
  const Results results = read_results(folder);
  EXPECT_EQ(results.machines.size(), 1u);
  ASSERT_EQ(results.warnings.size(), 1u);
  EXPECT_THAT(results.warnings[0], HasSubstr("it is longer than any machine's block"));
}

TEST_F(RecordStoreTest, AMachineThatCannotAnswerIsPassedOver) {
  append(1);
  const std::string good = content_of(machines());
  for (const auto& [block, says] : std::vector<std::pair<std::string, std::string>>{
           {"3", "/machine: it must be an object"},
           {"{}", "/machine/cpu: it must be an object"},
           {R"({"cpu":{"model":null}})", "/machine/cpu/cores_available: it must be a whole number"},
           {R"({"cpu":{"model":null,"cores_available":0}})", "/machine/cpu/cores_available"},
           {R"({"cpu":{"model":null,"cores_available":1e300}})", "/machine/cpu/cores_available"},
           {R"({"cpu":{"model":null,"cores_available":4294967296}})",
            "/machine/cpu/cores_available"},
           {R"({"cpu":{"cores_available":2}})", "/machine/cpu/model: it is missing"},
           {R"({"cpu":{"model":null,"cores_available":2},"gpu":[]})", "/machine/gpu"},
           {R"({"cpu":{"model":null,"cores_available":2},"gpu":{"name":1}})",
            "/machine/gpu/name: it must be a string"}}) {
    write_file(machines(), R"({"schema":1,"id":"a","machine":)" + block + "}\n[]\n" + good);
    const Results results = read_results(folder);
    EXPECT_EQ(results.machines.size(), 1u);
    ASSERT_EQ(results.warnings.size(), 2u) << block;
    EXPECT_THAT(results.warnings[0], AllOf(HasSubstr("machines.jsonl, line 1"), HasSubstr(says)));
    EXPECT_THAT(results.warnings[1], HasSubstr("/: it must be an object"));
  }
}

TEST_F(RecordStoreTest, ATornMachineIsWrittenAgain) {
  append(1);
  const std::string whole = content_of(machines());
  write_file(machines(), whole.substr(0, whole.size() / 2));
  append(1);
  EXPECT_EQ(content_of(machines()), whole);
}

TEST_F(RecordStoreTest, GarbageInTheMiddleIsPassedOverAndKept) {
  append(2);
  const std::string whole = content_of(records());
  const std::size_t second = whole.find('\n') + 1;
  const std::string with =
      whole.substr(0, second) + "garbage\n{\"schema\": 3}\n\n" + whole.substr(second);
  write_file(records(), with);
  const RecordStore store(folder);
  EXPECT_EQ(store.results().records.size(), 2u);
  ASSERT_EQ(store.results().warnings.size(), 2u);
  EXPECT_THAT(store.results().warnings[0], HasSubstr("line 2"));
  EXPECT_THAT(store.results().warnings[1], HasSubstr("/: the field 'key' is missing"));
  EXPECT_EQ(content_of(records()), with);
}

TEST_F(RecordStoreTest, AnEarlierSchemaIsRefusedWithTheCommitThatConverts) {
  append(1);
  const std::string with = content_of(records()) + "{\"schema\":2,\"key\":\"old\"}\n";
  write_file(records(), with);
  const auto expected = AllOf(HasSubstr("records.jsonl, line 2"), HasSubstr("it has schema 2"),
                              HasSubstr("git checkout "), HasSubstr("results migrate"));
  EXPECT_THAT(failure_of([&] { RecordStore store(folder); }), expected);
  EXPECT_THAT(failure_of([&] { static_cast<void>(read_results(folder)); }), expected);
  EXPECT_EQ(content_of(records()), with);
}

TEST_F(RecordStoreTest, ALaterSchemaIsRefusedAndNothingIsTouched) {
  append(1);
  const std::string with =
      content_of(records()) + "{\"schema\":4,\"key\":\"new\"}\n{\"schema\":1,\"to";
  write_file(records(), with);
  const auto expected = AllOf(HasSubstr("records.jsonl, line 2"), HasSubstr("later version"),
                              HasSubstr("schema 4; this one reads 3"));
  EXPECT_THAT(failure_of([&] { RecordStore store(folder); }), expected);
  EXPECT_THAT(failure_of([&] { static_cast<void>(read_results(folder)); }), expected);
  EXPECT_EQ(content_of(records()), with);
}

TEST_F(RecordStoreTest, ASecondWriterIsRefused) {
  const RecordStore first(folder);
  EXPECT_THAT(failure_of([&] { RecordStore second(folder); }),
              AllOf(HasSubstr(folder.string()), HasSubstr("in use by another run"),
                    HasSubstr(fmt::format("(process {})", ::getpid()))));
  EXPECT_THAT(read_results(folder).records, IsEmpty());
}

TEST_F(RecordStoreTest, TheLockGoesWithItsHolder) {
  {
    const RecordStore first(folder);
  }
  EXPECT_EQ(failure_of([&] { RecordStore second(folder); }), "");
}

TEST_F(RecordStoreTest, AFullDiskIsAnErrorBeforeAnythingRuns) {
  append(1);
  const std::string before = content_of(records());
  const FileSizeLimit limit(16384);
  EXPECT_THAT(failure_of([&] { RecordStore store(folder); }),
              AllOf(HasSubstr("cannot be written to"), HasSubstr("make room there")));
  EXPECT_EQ(content_of(records()), before);
}

TEST_F(RecordStoreTest, ADiskThatFillsUpLosesNothing) {
  RecordStore store(folder);
  store.append(a_record("first"), a_machine());
  const std::string before = content_of(records());
  {
    const FileSizeLimit limit(before.size() + 100);
    EXPECT_THAT(failure_of([&] { store.append(a_record("second"), a_machine()); }),
                AllOf(HasSubstr("records.jsonl"), HasSubstr("cannot be written to")));
    EXPECT_EQ(content_of(records()), before);
    EXPECT_EQ(store.results().records.size(), 1u);
  }
  store.append(a_record("third"), a_machine());
  const Results results = read_results(folder);
  ASSERT_EQ(results.records.size(), 2u);
  EXPECT_EQ(results.records[1].key, "third");
  EXPECT_THAT(results.warnings, IsEmpty());
}

TEST_F(RecordStoreTest, AFolderThatCannotBeIsAnError) {
  write_file(temporary.path() / "file", "");
  EXPECT_THAT(failure_of([&] { RecordStore store(temporary.path() / "file" / "machine"); }),
              AllOf(HasSubstr("cannot be created"), HasSubstr("--results")));
  std::filesystem::create_directories(records());
  EXPECT_THAT(failure_of([&] { RecordStore store(folder); }), HasSubstr("records.jsonl"));
  EXPECT_THAT(failure_of([&] { static_cast<void>(read_results(folder)); }),
              HasSubstr("cannot be read"));
}

TEST_F(RecordStoreTest, AFolderThatMayNotBeWrittenToIsAnError) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may write anywhere";
  std::filesystem::create_directories(folder);
  std::filesystem::permissions(
      folder, std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
  EXPECT_THAT(failure_of([&] { RecordStore store(folder); }), HasSubstr("Permission denied"));
  std::filesystem::permissions(folder, std::filesystem::perms::owner_all);
}

TEST_F(RecordStoreTest, KilledAtAnyMomentItKeepsWhatItFinished) {
  const std::vector<std::string> command = test_child({"append", folder.string()});
  std::mt19937 random(20101);
  std::uniform_real_distribution<double> moment(0.0, 0.15);
  std::size_t finished = 0;
  const char* kills = std::getenv("MACROBENCH_KILLS");
  const int rounds = kills == nullptr ? 12 : std::stoi(kills);
  for (int round = 0; round < rounds; ++round) {
    const ProcessResult killed = run_process({command.front(), command, "", moment(random)});
    ASSERT_EQ(killed.end, ProcessResult::End::deadline) << killed.output;
    const std::size_t end = killed.output.rfind('\n');
    if (end != std::string::npos) {
      const std::size_t line = killed.output.rfind('\n', end - 1);
      finished = 1 + std::stoul(killed.output.substr(line == std::string::npos ? 0 : line + 1));
    }
    const Results results = RecordStore(folder).results();
    ASSERT_GE(results.records.size(), finished);
    for (std::size_t i = 0; i < results.records.size(); ++i) {
      ASSERT_EQ(results.records[i].key, fmt::format("number {}", i));
    }
  }
  EXPECT_GT(finished, 0u);
}

}  // namespace
}  // namespace macrobench
