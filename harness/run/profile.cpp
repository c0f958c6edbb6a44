#include "harness/run/profile.hpp"

#include <memory>
#include <string>
#include <string_view>

#include "harness/run/stage_clock.hpp"

#if __has_include(<nvtx3/nvToolsExt.h>)
#include <nvtx3/nvToolsExt.h>
#endif

namespace macrobench {

namespace {

/// Of a profiler's timeline; of none without NVTX.
class Range {
 public:
#if __has_include(<nvtx3/nvToolsExt.h>)
  explicit Range(const std::string& name) { nvtxRangePushA(name.c_str()); }
  ~Range() { nvtxRangePop(); }
#else
  explicit Range(const std::string&) {}
  ~Range() {}
#endif
  Range(const Range&) = delete;
  Range& operator=(const Range&) = delete;
};

/// Each stage is a range, from where it is entered to where the next one is.
class StageRanges final : public Stages {
 public:
  void enter(std::string_view stage) override {
    if (finished_) return;
    clock_.enter(stage);
    range_.reset();
    range_ = std::make_unique<Range>(std::string(stage));
  }

  void finish() override {
    if (finished_) return;
    clock_.finish();
    range_.reset();
    finished_ = true;
  }

  [[nodiscard]] double seconds() const { return clock_.seconds(); }

 private:
  StageClock clock_;
  std::unique_ptr<Range> range_;
  bool finished_ = false;
};

}  // namespace

Profiled solve_for_profiler(const Case& which, bool thorough) {
  const std::unique_ptr<Instance> instance = which.implementation->instantiate(which.parameters);
  {
    const Range range("start");
    instance->start();
  }
  instance->poison();
  Profiled profiled;
  {
    const Range range("solution");
    StageRanges stages;
    instance->solve(stages);
    stages.finish();
    profiled.seconds = stages.seconds();
  }
  profiled.outcome = instance->check(thorough);
  return profiled;
}

}  // namespace macrobench
