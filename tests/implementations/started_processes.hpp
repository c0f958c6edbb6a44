#pragma once

// The processes that a test started, found by their environment, and its own environment.

#include <fmt/format.h>
#include <sys/types.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "harness/process/process.hpp"

namespace macrobench {

/// A variable of the environment, set as long as this lives.
class Variable {
 public:
  Variable(std::string name, const std::string& value) : name_(std::move(name)) {
    if (const char* set = std::getenv(name_.c_str())) before_ = set;
    ::setenv(name_.c_str(), value.c_str(), 1);
  }
  ~Variable() {
    if (before_) {
      ::setenv(name_.c_str(), before_->c_str(), 1);
    } else {
      ::unsetenv(name_.c_str());
    }
  }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  std::string name_;
  std::optional<std::string> before_;
};

inline std::string content_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Why a test of how mpirun's own options and a rank's death go is skipped: mpirun of OpenMPI 5 is
/// another program, PRTE's. Empty with any other.
inline std::string why_not_this_mpirun() {
  const std::string version = run_process({"mpirun", {"mpirun", "--version"}, "", 60}).output;
  return version.find("(Open MPI) 5") == std::string::npos
             ? ""
             : "mpirun of OpenMPI 5 ends and names its ranks in its own way";
}

/// Whatever is started while this lives carries a mark in its environment, by which it is found.
class Started {
 public:
  /// Those of the name (as the kernel cuts it, 15 characters) that still run; all if it is empty.
  [[nodiscard]] std::vector<pid_t> running(const std::string& name = "") const {
    std::vector<pid_t> found;
    for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
      const std::string number = entry.path().filename();
      if (number.find_first_not_of("0123456789") != std::string::npos) continue;
      if (content_of(entry.path() / "environ").find(mark_) == std::string::npos) continue;
      if (!name.empty() && content_of(entry.path() / "comm") != name + "\n") continue;
      found.push_back(std::stoi(number));
    }
    return found;
  }

  /// Those that still run after the seconds in which they should have ended.
  [[nodiscard]] std::vector<pid_t> left_after(std::chrono::seconds limit) const {
    const auto end = std::chrono::steady_clock::now() + limit;
    while (!running().empty() && std::chrono::steady_clock::now() < end) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return running();
  }

 private:
  static std::string next_mark() {
    static int marks = 0;
    return fmt::format("{}_{}.", ::getpid(), ++marks);
  }

  std::string mark_ = next_mark();
  Variable marked_{"MACROBENCH_PROCESSES_TEST", mark_};
};

}  // namespace macrobench
