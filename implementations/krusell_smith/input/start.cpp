#include "implementations/krusell_smith/input/start.hpp"

#include "implementations/krusell_smith/input/stored.hpp"
#include "implementations/krusell_smith/input/wealth.hpp"
#include "implementations/krusell_smith/policy/policy.hpp"

namespace macrobench::krusell_smith {

void start_panel_with(const Problem& problem, ShocksOf its_shocks) {
  if (problem.stage != Stage::all) static_cast<void>(stored_of(problem));
  if (problem.stage != Stage::panel) start_policy(problem);
  if (problem.stage != Stage::policy) {
    static_cast<void>(its_shocks(problem));
    start_wealth(problem);
  }
}

}  // namespace macrobench::krusell_smith
