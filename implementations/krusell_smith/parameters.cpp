// Every parameter of the model, declared once, and which of them work together.

#include "implementations/krusell_smith/parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "harness/text/error.hpp"
#include "implementations/krusell_smith/input/economies.hpp"
#include "implementations/krusell_smith/input/shocks.hpp"
#include "implementations/krusell_smith/input/stored.hpp"
#include "implementations/krusell_smith/input/user_files.hpp"
#include "implementations/krusell_smith/input/wealth.hpp"

namespace macrobench::krusell_smith {

namespace {

using Parameter = macrobench::Parameter<Problem>;

constexpr double most_shock_bytes = 16e9;
constexpr double most_kept = 1 << 28;      // numbers of a batch
constexpr double most_wealth_bytes = 3e9;  // thirty for each agent
constexpr std::array<const char*, 4> state_names = {"(bad, unemployed)", "(bad, employed)",
                                                    "(good, unemployed)", "(good, employed)"};
constexpr Interval weight = above_up_to(0, 1);
constexpr Interval tolerance = from_to(1e-13, 1);

/// "p12": from the first state to the second, as the papers order them.
std::string probability_name(int from, int to) {
  return fmt::format("p{}{}", from + 1, to + 1);
}

Parameter probability(int from, int to) {
  const auto at = static_cast<std::size_t>(states * from + to);
  return {probability_name(from, to),
          [at](auto& problem) -> auto& { return problem.calibration.P[at]; },
          fmt::format("Pr({} | {})", state_names[static_cast<std::size_t>(to)],
                      state_names[static_cast<std::size_t>(from)]),
          from_to(0, 1)};
}  // namespace macrobench::krusell_smith

/// The panel and the grids' points.
std::vector<Parameter> parameters_of_panel_size() {
  const auto of_grids = in(&Problem::grids);
  return {
      Parameter("N", &Problem::N, "agents", from_to(1, std::numeric_limits<int>::max()))
          .headline()
          .optional(),
      Parameter("T", &Problem::T, "periods of the panel", from_to(10, 100'000)).headline(),
      Parameter("moves", &Problem::moves_last,
                "how often the cross-section moves before it starts the next panel: all T times, "
                "as the authors' code, or all_but_last, T - 1 times",
                {{"all_but_last", false}, {"all", true}})
          .usually("all")
          .optional(),
      Parameter("nk", of_grids(&Grids::n_k), "points of the grid of k", from_to(4, 4096))
          .headline(),
      Parameter("nK", of_grids(&Grids::n_K), "points of the grid of K", from_to(4, 1024))
          .headline()};
}

/// How the policy is found, and the panel simulated.
std::vector<Parameter> parameters_of_methods() {
  return {
      Parameter("policy", &Problem::policy, "how the household's policy is found",
                {{"euler"}, {"egm"}, {"euler_cuda"}, {"egm_cuda"}})
          .headline(),
      Parameter("policy_interpolation", &Problem::policy_interpolation,
                "interpolation of the policy within the Euler equation, in both directions",
                {{"spline", PolicyInterpolation::spline}, {"linear", PolicyInterpolation::linear}})
          .headline(),
      Parameter("panel_interpolation", &Problem::panel_interpolation,
                "interpolation of the policy by the panel, in both directions",
                {{"catmull_rom", PanelInterpolation::catmull_rom},
                 {"linear", PanelInterpolation::linear},
                 {"spline", PanelInterpolation::spline}})
          .optional(),
      precision(&Problem::single, "precision of the panel"),
      cpu_threads(&Problem::threads),
      batch_of_economies(&Problem::economies, 100'000),
      draw_of_economies(&Problem::draw),
      calibrations_of_economies(&Problem::calibrations),
      Parameter("block", &Problem::block, "CUDA threads per block", from_to(32, 1024)).optional(),
      gpus_of_this_machine(&Problem::gpus),
      Parameter("histogram_points", &Problem::histogram_points,
                "points of a histogram of wealth, for each employment state", from_to(100, 100'000))
          .optional()};
}

/// A stage alone, and what is given from outside.
std::vector<Parameter> parameters_of_given() {
  return {
      Parameter("stage", &Problem::stage,
                "which stage to solve and measure alone, on a stored input",
                {{"all", Stage::all}, {"policy", Stage::policy}, {"panel", Stage::panel}}),
      Parameter(
          "stored", &Problem::stored,
          "for a stage alone: a solution.json of `run --out`, with whose law or policy it "
          "begins; without it Maliar, Maliar and Valli's law, and the policy under it, which egm "
          "finds in start-up"),
      Parameter("shocks", &Problem::shocks, "employment, T rows of N bits, with --aggregate")
          .at_most_bytes(most_shock_bytes)
          .optional(),
      Parameter("shock_bits", &Problem::lowest_bit_first,
                "which bit of a byte of --shocks comes first",
                {{"highest_first", false}, {"lowest_first", true}})
          .optional(),
      Parameter("aggregate", &Problem::aggregate,
                "aggregate states, T lines, bad or good, or two numbers: 0 and 1, or 1 and 2"),
      Parameter("lower_state", &Problem::lower_is_good,
                "what the lower number of --aggregate means", {{"bad", false}, {"good", true}}),
      Parameter("wealth", &Problem::wealth,
                "initial wealth: N lines, or a histogram 'k unemployed employed'")
          .at_most_bytes(most_wealth_bytes),
      Parameter("seed", &Problem::seed, "seed of the shocks", from_to(0, 9e15))};
}

/// The search for the law of motion.
std::vector<Parameter> parameters_of_outer_loop() {
  return {
      Parameter("tolerance", &Problem::tolerance, "on |B_new - B|", tolerance),
      Parameter("law_update", &Problem::law_update,
                "how the law of motion moves towards the households' own: by a fixed weight, as "
                "published, or by a quasi-Newton method that few agents begin",
                {{"relaxation", LawUpdate::relaxation}, {"quasi_newton", LawUpdate::quasi_newton}})
          .optional(),
      Parameter("relaxation", &Problem::relaxation,
                "weight of the new coefficients of the law of motion", weight),
      Parameter("reuse_tolerance", &Problem::reuse_tolerance,
                "while |B_new - B| is above it, the last cross-section starts the next panel, as "
                "published; 1: each panel starts from the given cross-section, and the law is more "
                "accurate",
                Interval{.lowest = 0}),
      Parameter("burn_in", &Problem::burn_in,
                "number of first periods that the regression leaves out", from_to(0, 99'990)),
      Parameter("outer_cap", &Problem::outer_cap,
                "outer iterations until the tolerance is relaxed tenfold, once",
                from_to(1, 100'000))};
}

/// The search for a policy, and the errors that are measured.
std::vector<Parameter> parameters_of_policy_loop() {
  return {
      Parameter("policy_tolerance", &Problem::policy_tolerance, "on max |dk'|", tolerance),
      Parameter("damping", &Problem::damping, "Euler iteration: weight of the new policy", weight),
      Parameter("policy_cap", &Problem::policy_cap,
                "give up on a policy after this many iterations", from_to(1, 1e8)),
      Parameter("accuracy_periods", &Problem::accuracy_periods,
                "fresh periods on which the errors are measured; 0 for none", from_to(0, 1e6))};
}

/// The grids of k and K.
std::vector<Parameter> parameters_of_grids() {
  const auto of_grids = in(&Problem::grids);
  return {Parameter("k_max", of_grids(&Grids::k_max), "the highest k",
                    from_to(highest_initial_wealth, 1e6)),
          Parameter("theta", of_grids(&Grids::theta), "k_i = k_max (i / (nk - 1))^theta",
                    from_to(1, 10)),
          Parameter("K_min", of_grids(&Grids::K_min), "the lowest K", above_zero),
          Parameter("K_max", of_grids(&Grids::K_max), "the highest K", above_zero)};
}

/// The economy.
std::vector<Parameter> parameters_of_calibration() {
  const auto calibrated = in(&Problem::calibration);
  std::vector<Parameter> all{
      Parameter("beta", calibrated(&Calibration::beta), "discount factor", open_unit),
      Parameter("gamma", calibrated(&Calibration::gamma),
                "relative risk aversion; 1 is log utility", above_up_to(0, 100)),
      Parameter("alpha", calibrated(&Calibration::alpha), "capital's share", open_unit),
      Parameter("delta", calibrated(&Calibration::delta), "depreciation", weight),
      Parameter("lbar", calibrated(&Calibration::lbar), "time endowment", above_zero),
      Parameter("mu", calibrated(&Calibration::mu), "unemployment benefit over the wage",
                from_below(0, 1)),
      Parameter("Delta_a", calibrated(&Calibration::delta_a),
                "productivity is 1 - Delta_a or 1 + Delta_a", from_below(0, 1)),
      Parameter("u_bad", calibrated(&Calibration::u_bad), "unemployment in the bad state",
                open_unit),
      Parameter("u_good", calibrated(&Calibration::u_good), "unemployment in the good state",
                open_unit)};
  for (int from = 0; from < states; ++from) {
    for (int to = 0; to < states; ++to) all.push_back(probability(from, to));
  }
  return all;
}

/// In the order in which keys have them.
std::vector<Parameter> all_parameters() {
  std::vector<Parameter> all;
  for (const auto& some :
       {parameters_of_panel_size(), parameters_of_methods(), parameters_of_given(),
        parameters_of_outer_loop(), parameters_of_policy_loop(), parameters_of_grids(),
        parameters_of_calibration()}) {
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

/// Whether the implementation that has these parameters has agents.
bool has_agents(const Parameters& parameters) {
  return parameters.find("N") != nullptr;
}

constexpr double of_double = 1e-9;
constexpr double of_six_decimals = 1e-5;

/// Whether all probabilities look as if they were printed with six decimals at most.
bool is_rounded(const Calibration& c) {
  return std::ranges::all_of(c.P, [](double p) {
    const double millionths = p * 1e6;
    return std::abs(millionths - std::round(millionths)) < 1e-6;
  });
}

/// Makes the rows of a rounded matrix add up to 1, if they nearly do. Returns by how much the worst
/// of them did not.
double scale_rows(Calibration& c) {
  double worst = 0;
  for (std::size_t first = 0; first < c.P.size(); first += states) {
    double sum = 0;
    for (std::size_t to = 0; to < states; ++to) sum += c.P[first + to];
    const double error = std::abs(sum - 1);
    if (error <= of_double || error > of_six_decimals) continue;
    worst = std::max(worst, error);
    for (std::size_t to = 0; to < states; ++to) c.P[first + to] /= sum;
  }
  return worst;
}

void finish(Problem& problem, const Parameters& given) {
  if (!has_agents(given)) problem.N = 1;
  if (is_rounded(problem.calibration)) problem.row_error = scale_rows(problem.calibration);
}

/// `rounding` is what its probabilities allow.
void check_transitions(const Calibration& c, double rounding) {
  const Economy economy(c);
  for (int from = 0; from < states; ++from) {
    double sum = 0;
    for (const double p : economy.P[from]) sum += p;
    if (std::abs(sum - 1) > of_double) {
      throw UsageError(
          "row {} of the transition matrix, from {}, adds up to {:.9g}, {:+.3g} from 1: correct {} "
          "to {}",
          from + 1, state_names[static_cast<std::size_t>(from)], sum, sum - 1,
          probability_name(from, 0), probability_name(from, 3));
    }
  }
  const double u[2] = {c.u_bad, c.u_good};
  constexpr std::array<const char*, 2> names = {"bad", "good"};
  for (const int a : {bad, good}) {
    const int row = state_of(a, unemployed);
    for (const int next : {bad, good}) {
      const auto chance = [&](int e) {
        return economy.P[state_of(a, e)][state_of(next, unemployed)] +
               economy.P[state_of(a, e)][state_of(next, employed)];
      };
      if (std::abs(chance(unemployed) - chance(employed)) > rounding) {
        throw UsageError(
            "rows {} and {} of the transition matrix give the {} state probabilities "
            "of {:.9g} and {:.9g}: the aggregate state must not depend on employment",
            row + 1, row + 2, names[static_cast<std::size_t>(next)], chance(unemployed),
            chance(employed));
      }
      if (chance(unemployed) <= 0) continue;
      const double follows = u[a] * economy.chance_of_unemployment(unemployed, a, next) +
                             (1 - u[a]) * economy.chance_of_unemployment(employed, a, next);
      if (std::abs(follows - u[next]) > rounding) {
        throw UsageError(
            "rows {} and {} of the transition matrix take unemployment from {:.6g} to {:.9g} in "
            "the {} state, where u_{} = {:.6g}: it must depend only on the aggregate state",
            row + 1, row + 2, u[a], follows, names[static_cast<std::size_t>(next)],
            names[static_cast<std::size_t>(next)], u[next]);
      }
    }
  }
}

/// Of a batch: what is drawn is allowed, and what is kept fits.
void check_economies(const Problem& problem) {
  if (problem.economies == 1 && problem.calibrations == nullptr) return;
  if (problem.stage != Stage::all) {
    throw UsageError("economies = {}: a batch is solved as a whole; take stage = all",
                     problem.economies);
  }
  const double kept =
      static_cast<double>(problem.economies) *
      (2.0 * problem.N + 2.0 * problem.T + static_cast<double>(problem.grids.size()));
  if (kept > most_kept) {
    throw UsageError(
        "economies = {} of N = {} agents: what is kept would be {:.3g} numbers, at most "
        "{:.3g} are allowed; take fewer of either",
        problem.economies, problem.N, kept, most_kept);
  }
  axes().check_economies(
      problem, varied_names(), [&](int e) { return economy_of(problem, e); },
      [](const Problem&, const std::string&) {});
}

/// The files that the case names, after all else.
void check_files(const Parameters& parameters, const Problem& problem) {
  if (!problem.stored.empty()) {
    if (problem.stage == Stage::all) {
      throw UsageError(
          "stored = {}: only a stage alone uses it; add --stage policy or --stage panel",
          problem.stored.path);
    }
    static_cast<void>(read_stored(problem));
  }
  if (has_agents(parameters) && problem.shocks.empty() != problem.aggregate.empty()) {
    const bool lacks_shocks = problem.shocks.empty();
    throw UsageError(
        "{} = {}: --{} is missing; agents' shocks and the aggregate states belong together",
        lacks_shocks ? "aggregate" : "shocks",
        lacks_shocks ? problem.aggregate.path : problem.shocks.path,
        lacks_shocks ? "shocks" : "aggregate");
  }
  if (!problem.shocks.empty()) check_shocks(problem);
  if (!problem.aggregate.empty()) static_cast<void>(read_aggregate(problem));
  if (problem.wealth.empty()) return;
  const GivenWealth wealth = read_wealth(problem);
  if (has_agents(parameters)) {
    check_for_agents(problem, wealth);
  } else {
    check_for_histogram(problem, wealth);
  }
}

}  // namespace

const AxisTable<Problem>& axes() {
  static const AxisTable<Problem> table(all_parameters(), finish);
  return table;
}

void check_parameters(const Parameters& parameters) {
  const Problem problem = axes().problem_of(parameters);
  const Grids& grids = problem.grids;
  const bool rounded = problem.row_error > 0 || is_rounded(problem.calibration);
  check_transitions(problem.calibration, rounded ? of_six_decimals : of_double);
  if (!(grids.K_min < grids.K_max)) {
    throw UsageError("K_min = {} and K_max = {}: K_min must be the lower one", grids.K_min,
                     grids.K_max);
  }
  if (problem.T - problem.burn_in < 10) {
    throw UsageError("burn_in = {} of T = {} periods: leave at least 10 for the regression",
                     problem.burn_in, problem.T);
  }
  if (problem.block % 32 != 0) {
    throw UsageError("block = {}: it must be a multiple of 32, the threads of a warp",
                     problem.block);
  }
  if (problem.N > most_agents && !(problem.shocks.empty() && problem.wealth.empty())) {
    throw UsageError(
        "N = {} agents: more than {} are drawn, not read; leave out --shocks and --wealth",
        problem.N, most_agents);
  }
  const double bytes = static_cast<double>(shock_stride(kept_of(problem).N)) * problem.T;
  if (bytes > most_shock_bytes) {
    throw UsageError(
        "N = {} agents in T = {} periods: their shocks take {:.3g} GB, at "
        "most {:.3g} are allowed; take fewer of either",
        problem.N, problem.T, bytes / 1e9, most_shock_bytes / 1e9);
  }
  const std::vector<double> k = k_points(grids);
  for (std::size_t i = 1; i < k.size(); ++i) {
    if (!(k[i] - k[i - 1] > 1e-100)) {
      throw UsageError(
          "nk = {} and theta = {}: the lowest points of k coincide; take "
          "fewer or a lower theta",
          grids.n_k, grids.theta);
    }
  }
  check_economies(problem);
  check_files(parameters, problem);
}

}  // namespace macrobench::krusell_smith
