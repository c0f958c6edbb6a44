// The best panel that we know on a CPU. K is common to all agents, so each period's two surfaces
// are collapsed along K to two lines over k, once, and these to one cubic per interval: an agent
// reads one of these cubics instead of 16 nodes. The rest of an agent's step is to locate its
// wealth among the k_i, a seventh root; vector instructions do this for eight agents at a time.

#include <omp.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "implementations/krusell_smith/frontier/eight_agents.hpp"
#include "implementations/krusell_smith/frontier/law_search.hpp"
#include "implementations/krusell_smith/input/economies.hpp"
#include "implementations/krusell_smith/input/shocks.hpp"
#include "implementations/krusell_smith/input/start.hpp"
#include "implementations/krusell_smith/input/wealth.hpp"
#include "implementations/krusell_smith/solver.hpp"
#include "implementations/numerics/batch/for_each_economy.hpp"
#include "implementations/numerics/parallel/barrier.hpp"
#include "implementations/numerics/parallel/widest_vectors.hpp"

namespace macrobench::krusell_smith {

namespace {

constexpr int chunk = 512;  ///< agents whose wealth is summed separately

class Panel final : public PanelMethod {
 public:
  Panel(const Problem& problem, const Shocks& shocks)
      : problem_(problem),
        shocks_(shocks),
        first_(first_wealth(problem, shocks)),
        wealth_(first_),
        sums_{std::vector<double>(static_cast<std::size_t>((problem.N + chunk - 1) / chunk)),
              std::vector<double>(static_cast<std::size_t>((problem.N + chunk - 1) / chunk))} {}

  Clips simulate(const std::vector<double>& policy, std::vector<double>& K) override {
    const bool seventh = problem_.grids.theta == 7;
    if (problem_.panel_interpolation == PanelInterpolation::catmull_rom) {
      return seventh ? simulate_as<true, true>(policy, K) : simulate_as<false, true>(policy, K);
    }
    return seventh ? simulate_as<true, false>(policy, K) : simulate_as<false, false>(policy, K);
  }

  void keep_last() override { first_ = wealth_; }

  void write(Equilibrium& equilibrium) {
    equilibrium.first_wealth = std::move(first_);
    equilibrium.last_wealth = std::move(wealth_);
  }

 private:
  template <bool seventh, bool in_index>
  Clips simulate_as(const std::vector<double>& policy, std::vector<double>& K) {
    Clips clips;
    std::int64_t clips_of_k = 0;
    std::int64_t clips_of_K = 0;
    std::optional<numerics::Barrier> period;
    const int chunks = static_cast<int>(sums_[0].size());
#pragma omp parallel num_threads(std::min(problem_.threads, chunks)) reduction(+ : clips_of_k)
    {
#pragma omp single
      period.emplace(omp_get_num_threads());
      // Each thread computes the mean and the lines itself, which is quicker than waiting for them.
      Lines lines(problem_.grids, problem_.panel_interpolation, policy);
#pragma omp for schedule(static) nowait
      for (int c = 0; c < chunks; ++c) {
        double sum = 0;
        for (int i = c * chunk; i < end(c); ++i) {
          const auto place = static_cast<std::size_t>(i);
          sum += wealth_[place] = first_[place];
        }
        sums_[0][static_cast<std::size_t>(c)] = sum;
      }
      for (int t = 0; t < problem_.T; ++t) {
        period->arrive_and_wait();
        const double mean = mean_at(t);
        const double clipped = problem_.grids.clip_K(mean);
#pragma omp master
        {
          K[static_cast<std::size_t>(t)] = clipped;
          clips_of_K += clipped != mean ? 1 : 0;
        }
        if (t == problem_.moves()) break;
        lines.collapse(shocks_.a(t), clipped);
#pragma omp for schedule(static) nowait
        for (int c = 0; c < chunks; ++c) {
          numerics::with_widest_lanes<double>([&](auto lanes) MACROBENCH_ALWAYS_INLINE {
            clips_of_k += advance<decltype(lanes)::value, seventh, in_index>(lines, t, c);
          });
        }
      }
    }
    clips.k = clips_of_k;
    clips.K = clips_of_K;
    return clips;
  }

