// Every parameter of the model, declared once.

#include "implementations/rbc/parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "harness/text/error.hpp"
#include "implementations/rbc/economies.hpp"

namespace macrobench::rbc {

const AxisTable<Problem>& axes() {
  using Parameter = macrobench::Parameter<Problem>;
  const auto calibrated = in(&Problem::calibration);
  static const AxisTable<Problem> table(
      {Parameter("nk", &Problem::nk, "points of the capital grid", from_to(2, 1 << 24)).headline(),
       Parameter("nz", &Problem::nz, "points of the productivity grid (Tauchen)", from_to(2, 256))
           .headline(),
       Parameter("maximizer", &Problem::maximizer, "how the best K' is searched for",
                 {{"bisection", Maximizer::bisection},
                  {"grid_howard", Maximizer::grid_howard},
                  {"interpolated", Maximizer::interpolated},
                  {"first_decline", Maximizer::first_decline}})
           .headline()
           .optional(),
       Parameter("future_points", &Problem::future_points, "points of the grid of future capital",
                 from_to(2, 1 << 20))
           .optional(),
       Parameter("start", &Problem::start, "the V that iteration starts from",
                 {{"steady_state", Start::steady_state}, {"zero", Start::zero}})
           .optional(),
       precision(&Problem::single),
       Parameter("tolerance", &Problem::tolerance, "converged when max |V - V0| is below this",
                 above_zero)
           .headline(),
       Parameter("monotone", &Problem::monotone,
                 "bound the search by the policy one capital point below",
                 {{"off", false}, {"on", true}})
           .optional(),
       Parameter::mark("layout", "which index of V runs fastest in the GPU's memory",
                       "productivity_fastest"),
       cpu_threads(&Problem::threads).optional(),
       Parameter("block", &Problem::block, "CUDA threads per block", from_to(1, 1024)).optional(),
       Parameter::mark("set_up", "how Thrust's vectors are filled: by a copy for each element",
                       "elements"),
       gpus_of_this_machine(&Problem::gpus),
       batch_of_economies(&Problem::economies, 1'000'000),
       draw_of_economies(&Problem::draw),
       calibrations_of_economies(&Problem::calibrations),
       Parameter("iteration_cap", &Problem::iteration_cap, "give up after this many iterations",
                 from_to(1, 1'000'000'000)),
       Parameter("beta", calibrated(&Calibration::beta), "discount factor", open_unit),
       Parameter("gamma", calibrated(&Calibration::gamma),
                 "relative risk aversion; 1 is log utility", from_to(0, 100)),
       Parameter("alpha", calibrated(&Calibration::alpha), "capital share", open_unit),
       Parameter("delta", calibrated(&Calibration::delta), "depreciation", from_to(0, 1)),
       Parameter("rho", calibrated(&Calibration::rho), "autocorrelation of log productivity",
                 between(-1, 1)),
       Parameter("sigma", calibrated(&Calibration::sigma), "standard deviation of its innovation",
                 above_zero),
       Parameter("half_width", calibrated(&Calibration::half_width),
                 "Tauchen: stationary standard deviations to either side", above_zero),
       Parameter("grid_low", calibrated(&Calibration::grid_low), "lowest capital over Kss(Zmin)",
                 above_zero),
       Parameter("grid_high", calibrated(&Calibration::grid_high), "highest capital over Kss(Zmax)",
                 above_zero),
       Parameter("chain", &Problem::chain,
                 "productivity: Tauchen's of rho and sigma, or, for nz = 5, the one that Aruoba "
                 "and Fernandez-Villaverde print",
                 {{"tauchen", Chain::tauchen}, {"aruoba_fv", Chain::aruoba_fv}}),
       Parameter("capital", &Problem::capital,
                 "a file of the capital grid, nk rising numbers, instead of a uniform one"),
       Parameter("productivity", &Problem::productivity,
                 "a file of the productivity levels, nz rising numbers, instead of Tauchen's"),
       Parameter("transition", &Problem::transition,
                 "a file of their transition matrix, nz rows of nz numbers, instead of "
                 "Tauchen's")});
  return table;
}

namespace {

constexpr double most_kept = 1 << 28;  // numbers of a batch

void check_size(const GivenNumbers& given, std::size_t expected, const std::string& because) {
  const std::size_t size = given.values().size();
  if (size != expected) given.refuse(fmt::format("it has {} numbers, but {}", size, because));
}

void check_rising(const GivenNumbers& given, int expected, const char* axis) {
  check_size(given, static_cast<std::size_t>(expected), fmt::format("{} = {}", axis, expected));
  const std::vector<double>& values = given.values();
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!(values[i] > 0))
      given.refuse(fmt::format("number {} is {}, not above 0", i + 1, values[i]));
    if (i > 0 && !(values[i] > values[i - 1])) {
      given.refuse(fmt::format("number {}, {}, is not above the {} before it", i + 1, values[i],
                               values[i - 1]));
    }
  }
}

void check_chances(const GivenNumbers& given, int nz) {
  const auto n = static_cast<std::size_t>(nz);
  check_size(given, n * n, fmt::format("nz = {} needs {} rows of {}", nz, nz, nz));
  constexpr double rounding = 1e-9;
  for (std::size_t j = 0; j < n; ++j) {
    double sum = 0;
    for (std::size_t l = 0; l < n; ++l) {
      const double chance = given.values()[j * n + l];
      if (chance < 0) given.refuse(fmt::format("row {} has a chance of {}", j + 1, chance));
      sum += chance;
    }
    if (!(std::abs(sum - 1) <= rounding)) {
      given.refuse(fmt::format("row {} adds up to {:.12g}, {:+.3g} from 1", j + 1, sum, sum - 1));
    }
  }
}

/// The user's grids.
void check_given(const Problem& problem) {
  if (problem.capital != nullptr) check_rising(*problem.capital, problem.nk, "nk");
  if (problem.productivity != nullptr) check_rising(*problem.productivity, problem.nz, "nz");
  if (problem.transition != nullptr) check_chances(*problem.transition, problem.nz);
  for (const GivenNumbers* given : {problem.capital, problem.productivity, problem.transition}) {
    if (given == nullptr || problem.economies == 1) continue;
    given->refuse(fmt::format("economies = {}: each economy of a batch has its own grids",
                              problem.economies));
  }
}

void check_chain(const Problem& problem) {
  if (problem.chain != Chain::aruoba_fv) return;
  if (problem.nz != 5) {
    throw UsageError("chain = aruoba_fv has 5 productivities, but nz = {}", problem.nz);
  }
  if (problem.economies != 1) {
    throw UsageError("chain = aruoba_fv, economies = {}: each economy of a batch has its own chain",
                     problem.economies);
  }
}

/// `which` begins the sentence, or is empty.
void check_economy(const Problem& problem, const std::string& which) {
  const Calibration& c = problem.calibration;
  const CapitalRange range = capital_range(problem);
  if (!(range.low > 0 && std::isfinite(range.high))) {
    throw UsageError(
        "{}the capital grid would run from {:.4g} to {:.4g}: these parameters are out of range",
        which, range.low, range.high);
  }
  const double step = (range.high - range.low) / std::max(problem.nk, problem.future_points);
  if (!(range.low + step > range.low)) {
    throw UsageError(
        "{}the capital grid would run from {:.6g} to {:.6g}: raise grid_high, lower "
        "grid_low or take fewer points",
        which, range.low, range.high);
  }
  // Resources rise in K and Z, so the lowest state has the least to choose from.
  Problem ends = problem;
  ends.nk = 2;
  const Grids<double> grids = make_grids<double>(ends);
  const double available = resources(range.low, grids.Z.front(), c.alpha, c.delta);
  if (!(available > range.low)) {
    throw UsageError(
        "{}the grid leaves no feasible choice: at the lowest state K = {:.4g} there is "
        "only {:.4g} to "
        "spend, and the least K' is {:.4g}; lower grid_low or delta",
        which, range.low, available, range.low);
  }
}

/// Of a batch: what is drawn is allowed, and what is kept fits.
void check_economies(const Problem& problem) {
  const double kept = static_cast<double>(problem.economies) * states_per_sample *
                      static_cast<double>(sample_size(problem));
  if (kept > most_kept) {
    throw UsageError(
        "economies = {} and nz = {}: what is kept of each would be {:.3g} numbers, at "
        "most {:.3g} are allowed; take fewer",
        problem.economies, problem.nz, kept, most_kept);
  }
  axes().check_economies(
      problem, varied_names(), [&](int e) { return economy_of(problem, e); }, check_economy);
}

}  // namespace

void check_parameters(const Parameters& parameters) {
  const Problem problem = axes().problem_of(parameters);
  check_chain(problem);
  check_given(problem);
  check_economy(problem, "");
  check_economies(problem);
}

}  // namespace macrobench::rbc
