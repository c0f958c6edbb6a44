#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

#include "implementations/beliefs/certificate.hpp"
#include "tests/certificates/mutants.hpp"
#include "tests/implementations/beliefs/plain_equilibrium.hpp"

namespace macrobench::beliefs {
namespace {

struct Economy {
  std::string name;
  Problem problem;
};

Problem of(double gamma_1, double gamma_2) {
  Problem problem;
  problem.T = 4;
  problem.calibration.gamma_1 = gamma_1;
  problem.calibration.gamma_2 = gamma_2;
  return problem;
}

std::vector<Economy> economies() {
  std::vector<Economy> all = {{"the paper's", of(2, 2)}};
  for (const auto& [gamma_1, gamma_2] :
       std::vector<std::pair<double, double>>{{0.5, 3}, {1, 1}, {5, 2}, {20, 0.5}, {50, 50}}) {
    all.push_back({fmt::format("gamma {} and {}", gamma_1, gamma_2), of(gamma_1, gamma_2)});
  }
  for (const double beta : {0.3, 0.999}) {
    Problem problem = of(2, 3);
    problem.calibration.beta_1 = beta;
    problem.calibration.beta_2 = beta;
    all.push_back({fmt::format("beta {}", beta), problem});
  }
  Problem cents = of(2, 3);
  cents.calibration.C0 *= 1e4;
  all.push_back({"cents", cents});
  Problem low = of(2, 3);
  low.calibration.starts_low = true;
  all.push_back({"a low start", low});
  return all;
}

/// All that follows from type 2's consumption at s_0, history by history. What the certificate's
/// own sums say is not asked.
Equilibrium by_hand_at(const Problem& problem, double c2) {
  const Calibration& c = problem.calibration;
  Equilibrium found;
  found.at_s0 = {(c.C0 - c.mu_2 * c2) / c.mu_1, c2};
  const BruteForce::Sums sums = BruteForce{c, found.at_s0}.sums(problem.T);
  found.wealth.assign(sums.wealth.begin(), sums.wealth.end());
  found.spending.assign(sums.spending.begin(), sums.spending.end());
  found.sampled = plain_samples(problem, found.at_s0);
  found.nodes = static_cast<std::int64_t>(classes_up_to(problem.T));
  found.newton_iterations = 2 * found.nodes;
  found.passes = 1;
  found.converged = true;
  return found;
}

/// The c2 at which type 2's budget holds, by bisection.
Equilibrium by_hand(const Problem& problem) {
  const Calibration& c = problem.calibration;
  double low = 0;
  double high = c.C0 / c.mu_2;
  for (int n = 0; n < 60; ++n) {
    const double c2 = (low + high) / 2;
    const BruteForce tree{c, {(c.C0 - c.mu_2 * c2) / c.mu_1, c2}};
    const BruteForce::Sums sums = tree.sums(problem.T);
    long double left = 0;
    for (std::size_t t = 0; t < sums.wealth.size(); ++t) left += sums.wealth[t] - sums.spending[t];
    (left > 0 ? low : high) = c2;
  }
  return by_hand_at(problem, (low + high) / 2);
}

/// The largest relative difference of two equilibria in anything that a reader is shown.
double difference(const Equilibrium& right, const Equilibrium& other) {
  LargestError largest;
  const auto see = [&](double is, double should_be) { largest.see(std::abs(is / should_be - 1)); };
  const auto see_consumption = [&](const Consumption& is, const Consumption& should_be) {
    see(is.c1, should_be.c1);
    see(is.c2, should_be.c2);
  };
  see_consumption(other.at_s0, right.at_s0);
  for (std::size_t t = 0; t < right.wealth.size(); ++t) {
    see(other.wealth[t], right.wealth[t]);
    see(other.spending[t], right.spending[t]);
  }
  for (std::size_t i = 0; i < right.sampled.size(); ++i) {
    see_consumption(other.sampled[i], right.sampled[i]);
  }
  return largest.value();
}

using Change = std::function<void(Equilibrium&)>;

std::vector<std::pair<std::string, Change>> mutants_of(const Problem& problem) {
  using E = Equilibrium;
  const auto every_sum = [](double factor) {
    return [=](E& e) {
      for (double& sum : e.wealth) sum *= factor;
      for (double& sum : e.spending) sum *= factor;
    };
  };
  const auto moved = [problem](double by) {
    return [=](E& e) {
      // Along the resource constraint, with all that follows from it.
      e = by_hand_at(problem, e.at_s0.c2 * (1 + by));
    };
  };
  const auto of_other = [problem](const std::function<void(Calibration&)>& change) {
    return [=](E& e) {
      Problem other = problem;
      change(other.calibration);
      e = by_hand(other);
    };
  };
  std::vector<std::pair<std::string, Change>> all = {
      {"nothing changed", [](E&) {}},
      {"more passes claimed", [](E& e) { e.passes += 3; }},
      {"no budget residual claimed", [](E& e) { e.residual = 0; }},
      {"more Newton steps claimed", [](E& e) { e.newton_iterations *= 5; }},
      {"nothing solved",
       [](E& e) {
         std::ranges::fill(e.wealth, 0);
         std::ranges::fill(e.spending, 0);
         std::ranges::fill(e.sampled, Consumption{1, 1});
       }},
      {"every sum 1% larger", every_sum(1.01)},
      {"every sum .001% larger", every_sum(1.00001)},
      {"spending as wealth", [](E& e) { e.spending = e.wealth; }},
      {"the last period's wealth", [](E& e) { e.wealth.back() *= 1.0001; }},
      {"a period within", [](E& e) { e.spending[e.spending.size() / 2] *= 0.9999; }},
      {"two periods swapped", [](E& e) { std::swap(e.wealth[1], e.wealth[2]); }},
      {"one history's consumption", [](E& e) { e.sampled[e.sampled.size() / 2].c1 *= 1.001; }},
      {"the first history's", [](E& e) { e.sampled.front().c2 *= 0.99; }},
      {"every history's as the first",
       [](E& e) { std::ranges::fill(e.sampled, e.sampled.front()); }},
      {"the types swapped", [](E& e) { std::swap(e.at_s0.c1, e.at_s0.c2); }},
      {"consumption at s_0 alone", [](E& e) { e.at_s0.c2 *= 1.001; }},
      {"no number", [](E& e) { e.wealth[1] = std::numeric_limits<double>::quiet_NaN(); }},
      {"c2 at s_0 15% larger", moved(0.15)},
      {"c2 at s_0 .1% larger", moved(1e-3)},
      {"c2 at s_0 .001% smaller", moved(-1e-5)}};
  for (const double by : {1e-2, 1e-4}) {
    all.emplace_back(fmt::format("gamma_1 off by {}", by),
                     of_other([by](Calibration& c) { c.gamma_1 *= 1 + by; }));
    all.emplace_back(fmt::format("beta_1 off by {}", by),
                     of_other([by](Calibration& c) { c.beta_1 *= 1 - by; }));
    all.emplace_back(fmt::format("type 2's belief off by {}", by),
                     of_other([by](Calibration& c) { c.believed_pi_hh *= 1 - by; }));
  }
  return all;
}

std::vector<Refused<Equilibrium>> refused_of(const Problem& problem, const Equilibrium& right) {
  using E = Equilibrium;
  constexpr double ten_tolerances = 1e-9;
  const Calibration& c = problem.calibration;
  std::vector<Refused<E>> all;
  const auto add = [&](const std::string& name, const Change& spoil, const std::string& place) {
    all.push_back({name, spoil, place});
  };
  for (const auto& [name, sums] :
       {std::pair{"wealth", &E::wealth}, std::pair{"spending", &E::spending}}) {
    const auto array = sums;
    add_spoiled(all, name, array, right.wealth.size(),
                [n = name](std::size_t t) { return fmt::format("{}[{}] is", n, t); });
    for (const std::size_t t : places_of(right.wealth.size())) {
      for (const double by : {ten_tolerances, -ten_tolerances}) {
        add(
            fmt::format("{}[{}] off by {}", name, t, by), [=](E& e) { (e.*array)[t] *= 1 + by; },
            fmt::format("the sums of period {} are", t));
      }
    }
    add(
        "two periods swapped", [=](E& e) { std::swap((e.*array)[1], (e.*array)[2]); },
        "the sums of period");
  }
  add_spoiled(all, "sampled", &E::sampled, right.sampled.size(), [](std::size_t) { return ""; });
  for (const std::size_t i : places_of(right.sampled.size())) {
    const std::string place = fmt::format("at sampled history {}", i);
    for (double Consumption::* its : {&Consumption::c1, &Consumption::c2}) {
      for (const double by : {10 * ten_tolerances, -10 * ten_tolerances}) {
        add("a type's consumption off", [=](E& e) { e.sampled[i].*its *= 1 + by; }, place);
      }
      for (const double none : no_numbers<>) {
        add("no number", [=](E& e) { e.sampled[i].*its = none; }, fmt::format("sampled[{}] is", i));
      }
    }
    for (const double by : {10 * ten_tolerances, -10 * ten_tolerances}) {
      add(
          "consumption off along the resource constraint",
          [=, least = std::min(right.sampled[i].c1, right.sampled[i].c2)](E& e) {
            e.sampled[i].c1 += c.mu_2 * by * least;
            e.sampled[i].c2 -= c.mu_1 * by * least;
          },
          place);
    }
    const Consumption its = right.sampled[i];
    const auto other =
        std::ranges::find_if(right.sampled, [&](const Consumption& o) { return o.c1 != its.c1; });
    add("consumption below 0", [=](E& e) { e.sampled[i] = {-1, -1}; }, place);
    add("another history's consumption", [=, of = *other](E& e) { e.sampled[i] = of; }, place);
  }
  for (double Consumption::* its : {&Consumption::c1, &Consumption::c2}) {
    for (const double by : {10 * ten_tolerances, -10 * ten_tolerances}) {
      add("a type's consumption at s_0 off", [=](E& e) { e.at_s0.*its *= 1 + by; }, "at s_0");
    }
    for (const double none : no_numbers<>) {
      add("no number at s_0", [=](E& e) { e.at_s0.*its = none; }, "at_s0 is");
    }
  }
  for (const double by : {10 * ten_tolerances, -10 * ten_tolerances}) {
    add(
        "consumption at s_0 off along the resource constraint",
        [=](E& e) {
          e.at_s0.c1 += c.mu_2 * by;
          e.at_s0.c2 -= c.mu_1 * by;
        },
        " by ");
  }
  for (const int passes : {0, -1, problem.pass_cap + 1}) {
    add("passes", [=](E& e) { e.passes = passes; }, fmt::format("{} passes", passes));
  }
  for (const std::int64_t nodes : {std::int64_t{0}, right.nodes - 1, right.nodes + 1}) {
    add("equations", [=](E& e) { e.nodes = nodes; }, fmt::format("{} equations", nodes));
  }
  add("Newton steps", [](E& e) { e.newton_iterations = -1; }, "-1 Newton steps");
  add(
      "a budget that is not met", [=](E& e) { e = by_hand_at(problem, e.at_s0.c2 * (1 + 1e-4)); },
      "type 2's budget is off by");
  for (double Calibration::* number :
       {&Calibration::gamma_1, &Calibration::gamma_2, &Calibration::beta_1, &Calibration::beta_2,
        &Calibration::alpha_h, &Calibration::alpha_l, &Calibration::pi_hh, &Calibration::pi_ll,
        &Calibration::believed_pi_hh, &Calibration::believed_pi_ll, &Calibration::C0}) {
    Problem other = problem;
    other.calibration.*number *= 0.999;
    add("another case", [=](E& e) { e = by_hand(other); }, " by ");
  }
  return all;
}

TEST(Mutants, OfBeliefs) {
  Mutants mutants("beliefs");
  for (const auto& [name, problem] : economies()) {
    const Equilibrium right = by_hand(problem);
    for (const auto& [what, spoil] : mutants_of(problem)) {
      Equilibrium mutant = right;
      spoil(mutant);
      mutants.see(fmt::format("{}: {}", name, what), difference(right, mutant), 1e-14, 1e-6,
                  judge(problem, mutant, true));
    }
  }
  for (const bool starts_low : {false, true}) {
    Problem problem = of(2, 3);
    problem.calibration.starts_low = starts_low;
    const Equilibrium right = by_hand(problem);
    mutants.see_refused(starts_low ? "a low start" : "a high start", right,
                        refused_of(problem, right),
                        [&](const Equilibrium& e) { return judge(problem, e, true); });
  }
  expect_in_evidence(mutants.row());
}

}  // namespace
}  // namespace macrobench::beliefs
