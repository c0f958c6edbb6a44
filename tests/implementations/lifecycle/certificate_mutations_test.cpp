#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "implementations/lifecycle/certificate.hpp"
#include "tests/implementations/mutations.hpp"

namespace macrobench::lifecycle {
namespace {

constexpr std::size_t nx = 30;
constexpr std::size_t ne = 4;
constexpr std::size_t ages = 5;

std::string place(std::size_t at) {
  return fmt::format("at age {}, x[{}], e[{}]", at / (nx * ne) + 1, at % nx, at / nx % ne);
}

template <class Real>
Solution<Real> solved(const Problem& problem) {
  const std::vector<double> V = reference_values(problem);
  Solution<Real> solution;
  for (const double v : V) solution.V.push_back(static_cast<Real>(v));
  return solution;
}

/// What may be off at a state, at the most: every number of the sums that it is made of rounded.
template <class Real>
double allowed_at(const Problem& problem, const std::vector<Real>& V) {
  double largest = 1;
  for (const Real v : V) largest = std::max(largest, std::abs(static_cast<double>(v)));
  const double sums = problem.recursion == Recursion::corrected ? 1 : static_cast<double>(nx);
  const double terms = 8 + std::abs(1 - problem.calibration.sigma) + 2.0 * ne * sums;
  return static_cast<double>(std::numeric_limits<Real>::epsilon()) * terms * largest;
}

template <class Real>
void expect_mutations_told(const Problem& problem) {
  using S = Solution<Real>;
  const S right = solved<Real>(problem);
  const double allowed = allowed_at(problem, right.V);
  std::vector<Mutation<S>> mutations = {
      {"a value off by ten tolerances",
       [&](S& s, Dice& dice) {
         const std::size_t at = dice.below(s.V.size());
         s.V[at] += static_cast<Real>(dice.sign() * 10 * allowed);
         return place(at);
       }},
      {"no number",
       [](S& s, Dice& dice) {
         const std::size_t at = dice.below(s.V.size());
         s.V[at] = no_number<Real>(dice);
         return place(at);
       }},
      {"V of another shock",
       [](S& s, Dice& dice) {
         const std::size_t age = dice.below(ages);
         const std::size_t e = dice.below(ne);
         const std::size_t other = (e + 1 + dice.below(ne - 1)) % ne;
         const auto row = [&](std::size_t of) {
           return s.V.begin() + static_cast<std::ptrdiff_t>((age * ne + of) * nx);
         };
         std::copy_n(row(other), nx, row(e));
         return fmt::format("at age {}", age + 1);
       }},
      {"V of another age",
       [](S& s, Dice& dice) {
         const std::size_t age = dice.below(ages - 1);
         const auto first = s.V.begin() + static_cast<std::ptrdiff_t>(age * ne * nx);
         std::copy_n(first + ne * nx, ne * nx, first);
         return fmt::format("at age {}", age + 1);
       }},
      {"a truncated array",
       [](S& s, Dice& dice) {
         s.V.resize(dice.below(s.V.size()));
         return fmt::format("V has {} numbers", s.V.size());
       }},
      {"a solution of another case",
       [&](S& s, Dice& dice) {
         Problem other = problem;
         Calibration& c = other.calibration;
         *dice.one_of({&c.beta, &c.r, &c.w, &c.sigma, &c.xmax}) *= 0.97;
         s = solved<Real>(other);
         return std::string("at age ");
       }},
  };
  if (problem.recursion == Recursion::corrected) {  // else V hardly differs from node to node
    mutations.push_back({"V of another node", [&](S& s, Dice& dice) -> std::optional<std::string> {
                           const std::size_t at = dice.below(ages * ne) * nx + dice.below(nx / 2);
                           Real& other = s.V[at + nx / 2];
                           if (std::abs(s.V[at] - other) < 10 * allowed) return {};
                           std::swap(s.V[at], other);
                           return place(at);
                         }});
  }
  expect_all_told(right, mutations, 60, [&](const S& s) { return judge(problem, s, true); });
}

TEST(LifecycleCertificate, TellsMutationsOfASolution) {
  for (const Recursion recursion : {Recursion::corrected, Recursion::as_published}) {
    for (const double sigma : {1.0, 2.0, 3.5}) {
      Problem problem;
      problem.nx = nx;
      problem.ne = ne;
      problem.T = ages;
      problem.recursion = recursion;
      problem.calibration.sigma = sigma;
      expect_mutations_told<double>(problem);
      expect_mutations_told<float>(problem);
    }
  }
}

}  // namespace
}  // namespace macrobench::lifecycle
