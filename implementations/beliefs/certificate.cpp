#include "implementations/beliefs/certificate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <string>

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

  /// The condition's error at the log odds x. It rises with x, at a rate between the two gammas.
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

// Each against_...() returns what is wrong with a solution, or nothing.

std::string first_of(std::initializer_list<std::string> complaints) {
  const auto* const first =
      std::ranges::find_if(complaints, [](const std::string& why) { return !why.empty(); });
  return first == complaints.end() ? "" : *first;
}

template <class Number, class IsNumber>
std::string against_array(const char* name, const std::vector<Number>& values, std::size_t expected,
                          const IsNumber& is_number) {
  constexpr const char* unwritten = "the solution was not written in full";
  if (values.size() != expected) {
    return fmt::format("{}: {} has {} numbers, where {} are asked for", unwritten, name,
                       values.size(), expected);
  }
  const auto at = std::ranges::find_if_not(values, is_number);
  if (at == values.end()) return "";
  return fmt::format("{}: {}[{}] is no number", unwritten, name, at - values.begin());
}

bool is_finite(double x) {
  return std::isfinite(x);
}

bool is_consumption(const Consumption& c) {
  return is_finite(c.c1) && is_finite(c.c2);
}

std::string against_arrays(const Problem& problem, const Equilibrium& e, std::size_t samples) {
  const auto periods = static_cast<std::size_t>(problem.T) + 1;
  const bool at_s0 = is_consumption(e.at_s0) && e.at_s0.c1 > 0 && e.at_s0.c2 > 0;
  return first_of({against_array("wealth", e.wealth, periods, is_finite),
                   against_array("spending", e.spending, periods, is_finite),
                   against_array("sampled", e.sampled, samples, is_consumption),
                   at_s0 ? "" : "the solution was not written in full: at_s0 is no consumption"});
}

/// A pass solves an equation for each node of the tree, or for each class of them.
std::string against_counts(const Problem& problem, const Equilibrium& e) {
  if (e.passes < 1 || e.passes > problem.pass_cap) {
    return fmt::format("{} passes, where pass_cap = {}", e.passes, problem.pass_cap);
  }
  const auto nodes = static_cast<double>(e.nodes);
  if (nodes != classes_up_to(problem.T) && nodes != std::ldexp(1, problem.T + 1) - 2) {
    return fmt::format("{} equations in a pass, where the tree has {} classes of nodes", e.nodes,
                       classes_up_to(problem.T));
  }
  if (e.newton_iterations >= 0) return "";
  return fmt::format("{} Newton steps", e.newton_iterations);
}

/// The largest error seen, and where. NaN counts as larger than any number.
struct Largest {
  double error = 0;
  std::ptrdiff_t at = 0;

  void see(double other, std::ptrdiff_t where) {
    if (std::isnan(error) || other <= error) return;
    error = other;
    at = where;
  }
};

constexpr std::ptrdiff_t start = -1;  ///< Largest::at of s_0

std::string name_of_history(std::ptrdiff_t at) {
  return at == start ? "s_0" : fmt::format("sampled history {}", at);
}

/// How far the solution's consumption is from what the equations ask for.
struct ConsumptionErrors {
  Largest resource;      ///< (18), over C
  Largest first_orders;  ///< (21), as the log of the two types' ratio
};

ConsumptionErrors consumption_errors(const Calibration& c, const Equilibrium& e,
                                     const std::vector<Transitions>& histories) {
  ConsumptionErrors errors;
  errors.resource.see(relative_error(c.mu_1 * e.at_s0.c1 + c.mu_2 * e.at_s0.c2, c.C0), start);
  const FirstOrderConditions conditions(c, e.at_s0);
  for (std::size_t i = 0; i < histories.size(); ++i) {
    const auto at = static_cast<std::ptrdiff_t>(i);
    const Transitions& n = histories[i];
    const auto& [c1, c2] = e.sampled[i];
    const double C = c.C0 * std::exp(c.alpha_h * n.highs() + c.alpha_l * n.lows());
    errors.resource.see(relative_error(c.mu_1 * c1 + c.mu_2 * c2, C), at);
    const double log_relative = n.periods() * std::log(c.beta_1 / c.beta_2) +
                                n.hh * std::log(c.pi_hh / c.believed_pi_hh) +
                                n.hl * std::log((1 - c.pi_hh) / (1 - c.believed_pi_hh)) +
                                n.lh * std::log((1 - c.pi_ll) / (1 - c.believed_pi_ll)) +
                                n.ll * std::log(c.pi_ll / c.believed_pi_ll);
    errors.first_orders.see(std::abs(conditions.error({c1, c2}, log_relative)), at);
  }
  return errors;
}

