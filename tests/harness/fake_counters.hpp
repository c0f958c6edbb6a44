#pragma once

#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "harness/files/temporary_folder.hpp"
#include "harness/run/machine_watch.hpp"

namespace macrobench {

/// Counters of a machine whose cores are all busy, or idle, from now on.
class FakeCounters {
 public:
  /// Ten times as busy as can be, so that it shows however late the writing thread comes; or so
  /// many times. `forbidden` cores are of the machine, and not of those that this process may use.
  explicit FakeCounters(double times = 10, int forbidden = 0)
      : times_(times), forbidden_(forbidden) {
    write();
    writer_ = std::thread([this] {
      while (!ends_) {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        const std::chrono::duration<double> now = std::chrono::steady_clock::now() - begin_;
        const double passed = now.count() - counted_;
        if (is_busy_) {
          busy_ += times_ * passed;
        } else {
          idle_ += 10 * passed;
        }
        counted_ = now.count();
        write();
      }
    });
  }
  ~FakeCounters() {
    ends_ = true;
    writer_.join();
  }
  FakeCounters(const FakeCounters&) = delete;
  FakeCounters& operator=(const FakeCounters&) = delete;

  void become_idle() { is_busy_ = false; }
  /// So many tasks are ready to run, this process included.
  void ready(int tasks) const {
    std::ofstream(folder_.path() / "loadavg") << "0.10 0.20 0.30 " << tasks << "/200 99\n";
  }
  [[nodiscard]] std::string folder() const { return folder_.path().string(); }

 private:
  void write() const {
    std::string text;
    int last = 0;
    for (const int core : allowed_cores()) {
      text += fmt::format("cpu{} {:.0f} 0 0 {:.0f} 0 0 0 0\n", core, 100 * busy_, 100 * idle_);
      last = core;
    }
    for (int i = 1; i <= forbidden_; ++i) text += fmt::format("cpu{} 0 0 0 0 0 0 0 0\n", last + i);
    std::ofstream(folder_.path() / "new") << text;
    std::filesystem::rename(folder_.path() / "new", folder_.path() / "stat");
  }

  double times_;
  int forbidden_;
  TemporaryFolder folder_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  double busy_ = 0, idle_ = 0, counted_ = 0;
  std::atomic<bool> is_busy_ = true;
  std::atomic<bool> ends_ = false;
  std::thread writer_;
};

}  // namespace macrobench
