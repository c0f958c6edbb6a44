#include "implementations/krusell_smith/certificate/certificate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <numeric>
#include <utility>

#include "implementations/krusell_smith/input/stored.hpp"
#include "implementations/krusell_smith/input/wealth.hpp"

namespace macrobench::krusell_smith {

namespace {

std::size_t index(std::ptrdiff_t i) {
  return static_cast<std::size_t>(i);
}

/// The larger error of two, where NaN is the largest of all.
double worse(double a, double b) {
  return std::isnan(a) || a > b ? a : b;
}

/// k' at (s, K_j, k_i).
double node(const Problem& problem, const std::vector<double>& policy, int s, int j, int i) {
  return policy[(index(s) * index(problem.grids.n_K) + index(j)) * index(problem.grids.n_k) +
                index(i)];
}

// --- what the economy pays ---

struct Market {
  double gross_return;
  double income[2];
};

Market market(const Calibration& c, int a, double K) {
  const double z = a == good ? 1 + c.delta_a : 1 - c.delta_a;
  const double u = a == good ? c.u_good : c.u_bad;
  const double labour = c.lbar * (1 - u);
  const double r = c.alpha * z * std::pow(K / labour, c.alpha - 1);
  const double w = (1 - c.alpha) * z * std::pow(K / labour, c.alpha);
  const double tau = c.mu * u / labour;
  return {1 + r - c.delta, {c.mu * w, w * c.lbar * (1 - tau)}};
}

double perceived(const Problem& problem, const LawOfMotion& law, int a, double K) {
  const double next = std::exp(law.b0[a]) * std::pow(K, law.b1[a]);
  return std::clamp(next, problem.grids.K_min, problem.grids.K_max);
}

// --- the Euler equation at the nodes ---

/// A cubic spline with not-a-knot ends, or straight lines, by its slopes at the points.
class Line {
 public:
  Line(const std::vector<double>& x, std::vector<double> y, PolicyInterpolation kind)
      : x_(&x), y_(std::move(y)) {
    if (kind == PolicyInterpolation::spline) find_slopes();
  }

  [[nodiscard]] double operator()(double at) const {
    const auto above = std::upper_bound(x_->begin() + 1, x_->end() - 1, at);
    const auto i = static_cast<std::size_t>(above - x_->begin()) - 1;
    const double h = (*x_)[i + 1] - (*x_)[i];
    const double t = (at - (*x_)[i]) / h;
    const double rise = y_[i + 1] - y_[i];
    if (slopes_.empty()) return y_[i] + t * rise;
    const double from_left = slopes_[i] * h - rise;
    const double from_right = rise - slopes_[i + 1] * h;
    return y_[i] + t * rise + t * (1 - t) * ((1 - t) * from_left + t * from_right);
  }

 private:
  void find_slopes() {
    const std::size_t n = y_.size();
    std::vector<long double> h(n);
    std::vector<long double> d(n);
    for (std::size_t i = 0; i + 1 < n; ++i) {
      h[i] = (*x_)[i + 1] - (*x_)[i];
      d[i] = (y_[i + 1] - y_[i]) / h[i];
    }
    std::vector<long double> lower(n, 0);
    std::vector<long double> diagonal(n);
    std::vector<long double> upper(n, 0);
    std::vector<long double> right(n);
    const auto end = [](long double outer, long double inner, long double d_outer,
                        long double d_inner) {
      const long double both = outer + inner;
      return ((outer + 2 * both) * inner * d_outer + outer * outer * d_inner) / both;
    };
    diagonal[0] = h[1];
    upper[0] = h[0] + h[1];
    right[0] = end(h[0], h[1], d[0], d[1]);
    for (std::size_t i = 1; i + 1 < n; ++i) {
      lower[i] = h[i];
      diagonal[i] = 2 * (h[i - 1] + h[i]);
      upper[i] = h[i - 1];
      right[i] = 3 * (h[i] * d[i - 1] + h[i - 1] * d[i]);
    }
    lower[n - 1] = h[n - 2] + h[n - 3];
    diagonal[n - 1] = h[n - 3];
    right[n - 1] = end(h[n - 2], h[n - 3], d[n - 2], d[n - 3]);
    for (std::size_t i = 1; i < n; ++i) {
      const long double factor = lower[i] / diagonal[i - 1];
      diagonal[i] -= factor * upper[i - 1];
      right[i] -= factor * right[i - 1];
    }
    slopes_.resize(n);
    long double slope = 0;
    for (std::size_t i = n; i-- > 0;) {
      slope = (right[i] - upper[i] * slope) / diagonal[i];
      slopes_[i] = static_cast<double>(slope);
    }
  }

