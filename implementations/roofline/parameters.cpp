// Every parameter of the model, declared once.

#include "implementations/roofline/parameters.hpp"

#include <cstdint>

#include "harness/text/error.hpp"

namespace macrobench::roofline {

const AxisTable<Problem>& axes() {
  using Parameter = macrobench::Parameter<Problem>;
  static const AxisTable<Problem> table(
      {Parameter("ceiling", &Problem::ceiling, "what to do: copy memory, or multiply and add",
                 {{"copy", Ceiling::copy}, {"multiply_add", Ceiling::multiply_add}})
           .headline(),
       Parameter("n", &Problem::n, "numbers, a multiple of 4096; far more than a cache holds",
                 from_to(stride, 1 << 29))
           .headline(),
       precision(&Problem::single),
       Parameter("passes", &Problem::passes, "copies, or 64 multiply-adds of every number",
                 from_to(1, 10'000)),
       cpu_threads(&Problem::threads).optional()});
  return table;
}

void check_parameters(const Parameters& parameters) {
  const std::int64_t n = parameters.integer("n");
  if (n % stride != 0) {
    throw UsageError("n = {}: it must be a multiple of {}; the next is {}", n, stride,
                     (n / stride + 1) * stride);
  }
}

}  // namespace macrobench::roofline
