// The problem as programs in other languages get it, and their results.

#include "implementations/beliefs/programs.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "harness/programs/program_instance.hpp"
#include "implementations/beliefs/certificate.hpp"
#include "implementations/beliefs/solver.hpp"

namespace macrobench::beliefs {

namespace {

/// Of the transitions between the states: 0 is high, 1 is low.
std::vector<double> chain(double pi_hh, double pi_ll) {
  return {pi_hh, 1 - pi_hh, 1 - pi_ll, pi_ll};
}

const RegisterProgramModel registered(program_model<Problem, Solution>(
    this_model(),
    {.data = program_data, .take = take_result, .varied = varied_problem, .source = __FILE__}));

}  // namespace

ProblemData program_data(const Problem& problem) {
  const Calibration& c = problem.calibration;
  std::vector<std::int32_t> histories;
  for (const Transitions& n : sampled_histories(problem)) {
    histories.insert(histories.end(), {n.hh, n.hl, n.lh, n.ll});
  }
  ProblemData data;
  data.add("s0", c.starts_low ? 1 : 0);
  data.add("alpha", {{"state", 2}}, std::vector{c.alpha_h, c.alpha_l});
  data.add("P_1", {{"state", 2}, {"next state", 2}}, chain(c.pi_hh, c.pi_ll));
  data.add("P_2", {{"state", 2}, {"next state", 2}}, chain(c.believed_pi_hh, c.believed_pi_ll));
  data.add("histories", {{"history", histories.size() / 4}, {"state", 2}, {"next state", 2}},
           histories);
  return data;
}

void take_result(const Problem& problem, const ResultFolder& result, Equilibrium& equilibrium) {
  const auto periods = static_cast<std::size_t>(problem.T) + 1;
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max() / 2;
  constexpr std::int64_t most_passes = std::numeric_limits<std::int32_t>::max();
  equilibrium.at_s0 = {result.number("c1_0"), result.number("c2_0")};
  result.array("wealth", {periods}, equilibrium.wealth);
  result.array("spending", {periods}, equilibrium.spending);
  std::vector<double> sampled;
  result.array("sampled", {equilibrium.sampled.size(), 2}, sampled);
  for (std::size_t i = 0; i < equilibrium.sampled.size(); ++i) {
    equilibrium.sampled[i] = {sampled[2 * i], sampled[2 * i + 1]};
  }
  equilibrium.passes = static_cast<int>(result.whole("passes", 0, most_passes));
  equilibrium.nodes = result.whole("nodes", 0, most);
  equilibrium.newton_iterations = result.whole("newton_iterations", 0, most);
  equilibrium.converged = result.whole("converged", 0, 1) == 1;
  const auto sum = [](const std::vector<double>& by_period) {
    return std::accumulate(by_period.begin(), by_period.end(), 0.0);
  };
  const double wealth = sum(equilibrium.wealth);
  equilibrium.residual = (wealth - sum(equilibrium.spending)) / wealth;
}

Problem varied_problem(const Problem& problem, double by) {
  Problem other = problem;
  const double less = 1 - 0.001 * (1.5 + by);
  other.calibration.beta_1 *= less;
  other.calibration.beta_2 *= less;
  return other;
}

}  // namespace macrobench::beliefs
