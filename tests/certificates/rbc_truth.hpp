#pragma once

#include <cstdint>
#include <vector>

#include "implementations/rbc/model.hpp"

namespace macrobench::rbc {

/// The solution of a problem and what another one is worth beside it, in long double, by policy
/// iteration. It shares the grids with the certificate and nothing else.
class Truth {
 public:
  explicit Truth(const Problem& problem);

  /// Rounded to double.
  [[nodiscard]] Solution<double> solution() const;

  /// By how much V or the policy is wrong, where it is most so: as a share of consumption in every
  /// period from then on. NaN and infinity if V is not a number.
  [[nodiscard]] double wrong_by(const Solution<double>& other) const;

  /// c u'(c) of the best choice at a state, [j * nk + i], or (1 - beta) V if gamma = 0.
  [[nodiscard]] double unit(std::size_t state) const { return unit_[state]; }

  [[nodiscard]] std::int32_t last_feasible(std::size_t state) const;
  /// What another choice at one state is worth less than the best, of consumption.
  [[nodiscard]] double loss(std::size_t state, std::int32_t choice) const;

 private:
  using Number = long double;

  /// Takes better choices at the states first .. end - 1 of one productivity, all of which lie from
  /// `low` to `high`: the more there is, the more is saved. Returns whether there were any.
  bool improve(std::size_t first, std::size_t end, std::int32_t low, std::int32_t high);
  [[nodiscard]] Number utility_of(std::size_t state, std::size_t choice) const;
  /// beta E V of a choice.
  [[nodiscard]] Number expected(const std::vector<Number>& V, std::size_t j,
                                std::size_t choice) const;
  [[nodiscard]] std::vector<Number> value_of(const std::vector<std::int32_t>& policy,
                                             std::vector<Number> V) const;

  Problem problem_;
  Grids<double> grids_;
  std::vector<double> choices_;
  std::vector<Number> available_;
  std::vector<Number> V_;
  std::vector<std::int32_t> policy_;
  std::vector<double> unit_;
};

}  // namespace macrobench::rbc
