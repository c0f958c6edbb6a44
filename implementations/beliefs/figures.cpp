#include "implementations/beliefs/figures.hpp"

namespace macrobench::beliefs {

OutcomeFigures outcome_figures() {
  return {
      {"budget_residual",
       {"share of wealth, self-reported", "type 2's budget residual, as the solver has it"}},
      {"c1_0", {"units of consumption", "what type 1 consumes at s_0"}},
      {"c2_0", {"units of consumption", "what type 2 consumes at s_0"}},
      {"foc_error",
       {"natural log of a ratio",
        "the largest difference between the two types' first-order conditions (21), at sampled "
        "histories"}},
      {"iterations", {"self-reported", "passes over the tree"}},
      {"newton_iterations_mean",
       {"iterations, self-reported", "the mean over all equations of all passes"}},
      {"nodes",
       {"equations per pass", "the nodes of the tree, or the classes of them, that a pass solves"}},
      {"passes", {"passes", "passes over the tree"}},
      {"residual", {"share of wealth", "type 2's budget residual, by the certificate's own sums"}},
      {"resource_error",
       {"share of consumption",
        "the largest |mu_1 c1 + mu_2 c2 - C|, at s_0 and at sampled histories"}},
      {"sums_error",
       {"share of the sum",
        "the largest distance between a period's sums of q C and q c2 and the certificate's own"}},
      {"wealth",
       {"units of consumption",
        "the sum of q C over all periods and histories, by the certificate"}}};
}

std::vector<AnnouncedStage> announced_stages() {
  return {{"broyden", "the sums over all periods and the next guess of c2"},
          {"exchange", "what the GPUs send each other", {"cuda_c_gpus", "thrust_cuda_gpus"}},
          {"pass", "all equations of the tree at one guess of c2"}};
}

ArrayUnits array_units() {
  return {{"P_1", "1"},
          {"P_2", "1"},
          {"alpha", "log growth of the endowment"},
          {"at_s0", "units of consumption"},
          {"histories", "transitions"},
          {"newton_iterations", "iterations"},
          {"nodes", "equations"},
          {"passes", "passes"},
          {"residual", "share of wealth"},
          {"sampled", "units of consumption"},
          {"spending", "units of consumption"},
          {"wealth", "units of consumption"}};
}

}  // namespace macrobench::beliefs
