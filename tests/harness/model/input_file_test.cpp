#include "harness/model/input_file.hpp"

#include <sys/stat.h>

#include <filesystem>
#include <string>

#include "harness/files/digest.hpp"
#include "harness/model/parameters.hpp"
#include "harness/run/runner.hpp"
#include "tests/harness/fake_model.hpp"
#include "tests/harness/support.hpp"
#include "tests/matchers.hpp"

namespace macrobench {
namespace {

const Axis file_axis{
    .name = "shocks", .help = "shocks", .default_value = std::string(), .is_file = true};

std::string value_of(const std::string& text) {
  return to_string(parse_value(file_axis, text, 1));
}

class FileOfAnAxis : public ::testing::Test {
 protected:
  [[nodiscard]] std::string path(const std::string& name) const {
    return (folder_.path() / name).string();
  }
  std::string written(const std::string& name, const std::string& content) {
    write_file(path(name), content);
    return path(name);
  }

  TemporaryFolder folder_;
};

TEST_F(FileOfAnAxis, IsItsPathAndItsDigest) {
  const std::string file = written("a.bin", "abc");
  const std::string digest = sha256("abc").substr(0, 12);
  EXPECT_EQ(value_of(file), file + "@" + digest);
  EXPECT_EQ(value_of(value_of(file)), value_of(file)) << "a value stays what it is";
  EXPECT_EQ(value_of(""), "");
  EXPECT_EQ(input_file_from(value_of(file)), (InputFile{file, digest}));

  const std::string before = value_of(file);
  written("a.bin", "abd");
  EXPECT_NE(value_of(file), before) << "another content is another case";
}

TEST_F(FileOfAnAxis, HasAnyName) {
  for (const char* name :
       {"with a space", "a@b", "a@0123456789ab", "comma,colon:1..5", "=", "\xC3\xA9t\xC3\xA9"}) {
    const std::string file = written(name, name);
    const std::string value = value_of(file);
    EXPECT_EQ(value, file + "@" + sha256(name).substr(0, 12));
    EXPECT_EQ(value_of(value), value) << name;
    EXPECT_EQ(input_file_from(value).path, file) << name;
    EXPECT_EQ(parse_values(file_axis, file, 1), std::vector<Value>{value}) << "it is not swept";
  }
}

TEST_F(FileOfAnAxis, MayStandRelativeToWhereMacrobenchRuns) {
  const std::filesystem::path before = std::filesystem::current_path();
  written("a.bin", "abc");
  std::filesystem::current_path(folder_.path());
  EXPECT_EQ(value_of("a.bin"), "a.bin@" + sha256("abc").substr(0, 12));
  EXPECT_EQ(value_of("./a.bin"), "./a.bin@" + sha256("abc").substr(0, 12));
  std::filesystem::current_path(before);
}

TEST_F(FileOfAnAxis, IsDigestedWholeHoweverLarge) {
  const std::string content(3'000'001, 'x');
  EXPECT_THAT(value_of(written("large", content)), EndsWith("@" + sha256(content).substr(0, 12)));
  EXPECT_THAT(value_of(written("empty", "")), EndsWith("@" + sha256("").substr(0, 12)));
}

TEST_F(FileOfAnAxis, ThatCannotBeReadIsSaidToBeSo) {
  EXPECT_EQ(complaint_of([&] { value_of(path("none")); }),
            "shocks = " + path("none") + ": the file does not exist");
  EXPECT_EQ(complaint_of([&] { value_of(path("none@0123456789ab")); }),
            "shocks = " + path("none") + ": the file does not exist");
  EXPECT_THAT(complaint_of([&] { value_of(folder_.path().string()); }),
              EndsWith("it is a folder, not a file"));
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  EXPECT_THAT(complaint_of([&] { value_of(path("pipe")); }), HasSubstr("not a regular file"));
  EXPECT_THAT(complaint_of([&] { value_of("a\nb"); }), HasSubstr("control characters"));
  EXPECT_THAT(complaint_of([&] { value_of("a\xFF"); }), HasSubstr("not UTF-8"));
}

TEST_F(FileOfAnAxis, ThatIsTooLargeIsRefusedUnread) {
  const std::string file = written("sparse", "");
  std::filesystem::resize_file(file, std::uintmax_t{10'000'000'000});
  EXPECT_EQ(complaint_of([&] { value_of(file); }),
            "shocks = " + file +
                ": it is too large: it has 10000000000 bytes, and at most 1073741824 are read");
}

TEST_F(FileOfAnAxis, ThatChangedIsAnError) {
  const std::string file = written("a.bin", "abc");
  const std::string value = value_of(file);
  written("a.bin", "abd");
  EXPECT_EQ(complaint_of([&] { value_of(value); }),
            "shocks = " + file + ": the file has changed: its digest was " +
                sha256("abc").substr(0, 12) + " and is now " + sha256("abd").substr(0, 12));
}

TEST_F(FileOfAnAxis, StandsInTheKeyAndReachesTheChild) {
  const std::string file = written("in put", "abc");
  const Case which = fake_case("plain", {{"input", file}});
  EXPECT_EQ(which.key(), "fake/plain size=1 input='in put@" + sha256("abc").substr(0, 12) + "'");
  RunOptions options;
  options.child_command = test_child({"child"});
  const Record measured = run_case(which, a_machine(), options);
  EXPECT_EQ(measured.status, Status::measured) << to_string(measured.why);
  EXPECT_EQ(measured.key, which.key());
  EXPECT_EQ(measured.parameters.name("input"), "in put@" + sha256("abc").substr(0, 12));
  written("in put", "other");
  const Record record = run_case(which, a_machine(), options);
  EXPECT_EQ(record.status, Status::failed);
  EXPECT_THAT(to_string(record.why),
              AllOf(HasSubstr("input = " + file), HasSubstr("the file has changed")));
}

}  // namespace
}  // namespace macrobench
