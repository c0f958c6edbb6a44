#include "implementations/rbc/figures.hpp"

#include "harness/model/batch_outcome.hpp"

namespace macrobench::rbc {

OutcomeFigures outcome_figures() {
  OutcomeFigures figures = figures_of_batches();
  figures.insert(
      {{"V_first", {"units of utility", "V at the lowest capital and the lowest productivity"}},
       {"V_last", {"units of utility", "V at the highest capital and the highest productivity"}},
       {"euler_error_max",
        {"log10 of a share of consumption",
         "the largest |1 - (beta E[u'(c') R'])^(-1/gamma) / c|, where c' follows the policy and R' "
         "= alpha Z' K'^(alpha-1) + 1 - delta, over the states checked, or over a sample that is "
         "the same for every result"}},
       {"euler_error_mean", {"log10 of a share of consumption", "the mean of the same", true}},
       {"iterations", {"self-reported", "iterations until the solver stopped"}},
       {"policy_distance",
        {"grid steps",
         "the largest distance between a choice and that of a double reference, on small grids"}},
       {"policy_loss_share",
        {"share of consumption", "the most that a choice is worth less than the best one"}},
       {"residual", {"units of utility", "|V - TV| where it uses up most of what is allowed"}},
       {"residual_share", {"share of consumption", "the largest |V - TV|"}},
       {"states", {"states", "nk nz"}},
       {"value_error",
        {"units of utility",
         "the largest distance between V and a double reference, on small grids"}}});
  return figures;
}

std::vector<AnnouncedStage> announced_stages() {
  const std::vector<std::string> with_set_up = {
      "cuda_c",        "cuda_c_interpolated", "serial",
      "serial_2012",   "serial_checked",      "serial_interpolated",
      "serial_probed", "thrust_cuda",         "thrust_omp"};
  return {
      {"continuous", "the policy as a function, from which the search begins", {"frontier"}},
      {"discrete",
       "the solution on the grid, if the function does not already round to it",
       {"frontier"}},
      {"economies", "all economies of a batch", {"frontier", "frontier_cuda"}},
      {"exchange", "what the GPUs send each other", {"cuda_c_gpus", "thrust_cuda_gpus"}},
      {"iteration", "value function iteration", with_set_up},
      {"others", "economies of a batch that are solved one by one afterwards", {"frontier_cuda"}},
      {"rounding", "the function rounded to the grid", {"frontier"}},
      {"set_up", "grids, transition matrix and arrays", with_set_up}};
}

ArrayUnits array_units() {
  return {
      {"K", "units of capital"},          {"K_next", "units of capital"}, {"P", "1"},
      {"V", "units of utility"},          {"V0", "units of utility"},     {"Z", "productivity"},
      {"difference", "units of utility"}, {"iterations", "iterations"},   {"policy", "index of K"},
      {"sample", "units of utility"},     {"sample_policy", "index of K"}};
}

}  // namespace macrobench::rbc
