// The published panel on a CPU: agent by agent and period by period, bi-cubic Catmull-Rom
// interpolation of the policy's four surfaces.

#include <algorithm>
#include <vector>

#include "implementations/krusell_smith/input/shocks.hpp"
#include "implementations/krusell_smith/input/start.hpp"
#include "implementations/krusell_smith/input/wealth.hpp"
#include "implementations/krusell_smith/outer_loop.hpp"
#include "implementations/krusell_smith/panel/catmull_rom.hpp"
#include "implementations/krusell_smith/solver.hpp"

namespace macrobench::krusell_smith {

namespace {

/// Agents whose wealth is summed separately, so that sums do not depend on the number of threads.
constexpr int chunk = 512;

class Panel final : public PanelMethod {
 public:
  Panel(const Problem& problem, const Shocks& shocks)
      : problem_(problem),
        shocks_(shocks),
        first_(first_wealth(problem, shocks)),
        wealth_(first_),
        sums_(static_cast<std::size_t>((problem.N + chunk - 1) / chunk)) {}

  Clips simulate(const std::vector<double>& policy, std::vector<double>& K) override {
    const Grids& grids = problem_.grids;
    Clips clips;
    std::int64_t clips_of_k = 0;
#pragma omp parallel num_threads(std::min(problem_.threads, chunks())) reduction(+ : clips_of_k)
    {
#pragma omp for schedule(static)
      for (int c = 0; c < chunks(); ++c) {
        for (int i = c * chunk; i < end(c); ++i) wealth(i) = first_[static_cast<std::size_t>(i)];
        add_up(c);
      }
#pragma omp single
      K[0] = mean(clips);
      for (int t = 0; t + 1 < problem_.T; ++t) {
        const double x = grids.index_of_K(K[static_cast<std::size_t>(t)]);
        const double* surfaces[2];
        for (const int e : {unemployed, employed}) {
          surfaces[e] = policy.data() + grids.line(state_of(shocks_.a(t), e), 0);
        }
#pragma omp for schedule(static)
        for (int c = 0; c < chunks(); ++c) {
          for (int i = c * chunk; i < end(c); ++i) {
            const double chosen = interpolate_surface(grids, surfaces[shocks_.employment(i, t)], x,
                                                      grids.index_of_k(wealth(i)));
            wealth(i) = grids.clip_k(chosen);
            clips_of_k += wealth(i) != chosen ? 1 : 0;
          }
          add_up(c);
        }
#pragma omp single
        K[static_cast<std::size_t>(t) + 1] = mean(clips);
      }
    }
    clips.k = clips_of_k;
    return clips;
  }

  void keep_last() override { first_ = wealth_; }

  void write(Equilibrium& equilibrium) {
    equilibrium.first_wealth = std::move(first_);
    equilibrium.last_wealth = std::move(wealth_);
  }

 private:
  [[nodiscard]] int chunks() const { return static_cast<int>(sums_.size()); }
  [[nodiscard]] int end(int c) const { return std::min((c + 1) * chunk, problem_.N); }
  [[nodiscard]] double& wealth(int i) { return wealth_[static_cast<std::size_t>(i)]; }

  void add_up(int c) {
    double sum = 0;
    for (int i = c * chunk; i < end(c); ++i) sum += wealth(i);
    sums_[static_cast<std::size_t>(c)] = sum;
  }

  [[nodiscard]] double mean(Clips& clips) const {
    double sum = 0;
    for (const double of_chunk : sums_) sum += of_chunk;
    const double mean = sum / problem_.N;
    const double clipped = problem_.grids.clip_K(mean);
    clips.K += clipped != mean ? 1 : 0;
    return clipped;
  }

  const Problem& problem_;
  const Shocks& shocks_;
  std::vector<double> first_, wealth_;
  std::vector<double> sums_;  ///< by chunk
};

const RegisterSolver registered{{.name = "cpu",
                                 .origin = Origin::published,
                                 .summary = "C++ and OpenMP, agent by agent, Catmull-Rom in both "
                                            "directions",
                                 .axes = {agents_in_memory(), {"shocks"}, {"shock_bits"}},
                                 .start = start_panel,
                                 .solve_double = solve_with<Panel>,
                                 .source = __FILE__}};

}  // namespace

}  // namespace macrobench::krusell_smith
