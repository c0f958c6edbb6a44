// The published panels on a CPU, agent by agent and period by period: bi-cubic Catmull-Rom
// interpolation of the policy's four surfaces (Hatcher and Scheffel 2014), or linear.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "implementations/krusell_smith/input/shocks.hpp"
#include "implementations/krusell_smith/input/start.hpp"
#include "implementations/krusell_smith/input/wealth.hpp"
#include "implementations/krusell_smith/panel/catmull_rom.hpp"
#include "implementations/krusell_smith/published/outer_loop.hpp"
#include "implementations/krusell_smith/solver.hpp"

namespace macrobench::krusell_smith {

namespace {

/// Agents whose wealth is summed separately, so that sums do not depend on the number of threads.
constexpr int chunk = 512;

/// Bi-cubic, of the 16 nodes around an agent.
class Surfaces {
 public:
  Surfaces(const Grids& grids, const std::vector<double>& policy)
      : grids_(grids), policy_(policy.data()) {}

  void at(int a, double K) {
    x_ = grids_.index_of_K(K);
    for (const int e : {unemployed, employed}) {
      surfaces_[e] = policy_ + grids_.line(state_of(a, e), 0);
    }
  }
  [[nodiscard]] double operator()(int e, double k) const {
    return interpolate_surface(grids_, surfaces_[e], x_, grids_.index_of_k(k));
  }

 private:
  const Grids& grids_;
  const double* policy_;
  double x_ = 0;
  const double* surfaces_[2] = {};
};

/// Linear in K, once per period, and then in k, whose interval is sought (Cheela, DeHon,
/// Fernandez-Villaverde and Peri 2024).
class Lines {
 public:
  Lines(const Grids& grids, const std::vector<double>& policy)
      : grids_(grids),
        policy_(policy.data()),
        k_(k_points(grids)),
        line_{std::vector<double>(k_.size()), std::vector<double>(k_.size())} {}

  void at(int a, double K) {
    const double x = grids_.index_of_K(K);
    const int j = std::min(static_cast<int>(x), grids_.n_K - 2);
    for (const int e : {unemployed, employed}) {
      const double* low = policy_ + grids_.line(state_of(a, e), j);
      for (int i = 0; i < grids_.n_k; ++i) {
        line_[e][static_cast<std::size_t>(i)] =
            (1 - (x - j)) * low[i] + (x - j) * low[i + grids_.n_k];
      }
    }
  }
  [[nodiscard]] double operator()(int e, double k) const {
    const double* x = k_.data();
    for (std::size_t left = k_.size() - 1; left > 1;) {
      const std::size_t half = left / 2;
      x += k > x[half] ? half : 0;
      left -= half;
    }
    const double* y = line_[static_cast<std::size_t>(e)].data() + (x - k_.data());
    const double share = (k - x[0]) / (x[1] - x[0]);
    return (1 - share) * y[0] + share * y[1];
  }

 private:
  const Grids& grids_;
  const double* policy_;
  std::vector<double> k_;
  std::array<std::vector<double>, 2> line_;  ///< k' over the k_i, by employment
};

class Panel final : public PanelMethod {
 public:
  Panel(const Problem& problem, const Shocks& shocks)
      : problem_(problem),
        shocks_(shocks),
        first_(first_wealth(problem, shocks)),
        wealth_(first_),
        sums_(static_cast<std::size_t>((problem.N + chunk - 1) / chunk)) {}

  Clips simulate(const std::vector<double>& policy, std::vector<double>& K) override {
    return problem_.panel_interpolation == PanelInterpolation::linear
               ? simulate_by<Lines>(policy, K)
               : simulate_by<Surfaces>(policy, K);
  }

  void keep_last() override { first_ = wealth_; }

  void write(Equilibrium& equilibrium) {
    equilibrium.first_wealth = std::move(first_);
    equilibrium.last_wealth = std::move(wealth_);
  }

 private:
  /// `Choices` have at(a, K), and then an agent's choice by its employment and wealth.
  template <class Choices>
  Clips simulate_by(const std::vector<double>& policy, std::vector<double>& K) {
    const Grids& grids = problem_.grids;
    Clips clips;
    std::int64_t clips_of_k = 0;
#pragma omp parallel num_threads(std::min(problem_.threads, chunks())) reduction(+ : clips_of_k)
    {
      Choices choices(grids, policy);
#pragma omp for schedule(static)
      for (int c = 0; c < chunks(); ++c) {
        for (int i = c * chunk; i < end(c); ++i) wealth(i) = first_[static_cast<std::size_t>(i)];
        add_up(c);
      }
#pragma omp single
      K[0] = mean(clips);
      for (int t = 0; t < problem_.moves(); ++t) {
        choices.at(shocks_.a(t), K[static_cast<std::size_t>(t)]);
#pragma omp for schedule(static)
        for (int c = 0; c < chunks(); ++c) {
          for (int i = c * chunk; i < end(c); ++i) {
            const double chosen = choices(shocks_.employment(i, t), wealth(i));
            wealth(i) = grids.clip_k(chosen);
            clips_of_k += wealth(i) != chosen ? 1 : 0;
          }
          add_up(c);
        }
        if (t + 1 == problem_.T) break;
#pragma omp single
        K[static_cast<std::size_t>(t) + 1] = mean(clips);
      }
    }
    clips.k = clips_of_k;
    return clips;
  }

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

const RegisterSolver registered{
    {.name = "cpu",
     .origin = Origin::published,
     .summary = "C++ and OpenMP, agent by agent, Catmull-Rom in both "
                "directions, or linear",
     .axes = {agents_in_memory(),
              {"shocks"},
              {"shock_bits"},
              {.name = "panel_interpolation", .choices = {"catmull_rom", "linear"}},
              {"moves"}},
     .start = start_panel,
     .solve_double = solve_as_published<Panel>,
     .source = __FILE__}};

}  // namespace

}  // namespace macrobench::krusell_smith
