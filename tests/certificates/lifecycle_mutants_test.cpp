#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

#include "implementations/lifecycle/certificate.hpp"
#include "tests/certificates/mutants.hpp"
#include "tests/implementations/lifecycle/brute_force.hpp"

namespace macrobench::lifecycle {
namespace {

struct Economy {
  std::string name;
  Problem problem;
};

Problem of(int nx, double sigma) {
  Problem problem;
  problem.nx = nx;
  problem.ne = 5;
  problem.calibration.sigma = sigma;
  return problem;
}

std::vector<Economy> economies_of_all_kinds() {
  std::vector<Economy> all;
  for (const double sigma : {0.0, 0.5, 1.0, 2.0, 5.5, 20.0, 100.0}) {
    all.push_back({fmt::format("sigma {}", sigma), of(40, sigma)});
  }
  for (const double beta : {0.3, 0.999, 1.0}) {
    Problem problem = of(40, 2);
    problem.calibration.beta = beta;
    all.push_back({fmt::format("beta {}", beta), problem});
  }
  for (const double sigma : {2.0, 4.0}) {  // all goods counted in units of 1/10,000
    Problem problem = of(40, sigma);
    problem.calibration.w *= 1e4;
    problem.calibration.xmin *= 1e4;
    problem.calibration.xmax *= 1e4;
    all.push_back({fmt::format("cents, sigma {}", sigma), problem});
  }
  all.push_back({"2 points", of(2, 2)});
  all.push_back({"400 points", of(400, 2)});
  Problem poor = of(40, 20);
  poor.calibration.w = 0.2;
  poor.calibration.xmin = 0.001;
  all.push_back({"poor states, sigma 20", poor});
  return all;
}

/// c u'(c) of each state, a choice's consumption, from the brute force's V. At sigma = 0, V over
/// the discount factors of the ages left.
std::vector<double> units_of(const Problem& problem, const std::vector<double>& V) {
  const Grids<double> grids = grids_in_double(problem);
  const auto nx = static_cast<std::size_t>(problem.nx);
  const auto ne = static_cast<std::size_t>(problem.ne);
  const double sigma = problem.calibration.sigma;
  std::vector<double> units;
  for (std::size_t s = 0; s < V.size(); ++s) {
    const std::size_t age = s / nx / ne;
    const std::size_t e = s / nx % ne;
    const double available = resources_of(problem, grids.x[s % nx], grids.e[e]);
    double best = -std::numeric_limits<double>::infinity();
    double unit = 0;
    for (std::size_t m = 0; m < nx; ++m) {
      const double consumed = available - grids.x[m];
      if (!(consumed > 0)) break;
      double value = sigma == 1 ? std::log(consumed) : std::pow(consumed, 1 - sigma) / (1 - sigma);
      for (std::size_t l = 0; age + 1 < V.size() / nx / ne && l < ne; ++l) {
        value += problem.calibration.beta * grids.P[e * ne + l] * V[((age + 1) * ne + l) * nx + m];
      }
      if (value <= best) continue;
      best = value;
      unit = std::pow(consumed, 1 - sigma);
    }
    if (sigma == 0) {
      double lasting = 1;
      for (std::size_t then = age + 1; then < V.size() / nx / ne; ++then) {
        lasting = 1 + problem.calibration.beta * lasting;
      }
      unit = V[s] / lasting;
    }
    units.push_back(unit);
  }
  return units;
}

using Values = std::vector<double>;

struct Mutant {
  std::string name;
  std::function<void(Values&)> spoil;
};

std::vector<Mutant> mutants_of(const Problem& problem, const Values& units) {
  const std::size_t states = problem.states();
  const auto nx = static_cast<std::size_t>(problem.nx);
  const std::size_t middle = units.size() / 2 + nx / 2;
  const auto every = [](const std::function<double(double)>& change) {
    return [change](Values& V) { std::ranges::transform(V, V.begin(), change); };
  };
  const auto one = [&](std::size_t at, double shares) {
    return [=, unit = units[at]](Values& V) { V[at] += shares * unit; };
  };
  const auto of_other = [&](const std::function<void(Problem&)>& change) {
    return [=](Values& V) {
      Problem other = problem;
      change(other);
      V = brute_force(other);
    };
  };
  std::vector<Mutant> all = {
      {"nothing changed", [](Values&) {}},
      {"every V one bit up", every([](double v) { return std::nextafter(v, 1e308); })},
      {"V is 0", every([](double) { return 0.0; })},
      {"V is -1", every([](double) { return -1.0; })},
      {"V is -1e300 where one state is", [=](Values& V) { V[middle] = -1e300; }},
      {"V is 1e300 where one state is", [=](Values& V) { V[middle] = 1e300; }},
      {"V 1% larger", every([](double v) { return 1.01 * v; })},
      {"V .01% larger", every([](double v) { return 1.0001 * v; })},
      {"V in single precision", every([](double v) { return static_cast<float>(v); })},
      {"V of the first state", one(0, 1e-3)},
      {"V of the last state", one(units.size() - 1, -1e-3)},
      {"V of a state within", one(middle, 1e-4)},
      {"V of a state within, by little", one(middle, -1e-5)},
      {"V of the lowest shock everywhere",
       [=](Values& V) {
         for (std::size_t s = 0; s < V.size(); ++s) V[s] = V[s - s % states + s % nx];
       }},
      {"V of the lowest savings everywhere",
       [=](Values& V) {
         for (std::size_t s = 0; s < V.size(); ++s) V[s] = V[s - s % nx];
       }},
      {"V of the next age",
       [=](Values& V) {
         std::copy(V.begin() + static_cast<std::ptrdiff_t>(states), V.end(), V.begin());
       }},
      {"the first ages never solved",
       [=](Values& V) { std::fill_n(V.begin(), 3 * states, V.back()); }},
      {"only every tenth state solved",
       [=](Values& V) {
         for (std::size_t s = 0; s < V.size(); ++s) V[s] = V[s - s % 10];
       }},
      {"a coarse grid's",
       [=](Values& V) {
         Problem other = problem;
         other.nx = (problem.nx + 1) / 2 + 1;
         const Values coarse = brute_force(other);
         const auto other_nx = static_cast<std::size_t>(other.nx);
         for (std::size_t s = 0; s < V.size(); ++s) {
           const double x = static_cast<double>(s % nx) * static_cast<double>(other_nx - 1) /
                            static_cast<double>(nx - 1);
           const std::size_t i = std::min(static_cast<std::size_t>(x), other_nx - 2);
           const double* row = coarse.data() + s / nx * other_nx + i;
           V[s] = std::lerp(row[0], row[1], x - static_cast<double>(i));
         }
       }},
      {"expectations that add up",
       of_other([](Problem& other) { other.recursion = Recursion::as_published; })}};
  for (const double by : {1e-3, 1e-5}) {
    all.push_back({fmt::format("beta off by {}", by),
                   of_other([by](Problem& other) { other.calibration.beta *= 1 - by; })});
    all.push_back({fmt::format("sigma off by {}", by),
                   of_other([by](Problem& other) { other.calibration.sigma *= 1 + by; })});
    all.push_back({fmt::format("w off by {}", by),
                   of_other([by](Problem& other) { other.calibration.w *= 1 + by; })});
  }
  return all;
}

template <class Real>
Solution<Real> as_precise_as(const Values& V) {
  Solution<Real> solution;
  for (const double v : V) solution.V.push_back(static_cast<Real>(v));
  return solution;
}

/// What may be off at a state, at the most: every number of the sums that it is made of rounded.
template <class Real>
double allowed_of(const Problem& problem, const Values& V) {
  double largest = 1;
  for (const double v : V) largest = std::max(largest, std::abs(v));
  const double sums = problem.recursion == Recursion::corrected ? 1 : problem.nx;
  const double terms = 8 + std::abs(1 - problem.calibration.sigma) + 2.0 * problem.ne * sums;
  return static_cast<double>(std::numeric_limits<Real>::epsilon()) * terms * largest;
}

template <class Real>
std::vector<Refused<Solution<Real>>> refused_of(const Problem& problem, const Values& right) {
  using S = Solution<Real>;
  const auto nx = static_cast<std::size_t>(problem.nx);
  const auto ne = static_cast<std::size_t>(problem.ne);
  const auto ages = static_cast<std::size_t>(problem.T);
  const double allowed = allowed_of<Real>(problem, right);
  const auto place = [=](std::size_t at) {
    return fmt::format("at age {}, x[{}], e[{}]", at / (nx * ne) + 1, at % nx, at / nx % ne);
  };
  const auto in_age = [](std::size_t age) { return fmt::format("at age {}", age + 1); };
  std::vector<Refused<S>> all;
  add_spoiled(all, "V", &S::V, right.size(), place);
  for (const std::size_t at : places_of(right.size())) {
    for (const double by : {10 * allowed, -10 * allowed}) {
      all.push_back({fmt::format("V[{}] off by {}", at, by),
                     [=](S& s) { s.V[at] += static_cast<Real>(by); }, place(at)});
    }
    // As published V hardly differs from node to node.
    const std::size_t node = at / nx * nx;
    if (problem.recursion != Recursion::corrected) continue;
    if (std::abs(right[node] - right[node + nx / 2]) < 10 * allowed) continue;
    all.push_back({"V of another node", [=](S& s) { std::swap(s.V[node], s.V[node + nx / 2]); },
                   place(node)});
  }
  for (const std::size_t by : {std::size_t{1}, nx, nx * ne}) {
    all.push_back(
        {fmt::format("V of {} places on", by),
         [=](S& s) { std::ranges::rotate(s.V, s.V.begin() + static_cast<std::ptrdiff_t>(by)); },
         "at age "});
  }
  const auto copy = [=](std::size_t from, std::size_t to, std::size_t count) {
    return [=](S& s) {
      std::copy_n(s.V.begin() + static_cast<std::ptrdiff_t>(from), count,
                  s.V.begin() + static_cast<std::ptrdiff_t>(to));
    };
  };
  for (const std::size_t age : places_of(ages)) {
    const std::size_t first = age * ne * nx;
    for (const std::size_t e : {std::size_t{0}, ne - 1}) {
      all.push_back(
          {"V of another shock", copy(first + (e + 1) % ne * nx, first + e * nx, nx), in_age(age)});
    }
    if (age + 1 < ages) {
      all.push_back({"V of the next age", copy(first + ne * nx, first, ne * nx), in_age(age)});
    }
  }
  for (double Calibration::* number : {&Calibration::beta, &Calibration::r, &Calibration::w,
                                       &Calibration::sigma, &Calibration::xmax}) {
    Problem other = problem;
    other.calibration.*number *= 0.97;
    all.push_back(
        {"another case", [=](S& s) { s = as_precise_as<Real>(brute_force(other)); }, "at age "});
  }
  return all;
}

template <class Real>
void see_refused_of(const Problem& problem, const Values& right, Mutants& mutants) {
  mutants.see_refused(fmt::format("sigma {}", problem.calibration.sigma),
                      as_precise_as<Real>(right), refused_of<Real>(problem, right),
                      [&](const auto& s) { return judge(problem, s, true); });
}

TEST(Mutants, OfLifecycle) {
  Mutants mutants("lifecycle");
  for (const auto& [name, problem] : economies_of_all_kinds()) {
    const Values right = brute_force(problem);
    const Values units = units_of(problem, right);
    for (const auto& [what, spoil] : mutants_of(problem, units)) {
      Solution<double> mutant;
      mutant.V = right;
      spoil(mutant.V);
      LargestError wrong_by;
      for (std::size_t s = 0; s < right.size(); ++s) {
        wrong_by.see(std::abs(mutant.V[s] - right[s]) / units[s]);
      }
      mutants.see(fmt::format("{}: {}", name, what), wrong_by.value(), 1e-14, 1e-6,
                  judge(problem, mutant, true));
    }
  }
  for (const Recursion recursion : {Recursion::corrected, Recursion::as_published}) {
    for (const double sigma : {1.0, 2.0, 3.5}) {
      Problem problem = of(30, sigma);
      problem.ne = 4;
      problem.T = 5;
      problem.recursion = recursion;
      const Values right = brute_force(problem);
      see_refused_of<double>(problem, right, mutants);
      see_refused_of<float>(problem, right, mutants);
    }
  }
  expect_in_evidence(mutants.row());
}

}  // namespace
}  // namespace macrobench::lifecycle