  const std::vector<double>* x_;
  std::vector<double> y_, slopes_;
};

/// The policy off the grid, interpolated in k first and then in K.
class Policy {
 public:
  Policy(const Problem& problem, const Equilibrium& equilibrium)
      : kind_(problem.policy_interpolation),
        n_K_(index(problem.grids.n_K)),
        k_(k_points(problem.grids)),
        K_(K_points(problem.grids)) {
    for (int s = 0; s < states; ++s) {
      for (int j = 0; j < problem.grids.n_K; ++j) {
        std::vector<double> line;
        for (int i = 0; i < problem.grids.n_k; ++i) {
          line.push_back(node(problem, equilibrium.policy, s, j, i));
        }
        over_k_.emplace_back(k_, std::move(line), kind_);
      }
    }
  }
  Policy(const Policy&) = delete;
  Policy& operator=(const Policy&) = delete;

  [[nodiscard]] double operator()(int s, double k, double K) const {
    std::vector<double> over_K;
    for (std::size_t j = 0; j < n_K_; ++j) over_K.push_back(over_k_[index(s) * n_K_ + j](k));
    return Line(K_, std::move(over_K), kind_)(K);
  }

 private:
  PolicyInterpolation kind_;
  std::size_t n_K_;
  std::vector<double> k_, K_;
  std::vector<Line> over_k_;  ///< by (s, K_j)
};

/// The Euler equation of a household at one aggregate state.
class EulerEquation {
 public:
  EulerEquation(const Problem& problem, const Equilibrium& equilibrium, const Policy& policy, int a,
                double K)
      : problem_(problem),
        policy_(policy),
        a_(a),
        today_(market(problem.calibration, a, K)),
        K_next_(perceived(problem, equilibrium.law, a, K)),
        tomorrow_{market(problem.calibration, bad, K_next_),
                  market(problem.calibration, good, K_next_)} {}

  [[nodiscard]] double resources(int e, double k) const {
    return today_.gross_return * k + today_.income[e];
  }

  /// The consumption it asks for of a household that saves k_next.
  [[nodiscard]] double consumption(int e, double k_next) const {
    const Calibration& c = problem_.calibration;
    double expected = 0;
    for (int next = 0; next < states; ++next) {
      const Market& then = tomorrow_[index(next / 2)];
      const double consumed =
          then.gross_return * k_next + then.income[next % 2] - policy_(next, k_next, K_next_);
      expected += c.P[index(4 * (2 * a_ + e) + next)] * then.gross_return *
                  std::pow(std::max(consumed, 1e-10), -c.gamma);
    }
    return std::pow(c.beta * expected, -1 / c.gamma);
  }

 private:
  const Problem& problem_;
  const Policy& policy_;
  int a_;
  Market today_;
  double K_next_;
  std::array<Market, 2> tomorrow_;
};

struct Checked {
  double error = 0;
  std::int64_t count = 0;
  bool all = true;
};

/// The largest distance between the policy at the nodes and what the Euler equation asks for.
Checked policy_error(const Problem& problem, const Equilibrium& equilibrium, bool thorough) {
  const Grids& grids = problem.grids;
  const std::vector<double> k = k_points(grids);
  const std::vector<double> K = K_points(grids);
  const Policy policy(problem, equilibrium);
  const std::size_t stride =
      thorough ? 1 : (grids.size() + affordable_nodes - 1) / affordable_nodes;
  Checked checked;
  checked.all = stride == 1;
  for (std::size_t n = 0; n < grids.size(); n += stride) {
    const int i = static_cast<int>(n % index(grids.n_k));
    const int j = static_cast<int>(n / index(grids.n_k) % index(grids.n_K));
    const int s = static_cast<int>(n / index(grids.n_k) / index(grids.n_K));
    const EulerEquation equation(problem, equilibrium, policy, s / 2, K[index(j)]);
    const double chosen = node(problem, equilibrium.policy, s, j, i);
    const double asked =
        std::clamp(equation.resources(s % 2, k[index(i)]) - equation.consumption(s % 2, chosen),
                   0.0, grids.k_max);
    checked.error = worse(checked.error, std::abs(asked - chosen));
    ++checked.count;
  }
  return checked;
}

// --- the panel ---

double catmull_rom(const double (&y)[4], double t) {
  // Hermite's cubic with slopes of half the distance between the neighbours.
  const double slope_left = (y[2] - y[0]) / 2;
  const double slope_right = (y[3] - y[1]) / 2;
  const double rise = y[2] - y[1];
  return y[1] + t * slope_left + t * t * (3 * rise - 2 * slope_left - slope_right) +
         t * t * t * (slope_left + slope_right - 2 * rise);
}

/// The choice of an agent at one K and one state, as a panel interpolates it.
class Choice {
 public:
  Choice(const Problem& problem, const Equilibrium& equilibrium, int s, double K)
      : grids_(&problem.grids), kind_(equilibrium.kind) {
    const double x = (K - grids_->K_min) / (grids_->K_max - grids_->K_min) * (grids_->n_K - 1);
    const double below = std::floor(x);
    for (int i = 0; i < grids_->n_k; ++i) {
      const auto at = [&](int j) {
        return node(problem, equilibrium.policy, s, std::clamp(j, 0, grids_->n_K - 1), i);
      };
      const int j = static_cast<int>(below);
      line_.push_back(interpolate({at(j - 1), at(j), at(j + 1), at(j + 2)}, x - below));
    }
  }

