// Every parameter of the model, declared once.

#include "implementations/lifecycle/parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>

#include "harness/text/error.hpp"
#include "implementations/lifecycle/economies.hpp"

namespace macrobench::lifecycle {

namespace {

constexpr double most_values = 1 << 28;  // V of all ages: 2 GB

/// `which` begins the sentence, or is empty.
void check_economy(const Problem& problem, const std::string& which) {
  const Calibration& c = problem.calibration;
  const Grids<double> grids = grids_in_double(problem);
  if (std::ranges::adjacent_find(grids.x, std::ranges::greater_equal()) != grids.x.end()) {
    throw UsageError("{}nx = {} points from {} to {} coincide in {} precision: take fewer", which,
                     problem.nx, c.xmin, c.xmax, problem.has_double_grids() ? "double" : "single");
  }
  // Resources rise in x and e, so the lowest state has the least to choose from.
  const double available = resources_of(problem, grids.x.front(), grids.e.front());
  if (!(available > grids.x.front()) ||
      !std::isfinite(resources_of(problem, grids.x.back(), grids.e.back()))) {
    throw UsageError(
        "{}the grid leaves no feasible choice: at the lowest state there is {:.4g} to "
        "spend, and the least x' is {:.4g}; lower xmin or raise w",
        which, available, c.xmin);
  }
}

/// Of a batch: what is drawn is allowed, and what is kept fits.
void check_economies(const Problem& problem) {
  if (problem.economies == 1 && problem.calibrations == nullptr) return;
  if (problem.recursion == Recursion::as_published) {
    throw UsageError(
        "economies = {} and recursion = as_published: a sample of states cannot show whether sums "
        "over all choices are right; take recursion = corrected",
        problem.economies);
  }
  const double kept = static_cast<double>(problem.economies) * states_per_sample *
                      static_cast<double>(sample_size(problem));
  if (kept > most_values) {
    throw UsageError(
        "economies = {} and ne = {}: what is kept of each would be {:.3g} numbers, at most {:.3g} "
        "are allowed; take fewer",
        problem.economies, problem.ne, kept, most_values);
  }
  Problem ends = problem;
  ends.nx = 2;  // their savings do not differ
  axes().check_economies(
      problem, varied_names(), [&](int e) { return economy_of(ends, e); }, check_economy);
}

}  // namespace

const AxisTable<Problem>& axes() {
  using Parameter = macrobench::Parameter<Problem>;
  const auto calibrated = in(&Problem::calibration);
  static const AxisTable<Problem> table(
      {Parameter("nx", &Problem::nx, "points of the savings grid", from_to(2, 1 << 20)).headline(),
       Parameter("ne", &Problem::ne, "points of the shock grid (Tauchen)", from_to(2, 1024))
           .headline(),
       Parameter("T", &Problem::T, "ages", from_to(1, 100'000)).headline(),
       Parameter("recursion", &Problem::recursion,
                 "the expectation: corrected, or as_published, adding up over the choices",
                 {{"corrected", Recursion::corrected}, {"as_published", Recursion::as_published}})
           .headline(),
       precision(&Problem::single, "precision of the value function"),
       Parameter("grids", &Problem::grids_in_real,
                 "x, e and P: rounded to single precision, as in the tutorial, or in_real, in the "
                 "precision and the arithmetic of real",
                 {{"rounded", false}, {"in_real", true}}),
       Parameter("expectation", &Problem::expects_per_choice,
                 "programs: a choice's expectation is computed once per age, or per_choice of each "
                 "state, as published",
                 {{"per_age", false}, {"per_choice", true}})
           .optional()
           .of_ours("per_choice"),
       Parameter("constants", &Problem::constants_are_read,
                 "sigma = 2, and ne if it is 15, are compiled in, so that the power of consumption "
                 "is a division; or all are read",
                 {{"compiled", false}, {"read", true}})
           .optional(),
       cpu_threads(&Problem::threads).optional(),
       batch_of_economies(&Problem::economies, 1'000'000),
       draw_of_economies(&Problem::draw),
       calibrations_of_economies(&Problem::calibrations),
       Parameter("processes", &Problem::processes, "processes, or all for one per core",
                 from_to(1, 65'536))
           .counts_cores()
           .optional(),
       Parameter("blocks", &Problem::blocks, "CUDA blocks", from_to(1, 1 << 20)).optional(),
       Parameter("block", &Problem::block, "CUDA threads per block; 0 for nx ne / 256, rounded up",
                 from_to(0, 1024))
           .optional(),
       Parameter("arrays", &Problem::arrays_beforehand,
                 "whether the device arrays are made inside each solution or beforehand",
                 {{"inside", false}, {"beforehand", true}})
           .optional(),
       Parameter("sigma", calibrated(&Calibration::sigma),
                 "relative risk aversion; 1 is log utility", from_to(0, 100)),
       Parameter("beta", calibrated(&Calibration::beta), "discount factor", above_up_to(0, 1)),
       Parameter("r", calibrated(&Calibration::r), "interest rate", from_to(-0.99, 10)),
       Parameter("w", calibrated(&Calibration::w), "wage", above_zero),
       Parameter("xmin", calibrated(&Calibration::xmin), "lowest savings", from_to(0, 1e6)),
       Parameter("xmax", calibrated(&Calibration::xmax), "highest savings", from_to(0, 1e6)),
       Parameter("sigma_eps", calibrated(&Calibration::sigma_eps),
                 "standard deviation of the shock's innovation", above_up_to(0, 10)),
       Parameter("lambda_eps", calibrated(&Calibration::lambda_eps), "autocorrelation of the shock",
                 between(-1, 1)),
       Parameter("half_width", calibrated(&Calibration::half_width),
                 "Tauchen: stationary standard deviations to either side", above_up_to(0, 10))});
  return table;
}

void check_parameters(const Parameters& parameters) {
  const Problem problem = axes().problem_of(parameters);
  const Calibration& c = problem.calibration;
  if (!(c.xmin < c.xmax)) {
    throw UsageError("xmin = {} and xmax = {}: xmin must be the lower one", c.xmin, c.xmax);
  }
  const double values = static_cast<double>(problem.states()) * problem.T;
  if (values > most_values) {
    throw UsageError("nx ne T = {:.3g}: V of all ages can have at most {:.3g} numbers", values,
                     most_values);
  }
  if (parameters.find("processes") != nullptr &&
      static_cast<std::size_t>(problem.processes) > problem.states()) {
    throw UsageError("processes = {}: there are only {} states to share", problem.processes,
                     problem.states());
  }
  if (parameters.find("block") != nullptr && problem.threads_a_block() > 1024) {
    throw UsageError(
        "block = 0 means {} threads here, but CUDA allows 1024: give "
        "--block, and --blocks for one thread per state",
        problem.threads_a_block());
  }
  if (parameters.find("constants") != nullptr) {
    if (!problem.constants_are_read && c.sigma != 2) {
      throw UsageError(
          "sigma = {} and constants = compiled: only 2 is compiled in; take constants = read",
          c.sigma);
    }
    if (c.sigma == 1) {
      throw UsageError(
          "sigma = 1: the program's utility is a power, and has no logarithm; take "
          "lifecycle/threads");
    }
  }
  check_economy(problem, "");
  check_economies(problem);
}

}  // namespace macrobench::lifecycle
