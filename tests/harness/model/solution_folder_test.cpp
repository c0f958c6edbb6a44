// A solution's folder: every bit comes back, NumPy can read it, and nothing that a stranger's
// folder says is believed or followed.

#include "harness/model/solution_folder.hpp"

#include <cmath>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/files/npy.hpp"
#include "harness/files/temporary_folder.hpp"
#include "harness/model/solution_file.hpp"
#include "tests/harness/support.hpp"
#include "tests/matchers.hpp"

namespace macrobench {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

struct Pair {
  std::int32_t first = 1;
  double second = 2;
};

struct Problem {};

struct Arrays {
  std::vector<double> V{1.5,
                        -0.0,
                        std::numeric_limits<double>::denorm_min(),
                        std::numeric_limits<double>::quiet_NaN(),
                        1. / 3,
                        1e300};
  std::vector<std::uint8_t> steps{3, 255};
  std::vector<float> nothing;
  std::vector<Pair> pairs{{}, {}};
  std::int64_t nodes = (std::int64_t{1} << 60) + 1;
  double distance = std::numeric_limits<double>::infinity();
  float share = 0.1F;
  bool converged = true;

  template <class Self, class Visit>
  static void each_array(const Problem& /*problem*/, Self& self, Visit& visit) {
    visit("V", self.V, {{"Z", 2}, {"K", 3}});
    visit("steps", self.steps, {{"a", 2}});
    visit("nothing", self.nothing, {{"x", 0}});
    visit("pairs", self.pairs, {{"pair", 2}});
    visit("nodes", self.nodes);
    visit("distance", self.distance);
    visit("share", self.share);
    visit("converged", self.converged);
    visit("steps", self.steps, {{"a", 2}});  // as a batch has an array once for each economy
  }
};

class SolutionFolder : public ::testing::Test {
 protected:
  SolutionFolder() {
    write_solution(OutputFolder(path()),
                   {.stored = stored_,
                    .arrays = views_of(Problem{}, arrays_),
                    .given = {{"K", {{"K", 1}}, "<f8", std::string(8, '\0')}},
                    .units = {{"V", "units of utility"}}},
                   {{"case", {{"model", "rbc"}}}});
  }

  [[nodiscard]] fs::path path() const { return folder_.path() / "mine"; }
  [[nodiscard]] json said() const { return json::parse(content_of(path() / solution_name)); }
  /// The complaint about it once its solution.json is changed so.
  [[nodiscard]] std::string complaint(const std::string& pointer, const json& value) const {
    const json right = said();
    json wrong = right;
    wrong[json::json_pointer(pointer)] = value;
    write_file(path() / solution_name, wrong.dump());
    const std::string why = complaint_of([&] { read_solution(path()); });
    write_file(path() / solution_name, right.dump());
    return why;
  }

  Arrays arrays_;
  std::string stored_ = stored_text(Problem{}, arrays_, "a/case n=1");
  TemporaryFolder folder_;
};

TEST_F(SolutionFolder, ComesBackBitForBit) {
  EXPECT_EQ(read_solution(path()), stored_);
  EXPECT_EQ(read_solution(path() / solution_name), stored_);
}

TEST_F(SolutionFolder, NamesEachArrayItsAxesAndItsUnit) {
  const json arrays = said().at("arrays");
  EXPECT_EQ(arrays.at(0).at("file"), "V.npy");
  EXPECT_EQ(arrays.at(0).at("axes"), (json{"Z", "K"}));
  EXPECT_EQ(arrays.at(0).at("shape"), (json{2, 3}));
  EXPECT_EQ(arrays.at(0).at("unit"), "units of utility");
  EXPECT_EQ(arrays.at(3).at("type"), "|V16");
  EXPECT_EQ(arrays.at(4).at("value"), (std::int64_t{1} << 60) + 1);
  EXPECT_EQ(arrays.at(5).at("value"), "inf");
  EXPECT_EQ(arrays.at(8).at("file"), "steps_2.npy");
  EXPECT_EQ(said().at("problem").at(0).at("file"), "problem_K.npy");
  EXPECT_EQ(said().at("case").at("model"), "rbc");
  EXPECT_THAT(content_of(path() / "V.npy"),
              AllOf(HasSubstr("'descr': '<f8', 'fortran_order': False, 'shape': (2, 3)")));
  EXPECT_EQ(npy_array("V.npy", content_of(path() / "V.npy")).data, bytes_of(arrays_.V));
  EXPECT_THAT(files_of_solution(path()), ElementsAre("problem_K.npy", "V.npy", "steps.npy",
                                                     "pairs.npy", "steps_2.npy", solution_name));
}

TEST_F(SolutionFolder, OfAStrangerIsReadNowhereElse) {
  for (const char* elsewhere : {"../V.npy", "/etc/hostname", ".", "", "a/b"}) {
    EXPECT_THAT(complaint("/arrays/0/file", elsewhere), HasSubstr("in no file of its folder"));
  }
  EXPECT_THAT(complaint("/arrays/0/sha256", "0"), HasSubstr("is not what solution.json says"));
  EXPECT_THAT(complaint("/arrays/0/element", 0), HasSubstr("elements of no bytes"));
  EXPECT_THAT(complaint("/what", "a cake"), HasSubstr("not a solution that --out wrote"));
  EXPECT_THAT(complaint("/schema", 3), HasSubstr("another version"));
  for (const char* pointer : {"/arrays", "/arrays/0", "/arrays/0/element", "/arrays/4/value",
                              "/arrays/4/type", "/arrays/0/name", "/key"}) {
    EXPECT_THAT(complaint(pointer, json::array({1})), HasSubstr("is missing or wrong")) << pointer;
  }
  write_file(path() / solution_name, "[");
  EXPECT_NE(complaint_of([&] { read_solution(path()); }), "");
}

TEST_F(SolutionFolder, WithoutAnArrayIsRefused) {
  write_file(path() / "V.npy", content_of(path() / "V.npy").substr(0, 130));
  EXPECT_THAT(complaint_of([&] { read_solution(path()); }), HasSubstr("solution's V is not what"));
  fs::remove(path() / "V.npy");
  EXPECT_THROW(read_solution(path()), std::system_error);
}

}  // namespace
}  // namespace macrobench