  [[nodiscard]] double operator()(double k) const {
    const double y = std::pow(k / grids_->k_max, 1 / grids_->theta) * (grids_->n_k - 1);
    const double below = std::floor(y);
    const auto at = [&](int i) { return line_[index(std::clamp(i, 0, grids_->n_k - 1))]; };
    const int i = static_cast<int>(below);
    return std::clamp(interpolate({at(i - 1), at(i), at(i + 1), at(i + 2)}, y - below), 0.0,
                      grids_->k_max);
  }

 private:
  [[nodiscard]] double interpolate(const double (&y)[4], double t) const {
    if (kind_ != PanelKind::hardware) return catmull_rom(y, t);
    const double rounded = std::floor(t * 256 + 0.5) / 256;
    return y[1] + rounded * (y[2] - y[1]);
  }

  const Grids* grids_;
  PanelKind kind_;
  std::vector<double> line_;
};

double mean_of(const std::vector<double>& values) {
  const long double sum = std::accumulate(values.begin(), values.end(), 0.0L);
  return static_cast<double>(sum / static_cast<long double>(values.size()));
}

/// A period's choices, by employment.
using Choices = std::array<Choice, 2>;

Choices choices_at(const Problem& problem, const Equilibrium& equilibrium, int a, double K) {
  return {Choice(problem, equilibrium, 2 * a + unemployed, K),
          Choice(problem, equilibrium, 2 * a + employed, K)};
}

bool works(const Shocks& shocks, int i, int t) {
  return (shocks.bits[index(t) * shocks.stride + index(i >> 3)] & (128 >> (i & 7))) != 0;
}

/// Agents' wealth goes through the periods first .. last - 1, given the K of each; `wealth` is of
/// every `stride`th agent. Returns the sums of wealth at the beginning of first + 1 .. last.
std::vector<double> simulate(const Problem& problem, const Equilibrium& equilibrium,
                             const Shocks& shocks, int first, int last, int stride,
                             std::vector<double>& wealth) {
  constexpr int block = 1024;
  std::vector<Choices> choices;
  for (int t = first; t < last; ++t) {
    choices.push_back(
        choices_at(problem, equilibrium, shocks.states[index(t)], equilibrium.K[index(t)]));
  }
  const int count = static_cast<int>(wealth.size());
  const int blocks = (count + block - 1) / block;
  std::vector<double> sums(index(blocks) * choices.size(), 0);
#pragma omp parallel for schedule(static)
  for (int b = 0; b < blocks; ++b) {
    for (int n = b * block; n < std::min(count, (b + 1) * block); ++n) {
      double k = wealth[index(n)];
      for (int t = first; t < last; ++t) {
        const int e = works(shocks, n * stride, t) ? employed : unemployed;
        k = choices[index(t - first)][index(e)](k);
        sums[index(b) * choices.size() + index(t - first)] += k;
      }
      wealth[index(n)] = k;
    }
  }
  for (std::size_t i = choices.size(); i < sums.size(); ++i) sums[i % choices.size()] += sums[i];
  sums.resize(choices.size());
  return sums;
}

/// What two ways of writing down one panel differ by, relative to K: at most so much is allowed.
struct PathErrors {
  double K = 0;       ///< the largest along the path of the mean
  double wealth = 0;  ///< the largest of an agent's wealth at the end; of a histogram of a weight
  std::int64_t count = 0;
  bool all = true;
};

/// An agent's wealth keeps what rounding does to it for hundreds of periods, in single precision
/// and even more with weights of 8 bits: what is chosen by these comes in steps, as wide as the
/// grid is coarse, and rounding decides which. In the mean of many that cancels.
PathErrors allowed_path_errors(const Problem& problem, PanelKind kind) {
  if (kind == PanelKind::hardware) {
    const double wealth = std::max(0.02, 10.0 / problem.grids.n_k);
    return {.K = std::max(1e-3, wealth / 4 / std::sqrt(problem.N)), .wealth = wealth};
  }
  if (problem.single) return {.K = 3e-4, .wealth = 0.01};
  return {.K = 1e-9, .wealth = 1e-9};
}

PathErrors path_errors_of_agents(const Problem& problem, const Equilibrium& equilibrium,
                                 bool thorough) {
  constexpr int together = 64;  // periods
  const std::shared_ptr<const Shocks> shocks = shocks_of(problem);
  const std::vector<double>& K = equilibrium.K;
  const double steps = static_cast<double>(problem.N) * problem.T;
  PathErrors checked;
  checked.all = thorough || steps <= affordable_steps;
  const int periods =
      checked.all ? problem.T : 1 + static_cast<int>(affordable_steps / 2 / problem.N);

  std::vector<double> wealth = equilibrium.first_wealth;
  const auto compare = [&](int t, double mean) {
    mean = std::clamp(mean, problem.grids.K_min, problem.grids.K_max);
    checked.K = worse(checked.K, std::abs(K[index(t)] / mean - 1));
  };
  int t = 0;
  const auto go_on = [&](int until, int stride) {
    while (t < until) {
      const int last = std::min(t + together, until);
      const std::vector<double> sums =
          simulate(problem, equilibrium, *shocks, t, last, stride, wealth);
      checked.count += static_cast<std::int64_t>(wealth.size()) * (last - t);
      for (int n = t; n < last && stride == 1; ++n) {
        compare(n + 1, sums[index(n - t)] / static_cast<double>(wealth.size()));
      }
      t = last;
    }
  };
  compare(0, mean_of(wealth));
  go_on(std::min(periods, problem.T) - 1, 1);

  int stride = 1;
  if (!checked.all) {
    stride = std::max(2, static_cast<int>(2 * steps / affordable_steps));
    std::vector<double> some;
    for (int i = 0; i < problem.N; i += stride) some.push_back(wealth[index(i)]);
    wealth = std::move(some);
    go_on(problem.T - 1, stride);
  }
  for (std::size_t n = 0; n < wealth.size(); ++n) {
    const double error = wealth[n] - equilibrium.last_wealth[n * index(stride)];
    checked.wealth = worse(checked.wealth, std::abs(error) / K.back());
  }
  compare(problem.T - 1, mean_of(equilibrium.last_wealth));
  return checked;
}

// --- the histogram ---

/// The population by wealth and employment.
class Population {
 public:
  Population(const Problem& problem, const std::vector<double>& mass) : problem_(&problem) {
    const auto points = index(problem.histogram_points);
    for (std::size_t n = 0; n < points; ++n) {
      const double place = static_cast<double>(n) / static_cast<double>(points - 1);
      k_.push_back(problem.grids.k_max * std::pow(place, 3));
      mass_[unemployed].push_back(mass[n]);
      mass_[employed].push_back(mass[points + n]);
    }
  }

