#include "implementations/krusell_smith/certificate/law.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

#include "implementations/krusell_smith/certificate/economy.hpp"
#include "implementations/krusell_smith/input/shocks.hpp"

namespace macrobench::krusell_smith::certificate {

namespace {

/// Of K', at either end of the grid of K: an equilibrium's law may not be further from the law that
/// its own panel gives, whatever the tolerance.
constexpr double largest_law_error = 5e-3;

}  // namespace

Fit regressed(const Problem& problem, const std::vector<double>& K) {
  const std::shared_ptr<const Shocks> shocks = shocks_of(problem);
  Fit fit{};
  for (const int a : {bad, good}) {
    long double n = 0;
    long double x = 0;
    long double y = 0;
    long double xx = 0;
    long double xy = 0;
    long double yy = 0;
    for (int t = problem.burn_in; t + 1 < problem.T; ++t) {
      if (shocks->states[index(t)] != a) continue;
      const long double log_now = std::log(static_cast<long double>(K[index(t)]));
      const long double log_next = std::log(static_cast<long double>(K[index(t + 1)]));
      n += 1;
      x += log_now;
      y += log_next;
      xx += log_now * log_now;
      xy += log_now * log_next;
      yy += log_next * log_next;
    }
    const long double covariance = n * xy - x * y;
    const long double slope = covariance / (n * xx - x * x);
    fit.law.b1[a] = static_cast<double>(slope);
    fit.law.b0[a] = static_cast<double>((y - slope * x) / n);
    fit.R2[a] = static_cast<double>(slope * covariance / (n * yy - y * y));
  }
  return fit;
}

double height_between(const Grids& grids, const LawOfMotion& left, const LawOfMotion& right,
                      int a) {
  const auto at = [&](double K) {
    return std::abs(left.b0[a] - right.b0[a] + (left.b1[a] - right.b1[a]) * std::log(K));
  };
  return std::max(at(grids.K_min), at(grids.K_max));
}

double height_per_distance(const Grids& grids) {
  return std::max(std::hypot(1, std::log(grids.K_min)), std::hypot(1, std::log(grids.K_max)));
}

double law_distance(const LawOfMotion& left, const LawOfMotion& right) {
  return std::hypot(std::hypot(left.b0[bad] - right.b0[bad], left.b1[bad] - right.b1[bad]),
                    std::hypot(left.b0[good] - right.b0[good], left.b1[good] - right.b1[good]));
}

std::string against_regression(const Fit& fit, const Equilibrium& e, double error) {
  if (error <= 1e-10) return "";
  struct Number {
    const char* name;
    double fitted, found;
  };
  const std::array<Number, 6> numbers = {{{"b0_bad", fit.law.b0[bad], e.estimated.b0[bad]},
                                          {"b1_bad", fit.law.b1[bad], e.estimated.b1[bad]},
                                          {"b0_good", fit.law.b0[good], e.estimated.b0[good]},
                                          {"b1_good", fit.law.b1[good], e.estimated.b1[good]},
                                          {"R2_bad", fit.R2[bad], e.R2[bad]},
                                          {"R2_good", fit.R2[good], e.R2[good]}}};
  const auto distance = [](const Number& n) { return std::abs(n.fitted - n.found); };
  const auto worst = std::ranges::max_element(numbers, {}, distance);
  return fmt::format("a regression on the path of K gives {} = {:.12g}, the solution {:.12g}",
                     worst->name, worst->fitted, worst->found);
}

std::string against_law(const Problem& problem, const Outcome& outcome, const Fit& fit,
                        const Equilibrium& e) {
  if (outcome.residual <= outcome.allowed + 1e-11) return "";
  const auto height = [&](int a) { return height_between(problem.grids, fit.law, e.law, a); };
  return fmt::format(
      "the law of motion is {:.2e} from the one it brings about, in ln K' at an end of the grid of "
      "K and most of it in the {} state, where {:.2e} is allowed",
      outcome.residual, height(good) > height(bad) ? "good" : "bad", outcome.allowed);
}

std::string against_tolerance(const Problem& problem, const Equilibrium& e, double allowed) {
  if (allowed <= largest_law_error) return "";
  const double as_strict = problem.tolerance * largest_law_error / allowed;
  const double digit = std::pow(10, std::floor(std::log10(as_strict)));
  return fmt::format(
      "the tolerance{} lets the law of motion be off by {:.2g} of K', and at most {:g} is allowed: "
      "--tolerance {:.0e}",
      e.relaxed ? ", relaxed tenfold," : "", allowed, largest_law_error,
      std::floor(as_strict / digit) * digit);
}

}  // namespace macrobench::krusell_smith::certificate
