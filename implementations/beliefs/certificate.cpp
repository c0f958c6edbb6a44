#include "implementations/beliefs/certificate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace macrobench::beliefs {

namespace {

/// The two states told apart by whether they are s_0's: "same" and "other".
struct Chain {
  double stay, leave, back, remain;  ///< same->same, same->other, other->same, other->other
};

Chain chain_of(bool starts_low, double pi_hh, double pi_ll) {
  const double same = starts_low ? pi_ll : pi_hh;
  const double other = starts_low ? pi_hh : pi_ll;
  return {same, 1 - same, 1 - other, other};
}

Chain log_ratio(const Chain& a, const Chain& b) {
  return {std::log(a.stay / b.stay), std::log(a.leave / b.leave), std::log(a.back / b.back),
          std::log(a.remain / b.remain)};
}

/// Type 1's share of the endowment, u = mu_1 c1 / C, in log odds x = log(u / (1 - u)).
struct LogShares {
  double of_1, of_2;

  explicit LogShares(double x)
      : of_1(-std::log1p(std::exp(-std::abs(x))) + std::min(x, 0.0)), of_2(of_1 - x) {}
};

/// What both types' first-order conditions say at one history, as
///   gamma_1 log c1 - gamma_2 log c2 = k.
class FirstOrderConditions {
 public:
  FirstOrderConditions(const Calibration& c, const Consumption& at_s0)
      : gamma_1_(c.gamma_1),
        gamma_2_(c.gamma_2),
        log_mu_1_(std::log(c.mu_1)),
        log_mu_2_(std::log(c.mu_2)),
        at_s0_(c.gamma_1 * std::log(at_s0.c1) - c.gamma_2 * std::log(at_s0.c2)) {}

  /// The condition's error at the log odds x. Rises with x, by between the two gammas.
  [[nodiscard]] double error(double x, double log_C, double log_relative) const {
    const LogShares shares(x);
    return gamma_1_ * (log_C + shares.of_1 - log_mu_1_) -
           gamma_2_ * (log_C + shares.of_2 - log_mu_2_) - at_s0_ - log_relative;
  }

  /// The same for given consumption.
  [[nodiscard]] double error(const Consumption& c, double log_relative) const {
    return gamma_1_ * std::log(c.c1) - gamma_2_ * std::log(c.c2) - at_s0_ - log_relative;
  }

  /// The root: false position (Illinois) between bounds that the two gammas give.
  [[nodiscard]] double solve(double log_C, double log_relative) const {
    const double at_zero = error(0, log_C, log_relative);
    double a = -at_zero / std::max(gamma_1_, gamma_2_);
    double b = -at_zero / std::min(gamma_1_, gamma_2_);
    double f_a = error(a, log_C, log_relative);
    double f_b = error(b, log_C, log_relative);
    const double enough =
        4 * std::numeric_limits<double>::epsilon() * (std::abs(at_zero) + gamma_1_ + gamma_2_);
    for (int n = 0; n < 200 && std::abs(f_b) > enough && f_a != f_b; ++n) {
      const double c = b - f_b * (b - a) / (f_b - f_a);
      const double f_c = error(c, log_C, log_relative);
      if ((f_c > 0) != (f_b > 0)) {
        a = b;
        f_a = f_b;
      } else {
        f_a /= 2;
      }
      b = c;
      f_b = f_c;
    }
    return b;
  }

 private:
  double gamma_1_, gamma_2_, log_mu_1_, log_mu_2_, at_s0_;
};

/// Probability of all histories of a period that have `others` periods in the other state, in
/// `runs` runs, by the state they end in.
class Lattice {
 public:
  explicit Lattice(int T)
      : stride_(static_cast<std::size_t>(T) / 2 + 2),
        same_((static_cast<std::size_t>(T) + 1) * stride_, 0),
        other_(same_) {
    same_[0] = 1;
  }

  /// From period t - 1 to t.
  void advance(int t, const Chain& pi) {
    for (int others = t; others >= 0; --others) {
      for (int runs = most_runs(t, others); runs >= 0; --runs) {
        const std::size_t here = at(others, runs);
        same_[here] = same_[here] * pi.stay + other_[here] * pi.back;
        other_[here] = 0;
        if (others == 0 || runs == 0) continue;
        other_[here] =
            other_[at(others - 1, runs)] * pi.remain + same_[at(others - 1, runs - 1)] * pi.leave;
      }
    }
  }

  [[nodiscard]] static int most_runs(int t, int others) { return std::min(others, t - others + 1); }
  [[nodiscard]] long double same(int others, int runs) const { return same_[at(others, runs)]; }
  [[nodiscard]] long double other(int others, int runs) const { return other_[at(others, runs)]; }

