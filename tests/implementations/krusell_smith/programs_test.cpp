// The problem as programs get it, what becomes of their results, and which of them are invalid.

#include "implementations/krusell_smith/programs.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/files/temporary_folder.hpp"
#include "harness/model/registry.hpp"
#include "harness/text/error.hpp"
#include "implementations/krusell_smith/certificate/certificate.hpp"
#include "implementations/krusell_smith/input/shocks.hpp"
#include "implementations/krusell_smith/parameters.hpp"
#include "implementations/krusell_smith/solver.hpp"
#include "tests/implementations/every_implementation.hpp"
#include "tests/implementations/krusell_smith/plain_panel.hpp"
#include "tests/implementations/program_problem.hpp"
#include "tests/matchers.hpp"

namespace macrobench::krusell_smith {
namespace {

/// Numbers of a file in NumPy's format, or raw: the last `count` of them.
template <class T>
std::vector<T> last_of(const std::filesystem::path& path, std::size_t count) {
  std::ifstream file(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  std::vector<T> values(count);
  EXPECT_GE(bytes.size(), count * sizeof(T)) << path;
  std::copy_n(bytes.end() - static_cast<std::ptrdiff_t>(count * sizeof(T)), count * sizeof(T),
              reinterpret_cast<char*>(values.data()));
  return values;
}

/// What a program would write for the equilibrium, raw.
class Written {
 public:
  explicit Written(const Equilibrium& e) {
    numbers = {{"outer_iterations", e.outer_iterations},
               {"policy_iterations", e.policy_iterations},
               {"first_policy_iterations", e.first_policy_iterations},
               {"clips_k", e.clips.k},
               {"clips_K", e.clips.K},
               {"converged", e.converged ? 1 : 0}};
    const auto rows = [](const LawOfMotion& law) {
      return std::vector{law.b0[bad], law.b1[bad], law.b0[good], law.b1[good]};
    };
    arrays = {{"law", rows(e.law)},
              {"estimated", rows(e.estimated)},
              {"R2", {e.R2[0], e.R2[1]}},
              {"policy", e.policy},
              {"K", e.K},
              {"K_fifth", e.K_fifth},
              {"first_wealth", e.first_wealth},
              {"last_wealth", e.last_wealth}};
  }

  std::map<std::string, std::int64_t> numbers;
  std::map<std::string, std::vector<double>> arrays;

  /// Valid, or why not.
  [[nodiscard]] std::string judged(const Problem& problem) const {
    const TemporaryFolder folder;
    std::ofstream text(folder.path() / "result.txt");
    for (const auto& [name, value] : numbers) text << name << ' ' << value << '\n';
    text.close();
    for (const auto& [name, values] : arrays) {
      std::ofstream file(folder.path() / (name + ".bin"), std::ios::binary);
      file.write(reinterpret_cast<const char*>(values.data()),
                 static_cast<std::streamsize>(values.size() * sizeof(double)));
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

TEST(KrusellSmithOfPrograms, ProblemHasAllThatIsDrawn) {
  const TemporaryFolder folder;
  Problem problem = small_problem();
  problem.N = 203;
  problem.policy_interpolation = PolicyInterpolation::linear;
  find_program_model("krusell_smith").data(axes().parameters_of(problem)).write_to(folder.path());
  std::ifstream file(folder.path() / "problem.json");
  const nlohmann::json json = nlohmann::json::parse(file);
  EXPECT_EQ(json.at("N"), 203);
  EXPECT_EQ(json.at("policy_interpolation"), "linear");
  EXPECT_EQ(json.at("panel_interpolation"), "catmull_rom");
  EXPECT_EQ(json.at("shape_e"), nlohmann::json({160, 203}));
  EXPECT_EQ(json.at("shape_policy0"), nlohmann::json({4, 4, 20}));

  const std::shared_ptr<const Shocks> shocks = shocks_of(problem);
  EXPECT_EQ(last_of<std::uint8_t>(folder.path() / "a.npy", 160), shocks->states);
  const auto e = last_of<std::uint8_t>(folder.path() / "e.bin", 160UL * 203);
  for (int t = 0; t < problem.T; ++t) {
    for (int i = 0; i < problem.N; ++i) {
      ASSERT_EQ(e[static_cast<std::size_t>(t * problem.N + i)], shocks->employment(i, t));
    }
  }
  const Economy economy(problem.calibration);
  EXPECT_EQ(last_of<double>(folder.path() / "P.bin", 16)[6], economy.P[1][2]);
  EXPECT_EQ(last_of<double>(folder.path() / "L.bin", 2)[good], economy.L[good]);
  EXPECT_EQ(last_of<double>(folder.path() / "wealth0.npy", 203), initial_wealth(203));
  EXPECT_EQ(last_of<double>(folder.path() / "k.bin", 20), k_points(problem.grids));
  EXPECT_EQ(last_of<double>(folder.path() / "law0.bin", 4), (std::vector<double>{0, 1, 0, 1}));
}

TEST(KrusellSmithOfPrograms, ResultIsTheEquilibriumThatWasWritten) {
  Problem problem = small_problem();
  EXPECT_EQ(Written(plain_equilibrium(problem)).judged(problem), "valid");
  // More outer iterations than outer_cap may be taken, but they earn nothing: a law that only ten
  // times the tolerance allows is refused.
  const Equilibrium right = plain_equilibrium(problem);
  problem.outer_cap = right.outer_iterations - 2;
  EXPECT_EQ(Written(right).judged(problem), "valid");
  const Equilibrium relaxed = plain_equilibrium(problem);
  EXPECT_TRUE(relaxed.relaxed);
  const Outcome found = judge(problem, relaxed, true);
  problem.tolerance *= 3 * found.residual / found.allowed;
  EXPECT_TRUE(judge(problem, relaxed, true).valid);
  EXPECT_THAT(judge(problem, relaxed, true).notes.at("tolerance"), HasSubstr("self-reported"));
  EXPECT_THAT(Written(relaxed).judged(problem), HasSubstr("the law of motion is"));
}

TEST(KrusellSmithOfPrograms, ResultThatIsSpoiltIsInvalid) {
  const Problem problem = small_problem();
  const Equilibrium right = plain_equilibrium(problem);
  struct Spoilt {
    const char* says;
    std::function<void(Written&)> how;
  };
  const std::vector<Spoilt> all{
      {"the law of motion is", [](Written& w) { w.arrays["law"][1] += 1e-6; }},
      {"a regression on the path of K gives b0_good",
       [](Written& w) { w.arrays["estimated"][2] += 1e-9; }},
      {"R2_bad", [](Written& w) { w.arrays["R2"][0] -= 1e-9; }},
      {"it did not write R2", [](Written& w) { w.arrays.erase("R2"); }},
      {"from what the Euler equation asks for", [](Written& w) { w.arrays["policy"][77] += 1e-6; }},
      {"a regression on the path of K", [](Written& w) { w.arrays["K"][100] *= 1 + 1e-7; }},
      {"the path of K, simulated again", [](Written& w) { w.arrays["K"][10] *= 1 + 1e-7; }},
      {"does not begin with the first cross-section",
       [](Written& w) { std::swap(w.arrays["first_wealth"][3], w.arrays["first_wealth"][4]); }},
      {"wealth at the end, simulated again, differs",
       [](Written& w) { std::swap(w.arrays["last_wealth"][3], w.arrays["last_wealth"][4]); }},
      {"K_fifth[9] is", [](Written& w) { w.arrays["K_fifth"][9] = 20; }},
      {"bytes, but", [](Written& w) { w.arrays["K"].pop_back(); }},
      {"first_wealth[7] is", [](Written& w) { w.arrays["first_wealth"][7] = std::nan(""); }},
      {"not converged", [](Written& w) { w.numbers["converged"] = 0; }},
      {"0 outer iterations", [](Written& w) { w.numbers["outer_iterations"] = 0; }},
      {"the law of motion is",
       [](Written& w) {
         // It claims to have gone on beyond outer_cap, and that is all that it has.
         w.numbers["outer_iterations"] = 60;
         w.numbers["policy_iterations"] += 60;
         w.arrays["law"][1] += 2e-7;
       }},
      {"policy iterations", [](Written& w) { w.numbers["first_policy_iterations"] = 0; }},
      {"was clipped to the grid of K", [](Written& w) { w.numbers["clips_K"] = 1; }}};
  for (std::size_t i = 0; i < all.size(); ++i) {
    Written written(right);
    all[i].how(written);
    EXPECT_THAT(written.judged(problem), HasSubstr(all[i].says)) << i;
  }
}

TEST(KrusellSmithOfPrograms, ResultOfTheProblemBeforeIsInvalid) {
  std::vector<Problem> problems(3, small_problem());
  problems[1].calibration.gamma = 3;
  problems[2].policy_interpolation = PolicyInterpolation::linear;
  for (const Problem& problem : problems) {
    const Problem before = varied_problem(problem, 0.2);
    const Written kept(plain_equilibrium(before));
    EXPECT_EQ(kept.judged(before), "valid");
    for (const double by : {0.21, -0.2, 1.0}) {
      EXPECT_THAT(kept.judged(varied_problem(problem, by)),
                  HasSubstr("from what the Euler equation asks for"));
    }
    EXPECT_THAT(kept.judged(problem), HasSubstr("from what the Euler equation asks for"));
    EXPECT_EQ(shocks_of(before), shocks_of(problem)) << "none are drawn again";
  }
}

TEST(KrusellSmithOfPrograms, HaveOnePolicyMethodAndAllStagesTogether) {
  for (const Implementation* one : Registry::global().implementations()) {
    if (one->model != "krusell_smith" || one->folder.empty()) continue;
    EXPECT_EQ(choices(*one, "policy"), std::vector<std::string>{"euler"});
    EXPECT_EQ(choices(*one, "stage"), std::vector<std::string>{"all"});
    EXPECT_EQ(choices(*one, "real"), std::vector<std::string>{"double"});
    EXPECT_THROW(make(*one, {{"N", 200'000}}), UsageError);
  }
}

TEST(KrusellSmithOfPrograms, EveryParameterIsInTheProblem) {
  expect_every_parameter_in_problem("krusell_smith", {});
}

}  // namespace
}  // namespace macrobench::krusell_smith
