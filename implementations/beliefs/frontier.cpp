// The best solver that we know: histories recombine.
//
// A node's equation depends only on how often its history moves from each state to each state. Of
// the 2^t histories of period t only about t^2 / 2 differ in that, so T periods take T^3 / 6
// equations instead of 2^(T+1). Call the two states s_0's and the other. A history with m periods
// in the other state, in r runs, that ends
//
//   in s_0's state:     has r + 1 runs of s_0's state, which s_0 begins: there are
//                       binom(m - 1, r - 1) binom(t - m, r) such histories;
//   in the other state: has r runs of s_0's: binom(m - 1, r - 1) binom(t - m, r - 1).
//
// Binomials, probabilities and endowments are stored as logs, so that no horizon overflows.
//
// The equation is solved in the log odds x of type 1's share of the endowment,
//
//   gamma_1 log c1 - gamma_2 log c2 = k,   mu_1 c1 = C / (1 + e^-x),   mu_2 c2 = C / (1 + e^x),
//
// whose left side has a slope in x between gamma_1 and gamma_2 and a curvature of one sign:
// Newton's method converges from anywhere, and in one step if the two are equal. Histories are
// solved in batches, each for as many steps as its slowest one needs, by loops that become vector
// instructions.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "implementations/beliefs/outer_loop.hpp"
#include "implementations/beliefs/solver.hpp"
#include "implementations/numerics/methods/compensated_sum.hpp"
#include "implementations/numerics/parallel/vector_math.hpp"
#include "implementations/numerics/parallel/widest_vectors.hpp"

namespace macrobench::beliefs {

namespace {

/// gamma_1 log c1 - gamma_2 log c2 = k, and all else that is the same for all nodes.
struct Conditions {
  double gamma_1, gamma_2;
  double log_c1_0;
  double k;        ///< without what depends on the node
  double first_x;  ///< the shares of s_0, from which Newton starts
  double tolerance;
  int newton_cap;

  Conditions(const Problem& problem, const Economy& economy, const Consumption& at_s0)
      : gamma_1(economy.gamma_1),
        gamma_2(economy.gamma_2),
        log_c1_0(std::log(at_s0.c1)),
        k(gamma_1 * (log_c1_0 + std::log(economy.mu_1)) -
          gamma_2 * (std::log(at_s0.c2) + std::log(economy.mu_2))),
        first_x(std::log(economy.mu_1 * at_s0.c1 / (economy.mu_2 * at_s0.c2))),
        tolerance(problem.newton_tolerance),
        newton_cap(problem.newton_cap) {}
};

/// Classes of histories whose equations are solved side by side.
struct Batch {
  static constexpr std::size_t capacity = 256;
  template <class T>
  using Column = std::array<T, capacity>;

  std::size_t size = 0;
  alignas(64) Column<double> log_C;
  alignas(64) Column<double> log_relative;
  alignas(64) Column<double> log_price;  ///< of all histories of the class together
  alignas(64) Column<double> x;
  alignas(64) Column<double> log_share_1;
  alignas(64) Column<double> share_1;
  alignas(64) Column<double> share_2;

  /// Newton's method. Returns the iterations of all equations together.
  MACROBENCH_ALWAYS_INLINE std::int64_t solve(const Conditions& c) {
    for (std::size_t i = 0; i < size; ++i) x[i] = c.first_x;
    std::int64_t unsolved = 1;
    int n = 0;
    while (unsolved > 0 && n < c.newton_cap) {
      unsolved = 0;
      for (std::size_t i = 0; i < size; ++i) unsolved += step(c, i);
      ++n;
    }
    if (unsolved > 0) log_share_1.fill(std::numeric_limits<double>::quiet_NaN());
    return static_cast<std::int64_t>(size) * n;
  }