 private:
  [[nodiscard]] std::size_t at(int others, int runs) const {
    return static_cast<std::size_t>(others) * stride_ + static_cast<std::size_t>(runs);
  }

  std::size_t stride_;
  std::vector<long double> same_;
  std::vector<long double> other_;
};

std::vector<bool> periods_to_check(const Problem& problem, bool thorough) {
  const auto last = static_cast<std::size_t>(problem.T);
  const bool all = thorough || classes_up_to(problem.T) <= affordable_classes;
  std::vector<bool> wanted(last + 1, all);
  if (all) return wanted;
  const auto count = std::max<std::size_t>(
      2, static_cast<std::size_t>(affordable_classes / classes_in_period(problem.T)));
  for (std::size_t k = 0; k <= count; ++k) wanted[k * last / count] = true;
  wanted[1] = true;
  return wanted;
}

double relative_error(double value, double reference) {
  return std::abs(value - reference) / std::abs(reference);
}

/// The larger error of two, where NaN is the largest of all.
double worse(double a, double b) {
  return std::isnan(a) || a > b ? a : b;
}

bool everything_was_written(const Problem& problem, const Equilibrium& e, std::size_t samples) {
  const auto periods = static_cast<std::size_t>(problem.T) + 1;
  if (e.wealth.size() != periods || e.spending.size() != periods || e.sampled.size() != samples) {
    return false;
  }
  const auto is_finite = [](double x) { return std::isfinite(x); };
  return std::ranges::all_of(e.wealth, is_finite) && std::ranges::all_of(e.spending, is_finite) &&
         is_finite(e.at_s0.c1) && is_finite(e.at_s0.c2) && e.at_s0.c1 > 0 && e.at_s0.c2 > 0;
}

}  // namespace

std::vector<PeriodSums> reference_sums(const Problem& problem, const Consumption& at_s0,
                                       const std::vector<bool>& wanted) {
  const Calibration& c = problem.calibration;
  const FirstOrderConditions conditions(c, at_s0);
  const Chain pi_1 = chain_of(c.starts_low, c.pi_hh, c.pi_ll);
  const Chain pi_2 = chain_of(c.starts_low, c.believed_pi_hh, c.believed_pi_ll);
  const Chain relative = log_ratio(pi_1, pi_2);
  const double growth_same = c.starts_low ? c.alpha_l : c.alpha_h;
  const double growth_other = c.starts_low ? c.alpha_h : c.alpha_l;

  std::vector<PeriodSums> sums(static_cast<std::size_t>(problem.T) + 1, PeriodSums{0, 0});
  sums[0] = {c.C0, at_s0.c2};
  Lattice lattice(problem.T);
  for (int t = 1; t <= problem.T; ++t) {
    lattice.advance(t, pi_1);
    if (!wanted[static_cast<std::size_t>(t)]) continue;
    const double discount = t * std::log(c.beta_1);
    const double impatience = t * std::log(c.beta_1 / c.beta_2);
    long double wealth = 0;
    long double spending = 0;
    for (int others = 0; others <= t; ++others) {
      const double log_C = std::log(c.C0) + (t - others) * growth_same + others * growth_other;
      for (int runs = 0; runs <= Lattice::most_runs(t, others); ++runs) {
        for (const bool ends_other : {false, true}) {
          const long double weight =
              ends_other ? lattice.other(others, runs) : lattice.same(others, runs);
          if (weight == 0) continue;
          const int back = runs - (ends_other ? 1 : 0);
          const int remain = others - runs;
          const int stay = t - runs - back - remain;
          const double x =
              conditions.solve(log_C, impatience + stay * relative.stay + runs * relative.leave +
                                          back * relative.back + remain * relative.remain);
          const LogShares shares(x);
          const double log_c1 = log_C + shares.of_1 - std::log(c.mu_1);
          const double q =
              std::exp(discount - c.gamma_1 * (log_c1 - std::log(at_s0.c1)));  // over pi_1(s^t)
          wealth += weight * q * std::exp(log_C);
          spending += weight * q * std::exp(log_C + shares.of_2) / c.mu_2;
        }
      }
    }
    sums[static_cast<std::size_t>(t)] = {static_cast<double>(wealth),
                                         static_cast<double>(spending)};
  }
  return sums;
}