/// The solution's sums beside the reference's.
struct CheckedSums {
  Largest error;        ///< relative; at a period
  double wealth = 0;    ///< of all periods
  double residual = 0;  ///< of type 2's budget
  std::int64_t count = 0;
};

CheckedSums check_sums(const Problem& problem, const Equilibrium& e,
                       const std::vector<bool>& wanted) {
  const std::vector<PeriodSums> reference = reference_sums(problem, e.at_s0, wanted);
  CheckedSums checked;
  for (std::size_t t = 0; t < reference.size(); ++t) {
    // A period that is not checked counts with the solution's own sums.
    const PeriodSums sums = wanted[t] ? reference[t] : PeriodSums{e.wealth[t], e.spending[t]};
    checked.wealth += sums.wealth;
    checked.residual += sums.wealth - sums.spending;
    if (!wanted[t]) continue;
    checked.count += static_cast<std::int64_t>(classes_in_period(static_cast<double>(t)));
    const auto at = static_cast<std::ptrdiff_t>(t);
    checked.error.see(relative_error(e.wealth[t], sums.wealth), at);
    checked.error.see(relative_error(e.spending[t], sums.spending), at);
  }
  return checked;
}

std::string against_consumption(const ConsumptionErrors& errors, double allowed) {
  if (!(errors.resource.error <= allowed)) {
    return fmt::format("mu_1 c1 + mu_2 c2 misses C by {:.2e} at {}, where {:.2e} is allowed",
                       errors.resource.error, name_of_history(errors.resource.at), allowed);
  }
  if (errors.first_orders.error <= allowed) return "";
  return fmt::format("the first-order conditions disagree by {:.2e} at {}, where {:.2e} is allowed",
                     errors.first_orders.error, name_of_history(errors.first_orders.at), allowed);
}

std::string against_sums(const CheckedSums& sums, double allowed) {
  if (sums.error.error <= allowed) return "";
  return fmt::format(
      "the sums of period {} are off by {:.2e} from the lattice's, where {:.2e} is allowed",
      sums.error.at, sums.error.error, allowed);
}

std::string against_budget(const Outcome& outcome) {
  if (outcome.residual <= outcome.allowed) return "";
  return fmt::format("type 2's budget is off by {:.2e} of wealth, where {:.2e} is allowed",
                     outcome.residual, outcome.allowed);
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

Outcome judge(const Problem& problem, const Equilibrium& equilibrium, const Scrutiny& scrutiny) {
  const Equilibrium& e = equilibrium;
  Outcome outcome;
  outcome.iterations = e.passes;
  const std::vector<Transitions> histories = sampled_histories(problem);
  outcome.why = against_arrays(problem, e, histories.size());
  if (!outcome.why.empty()) {
    if (e.converged) return outcome;
    outcome.gave_up = true;
    outcome.why = fmt::format(
        "not converged: no numbers in pass {}; Newton's method gave up at a node, or consumption "
        "left the range of double precision",
        e.passes);
    return outcome;
  }

  const ConsumptionErrors consumption = consumption_errors(problem.calibration, e, histories);
  const std::vector<bool> wanted = periods_to_check(problem, scrutiny.thorough);
  const CheckedSums sums = check_sums(problem, e, wanted);
  outcome.exhaustive = std::ranges::find(wanted, false) == wanted.end();
  outcome.checked_states = sums.count;

  const Calibration& c = problem.calibration;
  const double newton_leaves = problem.newton_tolerance * (1 + c.gamma_1 + c.gamma_2);
  const double allowed_error = std::max(1e-10, 10 * newton_leaves);
  outcome.residual = std::abs(sums.residual) / sums.wealth;
  outcome.allowed = problem.broyden_tolerance + 10 * newton_leaves;
  outcome.figures = {
      {"c1_0", e.at_s0.c1},
      {"c2_0", e.at_s0.c2},
      {"wealth", sums.wealth},
      {"budget_residual", e.residual},
      {"passes", e.passes},
      {"nodes", static_cast<double>(e.nodes)},
      {"newton_iterations_mean", static_cast<double>(e.newton_iterations) /
                                     (static_cast<double>(e.nodes) * std::max(1, e.passes))},
      {"sums_error", sums.error.error},
      {"resource_error", consumption.resource.error},
      {"foc_error", consumption.first_orders.error}};

  const std::string not_converged =
      e.converged ? ""
                  : fmt::format("not converged: a budget residual of {:.2e} after {} passes",
                                e.residual, e.passes);
  outcome.gave_up = !e.converged;
  outcome.why = first_of({not_converged, against_counts(problem, e),
                          against_consumption(consumption, allowed_error),
                          against_sums(sums, allowed_error), against_budget(outcome)});
  outcome.valid = outcome.why.empty();
  return outcome;
}

}  // namespace macrobench::beliefs
