#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "implementations/krusell_smith/certificate/certificate.hpp"
#include "implementations/krusell_smith/policy/policy.hpp"
#include "implementations/krusell_smith/regression.hpp"
#include "tests/certificates/mutants.hpp"
#include "tests/implementations/krusell_smith/plain_panel.hpp"

namespace macrobench::krusell_smith {
namespace {

using Values = std::vector<double>;

struct Case {
  std::string name;
  Problem problem;
  PanelKind kind = PanelKind::agents;
  /// Wealth in the first period over what it is if nobody says otherwise. A certificate believes
  /// that only if reuse_tolerance is below 1.
  double richer = 1;
};

Problem tiny() {
  Problem problem = small_problem();
  problem.N = 200;
  problem.histogram_points = 120;
  problem.relaxation = 0.4;
  problem.policy_cap = 1'000;  // some spoilt economies have no policy
  return problem;
}

/// Households that want another mean of wealth, and a grid of K around it.
Case around(std::string name, double K, const std::function<void(Problem&)>& change) {
  Case economy{.name = std::move(name), .problem = tiny()};
  economy.richer = K / 36.7;
  economy.problem.grids.K_min = 0.7 * K;
  economy.problem.grids.K_max = 1.4 * K;
  economy.problem.reuse_tolerance = 1e-6;
  change(economy.problem);
  return economy;
}

/// The same economy, all of whose goods are counted in units of 1/scale: more goods by more hours.
Case in_units_of(double scale, Case economy) {
  economy.name = fmt::format("units of {}, {}", 1 / scale, economy.name);
  Problem& problem = economy.problem;
  problem.reuse_tolerance = 1e-6;
  problem.calibration.lbar *= scale;
  problem.calibration.mu *= scale;  // over a wage that is an hour's
  problem.grids.k_max *= scale;
  problem.grids.K_min *= scale;
  problem.grids.K_max *= scale;
  problem.policy_tolerance *= scale;
  economy.richer *= scale;
  return economy;
}

std::vector<Case> economies_far_and_near() {
  const Case published{.name = "the papers'", .problem = tiny()};
  const auto with = [&](std::string name, const std::function<void(Case&)>& change) {
    Case economy = published;
    economy.name = std::move(name);
    change(economy);
    return economy;
  };
  const auto histogram = [](Case& e) { e.kind = PanelKind::histogram; };
  std::vector<Case> all = {
      published,
      with("a histogram", histogram),
      with("panels begin where the last ended", [](Case& e) { e.problem.reuse_tolerance = 1e-6; }),
      with("few points of k",
           [](Case& e) {
             e.problem.policy_interpolation = PolicyInterpolation::linear;
             e.problem.grids.n_k = 8;
             e.problem.grids.theta = 4;
           }),
      with("more points",
           [](Case& e) {
             e.problem.grids.n_k = 60;
             e.problem.grids.n_K = 7;
           }),
      with("interpolated linearly",
           [](Case& e) { e.problem.policy_interpolation = PolicyInterpolation::linear; }),
      with("a policy alone", [](Case& e) { e.problem.stage = Stage::policy; }),
      with("a panel alone", [](Case& e) { e.problem.stage = Stage::panel; }),
      with("a histogram alone",
           [](Case& e) {
             e.problem.stage = Stage::panel;
             e.kind = PanelKind::histogram;
           }),
  };
  for (const double gamma : {0.6, 2.0, 5.0, 10.0}) {
    all.push_back(around(fmt::format("gamma {}", gamma), 40,
                         [gamma](Problem& p) { p.calibration.gamma = gamma; }));
  }
  for (const auto& [beta, K] : {std::pair{0.9, 4.7}, {0.95, 11.5}, {0.993, 45.0}}) {
    all.push_back(around(fmt::format("beta {}", beta), K,
                         [b = beta](Problem& p) { p.calibration.beta = b; }));
  }
  all.push_back(in_units_of(1e4, published));
  all.push_back(in_units_of(1e4, with("a histogram", histogram)));
  all.push_back(
      in_units_of(1e-2, around("gamma 2", 40, [](Problem& p) { p.calibration.gamma = 2; })));
  return all;
}

/// Everybody's wealth in the first period.
Values first_of(const Case& economy, const Shocks& shocks) {
  if (economy.kind == PanelKind::histogram) {
    Problem poorer = economy.problem;
    poorer.grids.k_max /= economy.richer;
    return first_histogram(poorer, shocks);
  }
  Values wealth = initial_wealth(economy.problem.N);
  for (double& k : wealth) k *= economy.richer;
  return wealth;
}

/// What these households do, who may be others than the economy's.
Equilibrium solved(const Case& economy, const Problem& problem, const Shocks& shocks,
                   const Values& first) {
  const auto from_first = [&](auto panel) {
    panel.first = first;
    return plainly_solved(problem, std::move(panel), economy.kind, shocks);
  };
  if (problem.stage == Stage::policy) return plain_equilibrium(problem);
  return economy.kind == PanelKind::histogram ? from_first(PlainHistogram(problem, shocks))
                                              : from_first(PlainPanel(problem, shocks));
}

Values policy_of(const Problem& problem, const LawOfMotion& law) {
  return solve_policy(problem, law, *make_policy_method(problem)).policy;
}

/// What is known of an economy by code that no certificate uses.
class Truth {
 public:
  explicit Truth(Case its)
      : economy(std::move(its)),
        problem(economy.problem),
        shocks(*shocks_of(problem)),
        first(first_of(economy, shocks)),
        right(solved(economy, problem, shocks, first)) {
    // Two laws at a Euclidean distance of the tolerance differ by that at an end of the grid of K.
    for (const double K : {problem.grids.K_min, problem.grids.K_max}) {
      height = std::max(height, problem.tolerance * std::hypot(1, std::log(K)));
    }
    for (std::size_t at = 0; at < right.policy.size(); ++at) {
      consumption.push_back(resources(at) - right.policy[at]);
    }
    mean = std::accumulate(right.K.begin(), right.K.end(), 0.0) / problem.T;
  }

