#pragma once

#include <cstddef>
#include <vector>

namespace macrobench::numerics {

/// Anderson acceleration of x <- G(x), type II: the next point is the mixture of the last ones
/// whose residuals G(x) - x cancel best, in least squares. Deterministic.
class Anderson {
 public:
  /// Points have `size` numbers; the last `depth` differences between them are used.
  Anderson(std::size_t size, int depth);

  /// Moves x to the next point, given G(x).
  void advance(std::vector<double>& x, const std::vector<double>& G_of_x);

  /// Forgets the points so far.
  void restart() {
    has_last_ = false;
    kept_ = 0;
  }

 private:
  struct Difference {
    std::vector<double> residual, image;  ///< of G(x) - x and of G(x)
  };

  [[nodiscard]] std::size_t place(std::size_t age) const {
    return (newest_ + differences_.size() - age) % differences_.size();
  }
  /// Makes room for the difference to the last point, and fills it in.
  void add_difference(const std::vector<double>& residual, const std::vector<double>& image);
  /// The differences' shares in the mixture, the newest first.
  [[nodiscard]] std::vector<double> shares(const std::vector<double>& residual) const;

  std::vector<Difference> differences_;  ///< a ring
  std::vector<double> gram_;             ///< products of residuals' differences, depth x depth
  std::vector<double> residual_, last_residual_, last_image_;
  std::size_t kept_ = 0;    ///< differences
  std::size_t newest_ = 0;  ///< place in the ring
  bool has_last_ = false;
};

}  // namespace macrobench::numerics
