#include "implementations/lifecycle/figures.hpp"

#include "harness/model/batch_outcome.hpp"

namespace macrobench::lifecycle {

OutcomeFigures outcome_figures() {
  OutcomeFigures figures = figures_of_batches();
  figures.insert(
      {{"V_1_1", {"units of utility", "V at age 1, the lowest savings and the first shock"}},
       {"V_1_2", {"units of utility", "V at age 1, the lowest savings and the second shock"}},
       {"V_1_3", {"units of utility", "V at age 1, the lowest savings and the third shock"}},
       {"residual", {"units of utility", "|V - TV| where it uses up most of what is allowed"}},
       {"residual_share", {"share of consumption", "the largest |V - TV|"}},
       {"states", {"states per age", "nx ne"}}});
  return figures;
}

std::vector<AnnouncedStage> announced_stages() {
  const std::vector<std::string> by_age{"cuda_c",      "processes",  "serial", "threads",
                                        "thrust_cuda", "thrust_omp", "zarruk", "zarruk_cuda"};
  return {{"P_to_device", "the transition matrix copied to the GPU", {"cuda_c"}},
          {"V_to_device", "V copied to the GPU", {"cuda_c"}},
          {"age_2", "the age after the first", by_age},
          {"ages", "all ages", {"frontier_cuda"}},
          {"arrays", "the arrays allocated", {"cuda_c", "thrust_cuda", "thrust_omp"}},
          {"copy", "V copied back", {"cuda_c", "frontier_cuda", "thrust_cuda", "thrust_omp"}},
          {"e_to_device", "the shocks copied to the GPU", {"cuda_c"}},
          {"economies", "all economies of a batch", {"frontier_cuda"}},
          {"grids", "the grids made and copied", {"frontier_cuda"}},
          {"last_age", "age T", by_age},
          {"other_ages", "all ages except 2 and T", by_age},
          {"x_to_device", "the grid of savings copied to the GPU", {"cuda_c"}}};
}

ArrayUnits array_units() {
  return {{"P", "1"},
          {"V", "units of utility"},
          {"available", "units of consumption"},
          {"sample", "units of utility"},
          {"sample_choice", "index of x"},
          {"x", "units of consumption"}};
}

}  // namespace macrobench::lifecycle
