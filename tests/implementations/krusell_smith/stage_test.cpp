// A stage run alone on a stored input.

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "harness/model/registry.hpp"
#include "harness/run/stage_clock.hpp"
#include "implementations/krusell_smith/input/stored.hpp"
#include "tests/harness/support.hpp"
#include "tests/implementations/every_implementation.hpp"
#include "tests/implementations/krusell_smith/plain_panel.hpp"
#include "tests/matchers.hpp"

namespace macrobench::krusell_smith {
namespace {

Case a_case(const std::string& implementation, const Parameters& given) {
  Parameters all = {{"N", 403},
                    {"T", 120},
                    {"nk", 20},
                    {"burn_in", 20},
                    {"policy", "egm"},
                    {"accuracy_periods", 0},
                    {"reuse_tolerance", 10.0},
                    {"histogram_points", 150}};
  // Weights of 8 bits make steps of what should be smooth: the law jumps, or stays.
  if (implementation == "cuda_hardware") all.set("tolerance", 1e-3);
  for (const auto& [name, value] : given) all.set(name, value);
  const Implementation& chosen =
      Registry::global().implementation("krusell_smith/" + implementation);
  return Registry::global().make_case(chosen.id(), only_taken(chosen, all), 1);
}

struct Solved {
  Outcome outcome;
  std::string fingerprint;
  std::vector<std::string> stages;
  std::string saved;
};

Solved solve_and_save(const Case& which) {
  const std::unique_ptr<Instance> instance = which.implementation->instantiate(which.parameters);
  instance->start();
  instance->poison();
  StageClock clock;
  instance->solve(clock);
  Solved solved{instance->check(true), instance->fingerprint(), {}, instance->saved(which.key())};
  for (const auto& [name, seconds] : clock.stages()) solved.stages.push_back(name);
  return solved;
}

std::string complaint(const std::string& implementation, const Parameters& given) {
  return complaint_of([&] { return a_case(implementation, given); });
}

class StageAlone : public EveryImplementation {
 protected:
  StageAlone() : EveryImplementation("krusell_smith") {}

  void SetUp() override {
    EveryImplementation::SetUp();
    if (IsSkipped() || HasFatalFailure()) return;
    if (std::ranges::count(choices(*implementation_, "stage"), "panel") == 0) {
      GTEST_SKIP() << "it solves no stage alone";
    }
  }

  std::string written(const std::string& content) {
    const std::string path = (folder_.path() / "solution.json").string();
    write_file(path, content);
    return path;
  }

