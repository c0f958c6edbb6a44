#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <limits>
#include <utility>
#include <vector>

#include "implementations/newton/certificate.hpp"
#include "tests/certificates/mutants.hpp"

namespace macrobench::newton {
namespace {

struct Economy {
  std::string name;
  Problem problem;
};

Problem of(double a_low, double a_high, double b, double x0, double tolerance) {
  Problem problem;
  problem.n = 50;
  problem.a_low = a_low;
  problem.a_high = a_high;
  problem.b = b;
  problem.x0 = x0;
  problem.tolerance = tolerance;
  return problem;
}

std::vector<Economy> parabolas() {
  std::vector<Economy> all = {
      {"the chapter's", of(-0.9, -0.1, 2.3, 2.2, 1e-5)},
      {"a far start", of(-0.9, -0.1, 2.3, 1e17, 1e-5)},
      {"a start as far as single precision has", of(-0.9, -0.1, 2.3, 1e8, 1e-5)},
      {"maxima near 0", of(-0.9, -0.1, 1e-20, 0, 1e-32)},
      {"maxima near 0, a start that is not", of(-0.9, -0.1, 1e-20, 2.2, 1e-5)},
      {"maxima below 0", of(-0.9, -0.1, -5, 2.2, 1e-5)},
      {"a wide tolerance", of(-0.9, -0.1, 2.3, 2.2, 1e3)},
      {"steep parabolas", of(-1e6, -1e5, 2.3, 2.2, 1e-12)},
      {"flat parabolas", of(-1e-4, -1e-5, 2.3, 2.2, 1e-5)},
      {"x in units of 1/10,000", of(-0.9e-8, -0.1e-8, 2.3e-4, 2.2e4, 1e-1)},
      {"a single one", of(-0.9, -0.1, 2.3, 2.2, 1e-5)}};
  all.back().problem.n = 1;
  return all;
}

template <class Real>
using Change = std::function<void(Solution<Real>&)>;

/// Where each parabola is highest, in long double, and the count of steps that Newton's method
/// takes on one: there, and one that finds nothing to do.
template <class Real>
Solution<Real> solution_of(const Problem& problem) {
  Solution<Real> solution;
  for (int i = 0; i < problem.n; ++i) {
    const long double last = std::max(1, problem.n - 1);
    const long double a =
        ((last - i) * problem.a_low + i * static_cast<long double>(problem.a_high)) / last;
    const long double x = -problem.b / (2 * a);
    solution.argmax.push_back(static_cast<Real>(x));
    solution.steps.push_back(std::abs(problem.x0 - x) <= problem.tolerance ? 1 : 2);
  }
  return solution;
}

template <class Real>
std::vector<std::pair<std::string, Change<Real>>> mutants_of(const Problem& problem) {
  using S = Solution<Real>;
  const auto n = static_cast<std::size_t>(problem.n);
  const auto every = [](const std::function<Real(Real)>& change) {
    return [change](S& s) { std::ranges::transform(s.argmax, s.argmax.begin(), change); };
  };
  const auto one = [](std::size_t at, double factor) {
    return [=](S& s) { s.argmax[at] *= static_cast<Real>(factor); };
  };
  const auto of_other = [problem](const std::function<void(Problem&)>& change) {
    return [=](S& s) {
      Problem other = problem;
      change(other);
      s.argmax = solution_of<Real>(other).argmax;
    };
  };
  return {{"nothing changed", [](S&) {}},
          {"every x 0", every([](Real) { return Real(0); })},
          {"every x where it started", every([&](Real) { return static_cast<Real>(problem.x0); })},
          {"every x 1", every([](Real) { return Real(1); })},
          {"every x of the first", [](S& s) { std::ranges::fill(s.argmax, s.argmax.front()); }},
          {"every x 1% larger", every([](Real x) { return x * Real(1.01); })},
          {"every x 5% larger", every([](Real x) { return x * Real(1.05); })},
          {"every x of another sign", every([](Real x) { return -x; })},
          {"every x infinite", every([](Real) { return std::numeric_limits<Real>::infinity(); })},
          {"no number", every([](Real) { return std::numeric_limits<Real>::quiet_NaN(); })},
          {"in the other order", [](S& s) { std::ranges::reverse(s.argmax); }},
          {"one on",
           [](S& s) { std::ranges::rotate(s.argmax, s.argmax.begin() + s.argmax.size() / 2); }},
          {"the first off", one(0, 1.03)},
          {"the last off", one(n - 1, 0.97)},
          {"one within off", one(n / 2, 1.1)},
          {"half a step", every([&](Real x) { return (x + static_cast<Real>(problem.x0)) / 2; })},
          {"b off by 5%", of_other([](Problem& other) { other.b *= 1.05; })},
          {"a_low off by 10%", of_other([](Problem& other) { other.a_low *= 1.1; })}};
}

template <class Real>
void see_all(const std::string& precision, Mutants& mutants) {
  // What rounding may cost, and what is wrong.
  const double least = 2 * static_cast<double>(std::numeric_limits<Real>::epsilon());
  const double most = sizeof(Real) == sizeof(float) ? 1e-2 : 1e-6;
  for (auto [name, problem] : parabolas()) {
    problem.single = sizeof(Real) == sizeof(float);
    const Solution<Real> right = solution_of<Real>(problem);
    for (const auto& [what, spoil] : mutants_of<Real>(problem)) {
      Solution<Real> mutant = right;
      spoil(mutant);
      LargestError wrong_by;
      for (std::size_t i = 0; i < right.argmax.size(); ++i) {
        const auto exact = static_cast<double>(right.argmax[i]);
        wrong_by.see(std::abs((static_cast<double>(mutant.argmax[i]) - exact) / exact));
      }
      mutants.see(fmt::format("{} {}: {}", precision, name, what), wrong_by.value(), least, most,
                  judge(problem, mutant, true));
    }
  }
}

template <class Real>
void see_refused_of(const std::string& name, Problem problem, Mutants& mutants) {
  using S = Solution<Real>;
  problem.single = sizeof(Real) == sizeof(float);
  const S right = solution_of<Real>(problem);
  const auto n = static_cast<std::size_t>(problem.n);
  const auto place = [](std::size_t i) { return fmt::format("a[{}]", i); };
  std::vector<Refused<S>> all;
  add_spoiled(all, "argmax", &S::argmax, n, place);
  add_spoiled(all, "steps", &S::steps, n, place);
  for (const std::size_t i : places_of(n)) {
    const double share = static_cast<double>(i) / static_cast<double>(n - 1);
    const double a = std::lerp(problem.a_low, problem.a_high, share);
    const double x = std::abs(problem.b / (2 * a));
    const double allowed = 4 * static_cast<double>(std::numeric_limits<Real>::epsilon()) *
                           (x + x * problem.a_low / a + problem.tolerance);
    for (const double by : {10 * allowed, -10 * allowed}) {
      all.push_back({fmt::format("argmax[{}] off by {}", i, by),
                     [=](S& s) { s.argmax[i] += static_cast<Real>(by); }, place(i)});
    }
    for (const std::uint8_t steps : std::initializer_list<std::uint8_t>{0, 1, 255}) {
      all.push_back({fmt::format("{} steps", steps), [=](S& s) { s.steps[i] = steps; }, place(i)});
    }
    const std::size_t before = std::min(i, n - 2);
    all.push_back({"the next coefficient's", [=](S& s) { s.argmax[before] = s.argmax[before + 1]; },
                   place(before)});
  }
  for (double Problem::* number : {&Problem::b, &Problem::a_low, &Problem::a_high}) {
    Problem other = problem;
    other.*number *= 1.001;
    all.push_back({"another case", [=](S& s) { s = solution_of<Real>(other); }, "a["});
  }
  mutants.see_refused(name, right, all, [&](const S& s) { return judge(problem, s, false); });
}

TEST(Mutants, OfNewton) {
  Mutants mutants("newton");
  see_all<double>("double", mutants);
  see_all<float>("single", mutants);
  // A tolerance above what rounding leaves in single precision.
  see_refused_of<double>("double", of(-0.9, -0.1, 2.3, 2.2, 1e-3), mutants);
  see_refused_of<float>("single", of(-0.9, -0.1, 2.3, 2.2, 1e-3), mutants);
  see_refused_of<double>("maxima below 0", of(-0.9, -0.1, -4, -30, 1e-3), mutants);
  expect_in_evidence(mutants.row());
}

}  // namespace
}  // namespace macrobench::newton
