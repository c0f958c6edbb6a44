// A user's calibrations: what is read, and what each bad file is answered with.

#include "harness/model/calibrations.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "harness/model/registry.hpp"
#include "harness/text/error.hpp"
#include "tests/harness/support.hpp"
#include "tests/matchers.hpp"

namespace macrobench {
namespace {

class CalibrationsFile : public ::testing::Test {
 protected:
  std::string written(const std::string& text) {
    const std::string path = (folder_.path() / fmt::format("{}.csv", ++files_)).string();
    write_file(path, text);
    return path;
  }

  /// Of a batch with this file.
  std::string refusal(const std::string& text, std::int64_t economies = 2,
                      const std::string& implementation = "rbc/frontier") {
    return refusal_of_path(written(text), economies, implementation);
  }

  static std::string refusal_of_path(const std::string& path, std::int64_t economies = 2,
                                     const std::string& implementation = "rbc/frontier") {
    try {
      static_cast<void>(Registry::global().make_case(
          implementation, {{"economies", economies}, {"calibrations", path}}, 1));
    } catch (const UsageError& error) {
      EXPECT_THAT(error.what(), StartsWith("calibrations = " + path + ": "));
      EXPECT_THAT(error.what(), Not(HasSubstr("\n")));
      return error.what();
    }
    return "";
  }

