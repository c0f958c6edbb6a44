#include "implementations/beliefs/certificate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <numbers>
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

/// The histories of a period that have `others` periods in the other state, in `runs` runs, and
/// that end in it or not.
struct Class {
  int others, runs;
  bool ends_other;
};

/// Probability of each class of a period.
class Lattice {
 public:
  explicit Lattice(int T)
      : stride_(static_cast<std::size_t>(T) / 2 + 2),
        same_((static_cast<std::size_t>(T) + 1) * stride_, 0),
        other_(same_),
        most_weight_(static_cast<std::size_t>(T) + 1, 0) {
    same_[0] = 1;
  }

  /// From period t - 1 to t.
  void advance(int t, const Chain& pi) {
    for (int others = t; others >= 0; --others) {
      long double& most = most_weight_[static_cast<std::size_t>(others)];
      most = 0;
      for (int runs = most_runs(t, others); runs >= 0; --runs) {
        const std::size_t here = at(others, runs);
        same_[here] = same_[here] * pi.stay + other_[here] * pi.back;
        other_[here] = 0;
        if (others > 0 && runs > 0) {
          other_[here] =
              other_[at(others - 1, runs)] * pi.remain + same_[at(others - 1, runs - 1)] * pi.leave;
        }
        most = std::max({most, same_[here], other_[here]});
      }
    }
  }

  [[nodiscard]] static int most_runs(int t, int others) { return std::min(others, t - others + 1); }
  [[nodiscard]] long double most_weight(int others) const {
    return most_weight_[static_cast<std::size_t>(others)];
  }
  [[nodiscard]] long double weight(const Class& which) const {
    return (which.ends_other ? other_ : same_)[at(which.others, which.runs)];
  }

 private:
  [[nodiscard]] std::size_t at(int others, int runs) const {
    return static_cast<std::size_t>(others) * stride_ + static_cast<std::size_t>(runs);
  }

  std::size_t stride_;
  std::vector<long double> same_;
  std::vector<long double> other_;
  std::vector<long double> most_weight_;  ///< of a class, by `others`
};

/// Adds up a period's classes.
class Classes {
 public:
  Classes(const Calibration& c, const Consumption& at_s0)
      : c_(c),
        conditions_(c, at_s0),
        pi_1_(chain_of(c.starts_low, c.pi_hh, c.pi_ll)),
        relative_(log_ratio(pi_1_, chain_of(c.starts_low, c.believed_pi_hh, c.believed_pi_ll))),
        growth_same_(c.starts_low ? c.alpha_l : c.alpha_h),
        growth_other_(c.starts_low ? c.alpha_h : c.alpha_l),
        log_owned_1_(std::log(c.mu_1) + std::log(at_s0.c1)),
        log_owned_2_(std::log(c.mu_2) + std::log(at_s0.c2)) {}

  [[nodiscard]] const Chain& pi_1() const { return pi_1_; }

  /// Those of period t. What is left out, because no price can make it count, is at most 1e-15 of
  /// either sum.
  [[nodiscard]] ReferencePeriod sums(int t, const Lattice& lattice) {
    const double left_out = std::log(1e-15 / classes_in_period(t));
    const double discount = t * std::log(c_.beta_1);
    const double impatience = t * std::log(c_.beta_1 / c_.beta_2);
    // The class that was the largest a period ago has a share of this period's sums as well.
    Terms lower = terms({largest_.others, largest_.runs, largest_.ends_other}, t, lattice);
    double negligible = log_of(lower) + left_out;
    Terms total{0, 0};
    long double largest = 0;
    for (int others = 0; others <= t; ++others) {
      const double log_C = log_endowment(t, others);
      const double most_1 = bound(c_.gamma_1, log_C, log_owned_1_);
      const double most_2 = bound(c_.gamma_2, log_C, log_owned_2_) - impatience;
      const auto is_negligible = [&](long double weight, double least_relative) {
        const double log_weight = std::numbers::ln2 * (std::ilogb(weight) + 1);  // or less
        return weight == 0 ||
               discount + log_C + log_weight + std::max(most_1, most_2 - least_relative) <
                   negligible;
      };
      const int most_runs = Lattice::most_runs(t, others);
      double least_relative = std::numeric_limits<double>::infinity();  // it is linear in the runs
      for (const int runs : {0, most_runs}) {
        for (const bool ends_other : {false, true}) {
          least_relative = std::min(least_relative, log_relative({others, runs, ends_other}, t));
        }
      }
      if (is_negligible(lattice.most_weight(others), least_relative)) continue;
      for (int runs = 0; runs <= most_runs; ++runs) {
        for (const bool ends_other : {false, true}) {
          const Class which{others, runs, ends_other};
          if (is_negligible(lattice.weight(which), log_relative(which, t))) continue;
          const Terms add = terms(which, t, lattice);
          total.wealth += add.wealth;
          total.spending += add.spending;
          if (add.wealth <= largest) continue;
          largest = add.wealth;
          largest_ = which;
          lower = {std::max(lower.wealth, total.wealth), std::max(lower.spending, total.spending)};
          negligible = log_of(lower) + left_out;
        }
      }
    }
    return {static_cast<double>(total.wealth), static_cast<double>(total.spending)};
  }

