#pragma once

#include "implementations/numerics/parallel/host_device.hpp"

namespace macrobench::numerics {

/// A sum that keeps the rounding errors of its additions (Knuth's two-sum): a billion terms lose no
/// more than a few do, in any order.
class CompensatedSum {
 public:
  MACROBENCH_HOST_DEVICE void add(double term) {
    const double sum = sum_ + term;
    const double added = sum - sum_;
    rounding_ += (sum_ - (sum - added)) + (term - added);
    sum_ = sum;
  }

  MACROBENCH_HOST_DEVICE void add(const CompensatedSum& other) {
    add(other.sum_);
    rounding_ += other.rounding_;
  }

  [[nodiscard]] MACROBENCH_HOST_DEVICE double value() const { return sum_ + rounding_; }

 private:
  double sum_ = 0;
  double rounding_ = 0;
};

}  // namespace macrobench::numerics
