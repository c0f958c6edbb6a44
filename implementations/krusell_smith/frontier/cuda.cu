// The best panel that we know on GPUs: all periods in one kernel. K is common to all agents, so
// every block collapses each period's two surfaces along K to the cubics of two lines, in its
// shared memory; an agent reads its wealth and one cubic, and writes its wealth.
//
// Few agents stay in one cluster of blocks (cluster_panels.cuh), and so do those of each economy of
// a batch. Many go through memory (chip_panel.cuh), on several GPUs too.
//
// Employment is drawn on the GPU, from the counters that the host would use: of many agents in each
// period, 128 to a thread, once if there is room to keep a bit for each agent and period; of few
// before the first period. Only a user's shocks are copied.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "implementations/krusell_smith/frontier/all_periods.cuh"
#include "implementations/krusell_smith/frontier/chip_panel.cuh"
#include "implementations/krusell_smith/frontier/cluster_panels.cuh"
#include "implementations/krusell_smith/frontier/law_search.hpp"
#include "implementations/krusell_smith/input/shocks.hpp"
#include "implementations/krusell_smith/input/start.hpp"
#include "implementations/krusell_smith/solver.hpp"
#include "implementations/numerics/parallel/device.cuh"
#include "implementations/numerics/parallel/gpus.cuh"

namespace macrobench::krusell_smith {

namespace {

using all_periods::ChipPanel;
using all_periods::launch_of;
using all_periods::Share;
using all_periods::warp;
using numerics::check;
using numerics::Gpus;

/// The shocks as far as the panel takes them from the host.
std::shared_ptr<const Shocks> shocks_for(const Problem& problem) {
  return are_drawn(problem) ? aggregate_of(problem) : shocks_of(problem);
}

/// Whether one cluster of blocks has all agents of a panel.
template <class Real>
bool is_for_cluster(const Problem& problem) {
  return problem.economies > 1 || (problem.gpus == 1 && ClusterPanels<Real>::has_room(problem));
}

template <class Real>
class Panel final : public PanelMethod {
 public:
  Panel(const Problem& problem, const Shocks& shocks) {
    if (is_for_cluster<Real>(problem)) {
      panel_ = std::make_unique<ClusterPanels<Real>>(problem, shocks);
    } else {
      panel_ = std::make_unique<ChipPanel<Real>>(problem, shocks);
    }
  }

  Clips simulate(const std::vector<double>& policy, std::vector<double>& K) override {
    return panel_->simulate(policy, K);
  }
  void keep_last() override { panel_->keep_last(); }
  void simulate_each(std::span<Trial* const> trials) override { panel_->simulate_each(trials); }
  void keep_last_of(int economy) override { panel_->keep_last_of(economy); }
  void write(Equilibrium& equilibrium) const { panel_->write(equilibrium); }

 private:
  std::unique_ptr<GpuPanel> panel_;
};

template <class Real>
void solve(const Problem& problem, Stages& stages, Equilibrium& equilibrium) {
  solve_by_search_with<Panel<Real>>(problem, stages, equilibrium, shocks_for);
}

/// Loads the kernels of a panel, or of a batch's.
template <class Real>
void load(const Problem& problem, std::int64_t agents) {
  if (!is_for_cluster<Real>(problem)) {
    static_cast<void>(launch_of<Real>(problem, agents));
  } else {
    ClusterPanels<Real>::load(problem, problem.economies);
  }
}

/// Draws the aggregate states, creates the contexts and loads the kernels with them.
void start(const Problem& problem) {
  start_panel_with(problem, shocks_for);
  Gpus(problem.gpus).each([&](const numerics::Device& gpu) {
    check(cudaFree(nullptr), "creating the context");
    const std::int64_t agents = Share::of(problem, static_cast<int>(gpu.index())).count;
    load<float>(problem, agents);
    load<double>(problem, agents);
  });
  Gpus::connect(problem.gpus, numerics::Link::peer_memory);
  if (problem.law_update == LawUpdate::quasi_newton) {
    const Problem few = with_few_agents(problem);
    load<float>(few, few.N);
    load<double>(few, few.N);
  }
}

/// Empty if the economies of the problem's batch fit on this machine's GPU, else the reason.
std::string no_room_for_batch(const Problem& problem) {
  const std::string batch = "economies = " + std::to_string(problem.economies);
  if (problem.gpus > 1) {
    return batch + " and gpus = " + std::to_string(problem.gpus) +
           ": a batch runs on one GPU; take gpus = 1";
  }
  if (problem.N > all_periods::most_in_panel) {
    return batch + " of N = " + std::to_string(problem.N) +
           " agents: the panels of a batch are in shared memory, which has room for " +
           std::to_string(all_periods::most_in_panel) + " agents of each";
  }
  if (all_periods::device_attribute(cudaDevAttrClusterLaunch) == 0) {
    return batch + ": this GPU has no clusters of blocks; take krusell_smith/frontier";
  }
  return {};
}

/// Its GPUs write into each other's memory.
std::string unavailable_on_gpus(const Problem& problem) {
  if (problem.economies > 1) return no_room_for_batch(problem);
  const std::string why = numerics::too_few_gpus(problem);
  return why.empty() ? numerics::no_peers(problem.gpus) : why;
}

/// The most points for which the lines fit in a block's shared memory, where there is most: 227 kB.
constexpr Interval nk_of_lines{.lowest = 4, .highest = 2'700};

double work(const Problem& problem) {
  // Of a batch, a hundred panels run side by side.
  const double at_once = std::min(problem.economies, 100);
  return work_with(problem,
                   (2.4e3 + 2.0 * problem.grids.n_k) / at_once + 0.005 * problem.N / problem.gpus);
}

const RegisterSolver registered{numerics::on_gpus(Solver{
    .name = "frontier_cuda",
    .origin = Origin::frontier,
    .summary = "all periods in one kernel, K's dimension collapsed once per period, few agents "
               "in registers: the best that we know on GPUs",
    .axes = with_defaults(
        defaults_of_frontier_cuda(),
        {{"N"},
         {.name = "gpus", .interval = Interval{.lowest = 1, .highest = warp}},
         {"shocks"},
         {"shock_bits"},
         {"panel_interpolation"},
         {"moves"},
         {"economies"},
         {"draw"},
         {"calibrations"},
         {.name = "nk",
          .interval = nk_of_lines,
          .otherwise = "its lines are in shared memory; use cuda_software for more"}}),
    .start = start,
    .solve_single = solve<float>,
    .solve_double = solve<double>,
    .hooks = {.work = work, .floor = floor_of_drawing_agents, .unavailable = unavailable_on_gpus},
    .source = __FILE__})};

}  // namespace

}  // namespace macrobench::krusell_smith