Outcome judge(const Problem& problem, const Equilibrium& equilibrium, bool thorough) {
  const Calibration& c = problem.calibration;
  Outcome outcome;
  outcome.iterations = equilibrium.passes;
  const std::vector<Transitions> histories = sampled_histories(problem);
  if (!everything_was_written(problem, equilibrium, histories.size())) {
    outcome.why =
        equilibrium.converged
            ? "the solution was not written in full, or holds no numbers"
            : fmt::format(
                  "not converged: no numbers in pass {}; Newton's method gave up at a node, "
                  "or consumption left the range of double precision",
                  equilibrium.passes);
    return outcome;
  }
  const Consumption& at_s0 = equilibrium.at_s0;

  double resource_error = relative_error(c.mu_1 * at_s0.c1 + c.mu_2 * at_s0.c2, c.C0);
  double foc_error = 0;
  const FirstOrderConditions conditions(c, at_s0);
  for (std::size_t i = 0; i < histories.size(); ++i) {
    const Transitions& n = histories[i];
    const auto& [c1, c2] = equilibrium.sampled[i];
    const double C = c.C0 * std::exp(c.alpha_h * n.highs() + c.alpha_l * n.lows());
    resource_error = worse(resource_error, relative_error(c.mu_1 * c1 + c.mu_2 * c2, C));
    const double log_relative = n.periods() * std::log(c.beta_1 / c.beta_2) +
                                n.hh * std::log(c.pi_hh / c.believed_pi_hh) +
                                n.hl * std::log((1 - c.pi_hh) / (1 - c.believed_pi_hh)) +
                                n.lh * std::log((1 - c.pi_ll) / (1 - c.believed_pi_ll)) +
                                n.ll * std::log(c.pi_ll / c.believed_pi_ll);
    foc_error = worse(foc_error, std::abs(conditions.error({c1, c2}, log_relative)));
  }

  const std::vector<bool> wanted = periods_to_check(problem, thorough);
  const std::vector<PeriodSums> reference = reference_sums(problem, at_s0, wanted);
  outcome.exhaustive = std::ranges::find(wanted, false) == wanted.end();
  double sums_error = 0;
  std::size_t worst = 0;
  double wealth = 0;
  double residual = 0;
  for (std::size_t t = 0; t < reference.size(); ++t) {
    // What was not checked counts as the solver has it.
    const PeriodSums sums =
        wanted[t] ? reference[t] : PeriodSums{equilibrium.wealth[t], equilibrium.spending[t]};
    wealth += sums.wealth;
    residual += sums.wealth - sums.spending;
    if (wanted[t]) {
      outcome.checked_states +=
          static_cast<std::int64_t>(classes_in_period(static_cast<double>(t)));
    }
    const double error = worse(relative_error(equilibrium.wealth[t], sums.wealth),
                               relative_error(equilibrium.spending[t], sums.spending));
    if (!(error <= sums_error) && !std::isnan(sums_error)) worst = t;
    sums_error = worse(sums_error, error);
  }

  const double newton_leaves = problem.newton_tolerance * (1 + c.gamma_1 + c.gamma_2);
  const double allowed_error = std::max(1e-10, 10 * newton_leaves);
  outcome.residual = std::abs(residual) / wealth;
  outcome.allowed = problem.broyden_tolerance + 10 * newton_leaves;
  outcome.figures = {{"c1_0", at_s0.c1},
                     {"c2_0", at_s0.c2},
                     {"wealth", wealth},
                     {"budget_residual", equilibrium.residual},
                     {"passes", equilibrium.passes},
                     {"nodes", static_cast<double>(equilibrium.nodes)},
                     {"newton_iterations_mean", static_cast<double>(equilibrium.newton_iterations) /
                                                    (static_cast<double>(equilibrium.nodes) *
                                                     std::max(1, equilibrium.passes))},
                     {"sums_error", sums_error},
                     {"resource_error", resource_error},
                     {"foc_error", foc_error}};

  if (!equilibrium.converged) {
    outcome.why = fmt::format("not converged: a budget residual of {:.2e} after {} passes",
                              equilibrium.residual, equilibrium.passes);
  } else if (!(resource_error <= allowed_error)) {
    outcome.why = fmt::format(
        "mu_1 c1 + mu_2 c2 misses C by {:.2e} at a sampled node, where "
        "{:.2e} is allowed",
        resource_error, allowed_error);
  } else if (!(foc_error <= allowed_error)) {
    outcome.why = fmt::format(
        "the first-order conditions disagree by {:.2e} at a sampled node, "
        "where {:.2e} is allowed",
        foc_error, allowed_error);
  } else if (!(sums_error <= allowed_error)) {
    outcome.why = fmt::format(
        "the sums of period {} are {:.2e} from the lattice's, where {:.2e} "
        "is allowed",
        worst, sums_error, allowed_error);
  } else if (!(outcome.residual <= outcome.allowed)) {
    outcome.why = fmt::format("a budget residual of {:.2e} over wealth, where {:.2e} is allowed",
                              outcome.residual, outcome.allowed);
  }
  outcome.valid = outcome.why.empty();
  return outcome;
}

}  // namespace macrobench::beliefs
