// The frontier's panel by several MPI processes, which divide the households: mpi/worker.cpp moves
// them, and this is the rest. The ranks get their shocks and first wealth in start-up; policies and
// regressions are this process's, whose threads share a policy as the ranks' threads share a panel.

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "implementations/krusell_smith/input/shocks.hpp"
#include "implementations/krusell_smith/input/start.hpp"
#include "implementations/krusell_smith/input/wealth.hpp"
#include "implementations/krusell_smith/mpi/panel_request.hpp"
#include "implementations/krusell_smith/outer_loop.hpp"
#include "implementations/krusell_smith/solver.hpp"
#include "implementations/mpi/worker_process.hpp"

namespace macrobench::krusell_smith {

namespace {

constexpr const char* worker = "macrobench_krusell_smith_worker";

mpi::TimedStages send(const PanelRequest& request, std::string_view arrays = {}) {
  return mpi::request(bytes_of(request), arrays);
}

void start(const Problem& problem) {
  start_panel(problem);
  mpi::start({.worker = worker, .ranks = problem.ranks, .threads = problem.threads});
  if (problem.stage == Stage::policy) return;
  const std::shared_ptr<const Shocks> shocks = shocks_of(problem);
  const std::vector<double> wealth = first_wealth(problem, *shocks);
  std::string arrays(bytes_of(shocks->states));
  arrays += bytes_of(wealth);
  arrays += bytes_of(shocks->bits);
  send({.order = Order::set_up,
        .grids = problem.grids,
        .N = problem.N,
        .T = problem.T,
        .moves = problem.moves(),
        .stride = shocks->stride},
       arrays);
}

class Panel final : public PanelMethod {
 public:
  Panel(const Problem& problem, Stages& stages) : problem_(problem), stages_(stages) {
    send({.order = Order::begin});
  }

  Clips simulate(const std::vector<double>& policy, std::vector<double>& K) override {
    for (const auto& [stage, seconds] : send({.order = Order::simulate}, bytes_of(policy))) {
      if (stage == "exchange") stages_.took(stage, seconds);
    }
    mpi::receive(K);
    Clips clips;
    mpi::receive(clips);
    return clips;
  }

  void keep_last() override { send({.order = Order::keep_last}); }

  void write(Equilibrium& equilibrium) const {
    send({.order = Order::hand_over});
    for (std::vector<double>* wealth : {&equilibrium.first_wealth, &equilibrium.last_wealth}) {
      wealth->resize(static_cast<std::size_t>(problem_.N));
      mpi::receive(*wealth);
    }
  }

 private:
  const Problem& problem_;
  Stages& stages_;
};

void solve(const Problem& problem, Stages& stages, Equilibrium& equilibrium) {
  stages.enter("arrays");
  if (problem.stage == Stage::policy) {
    find_policy(problem, stages, equilibrium);
    return;
  }
  Panel panel(problem, stages);
  if (problem.stage == Stage::panel) {
    simulate_panel(problem, stages, panel, equilibrium);
  } else {
    find_equilibrium(problem, *shocks_of(problem), stages, panel, equilibrium);
  }
  stages.finish();
  panel.write(equilibrium);
}

const RegisterSolver registered{mpi::on_ranks(
    worker, Solver{.name = "mpi",
                   .origin = Origin::frontier,
                   .summary = "C++, MPI ranks and threads divide the households, K's "
                              "dimension collapsed once per period",
                   .axes = {agents_in_memory(), {"shocks"}, {"shock_bits"}, {"moves"}},
                   .start = start,
                   .solve_double = solve,
                   .source = __FILE__})};

}  // namespace

}  // namespace macrobench::krusell_smith
