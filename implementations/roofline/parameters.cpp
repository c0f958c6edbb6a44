// Every parameter of the model, declared once.

#include "implementations/roofline/parameters.hpp"

#include <cstdint>

#include "harness/text/error.hpp"

namespace macrobench::roofline {

const AxisTable<Problem>& axes() {
  using Parameter = macrobench::Parameter<Problem>;
  static const AxisTable<Problem> table(
      {Parameter("ceiling", &Problem::ceiling,
                 "what to do: copy memory, multiply and add, or exchange between GPUs",
                 {{"copy", Ceiling::copy},
                  {"multiply_add", Ceiling::multiply_add},
                  {"exchange", Ceiling::exchange}})
           .headline(),
       Parameter("n", &Problem::n, "numbers, a multiple of 4096; far more than a cache holds",
                 from_to(stride, 1 << 29))
           .headline(),
       precision(&Problem::single),
       Parameter("passes", &Problem::passes,
                 "copies, exchanges, or 64 multiply-adds of every number", from_to(1, 10'000)),
       cpu_threads(&Problem::threads).optional(), gpus_of_this_machine(&Problem::gpus)});
  return table;
}

void check_parameters(const Parameters& parameters) {
  const std::int64_t n = parameters.integer("n");
  if (n % stride != 0) {
    throw UsageError("n = {}: it must be a multiple of {}; the next is {}", n, stride,
                     (n / stride + 1) * stride);
  }
  const Problem problem = axes().problem_of(parameters);
  if (problem.gpus > 1 && problem.ceiling != Ceiling::exchange) {
    throw UsageError("gpus = {}: only ceiling = exchange is of several GPUs", problem.gpus);
  }
}

}  // namespace macrobench::roofline
