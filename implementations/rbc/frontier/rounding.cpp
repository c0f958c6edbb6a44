#include "implementations/rbc/frontier/rounding.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>

#if defined(_OPENMP)
#include <omp.h>
#endif

#include "implementations/numerics/methods/chebyshev.hpp"
#include "implementations/numerics/parallel/widest_vectors.hpp"
#include "implementations/rbc/frontier/sweep.hpp"

namespace macrobench::rbc {

namespace {

using numerics::with_widest_vectors;

constexpr float never = -1e30F;  // expected value of a choice off the grid
constexpr int chunk = 4096;      // states that a thread takes at a time, whole blocks

std::size_t index(int i) {
  return static_cast<std::size_t>(i);
}

int thread_number() {
#if defined(_OPENMP)
  return omp_get_thread_num();
#else
  return 0;
#endif
}

/// One float for each state of a block, or of half a block, as a vector of the processor holds.
template <int width>
struct Vectors;
template <>
struct Vectors<8> {
  using Numbers = float __attribute__((vector_size(32)));
  using Choices = std::int32_t __attribute__((vector_size(32)));
  static constexpr Numbers ramp = {0, 1, 2, 3, 4, 5, 6, 7};
  static constexpr Choices counts = {0, 1, 2, 3, 4, 5, 6, 7};
};
template <>
struct Vectors<16> {
  using Numbers = float __attribute__((vector_size(64)));
  using Choices = std::int32_t __attribute__((vector_size(64)));
  static constexpr Numbers ramp = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  static constexpr Choices counts = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
};

// Vectors go by reference: by value, the calling convention would depend on the instruction set.
template <class Vector, class Number>
MACROBENCH_ALWAYS_INLINE inline void load(Vector& to, const Number* from) {
  std::memcpy(&to, from, sizeof to);
}
template <class Vector, class Number>
MACROBENCH_ALWAYS_INLINE inline void store(const Vector& from, Number* to) {
  std::memcpy(to, &from, sizeof from);
}

/// Minimum and maximum so far, of each lane.
template <int width>
struct Extremes {
  using Numbers = typename Vectors<width>::Numbers;
  Numbers low = Numbers{} + std::numeric_limits<float>::max();
  Numbers high = Numbers{} - std::numeric_limits<float>::max();

