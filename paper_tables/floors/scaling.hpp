#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/records/record_store.hpp"

namespace macrobench {

/// One solution by several GPUs, ranks or processes: the axes that count them.
inline constexpr const char* parallel_axes[] = {"gpus", "ranks", "processes"};

/// The stage in which they exchange what the others need, which includes waiting for the slowest.
inline constexpr const char* exchange_stage = "exchange";

/// What `count` of them take, in seconds.
struct ScalingPoint {
  int count = 1;
  double seconds = 0;                   ///< the median solution
  std::optional<double> exchange = {};  ///< of which in the exchange, if the solver says so
  std::optional<double> of_floor = {};  ///< the floor of all of them together over the time
  /// Bytes that each of them gets from the others per second of the exchange, if the model says how
  /// many there are, and their share of what such GPUs can at their best.
  std::optional<double> bus = {};
  std::optional<double> of_link = {};
  std::optional<double> predicted = {};  ///< the model's seconds
  std::string size = {};                 ///< "nk=65536"
  double size_number = 0;                ///< 65536; 0 without one
  double work = 0;                       ///< what the model's time grows with
  bool is_crowded = false;               ///< more threads than the machine has cores

  [[nodiscard]] std::optional<double> exchange_share() const {
    return exchange ? std::optional(*exchange / seconds) : std::nullopt;
  }
};

/// What a time is made of, fitted to measured points:
///
///   serial + divided / p    the computation,
///   alpha log2(p) + beta (p - 1) / p    the exchange: steps that each wait once, and the share of
///                                       the data that comes from others (Thakur, Rabenseifner and
///                                       Gropp 2005).
///
/// No coefficient is negative; all are in seconds, so alpha and beta are those of a whole solution.
struct AlphaBeta {
  double serial = 0, divided = 0, alpha = 0, beta = 0;
  int counts = 0;  ///< that it is fitted to; two are met exactly, and say nothing of its error

  [[nodiscard]] double seconds(int count) const;
};

/// The fit that has the least relative errors in squares, of the computation and of the exchange
/// separately; without an exchange of two counts or more, of the computation alone. None with fewer
/// than two counts. Crowded points are left out.
std::optional<AlphaBeta> fit(const std::vector<ScalingPoint>& points);

/// The same problem on a growing number of them.
struct StrongScaling {
  std::string implementation;        ///< "rbc/mpi"
  std::string problem;               ///< "nk=65536 nz=4 real=double"
  std::string axis;                  ///< "ranks"
  std::vector<ScalingPoint> points;  ///< by count; two or more
  std::optional<double> one = {};    ///< seconds of the same code on one
  std::string best = {};             ///< the fastest program that is none of several: "frontier"
  double best_seconds = 0;           ///< 0 if there is none
  std::optional<AlphaBeta> model = {};
  std::vector<ScalingPoint> predictions = {};  ///< beyond the measured counts, by the model alone
  std::string drift = {};  ///< what the records do not share, as drift_of() says
};

/// A problem that grows with their number, so that each has the same work, within a tenth.
struct WeakScaling {
  std::string implementation, problem, axis;
  std::vector<ScalingPoint> points;  ///< by count; two or more, the first of one
  std::string drift = {};

  /// How much of the work per second of one each of them does.
  [[nodiscard]] double efficiency(const ScalingPoint& point) const;
};

struct Scaling {
  std::vector<StrongScaling> strong;
  std::vector<WeakScaling> weak;
};

/// From the newest measured record of each case.
Scaling scaling_of(const Results& results);

}  // namespace macrobench