  /// Households as they stand, each shared between two points so that the mean is kept.
  Population(const Problem& problem, const std::vector<double>& wealth,
             const std::vector<int>& employment)
      : Population(problem, std::vector<double>(2 * index(problem.histogram_points), 0)) {
    const double mass = 1 / static_cast<double>(wealth.size());
    for (std::size_t n = 0; n < wealth.size(); ++n) {
      const auto [i, upwards] = place_of(wealth[n]);
      mass_[employment[n]][i] += upwards * mass;
      mass_[employment[n]][i - 1] += (1 - upwards) * mass;
    }
  }

  /// The same wealth by employment, with a share `u` of the population unemployed.
  void set_unemployment(double u) {
    for (const int e : {unemployed, employed}) {
      const double now = std::accumulate(mass_[e].begin(), mass_[e].end(), 0.0);
      const double then = e == unemployed ? u : 1 - u;
      if (now > 0) {
        for (double& mass : mass_[e]) mass *= then / now;
      } else {  // no example of these: as the others
        const double others = std::accumulate(mass_[1 - e].begin(), mass_[1 - e].end(), 0.0);
        for (std::size_t n = 0; n < k_.size(); ++n) mass_[e][n] = mass_[1 - e][n] * then / others;
      }
    }
  }

  [[nodiscard]] double mean() const {
    long double sum = 0;
    for (std::size_t n = 0; n < k_.size(); ++n) {
      sum += static_cast<long double>(k_[n]) * (mass_[unemployed][n] + mass_[employed][n]);
    }
    return std::clamp(static_cast<double>(sum), problem_->grids.K_min, problem_->grids.K_max);
  }

