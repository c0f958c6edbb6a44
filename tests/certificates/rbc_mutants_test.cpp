#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "harness/files/temporary_folder.hpp"
#include "harness/model/given_numbers.hpp"
#include "implementations/rbc/certificate.hpp"
#include "tests/certificates/mutants.hpp"
#include "tests/certificates/rbc_truth.hpp"

namespace macrobench::rbc {
namespace {

/// A file of these numbers, every bit of them. It is read at once, and stays in memory.
const GivenNumbers* given(const std::vector<double>& values) {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "numbers";
  std::ofstream(file) << fmt::format("{:.17g}\n", fmt::join(values, "\n"));
  const auto* const numbers = new GivenNumbers("test", InputFile{file.string(), ""});
  static_cast<void>(numbers->values());
  return numbers;
}

struct Economy {
  std::string name;
  Problem problem;
};

Problem of(int nk, double gamma) {
  Problem problem;
  problem.nk = nk;
  problem.calibration.gamma = gamma;
  return problem;
}

/// The same economy, all of whose goods are counted in units of 1/10,000.
Problem in_small_units(Problem problem) {
  constexpr double scale = 1e4;
  Grids<double> grids = make_grids<double>(problem);
  for (double& K : grids.K) K *= scale;
  for (double& Z : grids.Z) Z *= std::pow(scale, 1 - problem.calibration.alpha);
  problem.capital = given(grids.K);
  problem.productivity = given(grids.Z);
  return problem;
}

std::vector<Economy> economies() {
  std::vector<Economy> all = {{"the paper's", of(48, 2)},
                              {"gamma .5", of(48, 0.5)},
                              {"log", of(48, 1)},
                              {"gamma 8", of(48, 8)},
                              {"gamma 20", of(48, 20)},
                              {"gamma 100", of(48, 100)},
                              {"4 points", of(4, 2)},
                              {"4,096 points", of(4096, 2)},
                              {"cents, gamma 2", in_small_units(of(24, 2))},
                              {"cents, gamma 4", in_small_units(of(24, 4))}};
  all[7].problem.nz = 2;
  Problem interpolated = of(24, 2);
  interpolated.maximizer = Maximizer::interpolated;
  interpolated.future_points = 40;
  all.push_back({"interpolated", interpolated});
  for (const double beta : {0.3, 0.999}) {
    Problem problem = of(24, 2);
    problem.calibration.beta = beta;
    all.push_back({fmt::format("beta {}", beta), problem});
  }
  Problem poor = of(48, 20);
  poor.calibration.grid_low = 0.001;
  poor.tolerance = 1e-30;
  all.push_back({"poor states, gamma 20", poor});
  Problem indifferent = of(24, 0);
  all.push_back({"gamma 0", indifferent});
  indifferent.tolerance = 1;
  indifferent.calibration.beta = .999;
  indifferent.calibration.delta = .001;
  all.push_back({"gamma 0, patient", indifferent});
  Problem fleeting = of(48, 1);
  fleeting.calibration.delta = 1;
  fleeting.calibration.grid_low = 0.5;
  fleeting.calibration.grid_high = 2;
  all.push_back({"delta 1", fleeting});
  return all;
}

using S = Solution<double>;

/// Another problem's solution, with its V and policy carried to this one's grid.
S solution_from(const Problem& other, const Problem& problem) {
  const S coarse = Truth(other).solution();
  const Grids<double> from = make_grids<double>(other);
  const Grids<double> to = make_grids<double>(problem);
  const auto nk = static_cast<std::size_t>(problem.nk);
  const auto other_nk = static_cast<std::size_t>(other.nk);
  S solution = coarse;
  solution.V.clear();
  solution.policy.clear();
  for (std::size_t s = 0; s < problem.states(); ++s) {
    const double K = std::clamp(to.K[s % nk], from.K.front(), from.K.back());
    const auto above = std::upper_bound(from.K.begin() + 1, from.K.end() - 1, K);
    const auto i = static_cast<std::size_t>(above - from.K.begin()) - 1;
    const std::size_t at = s / nk * other_nk + i;
    solution.V.push_back(
        std::lerp(coarse.V[at], coarse.V[at + 1], (K - from.K[i]) / (from.K[i + 1] - from.K[i])));
    solution.policy.push_back(coarse.policy[at] * (problem.nk - 1) / (other.nk - 1));
  }
  return solution;
}

/// V and the policy after this many iterations from nothing.
S stopped_early(const Problem& problem, const Truth& truth, int iterations) {
  const Grids<double> grids = make_grids<double>(problem);
  const auto nk = static_cast<std::size_t>(problem.nk);
  const auto nz = static_cast<std::size_t>(problem.nz);
  const Calibration& c = problem.calibration;
  S solution = truth.solution();
  std::ranges::fill(solution.V, 0);
  for (int n = 0; n < iterations; ++n) {
    const std::vector<double> V = solution.V;
    for (std::size_t s = 0; s < V.size(); ++s) {
      double best = -std::numeric_limits<double>::infinity();
      const double available = resources(grids.K[s % nk], grids.Z[s / nk], c.alpha, c.delta);
      for (std::int32_t m = 0; m <= truth.last_feasible(s); ++m) {
        const auto choice = static_cast<std::size_t>(m);
        double value = utility(available - grids.K[choice], c.gamma);
        for (std::size_t l = 0; l < nz; ++l) {
          value += c.beta * grids.P[s / nk * nz + l] * V[l * nk + choice];
        }
        if (value <= best) continue;
        best = value;
        solution.policy[s] = m;
      }
      solution.V[s] = best;
    }
  }
  return solution;
}

struct Mutant {
  std::string name;
  std::function<void(S&)> spoil;
};

std::vector<Mutant> mutants_of(const Problem& problem, const Truth& truth) {
  const std::size_t states = problem.states();
  const auto nk = static_cast<std::size_t>(problem.nk);
  const double lasting = 1 / (1 - problem.calibration.beta);
  const std::size_t middle = states / 2 + nk / 2;
  const auto clamped = [&truth](std::size_t s, std::int32_t choice) {
    return std::clamp<std::int32_t>(choice, 0, truth.last_feasible(s));
  };
  /// The best choice but one at a state.
  const auto second_best = [&truth](std::size_t s, std::int32_t best) {
    std::int32_t second = -1;
    for (const std::int32_t choice : {best - 1, best + 1}) {
      if (choice < 0 || choice > truth.last_feasible(s)) continue;
      if (second < 0 || truth.loss(s, choice) < truth.loss(s, second)) second = choice;
    }
    return second < 0 ? best : second;
  };
  const auto every_V = [](const std::function<double(double)>& change) {
    return [change](S& s) { std::ranges::transform(s.V, s.V.begin(), change); };
  };
  const auto one_V = [&truth, lasting](std::size_t at, double shares) {
    return [=, unit = truth.unit(at)](S& s) { s.V[at] += shares * unit * lasting; };
  };
  const auto every_choice = [&, clamped](int by) {
    return [=](S& s) {
      for (std::size_t at = 0; at < s.policy.size(); ++at) {
        s.policy[at] = clamped(at, s.policy[at] + by);
      }
    };
  };
  std::vector<Mutant> all = {
      {"nothing changed", [](S&) {}},
      {"more iterations claimed", [](S& s) { s.iterations = 50; }},
      {"another difference claimed", [](S& s) { s.difference = 1; }},
      {"every V one bit up", every_V([](double v) { return std::nextafter(v, 1e308); })},
      {"nothing solved",
       [](S& s) {
         std::ranges::fill(s.V, 0);
         std::ranges::fill(s.policy, 0);
       }},
      {"V is 0", every_V([](double) { return 0.0; })},
      {"V is -1", every_V([](double) { return -1.0; })},
      {"V is -1e300 where one state is", [=](S& s) { s.V[middle] = -1e300; }},
      {"V 1% larger", every_V([](double v) { return 1.01 * v; })},
      {"V .01% larger", every_V([](double v) { return 1.0001 * v; })},
      {"V in single precision", every_V([](double v) { return static_cast<float>(v); })},
      {"V of the first state", one_V(0, 1e-3)},
      {"V of the last state", one_V(states - 1, -1e-3)},
      {"V of a state within", one_V(middle, 1e-4)},
      {"V of a state within, by little", one_V(middle, -1e-5)},
      {"V of the lowest productivity everywhere",
       [=](S& s) {
         for (std::size_t at = nk; at < states; ++at) s.V[at] = s.V[at % nk];
       }},
      {"every choice one up", every_choice(1)},
      {"every choice one down", every_choice(-1)},
      {"every choice the lowest", every_choice(-(1 << 20))},
      {"every choice the highest", every_choice(1 << 20)},
      {"the second-best choice everywhere",
       [=](S& s) {
         for (std::size_t at = 0; at < states; ++at) s.policy[at] = second_best(at, s.policy[at]);
       }},
      {"the second-best choice at one state",
       [=](S& s) { s.policy[middle] = second_best(middle, s.policy[middle]); }},
      {"the highest choice at one state",
       [=](S& s) { s.policy[middle] = truth.last_feasible(middle); }},
      {"the neighbor's choices",
       [=](S& s) {
         for (std::size_t at = nk; at < states; ++at) s.policy[at] = s.policy[at % nk];
       }},
  };
  for (const double by : {1e-3, 1e-6}) {
    all.push_back({fmt::format("beta off by {}", by), [=](S& s) {
                     Problem other = problem;
                     other.capital = given(make_grids<double>(problem).K);
                     other.calibration.beta *= 1 - by;
                     s = Truth(other).solution();
                   }});
    all.push_back({fmt::format("gamma off by {}", by), [=](S& s) {
                     Problem other = problem;
                     other.calibration.gamma *= 1 + by;
                     s = Truth(other).solution();
                   }});
  }
  all.push_back({"P transposed", [=](S& s) {
                   Problem other = problem;
                   std::vector<double> P = make_grids<double>(problem).P;
                   const auto nz = static_cast<std::size_t>(problem.nz);
                   for (std::size_t j = 0; j < nz; ++j) {
                     for (std::size_t l = 0; l < j; ++l) std::swap(P[j * nz + l], P[l * nz + j]);
                   }
                   other.transition = given(P);
                   s = Truth(other).solution();
                 }});
  if (problem.maximizer == Maximizer::interpolated) return all;
  for (const int iterations : {1, 10, 40}) {
    all.push_back({fmt::format("{} iterations", iterations),
                   [=, &truth](S& s) { s = stopped_early(problem, truth, iterations); }});
  }
  if (problem.capital == nullptr && problem.nk > 4) {
    all.push_back({"a coarse grid's", [=](S& s) {
                     Problem other = problem;
                     other.nk = (problem.nk + 1) / 2;
                     s = solution_from(other, problem);
                   }});
  }
  return all;
}

template <class Real>
Solution<Real> as_precise_as(const S& from) {
  Solution<Real> solution;
  solution.V.assign(from.V.begin(), from.V.end());
  solution.policy = from.policy;
  solution.iterations = from.iterations;
  solution.converged = from.converged;
  return solution;
}

template <class Real>
std::vector<Refused<Solution<Real>>> refused_of(const Problem& problem, const Truth& truth,
                                                double allowed) {
  using R = Solution<Real>;
  const auto nk = static_cast<std::size_t>(problem.nk);
  const S right = truth.solution();
  const auto state = [=](std::size_t s) { return fmt::format("K[{}], Z[{}]", s % nk, s / nk); };
  std::vector<Refused<R>> all;
  const auto add = [&](const std::string& name, const std::function<void(R&)>& spoil,
                       const std::string& place) { all.push_back({name, spoil, place}); };
  add_spoiled(all, "V", &R::V, problem.states(), [&](std::size_t s) { return "at " + state(s); });
  add_spoiled(all, "policy", &R::policy, problem.states(), state);
  int off_by_one = 0;
  for (const std::size_t at : places_of(problem.states())) {
    // V may be off by what |V - TV| allows over 1 - beta. The largest residual may be at a state
    // from which one goes to this one.
    const double ten = 10 * allowed / (1 - problem.calibration.beta);
    for (const double by : {ten, -ten}) {
      add("V off by ten tolerances", [=](R& s) { s.V[at] += static_cast<Real>(by); }, "residual");
    }
    const std::string place = "the policy at " + state(at);
    for (const std::int32_t choice : {-1, 1 << 30, -(1 << 30)}) {
      add(fmt::format("the choice {}", choice), [=](R& s) { s.policy[at] = choice; }, place);
    }
    for (const std::int32_t choice : {right.policy[at] - 1, right.policy[at] + 1}) {
      const bool feasible = choice >= 0 && choice <= truth.last_feasible(at);
      if (feasible && truth.loss(at, choice) * truth.unit(at) <= 3 * allowed) continue;
      ++off_by_one;
      add("a choice one node on", [=](R& s) { s.policy[at] = choice; }, place);
    }
    const std::size_t first = std::min(at, problem.states() - 2);
    add("V one node on", [=](R& s) { std::swap(s.V[first], s.V[first + 1]); }, "residual");
  }
  EXPECT_GE(off_by_one, 3);
  for (std::size_t j = 0; j < static_cast<std::size_t>(problem.nz); ++j) {
    const std::size_t other = (j + 1) % static_cast<std::size_t>(problem.nz);
    add(
        "V of another productivity",
        [=](R& s) {
          std::copy_n(s.V.begin() + static_cast<std::ptrdiff_t>(other * nk), nk,
                      s.V.begin() + static_cast<std::ptrdiff_t>(j * nk));
        },
        "residual");
  }
  for (const int iterations : {0, -1, problem.iteration_cap + 1}) {
    add(
        "a count of iterations", [=](R& s) { s.iterations = iterations; },
        fmt::format("{} iterations", iterations));
  }
  for (double Calibration::* number :
       {&Calibration::beta, &Calibration::gamma, &Calibration::alpha, &Calibration::delta,
        &Calibration::rho, &Calibration::sigma}) {
    Problem other = problem;
    other.calibration.*number *= 1 - 1e-3;
    add("another case", [=](R& s) { s = as_precise_as<Real>(Truth(other).solution()); }, "at K[");
  }
  return all;
}

template <class Real>
void see_refused_of(const std::string& name, const Problem& problem, Mutants& mutants) {
  const Truth truth(problem);
  const auto right = as_precise_as<Real>(truth.solution());
  const auto judged = [&](const Solution<Real>& s) { return judge(problem, s, true); };
  mutants.see_refused(name, right, refused_of<Real>(problem, truth, judged(right).allowed), judged);
}

void see_refused(Mutants& mutants) {
  for (const Maximizer maximizer :
       {Maximizer::bisection, Maximizer::grid_howard, Maximizer::interpolated}) {
    Problem problem = of(48, 2);
    problem.maximizer = maximizer;
    problem.future_points = 40;
    see_refused_of<double>("double", problem, mutants);
    if (maximizer == Maximizer::grid_howard) continue;
    // Far enough apart for a node to matter in single precision.
    problem.calibration.grid_low = 0.5;
    problem.calibration.grid_high = 2;
    problem.tolerance = 1e-6;
    see_refused_of<float>("single", problem, mutants);
  }
}

TEST(Mutants, OfRbc) {
  Mutants mutants("rbc");
  for (const auto& [name, problem] : economies()) {
    const Truth truth(problem);
    const S right = truth.solution();
    for (const auto& [what, spoil] : mutants_of(problem, truth)) {
      // Their solutions take long.
      if (problem.nk > 1000 && what.find(" off by ") != std::string::npos) continue;
      if (problem.nk > 1000 && what.find(" iterations") != std::string::npos) continue;
      S mutant = right;
      spoil(mutant);
      mutants.see(fmt::format("{}: {}", name, what), truth.wrong_by(mutant), 1e-14, 1e-6,
                  judge(problem, mutant, true));
    }
  }
  see_refused(mutants);
  expect_in_evidence(mutants.row());
}

}  // namespace
}  // namespace macrobench::rbc
