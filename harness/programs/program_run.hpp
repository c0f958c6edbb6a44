#pragma once

// A process of a program, from its launch to its end. It times what is not a solution, and finds
// what would make the time of a solution a lie.

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "harness/files/temporary_folder.hpp"
#include "harness/process/descendants.hpp"
#include "harness/programs/conversation.hpp"
#include "harness/programs/late_work.hpp"
#include "harness/programs/manifest.hpp"
#include "harness/programs/problem_data.hpp"
#include "harness/programs/result_folder.hpp"

namespace macrobench {

/// How a program is to run.
struct ProgramSetting {
  Manifest manifest;
  std::string device = "cpu";
  int threads = 1;
  std::string real = "double";
  ProgramDeadlines deadlines = {};
};

/// Where the files of devices are, if not in /dev: for tests.
inline constexpr const char* devices_variable = "MACROBENCH_DEVICES";

/// Empty if a program can run on a GPU here, else the reason.
std::string why_no_gpu();

/// If the environment has it, programs run behind bubblewrap: a read-only file system except for
/// their own folder, and no network.
inline constexpr const char* sandbox_variable = "MACROBENCH_SANDBOX";

/// And this is how many MB of memory it may use.
inline constexpr const char* memory_variable = "MACROBENCH_PROGRAM_MEMORY";

/// How the program's process is started: its argv, what it may use, and an environment that has
/// nothing of the user's but PATH and LD_LIBRARY_PATH. It runs in `work`.
ChildCommand command_of(const ProgramSetting& setting, const std::filesystem::path& work);

/// How the objection begins to a solution that is lost in the conversation.
inline constexpr std::string_view too_short = "too short: ";

class ProgramRun {
 public:
  explicit ProgramRun(ProgramSetting setting) : setting_(std::move(setting)) {}

  /// Launches it, up to the end of its start-up. Throws ProgramFault, as all below do.
  void start();
  [[nodiscard]] bool is_started() const { return conversation_ != nullptr; }

  /// Gives it problems, in fresh folders; returns their names, which it cannot foresee.
  std::vector<std::string> load(const std::vector<ProblemData>& problems);
  /// What is to be timed.
  void solve(const std::vector<std::string>& ids);
  /// Has a result written to a fresh folder, which is gone after the next load(). Before the first
  /// one after a solution, objects if that used more cores than it has.
  std::filesystem::path write(const std::string& id);
  /// The same of a long solution, and once more, to object if work went on after the answer.
  std::filesystem::path write_twice(const std::string& id);

  /// Keeps what macrobench itself found beside the result of a program that exists already.
  void hear(const ResultFolder& result);
  /// Why a residual is larger than allowed: the result was printed with too few digits. Empty if
  /// that is not why.
  [[nodiscard]] std::string too_few_digits(double residual) const;

  /// How many problems it must be given at a time so that a solution is not lost in the
  /// conversation, from problems that it solves now, untimed; 1 if it takes too few, to which it
  /// objects. It also objects if work goes on after its answers.
  int calibrate(const std::function<ProblemData()>& another);
  /// Of the last solve().
  [[nodiscard]] double last_seconds() const { return last_seconds_; }

  /// Why its times cannot stand; empty if they can.
  [[nodiscard]] const std::string& objection() const { return objection_; }
  /// True if that says nothing about its results.
  [[nodiscard]] bool is_too_short() const { return objection_.starts_with(too_short); }
  void object(const std::string& why) {
    if (objection_.empty()) objection_ = why;
  }

  /// Seconds of what is not a solution, by name: process, start, load, write, ping.
  [[nodiscard]] const std::map<std::string, std::vector<double>>& seconds() const {
    return seconds_;
  }
  /// The most that its processes had in memory up to the first answer; none if nobody knows it.
  [[nodiscard]] std::optional<std::int64_t> resident_bytes() const { return resident_bytes_; }
  /// What it says of itself, and how many processes it has.
  [[nodiscard]] std::map<std::string, std::string> notes() const;

 private:
  void check_cores();
  ProcessUse look();
  std::filesystem::path fresh_folder(const char* name);
  WriteUse use_of_write(double seconds, const std::filesystem::path& folder);
  std::filesystem::path write_twice(const std::string& id, LateWork& late);

  ProgramSetting setting_;
  std::optional<TemporaryFolder> work_;
  std::unique_ptr<Conversation> conversation_;
  std::mt19937_64 random_{std::random_device{}()};
  std::map<std::string, std::vector<double>> seconds_;
  std::map<std::string, std::string> notes_;
  std::optional<std::int64_t> resident_bytes_ = {};
  std::string objection_;
  double digits_ = 0;        ///< that the last result was printed with; 0: not as text
  double rounding_ = 0;      ///< half a unit of the last of them
  double ping_ = 0;          ///< seconds, the median of several
  double last_seconds_ = 0;  ///< of the last solve()
  double cpu_seconds_ = 0;   ///< of all its processes, until the last look at them,
  std::chrono::steady_clock::time_point last_look_;  ///< which was then
  bool is_written_ = true;                           ///< whether write() followed it
  int folders_ = 0;
};

}  // namespace macrobench
