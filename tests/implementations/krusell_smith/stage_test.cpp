// A stage run alone on a stored input.

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <initializer_list>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "harness/model/registry.hpp"
#include "harness/model/solution_folder.hpp"
#include "harness/run/solution_output.hpp"
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
};

/// Writes its solution into the folder, if one is named.
Solved solve_and_save(const Case& which, const std::filesystem::path& out = {}) {
  const std::unique_ptr<Instance> instance = which.implementation->instantiate(which.parameters);
  instance->start();
  instance->poison();
  StageClock clock;
  instance->solve(clock);
  Solved solved{instance->check(true), instance->fingerprint(), {}};
  if (!out.empty())
    write_solution(which, *instance, instance->stored(which.key()), solved.outcome, out);
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
  // Few points and weights of 8 bits would not settle.
  const std::int64_t nk = GetParam() == "cuda_hardware" ? 60 : 20;
  const Solved whole = solve_and_save(a_case(GetParam(), {{"nk", nk}}), folder_.path());
  ASSERT_TRUE(whole.outcome.valid) << whole.outcome.why;
  const Value file = (folder_.path() / solution_name).string();
  const Solved panel =
      solve_and_save(a_case(GetParam(), {{"stage", "panel"}, {"stored", file}, {"nk", nk}}));
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

TEST(StoredInput, OfAnOlderVersionIsRead) {
  const TemporaryFolder folder;
  Problem problem = small_problem();
  problem.stage = Stage::panel;
  problem.grids.n_k = 5;
  problem.grids.n_K = 4;
  nlohmann::json older{
      {"what", "macrobench krusell_smith solution"},
      {"schema", 1},
      {"key", "krusell_smith/cpu N=3"},
      {"law", {{"b0", {0.1 + 0.2, 1. / 3}}, {"b1", {std::nextafter(1, 2), 5e-324}}}}};
  older["grids"] = {{"nk", 5},
                    {"nK", 4},
                    {"k_max", problem.grids.k_max},
                    {"theta", problem.grids.theta},
                    {"K_min", problem.grids.K_min},
                    {"K_max", problem.grids.K_max}};
  std::vector<double> policy;
  for (std::size_t i = 0; i < problem.grids.size(); ++i) {
    policy.push_back(std::sqrt(static_cast<double>(i)));
  }
  older["policy"] = policy;
  write_file(folder.path() / "saved", older.dump());
  problem.stored = {(folder.path() / "saved").string(), ""};
  const Stored stored = read_stored(problem);
  EXPECT_EQ(stored.law, (LawOfMotion{{0.1 + 0.2, 1. / 3}, {std::nextafter(1, 2), 5e-324}}));
  EXPECT_EQ(stored.policy, policy);
}

TEST(StoredInput, ThatIsNoneIsSaidToBeSo) {
  const TemporaryFolder folder;
  const std::string path = (folder.path() / solution_name).string();
  solve_and_save(a_case("cpu", {{"stage", "policy"}}), folder.path());
  const std::string right = content_of(path);
  const auto said = [&](const std::string& content, Parameters given = {{"stage", "panel"}}) {
    write_file(path, content);
    given.set("stored", path);
    const std::string why = complaint("cpu", given);
    EXPECT_THAT(why, HasSubstr("stored = " + path + ": "));
    return why;
  };
  const auto changed = [&](const std::string& pointer, const nlohmann::json& value) {
    nlohmann::json json = nlohmann::json::parse(right);
    json[nlohmann::json::json_pointer(pointer)] = value;
    return json.dump();
  };
  EXPECT_THAT(said(right, {}), EndsWith("add --stage policy or --stage panel"));
  EXPECT_THAT(said("bad\ngood\n"), EndsWith("it is not JSON, as a solution.json is"));
  EXPECT_THAT(said(right.substr(0, 500)), EndsWith("it is not JSON, as a solution.json is"));
  EXPECT_THAT(said("[1]"), EndsWith("as --out writes it"));
  EXPECT_THAT(said(changed("/case/model", "rbc")), EndsWith("as --out writes it"));
  EXPECT_THAT(said(changed("/what", "a cake")), EndsWith("is not a solution that --out wrote"));
  EXPECT_THAT(said(changed("/schema", 3)), HasSubstr("this one reads schema 2"));
  EXPECT_THAT(said(right, {{"stage", "panel"}, {"nk", 21}}),
              EndsWith("its policy is on a grid of nk = 20, but the case has nk = 21"));
  EXPECT_THAT(said(right, {{"stage", "panel"}, {"K_max", 51.0}}),
              EndsWith("its policy is on a grid of K_max = 50.0, but the case has K_max = 51.0"));
  constexpr const char* missing = "something in the solution is missing or wrong";
  EXPECT_THAT(said(changed("/case", "one")), EndsWith(missing));
  EXPECT_THAT(said(changed("/arrays/0", 4)), EndsWith(missing));
  EXPECT_THAT(said(changed("/arrays/0/element", 0)), EndsWith("elements of no bytes"));
  EXPECT_THAT(said(changed("/arrays/0/sha256", "0")), EndsWith("is not what solution.json says"));
  EXPECT_THAT(said(changed("/arrays/0/file", "../law.npy")), EndsWith("in no file of its folder"));
  std::filesystem::remove(folder.path() / "law.npy");
  EXPECT_THAT(said(right), EndsWith("No such file or directory"));
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
  const double of_few = growth("frontier", with({{"N", 1'000}, {"policy", "euler"}}));
  const double of_many = growth("frontier", with({{"N", 10'000'000}}));
  EXPECT_GT(of_few, 20);
  EXPECT_LT(of_few, 31.25);
  EXPECT_GT(of_many, 1);
  EXPECT_LT(of_many, 1.1);
  const Parameters published = with({{"policy", "euler"}, {"law_update", "relaxation"}});
  EXPECT_LT(growth("cpu", dense), growth("frontier", published)) << "its panel takes more of it";
  EXPECT_LT(growth("frontier", with({{"law_update", "relaxation"}})), growth("frontier", published))
      << "by endogenous-grid steps, its own default";

  const Model& model = Registry::global().model("krusell_smith");
  for (const char* axis : {"N", "T", "nk", "nK"}) EXPECT_TRUE(model.grows_along(axis)) << axis;
  EXPECT_FALSE(model.grows_along("stage"));
}

}  // namespace
}  // namespace macrobench::krusell_smith
