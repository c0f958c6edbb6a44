// Every parameter of the model, declared once.

#include "implementations/newton/parameters.hpp"

#include <cstdint>
#include <limits>

#include "harness/text/error.hpp"

namespace macrobench::newton {

namespace {

constexpr double largest = 1e100;  // so that no intermediate result overflows in double
constexpr Interval below_zero = from_below(-largest, 0);
constexpr Interval any = from_to(-largest, largest);

/// Eigen's LinSpaced puts a single value at the upper end, so the two ends are made equal.
void finish(Problem& problem, const Parameters& /*given*/) {
  if (problem.n == 1) problem.a_high = problem.a_low;
}

}  // namespace

const AxisTable<Problem>& axes() {
  using Parameter = macrobench::Parameter<Problem>;
  static const AxisTable<Problem> table(
      {Parameter("n", &Problem::n, "values of a, the coefficient of x^2", from_to(1, 1 << 28))
           .headline(),
       precision(&Problem::single),
       Parameter("tolerance", &Problem::tolerance, "converged when |x_new - x| is at most this",
                 above_up_to(0, 1))
           .headline(),
       Parameter("x0", &Problem::x0, "the start", any),
       Parameter("b", &Problem::b, "coefficient of x", any),
       Parameter("c", &Problem::c, "constant, which does not move the maximum", any),
       Parameter("a_low", &Problem::a_low, "first value of a", below_zero),
       Parameter("a_high", &Problem::a_high, "last value of a", below_zero),
       cpu_threads(&Problem::threads).optional(),
       Parameter("block", &Problem::block, "CUDA threads per block", from_to(1, 1024)).optional(),
       gpus_of_this_machine(&Problem::gpus),
       Parameter("iteration_cap", &Problem::iteration_cap,
                 "give up on a coefficient after this many Newton steps",
                 from_to(1, std::numeric_limits<std::uint8_t>::max()))},
      finish);
  return table;
}

void check_parameters(const Parameters& parameters) {
  const double a_low = parameters.real("a_low");
  const double a_high = parameters.real("a_high");
  if (!(a_low < a_high)) {
    throw UsageError("a_low = {} and a_high = {}: a_low must be the lower one", a_low, a_high);
  }
}

}  // namespace macrobench::newton
