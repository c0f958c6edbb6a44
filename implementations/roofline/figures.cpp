#include "implementations/roofline/figures.hpp"

namespace macrobench::roofline {

OutcomeFigures outcome_figures() {
  return {
      {"residual",
       {"share of the right number", "the largest distance between a number and the right one"}},
      {"states", {"numbers", "n"}}};
}

std::vector<AnnouncedStage> announced_stages() {
  return {{"arrays", "the arrays allocated and filled"},
          {"copy", "all passes of copies"},
          {"exchange", "what the GPUs send each other", {"cuda"}},
          {"multiply_add", "all passes of multiply-adds"},
          {"shift", "each GPU's copies to itself", {"cuda"}}};
}

}  // namespace macrobench::roofline