  MACROBENCH_ALWAYS_INLINE void add(const Numbers& value) {
    low = value < low ? value : low;
    high = value > high ? value : high;
  }
  MACROBENCH_ALWAYS_INLINE void add(float value) {
    low[0] = std::min(low[0], value);
    high[0] = std::max(high[0], value);
  }
  [[nodiscard]] float lowest() const {
    float result = low[0];
    for (int l = 1; l < width; ++l) result = std::min(result, low[l]);
    return result;
  }
  [[nodiscard]] float highest() const {
    float result = high[0];
    for (int l = 1; l < width; ++l) result = std::max(result, high[l]);
    return result;
  }
};

/// The best of the candidates, for `width` states from the block's `at` on; and, if asked, the
/// lowest that attains it.
template <int width, class Block>
MACROBENCH_ALWAYS_INLINE inline void maximise(const Block& block, int at, const float* E,
                                              int candidates,
                                              typename Vectors<width>::Numbers& best,
                                              typename Vectors<width>::Choices* choice) {
  using Numbers = typename Vectors<width>::Numbers;
  const Numbers l = Vectors<width>::ramp + static_cast<float>(at);
  const Numbers q = block.q0 + l * block.q1;
  Numbers d = -(block.f0 + l * (block.f1 + l * block.f2));  // from x to the candidate
  best = Numbers{} + 2 * never;
  const int first = block.first + at;
  for (int k = 0; k < candidates; ++k) {
    Numbers value;
    load(value, E + first + k);
    value -= q * (d * d) * (1 + d * (block.a + block.b * d));
    if (choice != nullptr) {
      *choice = value > best ? Vectors<width>::counts + (first + k) : *choice;
    }
    best = value > best ? value : best;
    d += 1;
  }
}

}  // namespace

RoundingLoss::RoundingLoss(const Problem& problem, const ContinuousSolution& continuous)
    : continuous_(continuous),
      calibration_(problem.calibration),
      nk_(problem.nk),
      nz_(problem.nz),
      threads_(problem.threads),
      blocks_((problem.nk + lanes - 1) / lanes),
      step_((continuous.high - continuous.low) / (problem.nk - 1)) {
  Problem ends = problem;
  ends.nk = 2;
  Grids<double> grids = make_grids<double>(ends);
  Z_ = std::move(grids.Z);
  P_ = std::move(grids.P);

  const int n = continuous.size;
  const auto scaled = [&](const std::vector<double>& c, int j, double factor) {
    std::vector<double> series(&c[index(j * n)], &c[index(j * n)] + n);
    for (double& coefficient : series) coefficient *= factor;
    return series;
  };
  q_low_ = std::numeric_limits<double>::infinity();
  double slope_low = 0;
  double slope_high = 0;
  std::vector<double> slope(index(n));
  for (int j = 0; j < nz_; ++j) {
    std::vector<double> move = scaled(continuous.policy, j, 1 / step_);
    move[0] -= (continuous.high + continuous.low) / 2 / step_;
    move[1] -= (continuous.high - continuous.low) / 2 / step_;
    const std::vector<double> curvature = scaled(continuous.curvature, j, step_ * step_);
    const std::vector<double> skew = scaled(continuous.skew, j, step_);
    V_.emplace_back(&continuous.V[index(j * n)], n);
    move_.emplace_back(move.data(), n);
    q_.emplace_back(curvature.data(), n);
    a_.emplace_back(skew.data(), n);
    b_.emplace_back(scaled(continuous.kurtosis, j, step_ * step_).data(), n);

    const numerics::Range q = numerics::chebyshev_range(curvature.data(), n);
    const numerics::Range a = numerics::chebyshev_range(skew.data(), n);
    numerics::chebyshev_derivative(move.data(), n, slope.data());
    const numerics::Range s = numerics::chebyshev_range(slope.data(), n);
    q_low_ = std::min(q_low_, q.low);
    q_high_ = std::max(q_high_, q.high);
    a_high_ = std::max({a_high_, a.high, -a.low});
    slope_low = std::min(slope_low, s.low * 2 / (nk_ - 1));
    slope_high = std::max(slope_high, s.high * 2 / (nk_ - 1));
  }
  spread_ = lanes * std::max(-slope_low, slope_high);
}

/// The most states, a multiple of a block, for which the local polynomials are right to rounding.
bool RoundingLoss::choose_batch() {
  for (batch_ = widest_batch; batch_ >= lanes; batch_ /= 2) {
    const double reach = (batch_ + 2.0) / (nk_ - 1);
    double error_V = 0;
    double error_x = 0;
    double error_q = 0;
    for (std::size_t j = 0; j < index(nz_); ++j) {
      error_V = std::max(error_V, V_[j].error(reach));
      error_x = std::max(error_x, move_[j].error(reach));
      error_q = std::max(error_q, q_[j].error(reach));
    }
    if (error_V <= 1e-17 * continuous_.scale && error_x < 1e-8 && error_q < 1e-8 * q_low_) {
      return true;
    }
  }
  return false;
}

/// Blocks first .. first+count-1 of productivity j.
void RoundingLoss::describe(int j, int first, int count, Block* blocks) const {
  using numerics::LocalSeries;
  with_widest_vectors([&]() MACROBENCH_ALWAYS_INLINE {
    constexpr int most = widest_batch / lanes;
    const double dt = 2.0 / (nk_ - 1);
    double move[LocalSeries::terms];
    double curvature[LocalSeries::terms];
    double skew[LocalSeries::terms];
    double kurtosis[LocalSeries::terms];
    for (int start = 0; start < count; start += batch_ / lanes) {
      const int some = std::min(batch_ / lanes, count - start);
      const double half = .5 * batch_;
      const double centre = -1 + dt * ((first + start) * lanes + half);
      move_[index(j)].about(centre, dt, move);
      q_[index(j)].about(centre, dt, curvature);
      a_[index(j)].about(centre, dt, skew);
      b_[index(j)].about(centre, dt, kurtosis);
      const double b = kurtosis[0];
      double x[2 * most + 1];
      double q[most + 1];
      double a[most + 1];
      for (int s = 0; s <= 2 * some; ++s) x[s] = LocalSeries::value(move, .5 * lanes * s - half);
      for (int s = 0; s <= some; ++s) q[s] = LocalSeries::value(curvature, s * lanes - half);
      for (int s = 0; s <= some; ++s) a[s] = LocalSeries::value(skew, s * lanes - half);
      for (int s = 0; s < some; ++s) {
        const double left = x[index(2 * s)];
        const double middle = x[index(2 * s + 1)];
        const double right = x[index(2 * s + 2)];
        const double base = std::ceil((left < right ? left : right) - reach_);
        Block& block = blocks[start + s];
        block.first = (first + start + s) * lanes + static_cast<std::int32_t>(base);
        block.f0 = static_cast<float>(left - base);
        block.f1 = static_cast<float>((4 * middle - 3 * left - right) / lanes);
        block.f2 = static_cast<float>((left - 2 * middle + right) * 2 / (lanes * lanes));
        block.q0 = static_cast<float>(q[s]);
        block.q1 = static_cast<float>((q[s + 1] - q[s]) / lanes);
        block.a = static_cast<float>((a[s] + a[s + 1]) / 2);
        block.b = static_cast<float>(b);
      }
    }
  });
}

bool RoundingLoss::describes(double target) {
  if (nk_ < 4 * lanes || spread_ > 16 || !(q_low_ > 0) || a_high_ > 0.01) return false;
  if (!choose_batch()) return false;
  model_error_ = model_error();
  return model_error_ <= target / 2;
}

/// Twice the largest error found in q d^2 (1 + a d + b d^2) over candidates within reach. The error
/// is smooth in K, so a few blocks of each productivity, including both ends, are enough.
double RoundingLoss::model_error() const {
  constexpr int samples = 5;
  const int n = continuous_.size;
  double largest = 0;
  for (int j = 0; j < nz_; ++j) {
    const auto series = [&](const std::vector<double>& c, double K) {
      return numerics::chebyshev_value(&c[index(j * n)], n, continuous_.t(K));
    };
    for (int s = 0; s < samples; ++s) {
      const int at = static_cast<int>(static_cast<long>(nk_ / lanes - 1) * s / (samples - 1));
      Block block;
      describe(j, at, 1, &block);
      for (const int l : {0, 4, 12, lanes - 1}) {
        const int i = at * lanes + l;
        const double K = continuous_.low + i * step_;
        const double y = resources(K, Z_[index(j)], calibration_.alpha, calibration_.delta);
        const double f = block.f0 + l * (block.f1 + static_cast<double>(l) * block.f2);
        const double q = block.q0 + static_cast<double>(l) * block.q1;
        const double Vc = series(continuous_.V, K);
        for (const double d : {std::ceil(f - reach_) - f, std::floor(f + reach_) - f}) {
          const double choice = continuous_.low + step_ * (block.first + l + std::round(f + d));
          if (choice < continuous_.low || choice > continuous_.high) continue;
          const double loss =
              Vc - utility(y - choice, calibration_.gamma) - series(continuous_.expected, choice);
          const double error = std::abs(loss - q * d * d * (1 + d * (block.a + block.b * d)));
          if (!(error <= largest)) largest = error;
        }
      }
    }
  }
  return 2 * largest;
}

/// E[i] = gain + beta sum_l P(j,l) D(i,Z_l) for i in first .. last-1.
void RoundingLoss::expect(int j, int first, int last, float* E) const {
  with_widest_vectors([&]() MACROBENCH_ALWAYS_INLINE {
    const double* P = &P_[index(j) * index(nz_)];
    double constant = gain_;
    for (int l = 0; l < nz_; ++l) constant += calibration_.beta * P[l] * offset_[index(l)];
    constexpr int batch = 1024;
    for (int start = first; start < last; start += batch) {
      const int count = std::min(batch, last - start);
      float* to = E + start;
      for (int i = 0; i < count; ++i) to[i] = static_cast<float>(constant);
      for (int l = 0; l < nz_; ++l) {
        const auto weight = static_cast<float>(calibration_.beta * P[l]);
        if (weight < std::numeric_limits<float>::epsilon() / 64) continue;
        const float* from = &D_[index(l) * index(nk_) + index(start)];
        for (int i = 0; i < count; ++i) to[i] += weight * from[i];
      }
    }
  });
}

/// Solves the equations of Z_j, with the D of the other productivities fixed. Returns the range of
/// the change.
RoundingLoss::Span RoundingLoss::sweep_one(int j, float* E) {
  expect(j, 0, nk_, E);
  const Block* blocks = &block_[index(j) * index(blocks_)];
  float* D = &D_[index(j) * index(nk_)];
  const float offset = offset_[index(j)];
  const auto own = static_cast<float>(calibration_.beta * P_[index(j) * index(nz_) + index(j)]);
  const float stay = 1 / (1 - own);
  const int candidates = candidates_;
  const int nk = nk_;

  Span result{};
  numerics::with_widest_lanes<float>([&](auto vector) MACROBENCH_ALWAYS_INLINE {
    constexpr int width = decltype(vector)::value;
    using Numbers = typename Vectors<width>::Numbers;
    Extremes<width> change;
    const auto all_at_once = [&](int m) MACROBENCH_ALWAYS_INLINE {
      for (int at = 0; at < lanes; at += width) {
        Numbers best;
        Numbers before;
        Numbers expected;
        maximise<width>(blocks[m], at, E, candidates, best, nullptr);
        load(before, D + index(m * lanes + at));
        load(expected, E + index(m * lanes + at));
        const Numbers moved = best - (before + offset);
        change.add(moved);
        expected += own * moved;
        store(best, D + index(m * lanes + at));
        store(expected, E + index(m * lanes + at));
      }
    };
    const auto one = [&](int m, int l) MACROBENCH_ALWAYS_INLINE {
      const Block& block = blocks[m];
      const int i = m * lanes + l;
      const auto at = static_cast<float>(l);
      const float q = block.q0 + at * block.q1;
      float d = -(block.f0 + at * (block.f1 + at * block.f2));
      float best = 2 * never;
      for (int p = block.first + l; p < block.first + l + candidates; ++p) {
        const float value = E[p] - q * (d * d) * (1 + d * (block.a + block.b * d));
        const float better = p == i ? (value - own * (D[i] + offset)) * stay : value;
        best = better > best ? better : best;
        d += 1;
      }
      const float moved = best - (D[i] + offset);
      change.add(moved);
      D[i] = best;
      E[i] += own * moved;
    };

    // The block where x crosses i: below it capital rises, from it on capital falls.
    int split = 0;
    while (split < blocks_ &&
           static_cast<float>(blocks[split].first - split * lanes) + blocks[split].f0 > 0) {
      ++split;
    }
    for (int m = split; m < blocks_; ++m) {
      const int start = m * lanes;
      if (start + lanes <= nk && blocks[m].first + lanes + candidates - 2 < start) {
        all_at_once(m);
      } else {
        for (int l = 0; l < std::min(lanes, nk - start); ++l) one(m, l);
      }
    }
    for (int m = split - 1; m >= 0; --m) {
      const int start = m * lanes;
      if (start + lanes <= nk && blocks[m].first >= start + lanes) {
        all_at_once(m);
      } else {
        for (int l = std::min(lanes, nk - start) - 1; l >= 0; --l) one(m, l);
      }
    }
    result = {change.lowest(), change.highest()};
  });
  offset_[index(j)] = 0;
  return result;
}

/// One Gauss-Seidel sweep: the even productivities, then the odd ones, each group side by side. At
/// a distance of two productivities there is next to no transition. Returns what is left of the
/// equations, to first order.
double RoundingLoss::sweep() {
  std::vector<Span> change(index(nz_));
  for (int colour = 0; colour < 2; ++colour) {
#pragma omp parallel for schedule(static, 1) num_threads(threads_) if (threads_ > 1)
    for (int j = colour; j < nz_; j += 2) {
      change[index(j)] = sweep_one(j, expected_at(thread_number()));
    }
  }
  passes_ += 1;

  const SweepCorrection correction = correction_after(
      change, calibration_.beta, P_,
      [](std::size_t l, std::size_t j) { return l != j && (l % 2 == 1 || j % 2 == 0); });
  for (std::size_t j = 0; j < correction.constants.size(); ++j) {
    offset_[j] = static_cast<float>(correction.constants[j]);
  }
  return correction.left;
}

/// T D - D over all states, and the policy. False if a choice beyond the candidates could be
/// better: then `reach_` must grow.
bool RoundingLoss::check(std::int32_t* policy, Span& residual) {
  const int chunks = (nk_ + chunk - 1) / chunk;
  float low = std::numeric_limits<float>::max();
  float high = -low;
  float steepest = 0;
  float* E = expected_at(0);
  const int nk = nk_;
#pragma omp parallel num_threads(threads_) if (threads_ > 1) reduction(min : low) \
    reduction(max : high, steepest)
  for (int j = 0; j < nz_; ++j) {
#pragma omp for schedule(static)
    for (int c = 0; c < chunks; ++c) expect(j, c * chunk, std::min(nk, (c + 1) * chunk), E);
#pragma omp for schedule(static)
    for (int c = 0; c < chunks; ++c) {
      numerics::with_widest_lanes<float>([&](auto vector) MACROBENCH_ALWAYS_INLINE {
        constexpr int width = decltype(vector)::value;
        using Numbers = typename Vectors<width>::Numbers;
        Extremes<width> residuals;
        Extremes<width> slopes;
        const int end = std::min(nk, (c + 1) * chunk);
        for (int start = c * chunk; start < end; start += width) {
          Numbers best;
          typename Vectors<width>::Choices choice = Vectors<width>::counts;
          maximise<width>(block_[index(j) * index(blocks_) + index(start / lanes)], start % lanes,
                          E, candidates_, best, &choice);
          const float* D = &D_[index(j) * index(nk) + index(start)];
          std::int32_t* to = policy + index(j) * index(nk) + index(start);
          if (start + width < nk) {
            Numbers here;
            Numbers next;
            load(here, D);
            residuals.add(best - (here + offset_[index(j)]));
            load(here, E + start);
            load(next, E + start + 1);
            slopes.add(next - here);
            store(choice, to);
          } else {
            for (int l = 0; start + l < nk; ++l) {
              to[l] = choice[l];
              residuals.add(best[l] - (D[l] + offset_[index(j)]));
              if (start + l + 1 < nk) slopes.add(E[start + l + 1] - E[start + l]);
            }
          }
        }
        low = std::min(low, residuals.lowest());
        high = std::max(high, residuals.highest());
        steepest = std::max({steepest, -slopes.lowest(), slopes.highest()});
      });
    }
  }
  passes_ += 1;
  residual = {low, high};
  // From d - 1 to d steps off x, L rises by q (2d - 1), and by more farther out.
  const double rise = q_low_ * (2 * reach_ - 1) * (1 - 4 * reach_ * a_high_);
  return static_cast<double>(steepest) * 1.001 < rise;
}

template <class Real>
bool RoundingLoss::solve(double target, double passes, Real* V, std::int32_t* policy) {
  // V is only right up to this much before D is added.
  const double error = 2 * continuous_.residual + model_error_;
  const double loss = q_high_ / 4 * (1 + a_high_);
  difference_ = loss / 2 + error;
  if (difference_ <= target) {
    write(-loss / 2 / (1 - calibration_.beta), V, policy);
    passes_ = 1;
    return true;
  }

  offset_.assign(index(nz_), 0.0F);
  using numerics::Scratch;
  const std::size_t states = index(nk_) * index(nz_);
  const std::size_t blocks = index(nz_) * index(blocks_);
  const std::size_t expected =
      index(std::max(1, std::min(threads_, (nz_ + 1) / 2))) * index(nk_ + 2 * pad);
  scratch_.emplace(Scratch::bytes<float>(states) + Scratch::bytes<Block>(blocks) +
                   Scratch::bytes<float>(expected));
  D_ = scratch_->take<float>(states, 0);
  block_ = scratch_->take<Block>(blocks, Block{});
  expected_ = scratch_->take<float>(expected, never);
  // A fractional part spread evenly over a step loses q / 12.
  gain_ = static_cast<float>(q_high_ / 12);
  const double constant = -gain_ / (1 - calibration_.beta);
  for (bool wide_enough = true; passes_ < passes;) {
    if (candidates_ == 0 || !wide_enough) {
      if (!wide_enough) reach_ += 1;
      candidates_ = static_cast<int>(spread_ + 2 * reach_ + 0.01) + 1;
      if (candidates_ > pad - lanes) return false;
      for (int j = 0; j < nz_; ++j) {
        describe(j, 0, blocks_, &block_[index(j) * index(blocks_)]);
      }
    }
    const double left = sweep();
    if (left > 0.5 * (target - error) && passes_ + 1 < passes) continue;
    Span residual;
    wide_enough = check(policy, residual);
    // Each term of a candidate's value is rounded; the terms are smaller than `loss` here.
    const double rounding = std::numeric_limits<float>::epsilon() * 16 * loss;
    difference_ = static_cast<double>(residual.half()) + rounding + error;
    if (wide_enough && difference_ <= target) {
      write(constant + static_cast<double>(residual.middle()) / (1 - calibration_.beta), V,
            nullptr);
      return true;
    }
  }
  return false;
}

/// V = Vc + D + shift; and, if asked, the nearest choices as policy, with D = 0.
template <class Real>
void RoundingLoss::write(double shift, Real* V, std::int32_t* policy) const {
  const int chunks = (nk_ + chunk - 1) / chunk;
  const double dt = 2.0 / (nk_ - 1);
#pragma omp parallel for schedule(static) num_threads(threads_) if (threads_ > 1)
  for (int c = 0; c < chunks * nz_; ++c) {
    const int j = c / chunks;
    const int first = c % chunks * chunk;
    const int last = std::min(nk_, first + chunk);
    with_widest_vectors([&]() MACROBENCH_ALWAYS_INLINE {
      using numerics::LocalSeries;
      double local[LocalSeries::terms];
      for (int start = first; start < last; start += batch_) {
        const int count = std::min(batch_, last - start);
        const int half = batch_ / 2;
        const double centre = -1 + dt * (start + half);
        const std::size_t state = index(j) * index(nk_) + index(start);
        Real* to = V + state;
        V_[index(j)].about(centre, dt, local);
        if (policy == nullptr) {
          const float* D = &D_[state];
          local[0] += shift + static_cast<double>(offset_[index(j)]);
          for (int i = 0; i < count; ++i) {
            to[i] =
                static_cast<Real>(LocalSeries::value(local, i - half) + static_cast<double>(D[i]));
          }
        } else {
          local[0] += shift;
          for (int i = 0; i < count; ++i) {
            to[i] = static_cast<Real>(LocalSeries::value(local, i - half));
          }
          std::int32_t* choice = policy + state;
          move_[index(j)].about(centre, dt, local);
          local[0] += start + 0.5;
          for (int i = 0; i < count; ++i) {
            choice[i] = static_cast<std::int32_t>(LocalSeries::value(local, i - half) + i);
          }
        }
      }
    });
  }
}

template bool RoundingLoss::solve(double, double, float*, std::int32_t*);
template bool RoundingLoss::solve(double, double, double*, std::int32_t*);

}  // namespace macrobench::rbc
