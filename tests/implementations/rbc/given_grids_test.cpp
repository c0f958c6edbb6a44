// A user's grids: every implementation takes them or says why not, and none that makes no sense is
// taken.

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <vector>

#include "harness/files/temporary_folder.hpp"
#include "harness/files/whole_file.hpp"
#include "harness/model/registry.hpp"
#include "implementations/rbc/model.hpp"
#include "implementations/rbc/parameters.hpp"
#include "tests/implementations/every_implementation.hpp"
#include "tests/matchers.hpp"

namespace macrobench::rbc {
namespace {

class RbcGivenGrids : public ::testing::Test {
 protected:
  [[nodiscard]] std::string file(const std::string& name, const std::string& text) const {
    write_whole(folder_.path() / name, text);
    return (folder_.path() / name).string();
  }
  [[nodiscard]] std::string file(const std::string& name, const std::vector<double>& values) const {
    std::string text = "# " + name + "\n";
    for (const double value : values) text += fmt::format("{:.17g}\n", value);
    return file(name, text);
  }

  /// The problem's own grids as files.
  [[nodiscard]] Parameters files_of(const Grids<double>& grids) const {
    return {{"nk", static_cast<std::int64_t>(grids.K.size())},
            {"nz", static_cast<std::int64_t>(grids.Z.size())},
            {"capital", file("K", grids.K)},
            {"productivity", file("Z", grids.Z)},
            {"transition", file("P", grids.P)}};
  }

  static std::vector<const Implementation*> ours() {
    std::vector<const Implementation*> all;
    for (const Implementation* one : Registry::global().implementations()) {
      if (one->model == "rbc" && one->folder.empty() && one->unavailable().empty()) {
        all.push_back(one);
      }
    }
    return all;
  }

  static std::string complaint(const Parameters& given) {
    return complaint_of([&] { return Registry::global().make_case("rbc/serial", given, 1); });
  }

 private:
  TemporaryFolder folder_;
};

TEST_F(RbcGivenGrids, GiveTheSameBitsAsTheModelsOwn) {
  Problem problem;
  problem.nk = 40;
  problem.nz = 3;
  const Parameters files = files_of(make_grids<double>(problem));
  for (const Implementation* one : ours()) {
    const Case own = make(*one, {{"nk", 40}, {"nz", 3}});
    const Case given = make(*one, files);
    EXPECT_THAT(given.key(), HasSubstr(" capital=K@"));
    if (!given.unavailable().empty()) {
      EXPECT_THAT(given.unavailable(), HasSubstr("its processes get no files")) << one->name;
      continue;
    }
    std::string bits_of_own;
    std::string bits;
    EXPECT_TRUE(solve(own, &bits_of_own).valid) << one->name;
    EXPECT_TRUE(solve(given, &bits).valid) << one->name;
    EXPECT_EQ(bits, bits_of_own) << one->name;
  }
}

TEST_F(RbcGivenGrids, NeedNotBeUniformOrTauchens) {
  Problem problem;
  problem.nk = 30;
  problem.nz = 2;
  Grids<double> grids = make_grids<double>(problem);
  const double low = grids.K.front();
  const double high = grids.K.back();
  for (std::size_t i = 0; i < 30; ++i) {
    grids.K[i] = low + (high - low) * std::pow(static_cast<double>(i) / 29, 1.5);
  }
  grids.Z = {0.97, 1.02};
  grids.P = {0.9, 0.1, 0.2, 0.8};
  const Parameters files = files_of(grids);
  for (const Implementation* one : ours()) {
    const Case given = make(*one, files);
    const std::string why = given.unavailable();
    if (!why.empty()) {
      EXPECT_THAT(why, AnyOf(HasSubstr("equal steps"), HasSubstr("get no files"))) << one->name;
      continue;
    }
    const Outcome outcome = solve(given);
    EXPECT_TRUE(outcome.valid) << one->name << ": " << outcome.why;
  }
  // The frontier computes only capital itself.
  const Case frontier = Registry::global().make_case("rbc/frontier", files.without({"capital"}), 1);
  EXPECT_EQ(frontier.unavailable(), "");
  const Outcome outcome = solve(frontier);
  EXPECT_TRUE(outcome.valid) << outcome.why;
}

TEST_F(RbcGivenGrids, ThePrintedChainHasValidSolutions) {
  const Parameters printed{{"nk", std::int64_t{60}}, {"nz", std::int64_t{5}},
                           {"chain", "aruoba_fv"},   {"beta", 0.95},
                           {"gamma", 1.0},           {"tolerance", 1e-9}};
  for (const Implementation* one : ours()) {
    const Outcome outcome = solve(make(*one, printed));
    EXPECT_TRUE(outcome.valid) << one->name << ": " << outcome.why;
  }
  EXPECT_THAT(complaint(with(printed, "nz", std::int64_t{4})),
              HasSubstr("has 5 productivities, but nz = 4"));
  EXPECT_THAT(complaint_of([&] {
                return Registry::global().make_case("rbc/frontier",
                                                    with(printed, "economies", std::int64_t{2}), 1);
              }),
              HasSubstr("each economy of a batch has its own chain"));
}

TEST_F(RbcGivenGrids, AreRefusedIfTheyMakeNoSense) {
  const Parameters small{{"nk", 3}, {"nz", 2}};
  const auto given = [&](const char* axis, const std::string& text) {
    return complaint(with(small, axis, file("given", text)));
  };
  EXPECT_EQ(given("capital", "45, 50 55"), "");
  EXPECT_EQ(given("capital",
                  "\xEF\xBB\xBF"
                  "45\r50\r\n+0.55D+02"),
            "");
  EXPECT_THAT(given("capital", "45\r50\r\u221255"),
              HasSubstr("line 3: '\u221255' is not a number; it has U+2212, a minus sign"));
  EXPECT_THAT(given("capital", "45 50"), HasSubstr("it has 2 numbers, but nk = 3"));
  EXPECT_THAT(given("capital", ""), HasSubstr("it has 0 numbers"));
  EXPECT_THAT(given("capital", "45\n55\n50\n"), HasSubstr("number 3, 50, is not above the 55"));
  EXPECT_THAT(given("capital", "0 50 55"), HasSubstr("number 1 is 0, not above 0"));
  EXPECT_THAT(given("capital", "45\n# all\nfifty\n"), HasSubstr("line 3: 'fifty' is not a number"));
  EXPECT_THAT(given("capital", "45 50 nan"), HasSubstr("is not a number"));
  EXPECT_THAT(given("productivity", "1 1"), HasSubstr("not above the 1 before it"));
  EXPECT_EQ(given("transition", "0.5 0.5\n0 1\n"), "");
  EXPECT_THAT(given("transition", "0.5 0.5\n"), HasSubstr("nz = 2 needs 2 rows of 2"));
  EXPECT_THAT(given("transition", "0.5 0.5\n0 1.00000001\n"), HasSubstr("row 2 adds up to"));
  EXPECT_THAT(given("transition", "1.5 -0.5\n0 1\n"), HasSubstr("row 1 has a chance of -0.5"));
  EXPECT_THAT(complaint(with(small, "capital", "no_such_file")), HasSubstr("does not exist"));
  EXPECT_THAT(complaint_of([&] {
                Parameters batch = with(small, "capital", file("given", "45 50 55"));
                batch.set("economies", std::int64_t{2});
                return Registry::global().make_case("rbc/frontier", batch, 1);
              }),
              HasSubstr("each economy of a batch has its own grids"));
}

}  // namespace
}  // namespace macrobench::rbc
