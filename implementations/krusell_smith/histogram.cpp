// Young's (2010) histogram instead of agents: how much of the population has which wealth, by
// employment. It moves by the transition matrix's own probabilities, so K has no noise from
// idiosyncratic shocks.
//
// The histogram's points are dense at low wealth, k_max (i/(n-1))^3, and fixed, so each is
// located among the policy's k_i only once. The choice of a point's households is split between the
// two points around it so that the mean is kept.

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "implementations/krusell_smith/frontier/law_search.hpp"
#include "implementations/krusell_smith/input/shocks.hpp"
#include "implementations/krusell_smith/input/start.hpp"
#include "implementations/krusell_smith/input/wealth.hpp"
#include "implementations/krusell_smith/panel/catmull_rom.hpp"
#include "implementations/krusell_smith/solver.hpp"

namespace macrobench::krusell_smith {

namespace {

class Histogram final : public PanelMethod {
 public:
  Histogram(const Problem& problem, const Shocks& shocks)
      : problem_(problem),
        economy_(problem.calibration),
        shocks_(shocks),
        k_(histogram_points(problem)),
        first_(first_histogram(problem, shocks)),
        mass_(first_),
        stays_(mass_.size()),
        line_(static_cast<std::size_t>(problem.grids.n_k)) {
    for (const double k : k_) {
      const double y = problem.grids.index_of_k(k);
      const int i = std::min(static_cast<int>(y), problem.grids.n_k - 1);
      places_.push_back({i, CatmullRom<double>(y - i)});
    }
  }

  Clips simulate(const std::vector<double>& policy, std::vector<double>& K) override {
    Clips clips;
    mass_ = first_;
    for (int t = 0; t < problem_.T; ++t) {
      double mean = 0;
      for (std::size_t n = 0; n < mass_.size(); ++n) mean += mass_[n] * k_[n % k_.size()];
      const double clipped = problem_.grids.clip_K(mean);
      clips.K += clipped != mean ? 1 : 0;
      K[static_cast<std::size_t>(t)] = clipped;
      if (t + 1 < problem_.T) advance(policy, shocks_.a(t), shocks_.a(t + 1), clipped, clips);
    }
    return clips;
  }

  void keep_last() override { first_ = mass_; }

  void write(Equilibrium& equilibrium) {
    equilibrium.kind = PanelKind::histogram;
    equilibrium.first_wealth = std::move(first_);
    equilibrium.last_wealth = std::move(mass_);
  }

 private:
  /// The position of a point of the histogram among the k_i.
  struct Place {
    int i;
    CatmullRom<double> weights;
  };

  void advance(const std::vector<double>& policy, int a, int a_next, double K, Clips& clips) {
    const int points = static_cast<int>(k_.size());
    std::ranges::fill(stays_, 0);
    for (const int e : {unemployed, employed}) {
      collapse(policy, state_of(a, e), K);
      double* to = stays_.data() + std::ptrdiff_t{e} * points;
      int p = 0;
      for (int n = 0; n < points; ++n) {
        const double mass = mass_[static_cast<std::size_t>(e * points + n)];
        if (mass == 0) continue;
        const Place& place = places_[static_cast<std::size_t>(n)];
        const double chosen =
            place.weights(node(place.i - 1), node(place.i), node(place.i + 1), node(place.i + 2));
        const double k = problem_.grids.clip_k(chosen);
        clips.k += k != chosen ? 1 : 0;
        while (p < points - 2 && k_[static_cast<std::size_t>(p) + 1] < k) ++p;
        while (p > 0 && k_[static_cast<std::size_t>(p)] > k) --p;
        const auto below = static_cast<std::size_t>(p);
        const double share = (k - k_[below]) / (k_[below + 1] - k_[below]);
        to[p] += (1 - share) * mass;
        to[p + 1] += share * mass;
      }
    }
    const double loses[2] = {economy_.chance_of_unemployment(unemployed, a, a_next),
                             economy_.chance_of_unemployment(employed, a, a_next)};
    for (std::size_t n = 0; n < k_.size(); ++n) {
      const double u = stays_[n];
      const double e = stays_[k_.size() + n];
      mass_[n] = loses[unemployed] * u + loses[employed] * e;
      mass_[k_.size() + n] = (1 - loses[unemployed]) * u + (1 - loses[employed]) * e;
    }
  }

  void collapse(const std::vector<double>& policy, int s, double K) {
    const Grids& grids = problem_.grids;
    const double x = grids.index_of_K(K);
    const int j = static_cast<int>(x);
    const CatmullRom<double> weights(x - j);
    const double* rows[4];
    for (int m = 0; m < 4; ++m) {
      rows[m] = policy.data() + grids.line(s, clamp_index(j + m - 1, grids.n_K));
    }
    for (int i = 0; i < grids.n_k; ++i) {
      line_[static_cast<std::size_t>(i)] = weights(rows[0][i], rows[1][i], rows[2][i], rows[3][i]);
    }
  }

  [[nodiscard]] double node(int i) const {
    return line_[static_cast<std::size_t>(clamp_index(i, problem_.grids.n_k))];
  }

  const Problem& problem_;
  Economy economy_;
  const Shocks& shocks_;
  std::vector<double> k_;
  std::vector<Place> places_;
  std::vector<double> first_, mass_, stays_;  ///< by employment and point, shape 2 x points
  std::vector<double> line_;                  ///< k' over the k_i at one K and state
};

double work(const Problem& problem) {
  return work_with(problem, 4.0 * problem.grids.n_k + 5.3 * 2 * problem.histogram_points);
}

const RegisterSolver registered{{.name = "histogram",
                                 .origin = Origin::frontier,
                                 .summary = "Young's histogram of wealth instead of agents: no "
                                            "sampling noise",
                                 .axes = {{"histogram_points"}, {"law_update"}},
                                 .start = start_panel,
                                 .solve_double = solve_by_search<Histogram>,
                                 .hooks = {.work = work, .floor = floor_of_policy},
                                 .source = __FILE__}};

}  // namespace

}  // namespace macrobench::krusell_smith
