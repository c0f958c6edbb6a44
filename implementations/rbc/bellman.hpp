#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "implementations/rbc/model.hpp"

namespace macrobench::rbc {

/// The Bellman operator in double, exhaustive over all choices: the yardstick. No implementation
/// uses it, and it assumes nothing of V, neither concave nor monotone.
///
/// Exhaustive need not mean that every choice is evaluated. A tree over the choices holds, for each
/// block of 4, 16, 64, ... of them, the largest discounted expected value; utility falls in K', so
/// no choice of a block is worth more than that value plus the utility of the block's first choice.
/// A block is skipped if this bound does not exceed a value already found. (Rounding is monotone
/// and so keeps the bound, except for the last bit of a general power: 1e-15, far below any
/// tolerance.)
class Bellman {
 public:
  explicit Bellman(const Problem& problem);

  /// Takes the continuation value V, shape nz x nk.
  void set_value(const std::vector<double>& V);

  /// The maximum at state (i, j), and the lowest choice that attains it. `guess` is the
  /// choice to start from: the nearer it is to the best, the shorter the search.
  struct Best {
    double value;
    std::int32_t choice;
  };
  [[nodiscard]] Best maximise(int i, int j, std::int32_t guess) const;

  /// The right-hand side of one choice, which must be feasible.
  [[nodiscard]] double value(int i, int j, std::int32_t choice) const;

  [[nodiscard]] double available(int i, int j) const;  ///< Z K^alpha + (1-delta) K
  [[nodiscard]] std::int32_t last_feasible(int i, int j) const;
  [[nodiscard]] const Grids<double>& grids() const { return grids_; }
  [[nodiscard]] const std::vector<double>& choices() const { return choices_; }
  [[nodiscard]] const Problem& problem() const { return problem_; }

 private:
  using Level = std::vector<double>;

  [[nodiscard]] double flow(double consumption) const;
  void search(const std::vector<Level>& tree, std::size_t level, std::size_t block,
              double resources, std::size_t last, Best& best) const;

  Problem problem_;
  Grids<double> grids_;
  std::vector<double> choices_;           ///< capital grid, or the future grid
  std::vector<double> available_;         ///< shape nz x nk
  std::vector<std::vector<Level>> tree_;  ///< for each Z: level 0 the choices, then blocks of four
};

}  // namespace macrobench::rbc
