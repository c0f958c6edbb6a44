#pragma once

// The moments of a sample, and the part that chance has in them.

#include <cstddef>
#include <string>
#include <vector>

#include "implementations/krusell_smith/certificate/economy.hpp"

namespace macrobench::krusell_smith::certificate {

/// What chance may make of a sample's mean.
inline constexpr double standard_errors = 5;

/// Sums over agents of wealth and of its square.
struct Sums {
  double wealth = 0;
  double square = 0;

  void add(double k) {
    wealth += k;
    square += k * k;
  }
  void add(const Sums& other) {
    wealth += other.wealth;
    square += other.square;
  }
};

/// Five standard errors of the mean of `count` of `all` agents, relative to it.
double chance_of_mean(const Sums& sums, double count, double all);

/// The largest distance of the moments of all agents' wealth from those of the drawn agents, in
/// standard errors of what chance makes of it; where it is.
Largest moments_error(const std::vector<double>& all, const std::vector<int>& drawn);

/// "mean", "standard deviation", or "quantile at 5%" and so on.
std::string name_of_moment(std::size_t moment);

}  // namespace macrobench::krusell_smith::certificate
