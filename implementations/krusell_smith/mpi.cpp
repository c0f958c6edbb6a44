// The frontier's panel by several MPI processes, which divide the households: mpi/worker.cpp moves
// them, and this is the rest. The ranks get their shocks and first wealth in start-up; policies and
// regressions are this program's, whose threads share a policy as the ranks' threads share a panel.

#include <cstddef>
#include <cstring>
#include <memory>
#include <vector>

#include "implementations/krusell_smith/input/shocks.hpp"
#include "implementations/krusell_smith/input/start.hpp"
#include "implementations/krusell_smith/input/wealth.hpp"
#include "implementations/krusell_smith/mpi/panel_request.hpp"
#include "implementations/krusell_smith/outer_loop.hpp"
#include "implementations/krusell_smith/solver.hpp"
#include "implementations/mpi/program.hpp"

namespace macrobench::krusell_smith {

namespace {

constexpr const char* worker = "macrobench_krusell_smith_worker";

/// A request and what follows it.
class Message {
 public:
  explicit Message(const PanelRequest& request) { add(&request, 1); }

  template <class T>
  void add(const T* values, std::size_t count) {
    const auto* bytes = reinterpret_cast<const char*>(values);
    bytes_.insert(bytes_.end(), bytes, bytes + count * sizeof(T));
  }

  mpi::TimedStages send() { return mpi::request(bytes_.data(), bytes_.size()); }

 private:
  std::vector<char> bytes_;
};

template <class T>
void receive(std::vector<T>& values) {
  mpi::receive(values.data(), values.size() * sizeof(T));
}

void start(const Problem& problem) {
  start_panel(problem);
  mpi::start({.worker = worker, .ranks = problem.ranks, .threads = problem.threads});
  if (problem.stage == Stage::policy) return;
  const std::shared_ptr<const Shocks> shocks = shocks_of(problem);
  const std::vector<double> wealth = first_wealth(problem, *shocks);
  Message message({.order = Order::set_up,
                   .grids = problem.grids,
                   .N = problem.N,
                   .T = problem.T,
                   .stride = shocks->stride});
  message.add(shocks->states.data(), shocks->states.size());
  message.add(wealth.data(), wealth.size());
  message.add(shocks->bits.data(), shocks->bits.size());
  message.send();
}

class Panel final : public PanelMethod {
 public:
  Panel(const Problem& problem, Stages& stages) : problem_(problem), stages_(stages) {
    Message({.order = Order::begin}).send();
  }

  Clips simulate(const std::vector<double>& policy, std::vector<double>& K) override {
    Message message({.order = Order::simulate});
    message.add(policy.data(), policy.size());
    for (const auto& [stage, seconds] : message.send()) {
      if (stage == "exchange") stages_.took(stage, seconds);
    }
    receive(K);
    Clips clips;
    mpi::receive(&clips, sizeof clips);
    return clips;
  }

  void keep_last() override { Message({.order = Order::keep_last}).send(); }

  void write(Equilibrium& equilibrium) const {
    Message({.order = Order::hand_over}).send();
    for (std::vector<double>* wealth : {&equilibrium.first_wealth, &equilibrium.last_wealth}) {
      wealth->resize(static_cast<std::size_t>(problem_.N));
      receive(*wealth);
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

const RegisterSolver registered{
    mpi::on_ranks(worker, Solver{.name = "mpi",
                                 .origin = Origin::frontier,
                                 .summary = "C++, MPI ranks and threads divide the households, K's "
                                            "dimension collapsed once per period",
                                 .axes = {agents_in_memory(), {"shocks"}},
                                 .start = start,
                                 .solve_double = solve,
                                 .source = __FILE__})};

}  // namespace

}  // namespace macrobench::krusell_smith