  void advance(const Equilibrium& equilibrium, int a, int a_next, double K) {
    std::vector<double> next[2] = {std::vector<double>(k_.size(), 0),
                                   std::vector<double>(k_.size(), 0)};
    for (const int e : {unemployed, employed}) {
      const Choice choice(*problem_, equilibrium, 2 * a + e, K);
      const double* row = &problem_->calibration.P[index(4 * (2 * a + e) + 2 * a_next)];
      for (std::size_t n = 0; n < k_.size(); ++n) {
        const auto [i, upwards] = place_of(choice(k_[n]));
        for (const int e_next : {unemployed, employed}) {
          const double mass = mass_[e][n] * row[e_next] / (row[unemployed] + row[employed]);
          next[e_next][i] += upwards * mass;
          next[e_next][i - 1] += (1 - upwards) * mass;
        }
      }
    }
    mass_[unemployed] = std::move(next[unemployed]);
    mass_[employed] = std::move(next[employed]);
  }

  /// The largest difference to weights as a solution has them.
  [[nodiscard]] double distance(const std::vector<double>& mass) const {
    double largest = 0;
    for (std::size_t n = 0; n < k_.size(); ++n) {
      largest = worse(largest, std::abs(mass[n] - mass_[unemployed][n]));
      largest = worse(largest, std::abs(mass[k_.size() + n] - mass_[employed][n]));
    }
    return largest;
  }

  [[nodiscard]] double quantile(double share) const {
    double below = 0;
    for (std::size_t n = 0; n < k_.size(); ++n) {
      below += mass_[unemployed][n] + mass_[employed][n];
      if (below >= share) return k_[n];
    }
    return k_.back();
  }

  [[nodiscard]] WealthMoments moments() const {
    const double mean_of_all = mean();
    double squares = 0;
    for (std::size_t n = 0; n < k_.size(); ++n) {
      const double from_mean = k_[n] - mean_of_all;
      squares += (mass_[unemployed][n] + mass_[employed][n]) * from_mean * from_mean;
    }
    return {mean_of_all,  std::sqrt(squares), quantile(.05), quantile(.25),
            quantile(.5), quantile(.75),      quantile(.95)};
  }

 private:
  /// The point above, and the share of it that keeps the mean; the rest is the point's below.
  struct Place {
    std::size_t above;
    double upwards;
  };
  [[nodiscard]] Place place_of(double k) const {
    const auto above = std::upper_bound(k_.begin() + 1, k_.end() - 1, k);
    const auto i = static_cast<std::size_t>(above - k_.begin());
    return {i, (k - k_[i - 1]) / (k_[i] - k_[i - 1])};
  }