  TemporaryFolder folder_;
};

TEST_P(StageAlone, OfAPanelIsValidUnderThePublishedLaw) {
  // Room for the texture units, whose agents grow richer on a coarse grid.
  const Value highest = 80.0;
  Solved solved = solve_and_save(a_case(GetParam(), {{"stage", "panel"}, {"K_max", highest}}));
  EXPECT_TRUE(solved.outcome.valid) << solved.outcome.why;
  EXPECT_TRUE(solved.outcome.exhaustive);
  EXPECT_EQ(solved.outcome.iterations, 1);
  EXPECT_THAT(solved.stages, ElementsAre("arrays", "panel"));
  EXPECT_EQ(solved.outcome.figures.at("b1_bad"), published_law.b1[bad]);
  EXPECT_EQ(solved.outcome.series.at("K_fifth").size(), 120U);

  // Whatever `policy` says, and again.
  EXPECT_EQ(solve_and_save(
                a_case(GetParam(), {{"stage", "panel"}, {"policy", "euler"}, {"K_max", highest}}))
                .fingerprint,
            solved.fingerprint);
}

TEST_P(StageAlone, OfAPolicyIsValidUnderThePublishedLaw) {
  for (const char* policy : {"euler", "egm"}) {
    const Solved solved =
        solve_and_save(a_case(GetParam(), {{"stage", "policy"}, {"policy", policy}}));
    EXPECT_TRUE(solved.outcome.valid) << policy << ": " << solved.outcome.why;
    EXPECT_TRUE(solved.outcome.exhaustive);
    EXPECT_GT(solved.outcome.iterations, 50);
    EXPECT_EQ(solved.outcome.checked_states, 4 * 4 * 20);
    EXPECT_LT(solved.outcome.figures.at("policy_error"), 2.1e-8);
    EXPECT_THAT(solved.stages, ElementsAre("arrays", "policy"));
  }
}

TEST_P(StageAlone, BeginsWithWhatWasSaved) {
  // A solution of the whole economy; its last panel is one under its policy from its first
  // cross-section, as reuse_tolerance keeps that.
  const Solved whole = solve_and_save(a_case(GetParam(), {}));
  ASSERT_TRUE(whole.outcome.valid) << whole.outcome.why;
  const Value file = written(whole.saved);
  const Solved panel = solve_and_save(a_case(GetParam(), {{"stage", "panel"}, {"stored", file}}));
  EXPECT_TRUE(panel.outcome.valid) << panel.outcome.why;
  EXPECT_EQ(panel.outcome.figures.at("K_mean"), whole.outcome.figures.at("K_mean"));
  EXPECT_EQ(panel.outcome.figures.at("wealth_sd"), whole.outcome.figures.at("wealth_sd"));
  EXPECT_EQ(panel.outcome.figures.at("b0_bad"), whole.outcome.figures.at("b0_bad"));

  const Solved policy = solve_and_save(a_case(GetParam(), {{"stage", "policy"}, {"stored", file}}));
  EXPECT_TRUE(policy.outcome.valid) << policy.outcome.why;
  EXPECT_EQ(policy.outcome.figures.at("b1_good"), whole.outcome.figures.at("b1_good"));
  // The law works with any grid.
  EXPECT_EQ(complaint(GetParam(), {{"stage", "policy"}, {"stored", file}, {"nk", 21}}), "");
}

FOR_EVERY_IMPLEMENTATION(StageAlone, names_of, "krusell_smith");

TEST(SavedSolution, HasExactNumbersAndSaysWhatItIs) {
  const TemporaryFolder folder;
  Problem problem = small_problem();
  problem.stage = Stage::panel;
  problem.grids.k_max = 1000.1;
  Equilibrium equilibrium;
  equilibrium.law = {{0.1 + 0.2, 1. / 3}, {std::nextafter(1, 2), 5e-324}};
  for (std::size_t i = 0; i < problem.grids.size(); ++i) {
    equilibrium.policy.push_back(std::sqrt(static_cast<double>(i)));
  }
  const std::string text = text_of(problem, equilibrium, "krusell_smith/cpu N=3");
  EXPECT_EQ(nlohmann::json::parse(text).at("key"), "krusell_smith/cpu N=3");
  write_file(folder.path() / "saved", text);
  problem.stored = {(folder.path() / "saved").string(), ""};
  const Stored stored = read_stored(problem);
  EXPECT_EQ(stored.law, equilibrium.law);
  EXPECT_EQ(stored.policy, equilibrium.policy);
}

TEST(StoredInput, ThatIsNoneIsSaidToBeSo) {
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "stored").string();
  const auto said = [&](const std::string& content, Parameters given = {{"stage", "panel"}}) {
    write_file(path, content);
    given.set("stored", path);
    const std::string why = complaint("cpu", given);
    EXPECT_THAT(why, HasSubstr("stored = " + path + ": "));
    return why;
  };
  const Solved solved = solve_and_save(a_case("cpu", {{"stage", "policy"}}));
  const auto changed = [&](const std::string& pointer, const nlohmann::json& value) {
    nlohmann::json json = nlohmann::json::parse(solved.saved);
    json[nlohmann::json::json_pointer(pointer)] = value;
    return json.dump();
  };
  EXPECT_THAT(said(solved.saved, {}), EndsWith("add --stage policy or --stage panel"));
  EXPECT_THAT(said("bad\ngood\n"), EndsWith("it is not JSON, as --save writes it"));
  EXPECT_THAT(said(solved.saved.substr(0, 500)), EndsWith("it is not JSON, as --save writes it"));
  EXPECT_THAT(said("[1]"), EndsWith("it is not a solution of this model written by --save"));
  EXPECT_THAT(said(changed("/what", "a cake")),
              EndsWith("it is not a solution of this model written by --save"));
  EXPECT_THAT(said(changed("/schema", 2)), HasSubstr("this one reads schema 1"));
  EXPECT_THAT(said(solved.saved, {{"stage", "panel"}, {"nk", 21}}),
              EndsWith("its policy is on a grid of nk = 20, but the case has nk = 21"));
  EXPECT_THAT(said(solved.saved, {{"stage", "panel"}, {"K_max", 51.0}}),
              EndsWith("its policy is on a grid of K_max = 50.0, but the case has K_max = 51.0"));
  EXPECT_THAT(said(changed("/policy", {1, 2})),
              EndsWith("its policy has 2 numbers, but its grids have 320 points"));
  constexpr const char* complaint = "something in the solution is missing or wrong";
  EXPECT_THAT(said(changed("/policy/7", nullptr)), EndsWith(complaint));
  EXPECT_THAT(said(changed("/law/b1", {0.9})), EndsWith(complaint));
  EXPECT_THAT(said(changed("/law", "steep")), EndsWith(complaint));
  EXPECT_THAT(said(changed("/grids", 4)), EndsWith(complaint));
}

/// The work of a case over that of one on the papers' coarsest grid.
double growth(const std::string& implementation, Parameters given) {
  const Model& model = Registry::global().model("krusell_smith");
  const double dense = model.work_of(implementation, given);
  given.set("nk", std::int64_t{100});
  given.set("nK", std::int64_t{4});
  return dense / model.work_of(implementation, given);
}

TEST(Work, GrowsWithTheGridAsFarAsThePolicyDoes) {
  const Parameters dense = {{"nk", 250}, {"nK", 50}};
  const auto with = [&](std::initializer_list<std::pair<const char*, Value>> more) {
    Parameters given = dense;
    for (const auto& [name, value] : more) given.set(name, value);
    return given;
  };
  for (const char* policy : {"euler", "egm"}) {
    EXPECT_NEAR(growth("cpu", with({{"stage", "policy"}, {"policy", policy}})), 31.25, 1e-9);
  }
  EXPECT_EQ(growth("cpu", with({{"stage", "panel"}})), 1);
  const double of_few = growth("frontier", with({{"N", 1'000}}));
  const double of_many = growth("frontier", with({{"N", 10'000'000}}));
  EXPECT_GT(of_few, 20);
  EXPECT_LT(of_few, 31.25);
  EXPECT_GT(of_many, 1);
  EXPECT_LT(of_many, 1.1);
  EXPECT_LT(growth("cpu", dense), growth("frontier", dense)) << "its panel takes more of it";
  EXPECT_LT(growth("frontier", with({{"policy", "egm"}})), growth("frontier", dense));

  const Model& model = Registry::global().model("krusell_smith");
  for (const char* axis : {"N", "T", "nk", "nK"}) EXPECT_TRUE(model.grows_along(axis)) << axis;
  EXPECT_FALSE(model.grows_along("stage"));
}

}  // namespace
}  // namespace macrobench::krusell_smith