  /// A period of a chunk's agents. Returns how many choices were clipped.
  template <int lanes, bool seventh, bool in_index>
  MACROBENCH_ALWAYS_INLINE std::int64_t advance(const Lines& lines, int t, int c) {
    using Numbers = typename Vectors<lanes>::Numbers;
    using Words = typename Vectors<lanes>::Words;
    constexpr int together = 8;  // agents whose employment is one byte, and sums kept apart
    constexpr int parts = together / lanes;
    const std::uint8_t* bits = shocks_.row(t);
    std::array<Words, parts> outside{};
    std::array<Numbers, parts> sums{};
    int i = c * chunk;
    for (; i + together <= end(c); i += together) {
#pragma GCC unroll 2
      for (int part = 0; part < parts; ++part) {
        const auto at = static_cast<std::size_t>(part);
        Numbers k;
        double* const place = wealth_.data() + i + part * lanes;
        std::memcpy(&k, place, sizeof k);
        lines.choose<lanes, seventh, in_index>(k, employment<lanes>(bits[i / together], part),
                                               outside[at]);
        std::memcpy(place, &k, sizeof k);
        sums[at] += k;
      }
    }
    for (int part = 0; i < end(c); ++part, i += lanes) {
      const auto at = static_cast<std::size_t>(part);
      const int some = std::min(lanes, end(c) - i);
      Numbers k{};
      Words of_these{};
      const auto bytes = static_cast<std::size_t>(some) * sizeof(double);
      std::memcpy(&k, wealth_.data() + i, bytes);
      lines.choose<lanes, seventh, in_index>(k, employment<lanes>(bits[i / together], part),
                                             of_these);
      std::memcpy(wealth_.data() + i, &k, bytes);
      for (int l = 0; l < some; ++l) {
        sums[at][l] += k[l];
        outside[at][l] += of_these[l];
      }
    }
    double sum[together];
    std::uint64_t clipped[together];
    std::memcpy(sum, sums.data(), sizeof sum);
    std::memcpy(clipped, outside.data(), sizeof clipped);
    sums_at(t + 1)[static_cast<std::size_t>(c)] =
        ((sum[0] + sum[1]) + (sum[2] + sum[3])) + ((sum[4] + sum[5]) + (sum[6] + sum[7]));
    std::uint64_t count = 0;
    for (const std::uint64_t of_agent : clipped) count += of_agent;
    return static_cast<std::int64_t>(count);
  }

  /// The bits of a byte that belong to a part of its eight agents, lowest.
  template <int lanes>
  static unsigned employment(std::uint8_t byte, int part) {
    return static_cast<unsigned>(byte) >> (8 - lanes * (part + 1));
  }

  [[nodiscard]] int end(int c) const { return std::min((c + 1) * chunk, problem_.N); }

  /// The sums of period t; those of the period before may still be read.
  [[nodiscard]] std::vector<double>& sums_at(int t) {
    return sums_[static_cast<std::size_t>(t % 2)];
  }

  [[nodiscard]] double mean_at(int t) {
    double sum = 0;
    for (const double of_chunk : sums_at(t)) sum += of_chunk;
    return sum / problem_.N;
  }

  const Problem& problem_;
  const Shocks& shocks_;
  std::vector<double> first_, wealth_;
  std::array<std::vector<double>, 2> sums_;  ///< by chunk, of two periods in turn
};

/// Of a batch, each economy by itself on one thread.
void solve(const Problem& problem, Stages& stages, Equilibrium& equilibrium) {
  if (problem.economies == 1) return solve_by_search<Panel>(problem, stages, equilibrium);
  stages.enter("economies");
  numerics::for_each_economy(problem.economies, problem.threads, [&] {
    return [&](int economy) {
      NoStages none;
      solve_by_search<Panel>(economy_of(problem, economy), none,
                             equilibrium.economies[static_cast<std::size_t>(economy)]);
    };
  });
}

double work(const Problem& problem) {
  return work_with(problem, 6.0 * problem.grids.n_k + 3.4 * problem.N);
}

const RegisterSolver registered{
    {.name = "frontier",
     .origin = Origin::frontier,
     .summary = "C++ and OpenMP, K's dimension collapsed once per "
                "period, eight agents at a time: the best that we know",
     .axes = with_defaults(fast_and_accurate("egm"), {agents_in_memory(),
                                                      {"shocks"},
                                                      {"shock_bits"},
                                                      {"panel_interpolation"},
                                                      {"moves"},
                                                      {"economies"},
                                                      {"draw"},
                                                      {"calibrations"}}),
     .start = start_panel,
     .solve_double = solve,
     .hooks = {.work = work},
     .source = __FILE__}};

}  // namespace

}  // namespace macrobench::krusell_smith