  const Problem* problem_;
  std::vector<double> k_;
  std::vector<double> mass_[2];  ///< by employment
};

/// The population at a panel's end.
Population last_population(const Problem& problem, const Equilibrium& equilibrium) {
  if (equilibrium.kind == PanelKind::histogram) return {problem, equilibrium.last_wealth};
  const std::shared_ptr<const Shocks> shocks = shocks_of(problem);
  std::vector<int> employment;
  for (int i = 0; i < problem.N; ++i) {
    employment.push_back(works(*shocks, i, problem.T - 1) ? employed : unemployed);
  }
  return {problem, equilibrium.last_wealth, employment};
}

PathErrors path_errors_of_histogram(const Problem& problem, const Equilibrium& equilibrium) {
  const std::vector<std::uint8_t> a = shocks_of(problem)->states;
  PathErrors checked;
  Population population(problem, equilibrium.first_wealth);
  for (int t = 0; t < problem.T; ++t) {
    const double K = equilibrium.K[index(t)];
    checked.K = worse(checked.K, std::abs(K / population.mean() - 1));
    checked.count += std::int64_t{2} * problem.histogram_points;
    if (t + 1 < problem.T) population.advance(equilibrium, a[index(t)], a[index(t + 1)], K);
  }
  checked.wealth = population.distance(equilibrium.last_wealth);
  return checked;
}

// --- the law of motion ---

struct Fit {
  LawOfMotion law;
  double R2[2];
};

/// Least squares from raw moments, in long double.
Fit regressed(const Problem& problem, const std::vector<double>& K) {
  const std::shared_ptr<const Shocks> shocks = shocks_of(problem);
  Fit fit{};
  for (const int a : {bad, good}) {
    long double n = 0;
    long double x = 0;
    long double y = 0;
    long double xx = 0;
    long double xy = 0;
    long double yy = 0;
    for (int t = problem.burn_in; t + 1 < problem.T; ++t) {
      if (shocks->states[index(t)] != a) continue;
      const long double log_now = std::log(static_cast<long double>(K[index(t)]));
      const long double log_next = std::log(static_cast<long double>(K[index(t + 1)]));
      n += 1;
      x += log_now;
      y += log_next;
      xx += log_now * log_now;
      xy += log_now * log_next;
      yy += log_next * log_next;
    }
    const long double covariance = n * xy - x * y;
    const long double slope = covariance / (n * xx - x * x);
    fit.law.b1[a] = static_cast<double>(slope);
    fit.law.b0[a] = static_cast<double>((y - slope * x) / n);
    fit.R2[a] = static_cast<double>(slope * covariance / (n * yy - y * y));
  }
  return fit;
}

double law_distance(const LawOfMotion& left, const LawOfMotion& right) {
  return std::hypot(std::hypot(left.b0[bad] - right.b0[bad], left.b1[bad] - right.b1[bad]),
                    std::hypot(left.b0[good] - right.b0[good], left.b1[good] - right.b1[good]));
}

// --- how accurate the solution is ---

bool are_finite(const std::vector<double>& values) {
  return std::ranges::all_of(values, [](double x) { return std::isfinite(x); });
}

bool panel_was_written(const Problem& problem, const Equilibrium& e) {
  const auto places =
      e.kind == PanelKind::histogram ? 2 * index(problem.histogram_points) : index(problem.N);
  return e.K.size() == index(problem.T) && e.first_wealth.size() == places &&
         e.last_wealth.size() == places && are_finite(e.K) && are_finite(e.first_wealth) &&
         are_finite(e.last_wealth);
}

bool everything_was_written(const Problem& problem, const Equilibrium& e) {
  return panel_was_written(problem, e) && e.policy.size() == problem.grids.size() &&
         e.K_fifth.size() == e.K.size() && are_finite(e.policy) && are_finite(e.K_fifth) &&
         are_finite({e.law.b0[bad], e.law.b1[bad], e.law.b0[good], e.law.b1[good],
                     e.estimated.b0[bad], e.estimated.b1[bad], e.estimated.b0[good],
                     e.estimated.b1[good], e.R2[bad], e.R2[good], e.distance});
}

// --- verdicts; empty where there is nothing to say ---

std::string against_clips(const Problem& problem, const Equilibrium& e) {
  const auto clipped = std::ranges::count_if(
      e.K, [&](double K) { return K <= problem.grids.K_min || K >= problem.grids.K_max; });
  const std::int64_t clips = std::max<std::int64_t>(e.clips.K, clipped);
  if (clips == 0) return "";
  return fmt::format(
      "the mean of wealth was clipped to the grid of K, {} to {}, in {} periods of the last panel",
      problem.grids.K_min, problem.grids.K_max, clips);
}

std::string against_law(double regression_error, const Outcome& outcome) {
  if (!(regression_error <= 1e-10)) {
    return fmt::format(
        "a regression on the path of K gives coefficients {:.2e} from the solution's",
        regression_error);
  }
  if (outcome.residual <= outcome.allowed + 1e-11) return "";
  return fmt::format(
      "the law of motion is {:.2e} from the one it brings about, where {:.2e} is allowed",
      outcome.residual, outcome.allowed);
}

double allowed_policy_error(const Problem& problem) {
  return 2 * problem.policy_tolerance + 1e-11 * problem.grids.k_max;
}

std::string against_policy(const Problem& problem, const Checked& policy) {
  if (policy.error <= allowed_policy_error(problem)) return "";
  return fmt::format(
      "the policy is {:.2e} from what the Euler equation asks for, where {:.2e} is allowed",
      policy.error, allowed_policy_error(problem));
}

PathErrors path_errors(const Problem& problem, const Equilibrium& e, bool thorough) {
  return e.kind == PanelKind::histogram ? path_errors_of_histogram(problem, e)
                                        : path_errors_of_agents(problem, e, thorough);
}

std::string against_path(const Problem& problem, PanelKind kind, const PathErrors& path) {
  const PathErrors allowed = allowed_path_errors(problem, kind);
  if (!(path.K <= allowed.K)) {
    return fmt::format("the path of K, simulated again, differs by {:.2e}, where {:.2e} is allowed",
                       path.K, allowed.K);
  }
  if (!(path.wealth <= allowed.wealth)) {
    return fmt::format(
        "wealth at the end, simulated again, differs by {:.2e}, where {:.2e} is allowed",
        path.wealth, allowed.wealth);
  }
  return "";
}

constexpr const char* not_written = "the solution was not written in full, or holds no numbers";

}  // namespace

WealthMoments moments_of(const Problem& problem, PanelKind kind,
                         const std::vector<double>& wealth) {
  if (kind == PanelKind::histogram) return Population(problem, wealth).moments();
  std::vector<double> sorted = wealth;
  std::ranges::sort(sorted);
  const double mean = mean_of(sorted);
  double squares = 0;
  for (const double k : sorted) squares += (k - mean) * (k - mean);
  const auto quantile = [&](double share) {
    return sorted[static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1))];
  };
  return {mean,          std::sqrt(squares / static_cast<double>(sorted.size())),
          quantile(.05), quantile(.25),
          quantile(.5),  quantile(.75),
          quantile(.95)};
}

