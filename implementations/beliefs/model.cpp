#include "implementations/beliefs/model.hpp"

#include <algorithm>
#include <random>

namespace macrobench::beliefs {

namespace {

PerTransition log_probabilities(double pi_hh, double pi_ll) {
  return {std::log(pi_hh), std::log1p(-pi_hh), std::log1p(-pi_ll), std::log(pi_ll)};
}

PerTransition plus(const PerTransition& a, double b) {
  return {a.hh + b, a.hl + b, a.lh + b, a.ll + b};
}

PerTransition minus(const PerTransition& a, const PerTransition& b) {
  return {a.hh - b.hh, a.hl - b.hl, a.lh - b.lh, a.ll - b.ll};
}

}  // namespace

Economy::Economy(const Calibration& c)
    : mu_1(c.mu_1),
      mu_2(c.mu_2),
      gamma_1(c.gamma_1),
      gamma_2(c.gamma_2),
      C0(c.C0),
      starts_low(c.starts_low),
      log_growth{c.alpha_h, c.alpha_l, c.alpha_h, c.alpha_l},
      log_price(plus(log_probabilities(c.pi_hh, c.pi_ll), std::log(c.beta_1))),
      log_relative(minus(log_price, plus(log_probabilities(c.believed_pi_hh, c.believed_pi_ll),
                                         std::log(c.beta_2)))) {}

std::vector<Transitions> sampled_histories(const Problem& problem) {
  constexpr int most = 256;
  constexpr std::uint64_t seed = 20141001;
  const bool starts_low = problem.calibration.starts_low;
  const auto history = [&](int t, const auto& next_is_low) {
    Transitions n;
    bool low = starts_low;
    for (int k = 0; k < t; ++k) {
      const bool next = next_is_low();
      ++(low ? (next ? n.ll : n.lh) : (next ? n.hl : n.hh));
      low = next;
    }
    return n;
  };

  std::vector<Transitions> histories{history(problem.T, [] { return false; }),
                                     history(problem.T, [] { return true; })};
  std::mt19937_64 random(seed);
  const int draws = most - static_cast<int>(histories.size());
  for (int n = 0; n < draws; ++n) {
    const int t = 1 + static_cast<int>(std::int64_t{n} * problem.T / draws);
    // Lows from as rare as 1 in 8 to as frequent as 7 in 8: fair coins would only show the middle.
    const std::uint64_t eighths = 1 + random() % 7;
    histories.push_back(history(t, [&] { return random() % 8 < eighths; }));
  }
  return histories;
}

}  // namespace macrobench::beliefs
