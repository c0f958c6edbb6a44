#pragma once

#include <string_view>

namespace macrobench {

/// An implementation uses this to say where it is; the driver's clock does the timing.
class Stages {
 public:
  virtual ~Stages() = default;

  /// A named stage of the solution begins, and the stage before it ends.
  virtual void enter(std::string_view stage) = 0;

  /// A stage of the solution took so long by another clock: a device's. It is taken out of the
  /// stage that is entered now. May be said after finish().
  virtual void took(std::string_view /*stage*/, double /*seconds*/) {}

  /// The solution is complete, as the papers count it: what follows until solve() returns (copying
  /// the result to where it can be checked) is not timed. Implied when solve() returns.
  virtual void finish() = 0;
};

/// For one of many solutions that together are a stage.
class NoStages final : public Stages {
 public:
  void enter(std::string_view /*stage*/) override {}
  void finish() override {}
};

}  // namespace macrobench