Accuracy accuracy_of(const Problem& problem, const Equilibrium& equilibrium) {
  Problem fresh = problem;
  fresh.T = problem.accuracy_periods;
  fresh.N = 10;  // whose errors of the Euler equation are followed
  fresh.seed = problem.seed + 1;
  const Shocks shocks = draw_shocks(fresh);

  Population population = last_population(problem, equilibrium);
  population.set_unemployment(problem.calibration.u_bad);
  std::vector<double> watched;
  for (int i = 0; i < fresh.N; ++i) watched.push_back(population.quantile((i + .5) / fresh.N));

  const Policy policy(problem, equilibrium);
  Accuracy accuracy;
  double K_law = population.mean();
  for (int t = 0; t + 1 < fresh.T; ++t) {
    const int a = shocks.states[index(t)];
    const double K = population.mean();
    const double law_error = std::abs(K_law / K - 1);
    accuracy.law_mean += law_error / (fresh.T - 1);
    accuracy.law_max = worse(accuracy.law_max, law_error);
    K_law = perceived(problem, equilibrium.law, a, K_law);

    const EulerEquation equation(problem, equilibrium, policy, a, K);
    for (int i = 0; i < fresh.N; ++i) {
      double& k = watched[index(i)];
      const int e = works(shocks, i, t) ? employed : unemployed;
      const double resources = equation.resources(e, k);
      const double k_next = problem.grids.clip_k(policy(state_of(a, e), k, K));
      const double asked = std::min(equation.consumption(e, k_next), resources);
      const double error = std::abs(asked / (resources - k_next) - 1);
      accuracy.euler_mean += error / fresh.N / (fresh.T - 1);
      accuracy.euler_max = worse(accuracy.euler_max, error);
      k = k_next;
    }
    population.advance(equilibrium, a, shocks.states[index(t + 1)], K);
  }
  return accuracy;
}

namespace {

void add_law(Outcome& outcome, const Equilibrium& e) {
  outcome.figures.insert({{"b0_bad", e.law.b0[bad]},
                          {"b1_bad", e.law.b1[bad]},
                          {"b0_good", e.law.b0[good]},
                          {"b1_good", e.law.b1[good]}});
}

void add_panel(Outcome& outcome, const Problem& problem, const Equilibrium& e,
               const PathErrors& path) {
  const auto first = e.K.begin() + problem.burn_in;
  const double K_mean =
      std::accumulate(first, e.K.end(), 0.0) / static_cast<double>(problem.T - problem.burn_in);
  const WealthMoments wealth = moments_of(problem, e.kind, e.last_wealth);
  outcome.figures.insert({{"K_mean", K_mean},
                          {"wealth_mean", wealth.mean},
                          {"wealth_sd", wealth.sd},
                          {"wealth_p05", wealth.p05},
                          {"wealth_p25", wealth.p25},
                          {"wealth_median", wealth.median},
                          {"wealth_p75", wealth.p75},
                          {"wealth_p95", wealth.p95},
                          {"clips_k", static_cast<double>(e.clips.k)},
                          {"clips_K", static_cast<double>(e.clips.K)},
                          {"path_error", path.K},
                          {"wealth_error", path.wealth}});
  outcome.series["K_fifth"] = e.K_fifth;
}

/// The first of what there is to say against a solution, if there is anything.
void conclude(Outcome& outcome, std::initializer_list<std::string> complaints) {
  const auto* const first =
      std::ranges::find_if(complaints, [](const std::string& why) { return !why.empty(); });
  outcome.why = first == complaints.end() ? "" : *first;
  outcome.valid = outcome.why.empty();
}

/// Of a policy alone: it is what the Euler equation asks for under the stored law.
Outcome judge_policy(const Problem& problem, const Equilibrium& e, bool thorough) {
  Outcome outcome;
  outcome.iterations = e.policy_iterations;
  outcome.allowed = allowed_policy_error(problem);
  if (!e.converged) {
    outcome.residual = std::numeric_limits<double>::quiet_NaN();
    outcome.why = fmt::format("not converged: no policy after {} iterations", e.policy_iterations);
    return outcome;
  }
  if (e.law != stored_of(problem)->law || e.policy.size() != problem.grids.size() ||
      !are_finite(e.policy)) {
    outcome.why = not_written;
    return outcome;
  }
  const Checked policy = policy_error(problem, e, thorough);
  outcome.residual = policy.error;
  outcome.checked_states = policy.count;
  outcome.exhaustive = policy.all;
  add_law(outcome, e);
  outcome.figures["policy_iterations"] = static_cast<double>(e.policy_iterations);
  outcome.figures["policy_error"] = policy.error;
  conclude(outcome, {against_policy(problem, policy)});
  return outcome;
}

/// The first cross-section, in the panel's precision.
std::vector<double> first_cross_section(const Problem& problem, PanelKind kind) {
  const std::shared_ptr<const Shocks> shocks = shocks_of(problem);
  if (kind == PanelKind::histogram) return first_histogram(problem, *shocks);
  std::vector<double> wealth = first_wealth(problem, *shocks);
  if (problem.single) {
    for (double& k : wealth) k = static_cast<float>(k);
  }
  return wealth;
}

/// Of a panel alone: it is what the stored policy makes of the first cross-section.
Outcome judge_panel(const Problem& problem, const Equilibrium& e, bool thorough) {
  Outcome outcome;
  outcome.iterations = e.outer_iterations;
  outcome.allowed = allowed_path_errors(problem, e.kind).K;
  if (!panel_was_written(problem, e) || e.policy != stored_of(problem)->policy) {
    outcome.why = not_written;
    return outcome;
  }
  if (e.first_wealth != first_cross_section(problem, e.kind)) {
    outcome.why = "the panel does not begin with the first cross-section";
    return outcome;
  }
  const PathErrors path = path_errors(problem, e, thorough);
  outcome.residual = path.K;
  outcome.checked_states = path.count;
  outcome.exhaustive = path.all;
  add_law(outcome, e);
  add_panel(outcome, problem, e, path);
  conclude(outcome, {against_clips(problem, e), against_path(problem, e.kind, path)});
  return outcome;
}

}  // namespace

