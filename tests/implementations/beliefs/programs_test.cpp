// The problem as programs get it, what becomes of their results, and which of them are invalid.

#include "implementations/beliefs/programs.hpp"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/files/temporary_folder.hpp"
#include "implementations/beliefs/certificate.hpp"
#include "implementations/beliefs/parameters.hpp"
#include "implementations/beliefs/solver.hpp"
#include "tests/implementations/beliefs/plain_equilibrium.hpp"
#include "tests/implementations/program_problem.hpp"
#include "tests/matchers.hpp"

namespace macrobench::beliefs {
namespace {

std::string content(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

Problem small_problem() {
  Problem problem;
  problem.T = 9;
  problem.calibration.gamma_2 = 3;
  return problem;
}

/// What a program would write for the equilibrium, in text.
class Written {
 public:
  explicit Written(const Equilibrium& e) {
    numbers["c1_0"] = fmt::format("{:.17g}", e.at_s0.c1);
    numbers["c2_0"] = fmt::format("{:.17g}", e.at_s0.c2);
    numbers["passes"] = fmt::format("{}", e.passes);
    numbers["nodes"] = fmt::format("{}", e.nodes);
    numbers["newton_iterations"] = fmt::format("{}", e.newton_iterations);
    numbers["converged"] = e.converged ? "1" : "0";
    arrays["wealth"] = e.wealth;
    arrays["spending"] = e.spending;
    for (const auto& [c1, c2] : e.sampled) {
      arrays["sampled"].push_back(c1);
      arrays["sampled"].push_back(c2);
    }
  }

  std::map<std::string, std::string> numbers;
  std::map<std::string, std::vector<double>> arrays;

  /// Valid, or why not.
  [[nodiscard]] std::string judged(const Problem& problem) const {
    const TemporaryFolder folder;
    std::ofstream text(folder.path() / "result.txt");
    for (const auto& [name, value] : numbers) text << name << ' ' << value << '\n';
    text.close();
    for (const auto& [name, values] : arrays) {
      std::ofstream file(folder.path() / (name + ".txt"));
      for (const double value : values) file << fmt::format("{:.17g}\n", value);
    }
    Equilibrium taken;
    fill_with_poison(problem, taken);
    try {
      take_result(problem, ResultFolder(folder.path()), taken);
    } catch (const NotAResult& error) {
      return error.what();
    }
    const Outcome outcome = judge(problem, taken, true);
    return outcome.valid ? "valid" : outcome.why;
  }
};

TEST(BeliefsOfPrograms, ProblemHasTheChainAndTheHistories) {
  const TemporaryFolder folder;
  Problem problem = small_problem();
  problem.calibration.starts_low = true;
  find_program_model("beliefs").data(axes().parameters_of(problem)).write_to(folder.path());
  const nlohmann::json json = nlohmann::json::parse(content(folder.path() / "problem.json"));
  EXPECT_EQ(json.at("T"), 9);
  EXPECT_EQ(json.at("s0"), 1);
  EXPECT_EQ(json.at("shape_P_1"), nlohmann::json({2, 2}));
  EXPECT_EQ(json.at("shape_histories"), nlohmann::json({256, 2, 2}));
  EXPECT_THAT(content(folder.path() / "P_2.txt"), HasSubstr("0.40910000000000002\n"));
  EXPECT_THAT(content(folder.path() / "alpha.txt"), StartsWith("0.006222"));
  // The second history is low throughout, from low on.
  EXPECT_THAT(content(folder.path() / "histories.txt"), StartsWith("8\n0\n1\n0\n0\n0\n0\n9\n"));
}

TEST(BeliefsOfPrograms, ResultIsTheEquilibriumThatWasWritten) {
  const Problem problem = small_problem();
  EXPECT_EQ(Written(plain_equilibrium(problem)).judged(problem), "valid");
}

TEST(BeliefsOfPrograms, ResultThatIsSpoiltIsInvalid) {
  const Problem problem = small_problem();
  const Equilibrium right = plain_equilibrium(problem);
  struct Spoilt {
    const char* says;
    std::function<void(Written&)> how;
  };
  const std::vector<Spoilt> all{
      {"result.txt has no line 'c2_0 VALUE'", [](Written& w) { w.numbers.erase("c2_0"); }},
      {"at s_0", [](Written& w) { w.numbers["c2_0"] = "1.1"; }},
      {"but a number is required", [](Written& w) { w.numbers["c1_0"] = "nan"; }},
      {"0 passes", [](Written& w) { w.numbers["passes"] = "0"; }},
      {"7 equations in a pass", [](Written& w) { w.numbers["nodes"] = "7"; }},
      {"but a whole number from 0", [](Written& w) { w.numbers["newton_iterations"] = "-1"; }},
      {"not converged", [](Written& w) { w.numbers["converged"] = "0"; }},
      {"the sums of period 4", [](Written& w) { w.arrays["wealth"][4] *= 1 + 1e-8; }},
      {"the sums of period 9", [](Written& w) { w.arrays["spending"][9] *= 1 + 1e-8; }},
      {"has 9 lines", [](Written& w) { w.arrays["wealth"].pop_back(); }},
      {"at sampled history 7", [](Written& w) { w.arrays["sampled"][14] *= 1 + 1e-8; }},
      {"it did not write sampled", [](Written& w) { w.arrays.erase("sampled"); }}};
  for (const auto& [says, how] : all) {
    Written written(right);
    how(written);
    EXPECT_THAT(written.judged(problem), HasSubstr(says));
  }
}

TEST(BeliefsOfPrograms, ResultOfTheProblemBeforeIsInvalid) {
  std::vector<Problem> problems(5, small_problem());
  problems[1].T = 1;
  problems[2].calibration.gamma_1 = problems[2].calibration.gamma_2 = 1;
  problems[3].calibration.believed_pi_ll = problems[3].calibration.pi_ll;
  problems[4].calibration.beta_1 = problems[4].calibration.beta_2 = 1;
  for (const Problem& problem : problems) {
    // The two that are nearest to each other, on one side of the problem and on both.
    const std::vector<std::array<double, 2>> pairs{{0.2, 0.25}, {-0.2, 0.2}, {-1, -0.95}};
    for (const auto& [before, now] : pairs) {
      const Equilibrium kept = plain_equilibrium(varied_problem(problem, before));
      EXPECT_EQ(Written(kept).judged(varied_problem(problem, before)), "valid");
      EXPECT_THAT(Written(kept).judged(varied_problem(problem, now)), HasSubstr("the sums of"));
      EXPECT_THAT(Written(kept).judged(problem), HasSubstr("the sums of"));
    }
  }
}

TEST(BeliefsOfPrograms, EveryParameterIsInTheProblem) {
  expect_every_parameter_in_problem("beliefs", {{"s0", "0"}});
}

}  // namespace
}  // namespace macrobench::beliefs
