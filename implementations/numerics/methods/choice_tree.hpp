#pragma once

// The best of many choices, exactly, without evaluating each of them. Certificates use it, no
// solver does.

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

namespace macrobench::numerics {

/// What each of a state's choices is worth later, in a tree that holds the largest of each block of
/// 4, 16, 64, ... choices. Nothing is assumed of these numbers, neither concave nor monotone. What
/// a choice yields now must fall in the choice, so that no choice of a block is worth more than the
/// block's largest number plus the yield of its first choice. A block is skipped if this bound is
/// below a value already found. (Rounding is monotone and so keeps the bound, except for the last
/// bit of a general power: 1e-15, far below any tolerance.)
class ChoiceTree {
 public:
  /// Takes the number of each choice; there is one at least.
  void set(std::vector<double> later) {
    levels_.assign(1, std::move(later));
    while (levels_.back().size() > 1) {
      const std::vector<double>& below = levels_.back();
      std::vector<double> level((below.size() + fan_out - 1) / fan_out,
                                -std::numeric_limits<double>::infinity());
      for (std::size_t m = 0; m < below.size(); ++m) {
        level[m / fan_out] = std::max(level[m / fan_out], below[m]);
      }
      levels_.push_back(std::move(level));
    }
  }

  [[nodiscard]] double later(std::size_t choice) const { return levels_[0][choice]; }

  /// A choice, and now(choice) + later(choice).
  struct Best {
    double value;
    std::size_t choice;
  };

  /// The best of the choices 0 .. last, the lowest of equals. The search is the shorter, the nearer
  /// `guess` is to it.
  template <class Now>
  [[nodiscard]] Best best(const Now& now, std::size_t last, std::size_t guess) const {
    const std::size_t begin = std::min(guess, last);
    Best best{now(begin) + later(begin), begin};
    search(now, levels_.size() - 1, 0, last, best);
    return best;
  }

 private:
  static constexpr std::size_t fan_out = 4;

  template <class Now>
  void search(const Now& now, std::size_t level, std::size_t block, std::size_t last,
              Best& best) const {
    std::size_t first = block;
    for (std::size_t l = 0; l < level; ++l) first *= fan_out;
    if (first > last) return;
    const double bound = now(first) + levels_[level][block];
    if (level == 0) {
      if (bound > best.value || (bound == best.value && first < best.choice)) best = {bound, first};
      return;
    }
    // A bound equal to the best value may hide an equal choice that is lower.
    if (bound < best.value) return;
    const std::size_t end = std::min((block + 1) * fan_out, levels_[level - 1].size());
    for (std::size_t child = block * fan_out; child < end; ++child) {
      search(now, level - 1, child, last, best);
    }
  }

  std::vector<std::vector<double>> levels_;  ///< level 0 the choices, then blocks of four
};

}  // namespace macrobench::numerics