 private:
  /// A Newton step of equation i; 0 if it found almost nothing left to do.
  MACROBENCH_ALWAYS_INLINE std::int64_t step(const Conditions& c, std::size_t i) {
    const double odds = numerics::exp_of(-std::abs(x[i]));  // of the smaller share
    const double larger = 1 / (1 + odds);
    const double smaller = odds * larger;
    const bool is_1_larger = x[i] > 0;
    const double u_1 = is_1_larger ? larger : smaller;
    const double u_2 = is_1_larger ? smaller : larger;
    const double log_u_1 = (is_1_larger ? 0.0 : x[i]) - numerics::log1p_of(odds);

    const double error = c.gamma_1 * log_u_1 - c.gamma_2 * (log_u_1 - x[i]) +
                         (c.gamma_1 - c.gamma_2) * log_C[i] - log_relative[i] - c.k;
    const double dx = -error / (c.gamma_1 * u_2 + c.gamma_2 * u_1);
    x[i] += dx;
    // After the last step dx is so small that the shares follow it to first order.
    log_share_1[i] = log_u_1 + u_2 * dx;
    share_1[i] = u_1 + u_1 * u_2 * dx;
    share_2[i] = u_2 - u_1 * u_2 * dx;
    return std::abs(dx) <= c.tolerance * (1 + std::abs(x[i])) ? 0 : 1;
  }
};

/// Consumption at histories of any periods.
std::vector<Consumption> consumption_at(const std::vector<Transitions>& histories,
                                        const Economy& economy, const Conditions& conditions) {
  std::vector<Consumption> all;
  Batch batch;
  for (const Transitions& history : histories) {
    batch.size = 1;
    batch.log_C[0] = std::log(economy.C0) + economy.log_growth.sum_over(history);
    batch.log_relative[0] = economy.log_relative.sum_over(history);
    batch.solve(conditions);
    const double C = std::exp(batch.log_C[0]);
    all.push_back({C * batch.share_1[0] / economy.mu_1, C * batch.share_2[0] / economy.mu_2});
  }
  return all;
}

/// The sum of the first `size` elements, in lanes: as many additions at once as vectors are wide.
template <std::size_t capacity>
MACROBENCH_ALWAYS_INLINE inline double sum_of(std::array<double, capacity>& terms,
                                              std::size_t size) {
  constexpr std::size_t lanes = 8;
  std::array<double, lanes> sums{};
  while (size % lanes != 0) terms[size++] = 0;
  for (std::size_t i = 0; i < size; i += lanes) {
    for (std::size_t lane = 0; lane < lanes; ++lane) sums[lane] += terms[i + lane];
  }
  return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
}

/// p of each transition, by whether it leaves s_0's state, comes back, or neither.
struct Chain {
  double stay, leave, back, remain;

  Chain(const PerTransition& p, bool starts_low)
      : stay(starts_low ? p.ll : p.hh),
        leave(starts_low ? p.lh : p.hl),
        back(starts_low ? p.hl : p.lh),
        remain(starts_low ? p.hh : p.ll) {}
};

/// Histories of t periods, m of them in the other state.
struct Row {
  int t, m;
  int ends_other;  ///< 1 if they end in the other state, else 0

  [[nodiscard]] int fewest_runs() const { return m > 0 ? 1 : 0; }
  [[nodiscard]] int most_runs() const { return std::min(m, t - m + ends_other); }

  /// A sum over a history with r runs is at_zero + r * slope.
  struct Line {
    double at_zero, slope;
  };
  [[nodiscard]] Line sum_over(const Chain& p) const {
    return {(t - m + ends_other) * p.stay - ends_other * p.back + m * p.remain,
            p.leave + p.back - p.stay - p.remain};
  }
};

/// Solves the periods one by one.
class Periods {
 public:
  Periods(const Problem& problem, const Economy& economy)
      : log_growth_(economy.log_growth, economy.starts_low),
        log_price_(economy.log_price, economy.starts_low),
        log_relative_(economy.log_relative, economy.starts_low),
        log_C0_(std::log(economy.C0)),
        log_mu_1_(std::log(economy.mu_1)),
        mu_2_(economy.mu_2) {
    long double sum = 0;
    log_gamma_ = {0, 0};
    for (int n = 1; n <= problem.T; ++n) {
      sum += std::log(static_cast<long double>(n));
      log_gamma_.push_back(static_cast<double>(sum));
    }
  }

  struct Sums {
    numerics::CompensatedSum wealth, spending;
    std::int64_t newton_iterations = 0;
  };

  [[nodiscard]] MACROBENCH_ALWAYS_INLINE Sums solve(int t, const Conditions& conditions) const {
    Sums sums;
    Batch batch;
    for (const int ends_other : {0, 1}) {
      for (int m = ends_other; m <= t; ++m) {
        const Row row{t, m, ends_other};
        int r = row.fewest_runs();
        while (r <= row.most_runs()) {
          r = append(row, r, batch);
          if (batch.size == Batch::capacity) settle(batch, conditions, sums);
        }
      }
    }
    settle(batch, conditions, sums);
    return sums;
  }

