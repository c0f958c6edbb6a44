#include "implementations/rbc/frontier/discrete.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "implementations/numerics/methods/chebyshev.hpp"
#include "implementations/numerics/methods/linear_solve.hpp"
#include "implementations/numerics/parallel/widest_vectors.hpp"
#include "implementations/rbc/frontier/cpu.hpp"

namespace macrobench::rbc {

namespace {

/// Differences below so many roundings of V are not worth solving the linear equations for: that
/// would amplify the noise in them, which one sweep does not.
constexpr double near_rounding = 16;

std::size_t index(int i) {
  return static_cast<std::size_t>(i);
}

}  // namespace

DiscreteSolver::DiscreteSolver(const Problem& problem, double* V, std::int32_t* policy)
    : calibration_(problem.calibration),
      nk_(problem.nk),
      nz_(problem.nz),
      threads_(problem.threads),
      V_(V),
      policy_(policy),
      resources_(problem.states()),
      flow_(problem.states()),
      expected_(index(problem.nk)) {
  Grids<double> grids = make_grids<double>(problem);
  Z_ = std::move(grids.Z);
  P_ = std::move(grids.P);
  low_ = grids.K.front();
  step_ = (capital_range(problem).high - low_) / (nk_ - 1);
  for (int i = 0; i < nk_; ++i) {
    const double K = grids.K[index(i)];
    const double power = std::pow(K, calibration_.alpha);
    for (int j = 0; j < nz_; ++j) {
      const double y = Z_[index(j)] * power + (1 - calibration_.delta) * K;
      if (!(y >= low_)) throw std::invalid_argument("a state of the grid has no feasible choice");
      resources_[index(j) * index(nk_) + index(i)] = y;
    }
  }
}

int DiscreteSolver::last_feasible(double y) const {
  // Output may be more steps above the grid than an int holds: with alpha = 1e-10 it is 1e11.
  int p = static_cast<int>(std::clamp((y - low_) / step_, 0.0, nk_ - 1.0));
  while (p > 0 && !(low_ + p * step_ <= y)) --p;
  while (p < nk_ - 1 && low_ + (p + 1) * step_ <= y) ++p;
  return p;
}

double DiscreteSolver::own_weight(int j) const {
  return calibration_.beta * P_[index(j) * index(nz_) + index(j)];
}

void DiscreteSolver::start_from(const ContinuousSolution& continuous) {
  const double dt = 2.0 / (nk_ - 1);
  numerics::with_widest_vectors([&]() MACROBENCH_ALWAYS_INLINE {
    for (int j = 0; j < nz_; ++j) {
      const std::size_t series = index(j) * index(continuous.size);
      double* V = V_ + index(j) * index(nk_);
      // The policy passes through V's place.
      numerics::chebyshev_tabulate(&continuous.policy[series], continuous.size, -1, dt, nk_, V);
      std::int32_t* policy = policy_ + index(j) * index(nk_);
      for (int i = 0; i < nk_; ++i) {
        policy[i] = static_cast<std::int32_t>((V[i] - low_) / step_ + 0.5);
      }
      numerics::chebyshev_tabulate(&continuous.V[series], continuous.size, -1, dt, nk_, V);
    }
  });
}

void DiscreteSolver::start_from(const double* V, const std::int32_t* policy, int nk) {
  const double ratio = static_cast<double>(nk - 1) / (nk_ - 1);
  for (int j = 0; j < nz_; ++j) {
    const double* from = V + index(j) * index(nk);
    const std::int32_t* choice = policy + index(j) * index(nk);
    for (int i = 0; i < nk_; ++i) {
      const double at = i * ratio;
      const int below = std::min(static_cast<int>(at), nk - 2);
      const double weight = at - below;
      const std::size_t state = index(j) * index(nk_) + index(i);
      V_[state] = from[below] + weight * (from[below + 1] - from[below]);
      const double target = choice[below] + weight * (choice[below + 1] - choice[below]);
      policy_[state] = std::min(static_cast<std::int32_t>(target / ratio + 0.5), nk_ - 1);
    }
  }
}

void DiscreteSolver::start_from_nothing() {
  for (int j = 0; j < nz_; ++j) {
    for (int i = 0; i < nk_; ++i) {
      const std::size_t state = index(j) * index(nk_) + index(i);
      const double choice = std::min(low_ + i * step_, low_ + 0.9 * (resources_[state] - low_));
      policy_[state] = static_cast<std::int32_t>((choice - low_) / step_);
      V_[state] = utility(resources_[state] - low_ - policy_[state] * step_, calibration_.gamma) /
                  (1 - calibration_.beta);
    }
  }
}

/// expected_[p] = beta sum_l P(j,l) V(p,Z_l), where l = j has the weight own_weight instead of
/// beta P(j,j).
void DiscreteSolver::expect(int j, double own_weight) {
  numerics::with_widest_vectors([&]() MACROBENCH_ALWAYS_INLINE {
    constexpr int block = 1024;
    for (int start = 0; start < nk_; start += block) {
      const int count = std::min(block, nk_ - start);
      double* to = &expected_[index(start)];
      std::fill(to, to + count, 0.0);
      for (int l = 0; l < nz_; ++l) {
        const double weight =
            l == j ? own_weight : calibration_.beta * P_[index(j) * index(nz_) + index(l)];
        if (weight == 0) continue;
        const double* from = V_ + index(l) * index(nk_) + start;
        for (int i = 0; i < count; ++i) to[i] += weight * from[i];
      }
    }
  });
}

/// Solves the equations of Z_j, with the other productivities fixed. Returns the range of the
/// change.
DiscreteSolver::Span DiscreteSolver::sweep_one(int j) {
  expect(j, own_weight(j));
  return with_utility(calibration_.gamma, [&](const auto& u) { return sweep_one(j, u); });
}

template <class Utility>
DiscreteSolver::Span DiscreteSolver::sweep_one(int j, const Utility& u) {
  const std::size_t first = index(j) * index(nk_);
  const double* y = &resources_[first];
  double* V = V_ + first;
  double* E = expected_.data();
  std::int32_t* policy = policy_ + first;
  const double low = low_;
  const double step = step_;
  const double own = own_weight(j);
  const double stay = 1 / (1 - own);

  Span change;
  const auto value = [&](int i, int p) {
    const double w = u(y[i] - (low + p * step)) + E[p];
    return p == i ? (w - own * V[i]) * stay : w;
  };
  const auto set = [&](int i, int p, double best) {
    const double moved = best - V[i];
    change.add(moved);
    V[i] = best;
    E[i] += own * moved;
    policy[i] = p;
  };

  // From the current policy or the neighbour's, whichever is better, to the nearest peak.
  const auto climb = [&](int i, int neighbour) {
    const int top = last_feasible(y[i]);
    int p = std::min(policy[i], top);
    double here = value(i, p);
    const int other = std::min(policy[neighbour], top);
    if (other != p) {
      const double there = value(i, other);
      if (there > here) {
        p = other;
        here = there;
      }
    }
    const int start = p;
    for (double above = 0; p < top && (above = value(i, p + 1)) > here; ++p) here = above;
    if (p == start) {
      for (double below = 0; p > 0 && (below = value(i, p - 1)) >= here; --p) here = below;
    }
    set(i, p, here);
  };
  // Up through the states that go down or stay, then down through those that go up.
  for (int i = 0; i < nk_; ++i) {
    if (policy[i] <= i) climb(i, std::max(i - 1, 0));
  }
  for (int i = nk_ - 1; i >= 0; --i) {
    if (policy[i] > i) climb(i, std::min(i + 1, nk_ - 1));
  }
  return change;
}

/// One Gauss-Seidel sweep over the productivities. Returns how far V moved, up to constants.
double DiscreteSolver::sweep() {
  std::vector<Span> change;
  for (int j = 0; j < nz_; ++j) change.push_back(sweep_one(j));
  passes_ += 1;
  return correct(change);
}

/// Solves V_j = flow + beta E V under the policy, with the other productivities fixed.
DiscreteSolver::Span DiscreteSolver::evaluate_one(int j) {
  const double own = own_weight(j);
  expect(j, 0);
  const std::size_t first = index(j) * index(nk_);
  const double* others = expected_.data();
  const double* flow = &flow_[first];
  const std::int32_t* policy = policy_ + first;
  double* V = V_ + first;
  Span change;
  const auto set = [&](int i, double value) {
    change.add(value - V[i]);
    V[i] = value;
  };
  for (int i = 0; i < nk_; ++i) {
    const int p = policy[i];
    if (p == i) {
      set(i, (flow[i] + others[p]) / (1 - own));
    } else if (p < i) {
      set(i, flow[i] + others[p] + own * V[p]);
    }
  }
  for (int i = nk_ - 1; i >= 0; --i) {
    const int p = policy[i];
    if (p > i) set(i, flow[i] + others[p] + own * V[p]);
  }
  return change;
}

double DiscreteSolver::evaluate() {
  std::vector<Span> change;
  for (int j = 0; j < nz_; ++j) change.push_back(evaluate_one(j));
  passes_ += 1;
  return correct(change);
}

/// V = T V under the policy, one productivity after another, rounded as `improve` rounds it.
void DiscreteSolver::step() {
  for (int j = 0; j < nz_; ++j) {
    expect(j, own_weight(j));
    const std::size_t first = index(j) * index(nk_);
    for (int i = 0; i < nk_; ++i) {
      const std::size_t state = first + index(i);
      V_[state] = flow_[state] + expected_[index(policy_[state])];
    }
  }
  passes_ += 1;
}

/// After a sweep, each block's equations lack what the later blocks moved. Adds to each block the
/// constant that would correct this if it were constant, (I - beta P) d = shortfall, and returns
/// the largest half-range of a change.
double DiscreteSolver::correct(const std::vector<Span>& change) {
  const std::size_t n = index(nz_);
  std::vector<double> A(n * n);
  std::vector<double> d(n, 0.0);
  double uneven = 0;
  for (std::size_t j = 0; j < n; ++j) {
    uneven = std::max(uneven, change[j].half());
    for (std::size_t l = 0; l < n; ++l) {
      const double weight = calibration_.beta * P_[j * n + l];
      A[j * n + l] = (j == l ? 1 : 0) - weight;
      if (l > j) d[j] += weight * change[l].sum / nk_;
    }
  }
  if (!numerics::solve_linear(A, d)) return uneven;
  for (std::size_t j = 0; j < n; ++j) {
    double* V = V_ + j * index(nk_);
    for (int i = 0; i < nk_; ++i) V[i] += d[j];
  }
  return uneven;
}

/// Maximises at every state of Z_j with the current V. Returns the range of T V - V.
DiscreteSolver::Span DiscreteSolver::improve_one(int j, Search search) {
  expect(j, own_weight(j));
  return with_utility(calibration_.gamma, [&](const auto& u) { return improve_one(j, search, u); });
}

template <class Utility>
DiscreteSolver::Span DiscreteSolver::improve_one(int j, Search search, const Utility& u) {
  const std::size_t first = index(j) * index(nk_);
  const double* y = &resources_[first];
  const double* V = V_ + first;
  const double* E = expected_.data();
  double* flow = &flow_[first];
  std::int32_t* policy = policy_ + first;
  const double low = low_;
  const double step = step_;

  const auto lowest_best = [=](int i, int from, int to) {
    int best = from;
    double best_value = u(y[i] - (low + from * step)) + E[from];
    for (int p = from + 1; p <= to; ++p) {
      const double candidate = u(y[i] - (low + p * step)) + E[p];
      if (candidate > best_value) {
        best = p;
        best_value = candidate;
      }
    }
    return best;
  };

  if (search == Search::divide) {
    policy[0] = lowest_best(0, 0, last_feasible(y[0]));
    int stride = 1;
    while (stride < nk_) stride *= 2;
    for (stride /= 2; stride > 0; stride /= 2) {
#pragma omp parallel for schedule(static) num_threads(threads_) if (threads_ > 1)
      for (int i = stride; i < nk_; i += 2 * stride) {
        const int above = i + stride < nk_ ? policy[i + stride] : nk_ - 1;
        policy[i] = lowest_best(i, policy[i - stride], std::min(above, last_feasible(y[i])));
      }
    }
  } else {
#pragma omp parallel for schedule(static) num_threads(threads_) if (threads_ > 1)
    for (int i = 0; i < nk_; ++i) policy[i] = lowest_best(i, 0, last_feasible(y[i]));
  }

  Span residual;
  for (int i = 0; i < nk_; ++i) {
    flow[i] = u(y[i] - (low + policy[i] * step));
    residual.add(flow[i] + E[policy[i]] - V[i]);
  }
  return residual;
}

/// Maximises everywhere and centres V: half the range of T V - V is then max |V - T V|.
void DiscreteSolver::improve(Search search) {
  Span all;
  for (int j = 0; j < nz_; ++j) {
    const Span one = improve_one(j, search);
    all.add(one.low);
    all.add(one.high);
  }
  passes_ += 1;
  difference_ = all.half();
  const std::size_t states = index(nk_) * index(nz_);
  double largest = 0;
  for (std::size_t state = 0; state < states; ++state) {
    largest = std::max(largest, std::abs(V_[state]));
  }
  rounding_ = rounding_of(largest);
  // Adding the shift rounds every V anew and, as it is amplified by 1 / (1 - beta), would follow
  // the noise to and fro where rounding is what is left.
  const double furthest = std::max(-all.low, all.high);
  if (all.half() <= near_rounding * rounding_ && furthest <= 2 * all.half() + rounding_) {
    difference_ = furthest;
    return;
  }
  const double shift = all.middle() / (1 - calibration_.beta);
  for (std::size_t state = 0; state < states; ++state) V_[state] += shift;
}

/// Sweeps until V moves by no more than `wanted`, up to constants. False if that takes too long.
bool DiscreteSolver::sweep_until(double wanted, double passes) {
  double before = std::numeric_limits<double>::infinity();
  for (int slow = 0; slow < 3 && passes_ + 1 < passes;) {
    const double moved = sweep();
    if (moved <= wanted) return true;
    if (moved > before / 2) ++slow;
    before = moved;
  }
  return false;
}

/// Evaluates the policy until V moves by no more than `wanted`, up to constants.
void DiscreteSolver::evaluate_until(double wanted, double passes) {
  constexpr std::size_t most_moves = 10;
  const std::size_t states = index(nk_) * index(nz_);
  double before = std::numeric_limits<double>::infinity();
  int slow = 0;
  std::vector<std::vector<double>> moves;
  for (int count = 0; count < 200 && passes_ + 1 < passes; ++count) {
    if (slow >= 2) {
      moves.emplace_back(states);
      for (std::size_t state = 0; state < states; ++state) moves.back()[state] = -V_[state];
    }
    const double moved = evaluate();
    if (moved <= wanted) return;
    slow = moved > before / 4 ? slow + 1 : slow;
    before = moved;
    if (moves.empty()) continue;
    for (std::size_t state = 0; state < states; ++state) moves.back()[state] += V_[state];
    if (moves.size() == most_moves) {
      extrapolate(moves);
      moves.clear();
      before = std::numeric_limits<double>::infinity();
    }
  }
}

/// Reduced rank extrapolation: V becomes the combination of its last values, weights adding up to
/// one, in which the same combination of their moves is smallest.
void DiscreteSolver::extrapolate(const std::vector<std::vector<double>>& moves) {
  const std::size_t n = moves.size();
  std::vector<double> A(n * n);
  std::vector<double> weight(n, 1.0);
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t b = 0; b <= a; ++b) {
      A[a * n + b] = A[b * n + a] =
          std::inner_product(moves[a].begin(), moves[a].end(), moves[b].begin(), 0.0);
    }
  }
  double trace = 0;
  for (std::size_t a = 0; a < n; ++a) trace += A[a * n + a];
  if (!(trace > 0) || !std::isfinite(trace)) return;
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t b = 0; b < n; ++b) A[a * n + b] /= trace;
    A[a * n + a] += 1e-14;
  }
  if (!numerics::solve_linear(A, weight)) return;
  const double total = std::accumulate(weight.begin(), weight.end(), 0.0);
  if (!std::isfinite(1 / total)) return;
  // V, the last value, less the moves that the earlier values had not made yet.
  double earlier = 0;
  for (std::size_t a = 1; a < n; ++a) {
    earlier += weight[a - 1] / total;
    for (std::size_t state = 0; state < moves[a].size(); ++state) {
      V_[state] -= earlier * moves[a][state];
    }
  }
}

bool DiscreteSolver::solve(double tolerance, double passes, Search search) {
  if (search == Search::divide) sweep_until(tolerance / 2, passes);
  while (passes_ < passes) {
    improve(search);
    if (difference_ <= tolerance + rounding_) return true;
    if (difference_ <= near_rounding * rounding_) {
      step();
    } else {
      evaluate_until(std::max(difference_ / 50, tolerance / 10), passes);
    }
  }
  return false;
}

void DiscreteSolver::approximate(double target, double passes) {
  const double first = sweep();
  const double wanted = std::max(target, first / 50);
  for (int count = 0; count < 10 && !sweep_until(wanted, passes); ++count) {
    improve(Search::divide);
    if (difference_ <= wanted * (1 - calibration_.beta)) return;
    evaluate_until(std::max(difference_ / 50, target), passes);
  }
}

}  // namespace macrobench::rbc