  TemporaryFolder folder_;
  int files_ = 0;
};

TEST_F(CalibrationsFile, HasANameForEachColumnAndARowForEachEconomy) {
  // As spreadsheets and R write it, and with what people leave behind.
  const Calibrations given(InputFile{
      written("\xEF\xBB\xBF\"beta\" , gamma\r\n.98,+2\r\n\r\n 0.99D+00 , 1e0 \r.97,\"3\""), ""});
  EXPECT_THAT(given.names(), ElementsAre("beta", "gamma"));
  ASSERT_EQ(given.economies(), 3U);
  EXPECT_EQ(given.value(0, 0), .98);
  EXPECT_EQ(given.value(1, 1), 1);
  EXPECT_EQ(given.value(2, 1), 3);
  EXPECT_THAT(given.where(2), EndsWith(": line 5: "));
}

TEST_F(CalibrationsFile, IsOneAndTheSameForTheSameContent) {
  const InputFile file{written("beta\n.98\n"), "0123456789ab"};
  EXPECT_EQ(calibrations_in(file), calibrations_in(file));
  EXPECT_NE(calibrations_in(file), calibrations_in(InputFile{file.path, "ba9876543210"}));
  EXPECT_EQ(calibrations_in(InputFile{}), nullptr);
}

TEST_F(CalibrationsFile, IsInTheKeyWithItsDigest) {
  const std::string path = written("beta\n.98\n.97\n");
  const Case which =
      Registry::global().make_case("rbc/frontier", {{"economies", 2}, {"calibrations", path}}, 1);
  EXPECT_THAT(which.key(), HasSubstr(" calibrations="));
  write_file(path, "beta\n.98\n.96\n");
  const Case other =
      Registry::global().make_case("rbc/frontier", {{"economies", 2}, {"calibrations", path}}, 1);
  EXPECT_NE(which.key(), other.key());
}

TEST_F(CalibrationsFile, IsReadByEveryModelThatHasBatches) {
  for (const auto& [implementation, name, unknown] :
       std::vector<std::tuple<std::string, std::string, std::string>>{
           {"rbc/frontier", "grid_low", "tolerance"},
           {"lifecycle/frontier", "lambda_eps", "xmax"},
           {"krusell_smith/frontier", "mu", "u_bad"}}) {
    EXPECT_EQ(refusal(name + "\n.8\n.9\n", 2, implementation), "");
    EXPECT_THAT(refusal(unknown + "\n.8\n.9\n", 2, implementation),
                HasSubstr("unknown parameter '" + unknown + "'"));
    EXPECT_THAT(refusal("beta\n.8\n-1\n", 2, implementation),
                HasSubstr("line 3: beta = -1: it must be "));
  }
}

TEST_F(CalibrationsFile, IsRefusedWithOneSentenceThatSaysWhere) {
  EXPECT_EQ(refusal("beta,gamma\n.98,2\n.97,1\n"), "");
  for (const auto& [text, why] : std::vector<std::pair<std::string, std::string>>{
           {"", "it is empty; its first line must name parameters"},
           {"\n \r\n", "it is empty; its first line must name parameters"},
           {"beta,gamma\n", "nothing follows its header"},
           {"beta,gama\n.98,2\n.97,1\n", "unknown parameter 'gama'; the nearest is 'gamma'"},
           {"beta,gamma,beta\n.98,2,.98\n.97,1,.97\n", "line 1: the header has beta twice"},
           {"beta,,gamma\n.98,2,1\n", "line 1: a name is missing in the header"},
           {",beta,gamma\n0,.98,2\n", "its first column has no name: written with row names?"},
           {"\"\",\"beta\"\n\"1\",.98\n", "line 1: a name is missing in the header: its first"},
           {"beta,gamma\n\"1\",.98,2\n", "the header has 2 names: written with row names, or with"},
           {"Unnamed: 0,beta\n0,.98\n1,.97\n", "it counts the rows: written with row names?"},
           {"X,beta\n1,.98\n2,.97\n", "it counts the rows: written with row names?"},
           {"beta;gamma\n0,98;2\n", "line 1: separated by semicolons? commas between"},
           {"beta\tgamma\n.98\t2\n", "line 1: separated by tabs? commas between"},
           {"\tbeta\n0\t.98\n", "line 2: beta = 0"},
           {"beta gamma\n.98 2\n", "line 1: separated by spaces? commas between"},
           {"beta|gamma\n.98|2\n", "line 1: separated by bars? commas between"},
           {"beta,gamma\n\"0,98\",2\n", "or with decimal commas?"},
           {"beta\n<<<<<<< HEAD\n.98\n=======\n", "line 2: it is not part of a table: a conflict"},
           {"version https://git-lfs.github.com/spec/v1\noid sha256:1\n", "a pointer of Git LFS"},
           {"beta,gamma\n.98,2\n.97,\n", "line 3: gamma is missing"},
           {"beta,gamma\n.98,2\n.97\n", "line 3: it has 1 values, where the header has 2 names"},
           {"beta,gamma\n.98,2\n.97,1,3\n",
            "line 3: it has 3 values, where the header has 2 names"},
           {"beta,gamma\n.98,nan\n.97,1\n", "line 2: gamma = nan: it must be a number"},
           {"beta,gamma\n.98,inf\n.97,1\n", "line 2: gamma = inf: it must be a number"},
           {"beta,gamma\n.98,two\n.97,1\n", "line 2: gamma = two: it must be a number"},
           {"beta,gamma\r.98,1\r.97,\u22121\r", "it must be a number; it has U+2212, a minus sign"},
           {"beta,gamma\n.98,2\n\n1.02,1\n", "line 4: beta = 1.02: it must be above 0 and below 1"},
           {"alpha\n.35\n.9999\n", "line 3: the capital grid would run from"},
           {"beta\n.98\n", "it has 1 rows, where economies = 2"},
           {std::string("be\0ta\n.98\n", 10), "unknown parameter 'be"}}) {
    EXPECT_THAT(refusal(text), HasSubstr(why)) << text;
  }
  EXPECT_THAT(refusal("beta\n.98\n.97\n", 1),
              HasSubstr("it has 2 rows, for a batch; add --economies 2"));
}

TEST_F(CalibrationsFile, IsNotReadIfItIsTooLargeOrNoFile) {
  const std::string path = written("beta\n.98\n.97\n");
  std::filesystem::resize_file(path, 10'000'000'000);  // a hole
  EXPECT_THAT(refusal_of_path(path), HasSubstr("it is too large: it has 10000000000 bytes"));
  EXPECT_THAT(refusal_of_path((folder_.path() / "none.csv").string()),
              HasSubstr("the file does not exist"));
  EXPECT_THAT(refusal_of_path(folder_.path().string()), HasSubstr("it is a folder, not a file"));
}

}  // namespace
}  // namespace macrobench
