#include "implementations/rbc/frontier/nearest_choices.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "implementations/numerics/methods/chebyshev.hpp"
#include "implementations/numerics/parallel/widest_vectors.hpp"
#include "implementations/rbc/frontier/cpu.hpp"
#include "implementations/rbc/frontier/sweep.hpp"

namespace macrobench::rbc {

namespace {

using numerics::with_widest_vectors;

constexpr double never = -1e300;  // value of a choice that there is not

std::size_t index(int i) {
  return static_cast<std::size_t>(i);
}

}  // namespace

NearestChoices::NearestChoices(const Problem& problem, const ContinuousSolution& continuous)
    : continuous_(continuous),
      calibration_(problem.calibration),
      nk_(problem.nk),
      nz_(problem.nz),
      step_((continuous.high - continuous.low) / (problem.nk - 1)),
      below_(problem.states()),
      lower_(problem.states()),
      upper_(problem.states()),
      D_(problem.states()),
      expected_(index(problem.nk)),
      rising_(index(problem.nz)) {
  Problem ends = problem;
  ends.nk = 2;
  Grids<double> grids = make_grids<double>(ends);
  Z_ = std::move(grids.Z);
  P_ = std::move(grids.P);
}

bool NearestChoices::tabulate() {
  return with_utility(calibration_.gamma, [&](const auto& u) { return tabulate(u); });
}

/// The two choices of every state and their losses. False if one of them cannot be afforded.
template <class Utility>
bool NearestChoices::tabulate(const Utility& u) {
  const std::size_t nk = index(nk_);
  const double dt = 2.0 / (nk_ - 1);
  const int n = continuous_.size;
  std::vector<double> power(nk);
  std::vector<double> best(nk);
  std::vector<double> Vc(nk);
  std::vector<double> padded(nk + 2, never);  // beta E Vc, with a place on either side
  double* const Ec = padded.data() + 1;
  for (int i = 0; i < nk_; ++i) {
    power[index(i)] = std::pow(continuous_.low + i * step_, calibration_.alpha);
  }

  constexpr double infinity = std::numeric_limits<double>::infinity();
  rise_ = infinity;
  double least_consumption = infinity;
  for (int j = 0; j < nz_; ++j) {
    std::int32_t* const below = &below_[row(j)];
    with_widest_vectors([&]() MACROBENCH_ALWAYS_INLINE {
      const std::size_t series = index(j * n);
      numerics::chebyshev_tabulate(&continuous_.policy[series], n, -1, dt, nk_, best.data());
      numerics::chebyshev_tabulate(&continuous_.V[series], n, -1, dt, nk_, Vc.data());
      numerics::chebyshev_tabulate(&continuous_.expected[series], n, -1, dt, nk_, Ec);
      // Copies, which no store in the loop can change: so it becomes vector instructions.
      const double low = continuous_.low;
      const double step = step_;
      const double Z = Z_[index(j)];
      const double keep = 1 - calibration_.delta;
      const int last = nk_ - 2;
      const double* const g = best.data();
      const double* const V = Vc.data();
      const double* const K_to_alpha = power.data();
      const double* const E = Ec;
      std::int32_t* const choice = below;
      double* const lower = &lower_[row(j)];
      double* const upper = &upper_[row(j)];
      double rise = infinity;
      double consumption = infinity;
#pragma omp simd reduction(min : rise, consumption)
      for (int i = 0; i <= last + 1; ++i) {
        std::int32_t p = static_cast<std::int32_t>((g[i] - low) / step);
        p = p < 0 ? 0 : p;
        p = p > last ? last : p;
        const double c = Z * K_to_alpha[i] + keep * (low + i * step) - (low + p * step);
        const double beyond = c - 2 * step;
        const double first = V[i] - (u(c + step) + E[p - 1]);
        const double second = V[i] - (u(c) + E[p]);
        const double third = V[i] - (u(c - step) + E[p + 1]);
        const double fourth = V[i] - ((beyond > 0 ? u(beyond) : never) + E[p + 2]);
        choice[i] = p;
        lower[i] = second;
        upper[i] = third;
        const double rise_below = first - second;
        const double rise_above = fourth - third;
        rise = rise_below < rise ? rise_below : rise;
        rise = rise_above < rise ? rise_above : rise;
        consumption = c - step < consumption ? c - step : consumption;
      }
      rise_ = std::min(rise_, rise);
      least_consumption = std::min(least_consumption, consumption);
    });
    int split = 0;
    while (split < nk_ && below[split] >= split) ++split;
    rising_[index(j)] = split;
  }
  return least_consumption > 0;
}

/// expected_[p] = beta sum_l P(j,l) D(p,Z_l).
void NearestChoices::expect(int j) {
  with_widest_vectors([&]() MACROBENCH_ALWAYS_INLINE {
    double* to = expected_.data();
    std::fill(to, to + nk_, 0.0);
    for (int l = 0; l < nz_; ++l) {
      const double weight = calibration_.beta * P_[index(j) * index(nz_) + index(l)];
      if (weight == 0) continue;
      const double* from = &D_[row(l)];
      for (int i = 0; i < nk_; ++i) to[i] += weight * from[i];
    }
  });
}

/// Solves the equations of Z_j, with the other productivities fixed, outwards from the state that
/// stays. Returns the range of the change.
NearestChoices::Span NearestChoices::sweep_one(int j) {
  expect(j);
  const std::int32_t* below = &below_[row(j)];
  const double* lower = &lower_[row(j)];
  const double* upper = &upper_[row(j)];
  double* D = &D_[row(j)];
  double* E = expected_.data();
  const double own = calibration_.beta * P_[index(j) * index(nz_) + index(j)];
  const double stay = 1 / (1 - own);

  const auto update = [&](int i, Span& change) MACROBENCH_ALWAYS_INLINE {
    const int p = below[i];
    double a = E[p] - lower[i];
    double b = E[p + 1] - upper[i];
    if (p == i) a = (a - own * D[i]) * stay;
    if (p + 1 == i) b = (b - own * D[i]) * stay;
    const double best = a < b ? b : a;
    const double moved = best - D[i];
    change.add(moved);
    D[i] = best;
    E[i] += own * moved;
  };
  // A state waits for its neighbor's, so both directions go side by side.
  Span up;
  Span down;
  const int split = rising_[index(j)];
  const int both = std::min(split, nk_ - split);
  for (int n = 0; n < both; ++n) {
    update(split + n, up);
    update(split - 1 - n, down);
  }
  for (int i = split + both; i < nk_; ++i) update(i, up);
  for (int i = split - 1 - both; i >= 0; --i) update(i, down);
  up.add(down.low);
  up.add(down.high);
  return up;
}

/// One Gauss-Seidel sweep over the productivities. Returns what is left of the equations, to first
/// order.
double NearestChoices::sweep() {
  std::vector<Span> change;
  for (int j = 0; j < nz_; ++j) change.push_back(sweep_one(j));
  passes_ += 1;

  const SweepCorrection correction = correction_after(
      change, calibration_.beta, P_, [](std::size_t l, std::size_t j) { return l > j; });
  for (std::size_t j = 0; j < correction.constants.size(); ++j) {
    double* D = &D_[j * index(nk_)];
    for (int i = 0; i < nk_; ++i) D[i] += correction.constants[j];
  }
  return correction.left;
}

/// T D - D over all states, and the policy. False if another choice could be better than the two.
bool NearestChoices::check(std::int32_t* policy, Span& residual) {
  residual = {};
  double steepest = 0;
  for (int j = 0; j < nz_; ++j) {
    expect(j);
    with_widest_vectors([&]() MACROBENCH_ALWAYS_INLINE {
      const int nk = nk_;
      const std::int32_t* const below = &below_[row(j)];
      const double* const lower = &lower_[row(j)];
      const double* const upper = &upper_[row(j)];
      const double* const D = &D_[row(j)];
      const double* const E = expected_.data();
      std::int32_t* const to = policy + row(j);
      double least = residual.low;
      double most = residual.high;
      double slope = steepest;
#pragma omp simd reduction(min : least) reduction(max : most)
      for (int i = 0; i < nk; ++i) {
        const std::int32_t p = below[i];
        const double a = E[p] - lower[i];
        const double b = E[p + 1] - upper[i];
        to[i] = b > a ? p + 1 : p;
        const double moved = (b > a ? b : a) - D[i];
        least = moved < least ? moved : least;
        most = moved > most ? moved : most;
      }
#pragma omp simd reduction(max : slope)
      for (int i = 0; i < nk - 1; ++i) {
        const double here = std::abs(E[i + 1] - E[i]);
        slope = here > slope ? here : slope;
      }
      residual = {least, most};
      steepest = slope;
    });
  }
  passes_ += 1;
  return steepest * 1.001 < rise_;
}

template <class Real>
bool NearestChoices::solve(double target, double passes, Real* V, std::int32_t* policy) {
  const double rounding = 16 * std::numeric_limits<double>::epsilon() * continuous_.scale;
  if (!(rounding <= target / 4) || !tabulate()) return false;
  // A chain of four decimals has rows that do not add up to one: a constant added to V is then not
  // worth the same everywhere.
  double off_one = 0;
  for (int j = 0; j < nz_; ++j) {
    const double* P = &P_[index(j) * index(nz_)];
    off_one = std::max(off_one, std::abs(std::accumulate(P, P + nz_, -1.0)));
  }
  double before = std::numeric_limits<double>::infinity();
  for (int slow = 0; slow < 3 && passes_ + 2 <= passes;) {
    const double left = sweep();
    if (left > before / 2) ++slow;
    before = left;
    if (left > 0.5 * target) continue;
    Span residual;
    if (!check(policy, residual)) return false;
    const double shift = residual.middle() / (1 - calibration_.beta);
    difference_ = residual.half() + rounding + std::abs(shift) * calibration_.beta * off_one;
    if (difference_ <= target) {
      write(shift, V);
      return true;
    }
  }
  return false;
}

/// V = Vc + D + shift.
template <class Real>
void NearestChoices::write(double shift, Real* V) const {
  const double dt = 2.0 / (nk_ - 1);
  std::vector<double> Vc(index(nk_));
  for (int j = 0; j < nz_; ++j) {
    with_widest_vectors([&]() MACROBENCH_ALWAYS_INLINE {
      const double* series = &continuous_.V[index(j * continuous_.size)];
      numerics::chebyshev_tabulate(series, continuous_.size, -1, dt, nk_, Vc.data());
      const double* D = &D_[row(j)];
      Real* to = V + row(j);
      for (int i = 0; i < nk_; ++i) to[i] = static_cast<Real>(Vc[index(i)] + D[i] + shift);
    });
  }
}

template bool NearestChoices::solve(double, double, float*, std::int32_t*);
template bool NearestChoices::solve(double, double, double*, std::int32_t*);

}  // namespace macrobench::rbc