  const Case economy;
  const Problem& problem;
  const Shocks shocks;
  const Values first;
  const Equilibrium right;
  double height = 0;   ///< that a law may be off by, in ln K'
  Values consumption;  ///< at the policy's nodes
  double mean;         ///< of wealth

  [[nodiscard]] bool is_histogram() const { return economy.kind == PanelKind::histogram; }

  /// How wrong a mutant is, in multiples of what may be: of ln K', consumption, K and mean wealth
  /// (or the households, where they are counted), a millionth or what is left open by laws that are
  /// within their tolerance.
  [[nodiscard]] double wrong_by(const Equilibrium& e) const {
    // To the right law it may be some times as far as to the law that one brings about.
    const double least = problem.stage == Stage::all ? std::max(1e-6, 5 * height) : 1e-6;
    LargestError worst;
    const auto see = [&](double error) { worst.see(error / least); };
    for (std::size_t at = 0; at < right.policy.size(); ++at) {
      see(std::abs(e.policy[at] - right.policy[at]) / consumption[at]);
    }
    for (const int a : {bad, good}) see(apart(e.law, right.law, a));
    if (problem.stage == Stage::policy) return worst.value();
    for (std::size_t t = 0; t < right.K.size(); ++t) {
      see(std::abs(e.K[t] / right.K[t] - 1));
      // Of at most five panels the fifth is the last.
      if (e.outer_iterations <= 5) see(std::abs(e.K_fifth[t] / right.K[t] - 1));
    }
    const double unit = is_histogram() ? 1 : mean;
    for (std::size_t n = 0; n < right.first_wealth.size(); ++n) {
      see(std::abs(e.first_wealth[n] - right.first_wealth[n]) / unit);
      see(std::abs(e.last_wealth[n] - right.last_wealth[n]) / unit);
    }
    if (problem.stage == Stage::panel) return worst.value();
    for (const int a : {bad, good}) {
      see(apart(e.estimated, right.estimated, a));
      see(std::abs(e.R2[a] - right.R2[a]));
    }
    return worst.value();
  }

  [[nodiscard]] double resources(std::size_t at) const {
    const auto n_k = static_cast<std::size_t>(problem.grids.n_k);
    const auto n_K = static_cast<std::size_t>(problem.grids.n_K);
    const std::size_t s = at / n_k / n_K;
    const Calibration& c = problem.calibration;
    const double L = 1 - (s / 2 == good ? c.u_good : c.u_bad);
    const double K_per_hour = problem.grids.K(static_cast<int>(at / n_k % n_K)) / (c.lbar * L);
    const double output =
        (s / 2 == good ? 1 + c.delta_a : 1 - c.delta_a) * std::pow(K_per_hour, c.alpha);
    const double wage = (1 - c.alpha) * output;
    const double tax = c.mu * (1 - L) / (c.lbar * L);
    const double income = s % 2 == employed ? (1 - tax) * c.lbar * wage : c.mu * wage;
    const double return_of = 1 - c.delta + c.alpha * output / K_per_hour;
    return return_of * problem.grids.k(static_cast<int>(at % n_k)) + income;
  }