Outcome judge(const Problem& problem, const Equilibrium& equilibrium, bool thorough) {
  if (problem.stage == Stage::policy) return judge_policy(problem, equilibrium, thorough);
  if (problem.stage == Stage::panel) return judge_panel(problem, equilibrium, thorough);
  const Equilibrium& e = equilibrium;
  Outcome outcome;
  outcome.iterations = e.outer_iterations;
  outcome.allowed = problem.tolerance * (e.relaxed ? 10 : 1);
  outcome.residual = e.distance;
  if (!e.converged) {
    outcome.why = std::isfinite(e.distance)
                      ? fmt::format("not converged: |B_new - B| = {:.2e} after {} outer iterations",
                                    e.distance, e.outer_iterations)
                      : fmt::format("the outer loop diverged: no numbers in iteration {}",
                                    e.outer_iterations);
    return outcome;
  }
  if (!everything_was_written(problem, e)) {
    outcome.why = not_written;
    return outcome;
  }

  const Fit fit = regressed(problem, e.K);
  const double regression_error =
      std::max({law_distance(fit.law, e.estimated), std::abs(fit.R2[bad] - e.R2[bad]),
                std::abs(fit.R2[good] - e.R2[good])});
  outcome.residual = law_distance(fit.law, e.law);
  const Checked policy = policy_error(problem, e, thorough);
  const PathErrors path = path_errors(problem, e, thorough);
  outcome.checked_states = policy.count + path.count;
  outcome.exhaustive = policy.all && path.all;

  add_law(outcome, e);
  add_panel(outcome, problem, e, path);
  outcome.figures.insert(
      {{"R2_bad", e.R2[bad]},
       {"R2_good", e.R2[good]},
       {"K_fifth_mean", mean_of(e.K_fifth)},
       {"policy_iterations", static_cast<double>(e.policy_iterations)},
       {"first_policy_iterations", static_cast<double>(e.first_policy_iterations)},
       {"relaxed", e.relaxed ? 1.0 : 0.0},
       {"policy_error", policy.error},
       {"regression_error", regression_error}});
  if (problem.accuracy_periods > 1) {
    const Accuracy accuracy = accuracy_of(problem, e);
    outcome.figures["euler_error_mean"] = accuracy.euler_mean;
    outcome.figures["euler_error_max"] = accuracy.euler_max;
    outcome.figures["law_error_mean"] = accuracy.law_mean;
    outcome.figures["law_error_max"] = accuracy.law_max;
  }

  conclude(outcome, {against_clips(problem, e), against_law(regression_error, outcome),
                     against_policy(problem, policy), against_path(problem, e.kind, path)});
  return outcome;
}

}  // namespace macrobench::krusell_smith