 private:
  struct Terms {
    long double wealth, spending;
  };

  [[nodiscard]] double log_endowment(int t, int others) const {
    return std::log(c_.C0) + (t - others) * growth_same_ + others * growth_other_;
  }

  /// log pi_1 / pi_2 of a history.
  [[nodiscard]] double log_relative(const Class& which, int t) const {
    const int back = which.runs - (which.ends_other ? 1 : 0);
    const int remain = which.others - which.runs;
    const int stay = t - which.runs - back - remain;
    return stay * relative_.stay + which.runs * relative_.leave + back * relative_.back +
           remain * relative_.remain;
  }

  /// The log of a type's relative marginal utility is at most this if it has half the endowment or
  /// more. One of the two types has, and both agree on the price.
  [[nodiscard]] static double bound(double gamma, double log_C, double log_owned_at_s0) {
    return -gamma * (log_C - std::numbers::ln2 - log_owned_at_s0);
  }

  /// What a class adds to the sums of q C and q c2.
  [[nodiscard]] Terms terms(const Class& which, int t, const Lattice& lattice) const {
    const double log_C = log_endowment(t, which.others);
    const double x =
        conditions_.solve(log_C, t * std::log(c_.beta_1 / c_.beta_2) + log_relative(which, t));
    const LogShares shares(x);
    const double log_q = t * std::log(c_.beta_1) -
                         c_.gamma_1 * (log_C + shares.of_1 - log_owned_1_);  // over pi_1(s^t)
    const long double value = lattice.weight(which) * std::exp(log_q);
    return {value * std::exp(log_C), value * std::exp(log_C + shares.of_2) / c_.mu_2};
  }

  /// A class adds less to mu_2 spending than to wealth, so it is negligible in both sums if it adds
  /// a negligible part of this to wealth.
  [[nodiscard]] double log_of(const Terms& lower) const {
    return static_cast<double>(std::log(std::min(lower.wealth, c_.mu_2 * lower.spending)));
  }

  const Calibration& c_;
  FirstOrderConditions conditions_;
  Chain pi_1_, relative_;
  double growth_same_, growth_other_;
  double log_owned_1_, log_owned_2_;  ///< log mu_i c_i(s_0)
  Class largest_{0, 0, false};        ///< of the period before
};

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
  Largest resource;      ///< (18), over C; at s_0 over what the poorer type has of it
  Largest first_orders;  ///< (21), as the log of the two types' ratio
};

ConsumptionErrors consumption_errors(const Calibration& c, const Equilibrium& e,
                                     const std::vector<Transitions>& histories) {
  ConsumptionErrors errors;
  const double owned_1 = c.mu_1 * e.at_s0.c1;
  const double owned_2 = c.mu_2 * e.at_s0.c2;
  errors.resource.see(std::abs(owned_1 + owned_2 - c.C0) / std::min({owned_1, owned_2, c.C0}),
                      start);
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
  double wealth = 0;    ///< of all periods, as the reference has it
  double residual = 0;  ///< of type 2's budget, from the reference's sums alone
};

CheckedSums check_sums(const Problem& problem, const Equilibrium& e) {
  const std::vector<ReferencePeriod> reference = reference_sums(problem, e.at_s0);
  CheckedSums checked;
  for (std::size_t t = 0; t < reference.size(); ++t) {
    const auto& [wealth, spending] = reference[t];
    checked.wealth += wealth;
    checked.residual += wealth - spending;
    const auto at = static_cast<std::ptrdiff_t>(t);
    checked.error.see(relative_error(e.wealth[t], wealth), at);
    checked.error.see(relative_error(e.spending[t], spending), at);
  }
  return checked;
}

