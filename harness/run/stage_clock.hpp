#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/model/stages.hpp"

namespace macrobench {

/// The clock of one solution and its stages: it runs from its construction to finish().
class StageClock final : public Stages {
 public:
  using Clock = std::chrono::steady_clock;

  static double seconds_between(Clock::time_point begin, Clock::time_point end) {
    return std::chrono::duration<double>(end - begin).count();
  }

  StageClock() : begin_(Clock::now()), stage_begin_(begin_), end_(begin_) {}

  void enter(std::string_view stage) override {
    if (finished_) return;
    const auto now = Clock::now();
    close_stage(now);
    stage_begin_ = now;
    current_ = place_of(stage);
  }

  void took(std::string_view stage, double seconds) override {
    if (!finished_ && current_ < stages_.size()) stages_[current_].second -= seconds;
    stages_[place_of(stage)].second += seconds;
  }

  void finish() override {
    if (finished_) return;
    end_ = Clock::now();
    close_stage(end_);
    finished_ = true;
  }

  [[nodiscard]] double seconds() const { return seconds_between(begin_, end_); }
  /// Seconds in each stage, in the order in which they were first entered.
  [[nodiscard]] const auto& stages() const { return stages_; }

 private:
  /// Of a stage of this name, a new one if there is none.
  std::size_t place_of(std::string_view stage) {
    for (std::size_t i = 0; i < stages_.size(); ++i) {
      if (stages_[i].first == stage) return i;
    }
    stages_.emplace_back(stage, 0.0);
    return stages_.size() - 1;
  }

  void close_stage(Clock::time_point now) {
    if (current_ < stages_.size()) stages_[current_].second += seconds_between(stage_begin_, now);
  }

  std::vector<std::pair<std::string, double>> stages_;
  std::size_t current_ = static_cast<std::size_t>(-1);  ///< past the end before the first stage
  bool finished_ = false;
  Clock::time_point begin_;
  Clock::time_point stage_begin_;
  Clock::time_point end_;
};

}  // namespace macrobench
