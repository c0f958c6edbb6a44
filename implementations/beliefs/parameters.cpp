// Every parameter of the model, declared once.

#include "implementations/beliefs/parameters.hpp"

#include <cmath>
#include <utility>

#include "harness/text/error.hpp"

namespace macrobench::beliefs {

namespace {

constexpr Interval risk_aversion = above_up_to(0, 100);
constexpr Interval discount_factor = above_up_to(0, 1);
constexpr Interval log_growth = from_to(-0.2, 0.2);
constexpr Interval relative_tolerance = from_below(1e-15, 1);
constexpr const char* both_must_be_possible =
    "a state that a type believes impossible has no price on which both agree";

/// The published rates of growth are swapped.
void finish(Problem& problem, const Parameters& /*given*/) {
  Calibration& c = problem.calibration;
  if (problem.growth == Growth::as_published) std::swap(c.alpha_h, c.alpha_l);
}

}  // namespace

const AxisTable<Problem>& axes() {
  using Parameter = macrobench::Parameter<Problem>;
  const auto calibrated = in(&Problem::calibration);
  const auto probability = [&](const char* name, double Calibration::* member, const char* help) {
    return Parameter(name, calibrated(member), help, open_unit).otherwise(both_must_be_possible);
  };
  static const AxisTable<Problem> table(
      {Parameter("T", &Problem::T, "periods after the first", from_to(1, longest_horizon))
           .headline(),
       Parameter("growth", &Problem::growth,
                 "growth rates: corrected, or as_published, with the two swapped",
                 {{"corrected", Growth::corrected}, {"as_published", Growth::as_published}}),
       Parameter("mu_1", calibrated(&Calibration::mu_1), "share of type 1", open_unit),
       Parameter("mu_2", calibrated(&Calibration::mu_2), "share of type 2", open_unit),
       Parameter("gamma_1", calibrated(&Calibration::gamma_1),
                 "type 1's relative risk aversion; 1 is log utility", risk_aversion),
       Parameter("gamma_2", calibrated(&Calibration::gamma_2), "type 2's relative risk aversion",
                 risk_aversion),
       Parameter("beta_1", calibrated(&Calibration::beta_1), "type 1's discount factor",
                 discount_factor),
       Parameter("beta_2", calibrated(&Calibration::beta_2), "type 2's discount factor",
                 discount_factor),
       Parameter("alpha_h", calibrated(&Calibration::alpha_h),
                 "quarterly log growth of the endowment in the high state", log_growth),
       Parameter("alpha_l", calibrated(&Calibration::alpha_l),
                 "quarterly log growth in the low state", log_growth),
       probability("pi_hh", &Calibration::pi_hh,
                   "Pr(high | high) as estimated, which type 1 believes"),
       probability("pi_ll", &Calibration::pi_ll, "Pr(low | low) as estimated"),
       probability("believed_pi_hh", &Calibration::believed_pi_hh,
                   "Pr(high | high) as type 2 believes it"),
       probability("believed_pi_ll", &Calibration::believed_pi_ll,
                   "Pr(low | low) as type 2 believes it"),
       Parameter("s0", calibrated(&Calibration::starts_low), "the first state",
                 {{"high", false}, {"low", true}}),
       Parameter("C0", calibrated(&Calibration::C0), "the first endowment", above_zero),
       Parameter("newton_tolerance", &Problem::newton_tolerance,
                 "on Newton's last step in c1(s^t), relative", relative_tolerance),
       Parameter("broyden_tolerance", &Problem::broyden_tolerance,
                 "on type 2's budget residual, over wealth", relative_tolerance),
       Parameter("first_c2", &Problem::first_c2,
                 "guess of c2(s_0) over C(s_0); 1 is an equal split", above_zero),
       Parameter("newton_cap", &Problem::newton_cap,
                 "give up on a node after this many Newton steps", from_to(1, 1'000'000)),
       Parameter("pass_cap", &Problem::pass_cap, "give up after this many passes over the nodes",
                 from_to(1, 1'000'000)),
       cpu_threads(&Problem::threads).optional(),
       Parameter("block", &Problem::block, "CUDA threads per block", from_to(32, 1024)).optional(),
       gpus_of_this_machine(&Problem::gpus)},
      finish);
  return table;
}

void check_parameters(const Parameters& parameters) {
  const Problem problem = axes().problem_of(parameters);
  const Calibration& c = problem.calibration;
  if (std::abs(c.mu_1 + c.mu_2 - 1) > 1e-12) {
    throw UsageError("mu_1 = {} and mu_2 = {} add up to {:.6g}: the shares must add up to 1",
                     c.mu_1, c.mu_2, c.mu_1 + c.mu_2);
  }
  if (problem.block % 32 != 0) {
    throw UsageError("block = {}: it must be a multiple of 32, the threads of a warp",
                     problem.block);
  }
  if (problem.first_c2 * c.mu_2 >= 1) {
    throw UsageError(
        "first_c2 = {}: type 2 cannot start with the whole endowment, so it must be "
        "below 1 / mu_2 = {:.6g}",
        problem.first_c2, 1 / c.mu_2);
  }
}

}  // namespace macrobench::beliefs
