// The problem as programs in other languages get it, and their results.

#include "implementations/krusell_smith/programs.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "harness/programs/program_instance.hpp"
#include "implementations/krusell_smith/certificate/certificate.hpp"
#include "implementations/krusell_smith/input/shocks.hpp"
#include "implementations/krusell_smith/input/stored.hpp"
#include "implementations/krusell_smith/input/wealth.hpp"
#include "implementations/krusell_smith/parameters.hpp"
#include "implementations/krusell_smith/policy/policy.hpp"
#include "implementations/krusell_smith/solver.hpp"

namespace macrobench::krusell_smith {

namespace {

constexpr double most_households = 100'000;  // whose shocks are 0.1 GB for a thousand periods

/// A byte per period and household, 1 if it is employed, shape T x N.
std::vector<std::uint8_t> employment_of(const Shocks& shocks) {
  std::vector<std::uint8_t> all;
  all.reserve(static_cast<std::size_t>(shocks.T) * static_cast<std::size_t>(shocks.N));
  for (int t = 0; t < shocks.T; ++t) {
    for (int i = 0; i < shocks.N; ++i) {
      all.push_back(static_cast<std::uint8_t>(shocks.employment(i, t)));
    }
  }
  return all;
}

/// A row of both coefficients for each aggregate state.
std::vector<double> rows_of(const LawOfMotion& law) {
  return {law.b0[bad], law.b1[bad], law.b0[good], law.b1[good]};
}

LawOfMotion law_of(const std::vector<double>& rows) {
  return {{rows[0], rows[2]}, {rows[1], rows[3]}};
}

/// The small arrays of a problem, however many households it has.
ProblemData economy_data(const Problem& problem) {
  const Calibration& c = problem.calibration;
  const Economy economy(c);
  ProblemData data;
  data.add("k", {{"k", static_cast<std::size_t>(problem.grids.n_k)}}, k_points(problem.grids));
  data.add("K", {{"K", static_cast<std::size_t>(problem.grids.n_K)}}, K_points(problem.grids));
  data.add("productivity", {{"a", 2}}, std::vector(economy.a, economy.a + 2));
  data.add("L", {{"a", 2}}, std::vector(economy.L, economy.L + 2));
  data.add("P", {{"state", states}, {"next state", states}}, std::vector(c.P.begin(), c.P.end()));
  return data;
}

const RegisterProgramModel registered(program_model<Problem, Solution>(
    this_model(), {.data = program_data,
                   .given = economy_data,
                   .take = take_result,
                   .varied = varied_problem,
                   .axes = {{.name = "N",
                             .interval = Interval{.lowest = 1, .highest = most_households},
                             .otherwise = "a program gets a byte for each household and period"},
                            {.name = "policy", .choices = {"euler"}},
                            {.name = "stage", .choices = {"all"}}},
                   .source = __FILE__}));

}  // namespace

ProblemData program_data(const Problem& problem) {
  const std::shared_ptr<const Shocks> shocks = shocks_of(problem);
  const auto nk = static_cast<std::size_t>(problem.grids.n_k);
  const auto nK = static_cast<std::size_t>(problem.grids.n_K);
  const auto N = static_cast<std::size_t>(problem.N);
  const auto T = static_cast<std::size_t>(problem.T);
  ProblemData data = economy_data(problem);
  data.add(axes().parameters_of(problem), {"N", "panel_interpolation"});
  data.add("a", {{"t", T}}, shocks->states);
  data.add("e", {{"t", T}, {"agent", N}}, employment_of(*shocks));
  data.add("wealth0", {{"agent", N}}, first_wealth(problem, *shocks));
  data.add("law0", {{"a", 2}, {"coefficient", 2}}, rows_of({}));
  data.add("policy0", {{"state", states}, {"K", nK}, {"k", nk}}, first_policy(problem.grids));
  return data;
}

void take_result(const Problem& problem, const ResultFolder& result, Equilibrium& equilibrium) {
  const auto N = static_cast<std::size_t>(problem.N);
  const auto T = static_cast<std::size_t>(problem.T);
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  std::vector<double> law;
  std::vector<double> estimated;
  std::vector<double> R2;
  result.array("law", {2, 2}, law);
  result.array("estimated", {2, 2}, estimated);
  result.array("R2", {2}, R2);
  equilibrium.law = law_of(law);
  equilibrium.estimated = law_of(estimated);
  equilibrium.R2[bad] = R2[bad];
  equilibrium.R2[good] = R2[good];
  equilibrium.distance = distance(equilibrium.law, equilibrium.estimated);
  result.array("policy",
               {states, static_cast<std::size_t>(problem.grids.n_K),
                static_cast<std::size_t>(problem.grids.n_k)},
               equilibrium.policy);
  result.array("K", {T}, equilibrium.K);
  result.array("K_fifth", {T}, equilibrium.K_fifth);
  result.array("first_wealth", {N}, equilibrium.first_wealth);
  result.array("last_wealth", {N}, equilibrium.last_wealth);
  equilibrium.clips.k = result.whole("clips_k", 0, std::numeric_limits<std::int64_t>::max() / 2);
  equilibrium.clips.K = result.whole("clips_K", 0, most);
  equilibrium.outer_iterations = static_cast<int>(result.whole("outer_iterations", 0, most));
  // A count that nobody can check earns no wider tolerance.
  equilibrium.relaxed = false;
  equilibrium.policy_iterations = result.whole("policy_iterations", 0, most);
  equilibrium.first_policy_iterations = result.whole("first_policy_iterations", 0, most);
  equilibrium.converged = result.whole("converged", 0, 1) == 1;
}

Problem varied_problem(const Problem& problem, double by) {
  Problem other = problem;
  other.calibration.beta = 1 - (1 - problem.calibration.beta) * (1 + 0.01 * by);
  return other;
}

}  // namespace macrobench::krusell_smith
