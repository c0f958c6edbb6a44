// The model as the harness sees it, and the terms of its solvers' work and floors.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include "harness/model/solver_model.hpp"
#include "implementations/krusell_smith/certificate/certificate.hpp"
#include "implementations/krusell_smith/figures.hpp"
#include "implementations/krusell_smith/input/economies.hpp"
#include "implementations/krusell_smith/input/stored.hpp"
#include "implementations/krusell_smith/parameters.hpp"
#include "implementations/krusell_smith/policy/policy.hpp"
#include "implementations/krusell_smith/solver.hpp"

namespace macrobench::krusell_smith {

namespace {

bool is_policy_on_gpu(const Problem& problem) {
  return problem.policy == "euler_cuda" || problem.policy == "egm_cuda";
}

/// Nanoseconds per iteration of a policy, by the grid's points. The number of iterations hardly
/// depends on these.
double cost_of_iteration(const Problem& problem) {
  const auto points = static_cast<double>(problem.grids.size());
  if (problem.policy == "egm") return 55 * points;
  if (is_policy_on_gpu(problem)) {
    // All blocks find one; of many, a hundred are found side by side, by a block each.
    const int economies = problem.economies;
    return economies == 1 ? 1e4 + 0.2 * points : 5 * points / std::min(economies, 100);
  }
  return 34 * points;
}

double work_agent_by_agent(const Problem& problem) {
  return work_with(problem, 50.0 * problem.N);
}

/// A policy is found where its method runs, not where the panel does.
std::optional<bool> is_on_gpu(const Parameters& given, std::string_view stage) {
  const Problem problem = axes().problem_of(given);
  const bool is_policy = stage.empty() ? problem.stage == Stage::policy : stage == "policy";
  const bool on_gpu = is_policy_on_gpu(problem);
  if (is_policy) return on_gpu;
  return stage.empty() && problem.stage == Stage::all && on_gpu ? std::optional(true)
                                                                : std::nullopt;
}

/// N T / 8 bytes, in GiB.
double shock_memory(const Parameters& parameters) {
  const Problem problem = axes().problem_of(parameters);
  constexpr double bits_of_GiB = 8.0 * (1 << 30);
  return static_cast<double>(problem.N) * problem.T / bits_of_GiB;
}

}  // namespace

/// The model, constructed at its first use, because solvers register themselves in any order.
const SolverModel<Problem>& this_model() {
  static const SolverModel<Problem> model = registered<Problem>(
      {.model = {.name = "krusell_smith",
                 .summary = "incomplete markets and aggregate risk, by a panel of agents",
                 .size_axis = "N",
                 .check = check_parameters,
                 .figures = {{"hatcher_scheffel_2014/figure_b1",
                              "k' - k over k and K; as printed with --nk 500 --nK 50",
                              [](const Parameters& given) {
                                return saving_surfaces(axes().problem_of(given));
                              }},
                             {"hatcher_scheffel_2014/figure_b2", "k' - k of the poor, at K = 39",
                              [](const Parameters& given) {
                                return saving_at_K_39(axes().problem_of(given), 10, 50, 81);
                              }},
                             {"hatcher_scheffel_2014/figure_b3", "k' - k of the wealthy, at K = 39",
                              [](const Parameters& given) {
                                return saving_at_K_39(axes().problem_of(given), 100, 800, 141);
                              }}},
                 .derived = {{"shock_memory", "GiB of the shocks, N T bits", shock_memory}},
                 .outcome_figures = outcome_figures(),
                 .stages = announced_stages(),
                 .array_units = array_units(),
                 .work_axes = {"nk", "nK", "T", "economies"},
                 .method_axes = {"policy", "policy_interpolation", "panel_interpolation",
                                 "histogram_points", "law_update", "relaxation", "reuse_tolerance",
                                 "damping"},
                 .trial_sizes = {500, 2'000},
                 .on_gpu = is_on_gpu,
                 .own_defaults = {{"frontier_cuda", defaults_of_frontier_cuda()}}},
       .axes = axes(),
       .hooks = {
           .work = work_agent_by_agent,
           .floor = floor_of_agents,
           .unavailable = [](const Problem& problem) { return why_no_policy(problem.policy); }}});
  return model;
}

double work_with(const Problem& problem, double period) {
  const double panel = problem.T * period;
  const double iteration = cost_of_iteration(problem);
  const bool is_egm = problem.policy.starts_with("egm");
  switch (problem.stage) {
    case Stage::policy:
      return (is_egm ? 400 : 2'300) * iteration;
    case Stage::panel:
      return panel;
    case Stage::all:
      break;
  }
  const double outer_iterations = problem.law_update == LawUpdate::quasi_newton ? 8 : 40;
  return problem.economies * (outer_iterations * panel + (is_egm ? 2'500 : 25'000) * iteration);
}

Floor floor_of_policy(const Problem& problem, const Outcome& outcome) {
  if (problem.stage != Stage::policy || !is_policy_on_gpu(problem)) return {};
  constexpr double of_a_future = 10;
  return {.bytes = 0,
          .operations = static_cast<double>(outcome.iterations) *
                        static_cast<double>(problem.grids.size()) * 4 * of_a_future,
          .stages = {"policy"}};
}

namespace {

/// With so many bytes for an agent's employment in a period.
Floor floor_with(const Problem& problem, const Outcome& outcome, double employment) {
  if (problem.stage == Stage::policy) return floor_of_policy(problem, outcome);
  // Of a batch, the iterations are those of the economy with the most: each has one at least.
  const double panels = problem.stage == Stage::panel ? 1
                        : problem.economies > 1       ? problem.economies
                                                      : static_cast<double>(outcome.iterations);
  const double agents = panels * problem.T * static_cast<double>(problem.N);
  constexpr double of_a_cubic = 6;
  return {.bytes = agents * (2 * size_of_real(problem.single) + employment),
          .operations = agents * of_a_cubic,
          .stages = {"panel"}};
}

}  // namespace

Floor floor_of_agents(const Problem& problem, const Outcome& outcome) {
  return floor_with(problem, outcome, 1.0 / 8);
}

Floor floor_of_drawing_agents(const Problem& problem, const Outcome& outcome) {
  return floor_with(problem, outcome, 2.0 / 8);
}

}  // namespace macrobench::krusell_smith

template struct macrobench::RegisterSolver<macrobench::krusell_smith::Problem,
                                           macrobench::krusell_smith::Solution,
                                           macrobench::krusell_smith::this_model>;