/// What the user's tolerances allow, each at most `largest_share`.
struct Allowed {
  double consumption_at_s0, consumption_and_sums, budget;
  std::string what_would_do;    ///< the option that keeps an honest solver within these
  std::string ill_conditioned;  ///< why no solver's and no certificate's sums are close enough

  Allowed(const Problem& problem, const Consumption& at_s0) {
    const Calibration& c = problem.calibration;
    // By Walras' law type 1's budget is off by mu_2 / mu_1 times as much.
    const double share = largest_share * std::min(1.0, c.mu_1 / c.mu_2);
    const double ten_of_newton = 10 * (1 + c.gamma_1 + c.gamma_2);
    const double newton_leaves = ten_of_newton * problem.newton_tolerance;
    consumption_and_sums = std::max(1e-10, std::min(newton_leaves, largest_share));
    const double poorer = std::min(c.mu_1 * at_s0.c1, c.mu_2 * at_s0.c2);
    const double rounding = 4 * std::numeric_limits<double>::epsilon() * c.C0 / poorer;
    consumption_at_s0 = std::max(consumption_and_sums, std::min(rounding, largest_share));
    budget = std::min(problem.broyden_tolerance, share) + std::min(newton_leaves, share);

    const auto add = [&](const char* name, double tolerance, double enough) {
      what_would_do +=
          fmt::format("; {} = {:.6g} may leave more than {:.0e} of wealth: --{} {:.0e}", name,
                      tolerance, largest_share, name, enough);
    };
    if (newton_leaves > largest_share) {
      add("newton_tolerance", problem.newton_tolerance, largest_share / ten_of_newton / 2);
    }
    if (problem.broyden_tolerance > share) {
      add("broyden_tolerance", problem.broyden_tolerance, share / 2);
    }
    if (share >= 1e-13) return;  // which rounding may leave of the sums, relative to them
    ill_conditioned = fmt::format(
        "rounding alone may leave more than {:.0e} of type 1's wealth at mu_1 = {:.6g}: --mu_1 "
        "above 1e-7",
        largest_share, c.mu_1);
  }
};

std::string against_consumption(const ConsumptionErrors& errors, double allowed_at_s0,
                                double allowed_elsewhere) {
  const double allowed = errors.resource.at == start ? allowed_at_s0 : allowed_elsewhere;
  if (!(errors.resource.error <= allowed)) {
    return fmt::format("mu_1 c1 + mu_2 c2 misses C by {:.2e} at {}, where {:.2e} is allowed",
                       errors.resource.error, name_of_history(errors.resource.at), allowed);
  }
  if (errors.first_orders.error <= allowed_elsewhere) return "";
  return fmt::format("the first-order conditions disagree by {:.2e} at {}, where {:.2e} is allowed",
                     errors.first_orders.error, name_of_history(errors.first_orders.at),
                     allowed_elsewhere);
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

std::vector<ReferencePeriod> reference_sums(const Problem& problem, const Consumption& at_s0) {
  std::vector<ReferencePeriod> sums{{problem.calibration.C0, at_s0.c2}};
  Lattice lattice(problem.T);
  Classes classes(problem.calibration, at_s0);
  for (int t = 1; t <= problem.T; ++t) {
    lattice.advance(t, classes.pi_1());
    sums.push_back(classes.sums(t, lattice));
  }
  return sums;
}

Outcome judge(const Problem& problem, const Equilibrium& equilibrium, const Scrutiny&) {
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
  const CheckedSums sums = check_sums(problem, e);
  outcome.exhaustive = true;
  outcome.checked_states = static_cast<std::int64_t>(1 + classes_up_to(problem.T));

  const Allowed allowed(problem, e.at_s0);
  outcome.residual = std::abs(sums.residual) / sums.wealth;
  outcome.allowed = allowed.budget;
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
  outcome.why = first_of({not_converged, against_counts(problem, e), allowed.ill_conditioned});
  if (outcome.why.empty()) {
    outcome.why = first_of(
        {against_consumption(consumption, allowed.consumption_at_s0, allowed.consumption_and_sums),
         against_sums(sums, allowed.consumption_and_sums), against_budget(outcome)});
    if (!outcome.why.empty()) outcome.why += allowed.what_would_do;
  }
  outcome.valid = outcome.why.empty();
  return outcome;
}

}  // namespace macrobench::beliefs
