#pragma once

// The economy solved as a reader of the paper would check it by hand: every history written out,
// its equation bisected. Slow, plain, and none of the project's code.

#include <cmath>
#include <cstddef>
#include <vector>

#include "implementations/beliefs/model.hpp"

namespace macrobench::beliefs {

struct BruteForce {
  Calibration c;
  Consumption at_s0;

  /// (c1, c2) at a history whose endowment is C, whose probabilities are pi_1 and pi_2, and which
  /// is t periods long.
  [[nodiscard]] Consumption consumption(int t, long double C, long double pi_1,
                                        long double pi_2) const {
    // u'(c1) / u'(c2) is known, and with it c2 at a c1.
    const long double gamma_1 = c.gamma_1;
    const long double gamma_2 = c.gamma_2;
    const long double relative =
        std::pow(static_cast<long double>(c.beta_1) / c.beta_2, t) * (pi_1 / pi_2);
    const long double scale = at_s0.c2 * std::pow(relative, -1 / gamma_2);
    const auto c2_of = [&](long double c1) {
      return scale * std::pow(c1 / at_s0.c1, gamma_1 / gamma_2);
    };
    long double low = 0;
    long double high = C / c.mu_1;
    for (int n = 0; n < 100; ++n) {
      const long double middle = (low + high) / 2;
      if (middle == low || middle == high) break;
      (c.mu_1 * middle + c.mu_2 * c2_of(middle) < C ? low : high) = middle;
    }
    return {static_cast<double>(low), static_cast<double>(c2_of(low))};
  }

  /// Adds the nodes from this one on to the sums of their periods.
  void visit(int t, int T, bool low, long double C, long double pi_1, long double pi_2,
             std::vector<long double>& wealth, std::vector<long double>& spending) const {
    const Consumption here = t == 0 ? at_s0 : consumption(t, C, pi_1, pi_2);
    const long double q = std::pow(static_cast<long double>(c.beta_1), t) * pi_1 *
                          std::pow(static_cast<long double>(here.c1) / at_s0.c1,
                                   -static_cast<long double>(c.gamma_1));
    wealth[static_cast<std::size_t>(t)] += q * C;
    spending[static_cast<std::size_t>(t)] += q * here.c2;
    if (t == T) return;
    const double stay_1 = low ? c.pi_ll : c.pi_hh;
    const double stay_2 = low ? c.believed_pi_ll : c.believed_pi_hh;
    for (const bool next : {false, true}) {
      const bool stays = next == low;
      visit(t + 1, T, next, C * std::exp(static_cast<long double>(next ? c.alpha_l : c.alpha_h)),
            pi_1 * (stays ? stay_1 : 1 - stay_1), pi_2 * (stays ? stay_2 : 1 - stay_2), wealth,
            spending);
    }
  }

  struct Sums {
    std::vector<long double> wealth, spending;
  };

  [[nodiscard]] Sums sums(int T) const {
    const auto periods = static_cast<std::size_t>(T) + 1;
    Sums all{std::vector<long double>(periods, 0), std::vector<long double>(periods, 0)};
    visit(0, T, c.starts_low, c.C0, 1, 1, all.wealth, all.spending);
    return all;
  }
};

}  // namespace macrobench::beliefs