 private:
  /// Largest difference of ln K' on the grid of K.
  [[nodiscard]] double apart(const LawOfMotion& left, const LawOfMotion& other, int a) const {
    double largest = 0;
    for (const double K : {problem.grids.K_min, problem.grids.K_max}) {
      largest = std::max(
          largest, std::abs(left.b0[a] - other.b0[a] + (left.b1[a] - other.b1[a]) * std::log(K)));
    }
    return largest;
  }
};

using Spoil = std::function<void(Equilibrium&)>;

struct Mutant {
  std::string name;
  Spoil spoil;
  /// Whether it is as good as the right one, although not the same.
  bool is_as_good = false;
};

using MutantList = std::vector<Mutant>;

Spoil every(Values Equilibrium::* array, const std::function<double(double)>& change) {
  return [=](Equilibrium& e) { std::ranges::transform(e.*array, (e.*array).begin(), change); };
}

Spoil one(Values Equilibrium::* array, std::size_t at,
          const std::function<double(double)>& change) {
  return [=](Equilibrium& e) { (e.*array)[at] = change((e.*array)[at]); };
}

double one_bit_up(double x) {
  return std::nextafter(x, std::numeric_limits<double>::infinity());
}

void add(MutantList& to, const MutantList& more) {
  to.insert(to.end(), more.begin(), more.end());
}

/// The laws become those of a regression on the mutant's own path, which its regression can then
/// not tell from a panel's.
void regress_again(const Truth& truth, Equilibrium& e) {
  const Regression again = regress(truth.shocks, truth.problem.burn_in, e.K);
  e.law = e.estimated = again.law;
  e.R2[bad] = again.R2[bad];
  e.R2[good] = again.R2[good];
}

MutantList of_policy(const Truth& truth) {
  const Problem& problem = truth.problem;
  const auto n_k = static_cast<std::size_t>(problem.grids.n_k);
  const auto n_K = static_cast<std::size_t>(problem.grids.n_K);
  const std::size_t last = problem.grids.size() - 1;
  const double k_max = problem.grids.k_max;
  constexpr auto policy = &Equilibrium::policy;
  const auto less = [&](std::size_t at, double share) {
    return one(policy, at, [by = share * truth.consumption[at]](double k) { return k - by; });
  };
  const std::size_t within = (n_K + 1) * n_k + n_k / 2;  // (bad, employed)
  MutantList all = {
      {"every choice one bit up", every(policy, one_bit_up)},
      {"nothing is saved", every(policy, [](double) { return 0.0; })},
      {"everybody saves k_max", every(policy, [=](double) { return k_max; })},
      {"nothing solved", [&](Equilibrium& e) { e.policy = first_policy(truth.problem.grids); }},
      {"choices 1% lower", every(policy, [](double k) { return .99 * k; })},
      {"choices .01% lower", every(policy, [](double k) { return .9999 * k; })},
      {"choices in single precision",
       every(policy, [](double k) { return static_cast<float>(k); })},
      {"the choice at a node within", less(within, 1e-3)},
      {"the choice at a node within, by little", less(within, -1e-5)},
      {"the choice of the poorest", less(0, -1e-3)},
      {"the choice of the richest", less(last, 1e-3)},
      {"every choice a node up",
       [=](Equilibrium& e) {
         for (std::size_t at = 0; at < last; ++at) {
           if ((at + 1) % n_k != 0) e.policy[at] = e.policy[at + 1];
         }
       }},
      {"the unemployed choose as the employed",
       [=](Equilibrium& e) {
         const auto size = static_cast<std::ptrdiff_t>(n_k * n_K);
         std::copy_n(e.policy.begin() + size, size, e.policy.begin());
       }},
      {"the good state's choices in the bad one",
       [=](Equilibrium& e) {
         const auto half = static_cast<std::ptrdiff_t>(2 * n_k * n_K);
         std::copy_n(e.policy.begin() + half, half, e.policy.begin());
       }},
      {"the choices at the lowest K everywhere",
       [=](Equilibrium& e) {
         for (std::size_t at = 0; at <= last; ++at) {
           e.policy[at] = e.policy[at / (n_k * n_K) * n_k * n_K + at % n_k];
         }
       }},
      {"a coarse grid's choices",
       [&, n_k](Equilibrium& e) {
         Problem coarse = truth.problem;
         coarse.grids.n_k = truth.problem.grids.n_k / 2 + 1;
         const auto nodes = static_cast<std::size_t>(coarse.grids.n_k);
         const Values from = policy_of(coarse, e.law);
         for (std::size_t at = 0; at < e.policy.size(); ++at) {
           const double x = static_cast<double>(at % n_k) * static_cast<double>(nodes - 1) /
                            static_cast<double>(n_k - 1);
           const std::size_t i = std::min(static_cast<std::size_t>(x), nodes - 2);
           const double* line = from.data() + at / n_k * nodes + i;
           e.policy[at] = std::lerp(line[0], line[1], x - static_cast<double>(i));
         }
       }},
      {"a search that stopped early",
       [&](Equilibrium& e) {
         Problem loose = truth.problem;
         loose.policy_tolerance *= 1e6;
         e.policy = policy_of(loose, e.law);
       }},
  };
  for (const double by : {1e-3, 1e-5}) {
    all.push_back({fmt::format("choices under a law off by {}", by), [&, by](Equilibrium& e) {
                     LawOfMotion law = e.law;
                     law.b0[good] += by;
                     e.policy = policy_of(truth.problem, law);
                   }});
  }
  const auto with = [&](const std::string& what, const std::function<void(Calibration&)>& change) {
    all.push_back({fmt::format("choices with {}", what), [&, change](Equilibrium& e) {
                     Problem other = truth.problem;
                     change(other.calibration);
                     e.policy = policy_of(other, e.law);
                   }});
  };
  for (const double by : {1e-3, 1e-5}) {
    with(fmt::format("beta off by {}", by), [by](Calibration& c) { c.beta *= 1 - by; });
    with(fmt::format("delta off by {}", by), [by](Calibration& c) { c.delta *= 1 + by; });
    with(fmt::format("mu off by {}", 10 * by), [by](Calibration& c) { c.mu *= 1 + 10 * by; });
  }
  with("P transposed", [](Calibration& c) {
    const auto P = c.P;
    for (std::size_t s = 0; s < 4; ++s) {
      const double sum = P[s] + P[4 + s] + P[8 + s] + P[12 + s];
      for (std::size_t next = 0; next < 4; ++next) c.P[4 * s + next] = P[4 * next + s] / sum;
    }
  });
  with("the other state's rows of P",
       [](Calibration& c) { std::rotate(c.P.begin(), c.P.begin() + 8, c.P.end()); });
  return all;
}

MutantList of_path(const Truth& truth) {
  constexpr auto path = &Equilibrium::K;
  const auto T = static_cast<std::size_t>(truth.problem.T);
  MutantList all = {
      {"every mean one bit up", every(path, one_bit_up)},
      {"every mean .001% larger", every(path, [](double K) { return 1.00001 * K; })},
      {"every mean the same", every(path, [&](double) { return truth.mean; })},
      {"a mean that is no number",
       one(path, T / 2, [](double) { return std::numeric_limits<double>::quiet_NaN(); })},
      {"a period left out",
       [=](Equilibrium& e) {
         std::copy(e.K.begin() + static_cast<std::ptrdiff_t>(T / 2) + 1, e.K.end(),
                   e.K.begin() + static_cast<std::ptrdiff_t>(T / 2));
       }},
      {"a path made up by the law after the middle", [&, T](Equilibrium& e) {
         for (std::size_t t = T / 2; t + 1 < T; ++t) {
           e.K[t + 1] = e.law.next(truth.shocks.states[t], e.K[t]);
         }
         if (truth.problem.stage == Stage::all) regress_again(truth, e);
       }}};
  for (const std::size_t t : {std::size_t{0}, std::size_t{5}, T / 2, T - 1}) {
    for (const double by : {1e-3, -1e-5}) {
      all.push_back({fmt::format("K[{}] off by {}", t, by), [&, t, by](Equilibrium& e) {
                       e.K[t] *= 1 + by;
                       if (truth.problem.stage == Stage::all) {
                         const LawOfMotion law = e.law;
                         regress_again(truth, e);
                         e.law = law;
                       }
                     }});
    }
  }
  for (Mutant& mutant : all) {
    mutant.spoil = [spoil = mutant.spoil](Equilibrium& e) {
      const bool fifth_is_last = e.K_fifth == e.K;
      spoil(e);
      if (fifth_is_last) e.K_fifth = e.K;
    };
  }
  return all;
}

MutantList of_wealth(const Truth& truth) {
  MutantList all;
  const std::size_t places = truth.right.last_wealth.size();
  const std::size_t other = places / 2;
  const double unit = truth.is_histogram() ? 1 : truth.mean;
  for (const auto& [when, wealth] :
       {std::pair{"first", &Equilibrium::first_wealth}, {"last", &Equilibrium::last_wealth}}) {
    const auto named = [&, w = when](const char* what) {
      return fmt::format("{} wealth: {}", w, what);
    };
    const auto array = wealth;
    for (const double by : {1e-3, 1e-5}) {
      add(all, {{named("one more has some more"),
                 one(array, other, [=](double k) { return k + by * unit; })},
                {named("the first has some more, and the last less"), [=](Equilibrium& e) {
                   (e.*array).front() += by * unit;
                   (e.*array).back() -= by * unit;
                 }}});
    }
    add(all, {{named("one bit up"), every(array, one_bit_up)},
              {named("all the same"),
               [=](Equilibrium& e) {
                 const double sum = std::accumulate((e.*array).begin(), (e.*array).end(), 0.0);
                 std::ranges::fill(e.*array, sum / static_cast<double>(places));
               }},
              {named("two swapped"),
               [=](Equilibrium& e) {
                 std::iter_swap(std::ranges::min_element(e.*array),
                                std::ranges::max_element(e.*array));
               }},
              {named("the next one's"), [=](Equilibrium& e) {
                 std::rotate((e.*array).begin(), (e.*array).begin() + 1, (e.*array).end());
               }}});
  }
  return all;
}

MutantList of_laws(const Truth& truth) {
  const double off = 20 * truth.height;
  const double middle = std::log((truth.problem.grids.K_min + truth.problem.grids.K_max) / 2);
  const double low = std::log(truth.problem.grids.K_min);
  const double high = std::log(truth.problem.grids.K_max);
  const double turn = off / std::min(middle - low, high - middle);
  const double slope = off / std::max(std::abs(low), std::abs(high));
  MutantList all = {
      {"every coefficient one bit up",
       [](Equilibrium& e) {
         for (double* b : {e.law.b0, e.law.b1, e.estimated.b0, e.estimated.b1, e.R2}) {
           for (const int a : {bad, good}) b[a] = one_bit_up(b[a]);
         }
       }},
      {"K' = K", [](Equilibrium& e) { e.law = {}; }},
      {"the published law", [](Equilibrium& e) { e.law = published_law; }},
  };
  if (truth.problem.stage != Stage::all) all.erase(all.begin());
  for (const auto& [name, law] : {std::pair{"the law", &Equilibrium::law},
                                  {"the regression's law", &Equilibrium::estimated}}) {
    if (truth.problem.stage != Stage::all && law == &Equilibrium::estimated) continue;
    const auto array = law;
    for (const int a : {bad, good}) {
      const auto named = [&, n = name](const char* what) {
        return fmt::format("{} in the {} state: {}", n, a == good ? "good" : "bad", what);
      };
      add(all, {{named("higher"), [=](Equilibrium& e) { (e.*array).b0[a] += off; }},
                {named("lower"), [=](Equilibrium& e) { (e.*array).b0[a] -= off; }},
                {named("steeper"), [=](Equilibrium& e) { (e.*array).b1[a] += slope; }},
                {named("turned about the middle K"), [=](Equilibrium& e) {
                   (e.*array).b1[a] += turn;
                   (e.*array).b0[a] -= turn * middle;
                 }}});
    }
    add(all, {{fmt::format("{}: states swapped", name), [=](Equilibrium& e) {
                 std::swap((e.*array).b0[bad], (e.*array).b0[good]);
                 std::swap((e.*array).b1[bad], (e.*array).b1[good]);
               }}});
  }
  if (truth.problem.stage != Stage::all) return all;
  add(all, {{"both laws off together",
             [=](Equilibrium& e) { e.law.b0[good] += off, e.estimated.b0[good] += off; }},
            {"R2 of the bad state", [](Equilibrium& e) { e.R2[bad] -= 1e-4; }},
            {"R2 of the good state is 1.1", [](Equilibrium& e) { e.R2[good] = 1.1; }}});
  return all;
}

/// What a program says of itself, which earns nothing.
MutantList of_claims(const Truth& truth) {
  MutantList all = {
      {"nothing changed", [](Equilibrium&) {}},
      {"clipped choices claimed", [](Equilibrium& e) { e.clips.k = 7; }},
      {"no distance claimed", [](Equilibrium& e) { e.distance = 0; }},
      {"more policy iterations claimed", [](Equilibrium& e) { e.policy_iterations += 1'000'000; }}};
  const double K_min = truth.problem.grids.K_min;
  const Spoil no_fifth = every(&Equilibrium::K_fifth, [=](double) { return K_min; });
  if (truth.problem.stage == Stage::panel) all.push_back({"a fifth path of K_min", no_fifth});
  if (truth.problem.stage != Stage::all) return all;
  const int beyond = truth.problem.outer_cap + 1;
  add(all, {{"more outer iterations claimed",
             [=](Equilibrium& e) {
               e.outer_iterations = beyond;
               e.policy_iterations += beyond;
             }},
            {"a law off, after more outer iterations claimed",
             [&, beyond](Equilibrium& e) {
               e.outer_iterations = beyond;
               e.policy_iterations += beyond;
               e.law.b0[bad] += 9 * truth.height;
             }},
            {"relaxed",
             [=](Equilibrium& e) {
               e.outer_iterations = beyond;
               e.policy_iterations += beyond;
               e.relaxed = true;
             }},
            {"a large distance claimed", [](Equilibrium& e) { e.distance = 1; }},
            {"fewer policy iterations claimed",
             [](Equilibrium& e) {
               e.first_policy_iterations = 1;
               e.policy_iterations = e.outer_iterations;
             }},
            {"a fifth path of K_min", no_fifth},
            {"a fifth path of K_min, of the last of three", [=](Equilibrium& e) {
               e.outer_iterations = 3;
               no_fifth(e);
             }}});
  return all;
}

/// Equilibria of other households, all of a piece.
MutantList of_others(const Truth& truth) {
  MutantList all;
  const auto other = [&](std::string name, const std::function<void(Problem&)>& change,
                         bool is_as_good = false) {
    all.push_back({std::move(name),
                   [&, change](Equilibrium& e) {
                     Problem problem = truth.problem;
                     change(problem);
                     const bool is_seed = problem.seed != truth.problem.seed;
                     const Shocks theirs = is_seed ? *shocks_of(problem) : truth.shocks;
                     e = solved(truth.economy, problem, theirs, truth.first);
                     e.converged = true;
                   },
                   is_as_good});
  };
  other(
      "solved more closely",
      [](Problem& p) {
        p.tolerance /= 10;
        p.policy_tolerance /= 10;
      },
      true);
  other("another seed", [](Problem& p) { ++p.seed; });
  other("beta off by 1e-3", [](Problem& p) { p.calibration.beta *= 1 - 1e-3; });
  other("alpha off by 1e-5", [](Problem& p) { p.calibration.alpha *= 1 + 1e-5; });
  other("gamma off by 1e-3", [](Problem& p) { p.calibration.gamma *= 1 + 1e-3; });
  return all;
}

MutantList mutants_of(const Truth& truth) {
  const Stage stage = truth.problem.stage;
  MutantList all = of_claims(truth);
  // A panel alone must have the stored policy, bit by bit.
  if (stage != Stage::panel) add(all, of_policy(truth));
  add(all, of_laws(truth));
  if (stage == Stage::policy) return all;
  add(all, of_path(truth));
  add(all, of_wealth(truth));
  if (stage == Stage::panel) return all;
  add(all, of_others(truth));
  // Where the last panel begins as the one before ended, nobody can compute its start again; the
  // record says so.
  if (truth.problem.reuse_tolerance < 1) return all;
  all.push_back({"one of twenty owns much", [&](Equilibrium& e) {
                   Values first = truth.first;
                   if (truth.is_histogram()) {
                     std::swap(first[10], first[60]);
                   } else {
                     int n = 0;
                     for (double& k : first) k = truth.mean * (n++ % 20 == 0 ? 8 : 12. / 19);
                   }
                   e = solved(truth.economy, truth.problem, truth.shocks, first);
                   e.converged = true;
                 }});
  return all;
}

using RefusedList = std::vector<Refused<Equilibrium>>;

void add(RefusedList& to, const RefusedList& more) {
  to.insert(to.end(), more.begin(), more.end());
}

/// The splines carry a fault on: its worst node may be another one.
constexpr const char* euler = "from what the Euler equation asks for at k[";
constexpr const char* regression = "a regression on the path of K";

RefusedList spoiled_arrays(const Equilibrium& right, bool has_panel) {
  RefusedList all;
  const auto spoiled = [&](const char* name, Values Equilibrium::* array) {
    add_spoiled(all, name, array, (right.*array).size(),
                [&](std::size_t at) { return fmt::format("{}[{}] is", name, at); });
  };
  if (!has_panel) {
    spoiled("policy", &Equilibrium::policy);
    return all;
  }
  spoiled("K", &Equilibrium::K);
  spoiled("K_fifth", &Equilibrium::K_fifth);
  spoiled("first_wealth", &Equilibrium::first_wealth);
  spoiled("last_wealth", &Equilibrium::last_wealth);
  return all;
}

RefusedList refused_policies(const Problem& problem, const Equilibrium& right) {
  const auto n_k = static_cast<std::size_t>(problem.grids.n_k);
  const auto of_state = static_cast<std::ptrdiff_t>(problem.grids.size() / states);
  const double far = 10 * (2 * problem.policy_tolerance + 1e-11 * problem.grids.k_max);
  RefusedList all;
  for (const std::size_t at : places_of(right.policy.size())) {
    for (const double by : {far, -far}) {
      const bool is_debt = right.policy[at] + by < 0;
      all.push_back({fmt::format("policy[{}] off by {}", at, by),
                     [=](Equilibrium& e) { e.policy[at] += by; },
                     is_debt ? "outside the grid of k" : euler});
    }
    for (const double k : {-1e-12, 1 + problem.grids.k_max}) {
      all.push_back({fmt::format("policy[{}] is {}", at, k),
                     [=](Equilibrium& e) { e.policy[at] = k; },
                     fmt::format("policy[{}] is {}, outside the grid of k", at, k)});
    }
    const std::size_t node = std::min(at, at / n_k * n_k + n_k - 2);
    if (std::abs(right.policy[node] - right.policy[node + 1]) < far) continue;
    all.push_back({"the choice of the next node",
                   [=](Equilibrium& e) { e.policy[node] = e.policy[node + 1]; }, euler});
  }
  for (std::ptrdiff_t s = 0; s < states; ++s) {
    all.push_back({"the policy of another state",
                   [=](Equilibrium& e) {
                     std::copy_n(e.policy.begin() + (s + 1) % states * of_state, of_state,
                                 e.policy.begin() + s * of_state);
                   },
                   euler});
  }
  return all;
}

/// Ten times what is allowed of a panel's path, and of wealth at its end (or of a weight).
std::pair<double, double> far_in_panel(const Problem& problem, PanelKind kind) {
  if (kind == PanelKind::hardware) return {0.0125, std::max(0.2, 100.0 / problem.grids.n_k)};
  return problem.single ? std::pair{3e-3, 0.1} : std::pair{1e-8, 1e-8};
}

std::string name_of_agent(const Problem& problem, PanelKind kind, std::size_t at) {
  if (kind != PanelKind::histogram) return fmt::format("for agent {}", at);
  const auto points = static_cast<std::size_t>(problem.histogram_points);
  return fmt::format("for the {} at point {}", at < points ? "unemployed" : "employed",
                     at % points);
}

/// A panel that was simulated; `seen` is the first period that the regression sees.
RefusedList refused_panels(const Problem& problem, const Equilibrium& right, std::size_t seen) {
  const auto [far_K, far_wealth] = far_in_panel(problem, right.kind);
  const double far = far_wealth * (right.kind == PanelKind::histogram ? 1 : 40);
  RefusedList all;
  for (const std::size_t t : places_of(right.K.size())) {
    for (const double by : {far_K, -far_K}) {
      all.push_back({fmt::format("K[{}] off by {}", t, by),
                     [=](Equilibrium& e) { e.K[t] *= 1 + by; },
                     t < seen ? fmt::format("in period {},", t) : regression});
    }
  }
  const bool names_all = right.kind != PanelKind::hardware && !problem.single;
  int swapped = 0;
  for (const std::size_t n : places_of(right.last_wealth.size() - 1)) {
    for (const double by : {far, -far}) {
      all.push_back({fmt::format("last_wealth[{}] off by {}", n, by),
                     [=](Equilibrium& e) { e.last_wealth[n] += by; },
                     names_all ? name_of_agent(problem, right.kind, n) : "simulated again"});
    }
    const auto other = std::ranges::find_if(
        right.last_wealth,
        [&, its = right.last_wealth[n]](double k) { return std::abs(k - its) >= far; });
    if (other == right.last_wealth.end()) continue;
    ++swapped;
    all.push_back({"two agents swapped",
                   [=, with = static_cast<std::size_t>(other - right.last_wealth.begin())](
                       Equilibrium& e) { std::swap(e.last_wealth[n], e.last_wealth[with]); },
                   "wealth at the end, simulated again"});
  }
  EXPECT_GT(swapped, 0);
  for (const int clips : {1, 7}) {
    all.push_back({"a clipped mean", [=](Equilibrium& e) { e.clips.K = clips; },
                   fmt::format("in {} periods", clips)});
  }
  return all;
}

RefusedList refused_laws(const Problem& problem) {
  RefusedList all;
  const auto refuse = [&](const std::string& name, const Spoil& spoil, const std::string& place) {
    all.push_back({name, spoil, place});
  };
  const double far = 10 * problem.tolerance;
  for (const int a : {bad, good}) {
    const char* state = a == good ? "good" : "bad";
    const std::string in_state = fmt::format("in the {} state", state);
    const auto fitted = [&](const char* number) {
      return fmt::format("{} gives {}_{} =", regression, number, state);
    };
    for (const double by : {far, -far}) {
      refuse("b0 off", [=](Equilibrium& e) { e.law.b0[a] += by; }, in_state);
      refuse("b1 off", [=](Equilibrium& e) { e.law.b1[a] += by; }, in_state);
    }
    for (const double by : {1e-9, -1e-9}) {
      refuse("b0 fitted off", [=](Equilibrium& e) { e.estimated.b0[a] += by; }, fitted("b0"));
      refuse("b1 fitted off", [=](Equilibrium& e) { e.estimated.b1[a] += by; }, fitted("b1"));
      refuse("R2 off", [=](Equilibrium& e) { e.R2[a] += by; }, fitted("R2"));
    }
  }
  const auto swap_states = [](LawOfMotion& law) {
    std::swap(law.b0[bad], law.b0[good]);
    std::swap(law.b1[bad], law.b1[good]);
  };
  refuse("states swapped", [=](Equilibrium& e) { swap_states(e.law); }, "the law of motion is");
  refuse("fitted states swapped", [=](Equilibrium& e) { swap_states(e.estimated); }, regression);
  for (const double none : no_numbers<>) {
    refuse("no b1", [=](Equilibrium& e) { e.law.b1[bad] = none; }, "law[1] is");
    refuse("no fitted b0", [=](Equilibrium& e) { e.estimated.b0[good] = none; }, "estimated[2] is");
    refuse("no R2", [=](Equilibrium& e) { e.R2[bad] = none; }, "R2[0] is");
    refuse("no distance", [=](Equilibrium& e) { e.distance = none; }, "distance[0] is");
  }
  return all;
}

RefusedList refused_counts(const Problem& problem, const Equilibrium& right) {
  RefusedList all;
  for (const int outer : {0, -1, 2 * problem.outer_cap + 1, 1 << 30}) {
    all.push_back({"a count of outer iterations",
                   [=](Equilibrium& e) { e.outer_iterations = outer; },
                   fmt::format("{} outer iterations", outer)});
  }
  all.push_back({"a tolerance relaxed by nobody", [](Equilibrium& e) { e.relaxed = true; },
                 fmt::format("{} outer iterations", right.outer_iterations)});
  all.push_back({"all policy iterations in the first",
                 [](Equilibrium& e) { e.policy_iterations = e.first_policy_iterations; },
                 fmt::format("{} policy iterations", right.first_policy_iterations)});
  for (const std::int64_t first : {std::int64_t{0}, right.policy_iterations + 1}) {
    all.push_back({"a count of the first policy's iterations",
                   [=](Equilibrium& e) { e.first_policy_iterations = first; },
                   fmt::format("{} policy iterations", right.policy_iterations)});
  }
  for (const std::size_t t : places_of(right.K_fifth.size())) {
    for (const double K : {problem.grids.K_min - 1e-9, problem.grids.K_max + 1e-9}) {
      all.push_back({"a fifth path outside the grid", [=](Equilibrium& e) { e.K_fifth[t] = K; },
                     fmt::format("K_fifth[{}] is", t)});
    }
  }
  return all;
}

const Refused<Equilibrium> gave_up = {"no convergence", [](Equilibrium& e) { e.converged = false; },
                                      "not converged"};

RefusedList other_stored_laws(const char* place) {
  RefusedList all;
  for (const int a : {bad, good}) {
    for (double(LawOfMotion::* number)[2] : {&LawOfMotion::b0, &LawOfMotion::b1}) {
      all.push_back({"another law", [=](Equilibrium& e) { (e.law.*number)[a] += 1e-9; }, place});
    }
  }
  return all;
}

Refused<Equilibrium> of_another_case(const Equilibrium& other, const char* place) {
  return {"another case", [=](Equilibrium& e) { e = other; }, place};
}

void see_all(const std::string& name, const Problem& problem, const Equilibrium& right,
             const RefusedList& all, Mutants& mutants) {
  mutants.see_refused(name, right, all,
                      [&](const Equilibrium& e) { return judge(problem, e, true); });
}

void see_refused_economies(bool single, Mutants& mutants) {
  Problem problem = small_problem();
  problem.single = single;
  if (single) problem.tolerance = 1e-4;  // rounding leaves the law that much
  const Equilibrium right = plain_equilibrium(problem);
  ASSERT_GT(right.outer_iterations, 5);
  RefusedList all = spoiled_arrays(right, true);
  add(all, spoiled_arrays(right, false));
  add(all, refused_policies(problem, right));
  add(all, refused_panels(problem, right, static_cast<std::size_t>(problem.burn_in)));
  add(all, refused_laws(problem));
  add(all, refused_counts(problem, right));
  all.push_back(gave_up);
  for (const std::size_t n : places_of(right.first_wealth.size())) {
    const double by = 100 * far_in_panel(problem, right.kind).second * right.K[0];
    all.push_back(
        {"one agent moved at the start", [=](Equilibrium& e) { e.first_wealth[n] += by; },
         fmt::format("cross-section: {:.12g} for agent {}", right.first_wealth[n] + by, n)});
  }
  Problem other = problem;
  ++other.seed;
  all.push_back(of_another_case(plain_equilibrium(other), regression));
  other = problem;
  other.calibration.beta -= 1e-4;
  all.push_back(of_another_case(plain_equilibrium(other), euler));
  see_all(single ? "in single precision" : "in double precision", problem, right, all, mutants);
}

void see_refused_policies_alone(PolicyInterpolation kind, Mutants& mutants) {
  Problem problem = small_problem();
  problem.stage = Stage::policy;
  problem.policy_interpolation = kind;
  const Equilibrium right = plain_equilibrium(problem);
  RefusedList all = refused_policies(problem, right);
  add(all, spoiled_arrays(right, false));
  add(all, other_stored_laws("not solved under the stored law"));
  for (const std::int64_t count : {0, -1}) {
    all.push_back({"a count of iterations", [=](Equilibrium& e) { e.policy_iterations = count; },
                   fmt::format("{} policy iterations", count)});
  }
  all.push_back(gave_up);
  Problem other = problem;
  other.calibration.gamma += 1e-3;
  all.push_back(of_another_case(plain_equilibrium(other), euler));
  see_all("a policy alone", problem, right, all, mutants);
}

void see_refused_panels_alone(PanelKind kind, bool single, Mutants& mutants) {
  Problem problem = small_problem();
  problem.stage = Stage::panel;
  problem.single = single;
  problem.histogram_points = 150;
  problem.grids.K_max = 80;  // the texture units' agents grow rich on a coarse grid
  if (kind == PanelKind::hardware) problem.grids.n_k = 100;
  const Equilibrium right = plain_equilibrium(problem, kind);
  RefusedList all = spoiled_arrays(right, true);
  add(all, refused_panels(problem, right, static_cast<std::size_t>(problem.T)));
  for (const std::size_t n : places_of(right.first_wealth.size())) {
    const double by = (single ? 1e-5 : 1e-12) * std::max(1.0, right.first_wealth[n]);
    all.push_back({"one agent moved at the start", [=](Equilibrium& e) { e.first_wealth[n] += by; },
                   name_of_agent(problem, kind, n)});
  }
  for (const std::size_t at : places_of(right.policy.size())) {
    for (const double by : {1e-9, no_numbers<>[0]}) {
      all.push_back({"another policy", [=](Equilibrium& e) { e.policy[at] += by; },
                     fmt::format("under the stored policy, from policy[{}] on", at)});
    }
  }
  add(all, other_stored_laws("the law is not the stored one"));
  for (const int outer : {0, 2}) {
    all.push_back({"a count of iterations", [=](Equilibrium& e) { e.outer_iterations = outer; },
                   fmt::format("{} iterations", outer)});
  }
  Problem other = problem;
  ++other.seed;
  all.push_back(of_another_case(plain_equilibrium(other, kind), "simulated again"));
  see_all("a panel alone", problem, right, all, mutants);
}

TEST(Mutants, OfKrusellSmith) {
  Mutants mutants("krusell_smith");
  for (const Case& economy : economies_far_and_near()) {
    const Truth truth(economy);
    const Outcome honest = judge(truth.problem, truth.right, true);
    EXPECT_TRUE(honest.valid) << economy.name << ": " << honest.why;
    for (const auto& [what, spoil, is_as_good] : mutants_of(truth)) {
      Equilibrium mutant = truth.right;
      spoil(mutant);
      mutants.see(fmt::format("{}: {}", economy.name, what), truth.wrong_by(mutant),
                  is_as_good ? 10 : 1e-3, is_as_good ? 10 : 1, judge(truth.problem, mutant, true));
    }
  }
  for (const bool single : {false, true}) see_refused_economies(single, mutants);
  see_refused_policies_alone(PolicyInterpolation::spline, mutants);
  see_refused_policies_alone(PolicyInterpolation::linear, mutants);
  see_refused_panels_alone(PanelKind::agents, false, mutants);
  see_refused_panels_alone(PanelKind::agents, true, mutants);
  see_refused_panels_alone(PanelKind::hardware, true, mutants);
  see_refused_panels_alone(PanelKind::histogram, false, mutants);
  expect_in_evidence(mutants.row());
}

}  // namespace
}  // namespace macrobench::krusell_smith
