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
       Parameter("future_points", &Problem::future_points,
                 "points of the future grid (maximizer=interpolated)", from_to(2, 1 << 20))
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
       cpu_threads(&Problem::threads).optional(),
       mpi_ranks(&Problem::ranks),
       Parameter("block", &Problem::block, "CUDA threads per block", from_to(1, 1024)).optional(),
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
                 above_zero)});
  return table;
}

namespace {

constexpr double most_kept = 1 << 28;  // numbers of a batch

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
  check_economy(problem, "");
  check_economies(problem);
}

}  // namespace macrobench::rbc
