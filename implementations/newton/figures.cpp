#include "implementations/newton/figures.hpp"

namespace macrobench::newton {

OutcomeFigures outcome_figures() {
  return {{"argmax_first", {"1", "x at the first coefficient, a_low"}},
          {"argmax_last", {"1", "x at the last coefficient, a_high"}},
          {"iterations", {"self-reported", "the most steps that a coefficient took"}},
          {"residual", {"1", "the largest |x - x*|"}},
          {"states", {"coefficients", "n"}}};
}

std::vector<AnnouncedStage> announced_stages() {
  return {{"copy", "the coefficients copied to the GPU", {"cuda_c", "cuda_c_gpus"}},
          {"grid", "the coefficients"},
          {"maximize", "Newton's method at all of them"}};
}

ArrayUnits array_units() {
  return {{"argmax", "1"}, {"steps", "steps"}};
}

}  // namespace macrobench::newton