 private:
  /// Adds the row's classes from r runs on while there is room; returns the first that did not fit.
  MACROBENCH_ALWAYS_INLINE int append(const Row& row, int first, Batch& batch) const {
    const auto [t, m, ends_other] = row;
    const int count =
        std::min(row.most_runs() + 1 - first, static_cast<int>(Batch::capacity - batch.size));
    const double log_C = log_C0_ + row.sum_over(log_growth_).at_zero;
    const Row::Line price = row.sum_over(log_price_);
    const Row::Line relative = row.sum_over(log_relative_);
    const double* log_gamma = log_gamma_.data();
    const double upper = log_gamma[m] + log_gamma[t - m + 1];
    const double* lower[] = {log_gamma + first, log_gamma + m - first + 1,
                             log_gamma + first - ends_other + 1,
                             log_gamma + t - m - first + ends_other + 1};
    double* log_relative_sum = &batch.log_relative[batch.size];
    double* log_price_sum = &batch.log_price[batch.size];
    std::fill_n(&batch.log_C[batch.size], count, log_C);
    for (int i = 0; i < count; ++i) {
      log_price_sum[i] = upper - lower[0][i] - lower[1][-i] - lower[2][i] - lower[3][-i];
    }
    for (int i = 0; i < count;
         ++i) {  // separate: integers would keep the loop above from using vectors
      const int r = first + i;
      log_price_sum[i] += price.at_zero + r * price.slope;
      log_relative_sum[i] = relative.at_zero + r * relative.slope;
    }
    batch.size += static_cast<std::size_t>(count);
    return first + count;
  }

  /// Solves the batch, adds it to the sums and empties it.
  MACROBENCH_ALWAYS_INLINE void settle(Batch& batch, const Conditions& c, Sums& sums) const {
    sums.newton_iterations += batch.solve(c);
    Batch::Column<double> wealth;
    Batch::Column<double> spending;
    for (std::size_t i = 0; i < batch.size; ++i) {
      const double log_c1 = batch.log_C[i] + batch.log_share_1[i] - log_mu_1_;
      const double log_q = batch.log_price[i] - c.gamma_1 * (log_c1 - c.log_c1_0);
      wealth[i] = numerics::exp_of(log_q + batch.log_C[i]);
      spending[i] = wealth[i] * batch.share_2[i] / mu_2_;
    }
    sums.wealth.add(sum_of(wealth, batch.size));
    sums.spending.add(sum_of(spending, batch.size));
    batch.size = 0;
  }

  Chain log_growth_, log_price_, log_relative_;
  double log_C0_, log_mu_1_, mu_2_;
  std::vector<double> log_gamma_;  ///< for n, log((n - 1)!); for 0, 0
};

/// Solves all periods, in any order of the threads: each period has its own place.
void solve_all(const Periods& periods, const Conditions& conditions, const Problem& problem,
               Equilibrium& equilibrium) {
  std::int64_t newton_iterations = 0;
  // The last period takes longest by far: counting down from it, the threads end together.
#pragma omp parallel for schedule(dynamic) num_threads(problem.threads) \
    reduction(+ : newton_iterations)
  for (int k = 0; k < problem.T; ++k) {
    const int t = problem.T - k;
    Periods::Sums sums;
    numerics::with_widest_vectors(
        [&]() MACROBENCH_ALWAYS_INLINE { sums = periods.solve(t, conditions); });
    const auto period = static_cast<std::size_t>(t);
    equilibrium.wealth[period] = sums.wealth.value();
    equilibrium.spending[period] = sums.spending.value();
    newton_iterations += sums.newton_iterations;
  }
  equilibrium.newton_iterations += newton_iterations;
}

void solve(const Problem& problem, Stages& stages, Equilibrium& equilibrium) {
  const Economy economy(problem.calibration);
  const Periods periods(problem, economy);
  const auto pass = [&](const Consumption& at_s0, Equilibrium& result) {
    solve_all(periods, Conditions(problem, economy, at_s0), problem, result);
  };
  find_equilibrium(problem, stages, equilibrium, pass);
  stages.finish();

  equilibrium.nodes = static_cast<std::int64_t>(classes_up_to(problem.T));
  equilibrium.sampled = consumption_at(sampled_histories(problem), economy,
                                       Conditions(problem, economy, equilibrium.at_s0));
}

const RegisterSolver registered{
    {.name = "frontier",
     .origin = Origin::frontier,
     .summary = "C++, each distinct history once: the best that we know",
     .axes = {{"threads"}},
     .solve_double = solve,
     .hooks = {.work = [](const Problem& problem) { return classes_up_to(problem.T); }},
     .source = __FILE__}};

}  // namespace

}  // namespace macrobench::beliefs
