#pragma once

#include <sys/resource.h>
#include <sys/types.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/files/descriptor.hpp"
#include "harness/process/descendants.hpp"

namespace macrobench {

/// Whether an executable of this name can be started: a path, or a name on the PATH.
bool can_be_started(const std::string& name);

/// Another process, how it is started, and what it may use.
struct ChildCommand {
  std::string name;                  ///< what messages call it: "newton/octave"
  std::vector<std::string> command;  ///< its argv; the first can_be_started()
  std::string executable = {};       ///< what is run instead of the first of them; empty: that
  /// Variables set in its environment unless they already have a value, or in any case.
  std::vector<std::pair<std::string, std::string>> environment = {};
  bool overrides = false;
  bool bare = false;  ///< its environment has nothing but those
  /// All that it reads on standard input; none: what is written to it.
  std::optional<std::string> input = {};
  /// The descriptor on which it answers. What else it writes on standard output and error are its
  /// messages; its standard error may be this process's own instead, and is not kept.
  int answers_on = 1;
  bool shares_error = false;
  bool own_group = false;  ///< it has its own process group, which is killed with it

  std::filesystem::path folder = {};  ///< that it runs in; empty: this process's
  int cores = 0;                      ///< of this process's, the first so many; 0: all of them
  /// Bytes in memory, of it and its descendants; in its answers and messages; and in one file. It
  /// is killed for more. 0: no limit.
  std::uint64_t most_memory = 0;
  std::uint64_t most_output = 0;
  std::uint64_t most_in_file = 0;
};

/// It did not answer in time. It is ended.
struct NoAnswer : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// It used more than it may. It is ended.
struct OverLimit : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The one way to start a process: a child of this one, which writes to its standard input and
/// reads its answers. It ends with this object and with this process, however that ends, and so
/// does what it started, wherever that went. If it ends by itself, the members that write and read
/// throw std::runtime_error with what its messages say.
class ChildProcess {
 public:
  static constexpr double forever = std::numeric_limits<double>::infinity();

  /// Throws std::system_error if it could not be started. An executable that cannot be run ends
  /// with code 127, and its messages say why.
  explicit ChildProcess(const ChildCommand& command);
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  /// Closes its input, and kills it if it does not end within a few seconds.
  ~ChildProcess();

  /// Sends the text without waiting for an answer.
  void write(std::string_view text);

  /// Waits for the next line, and returns it without its end; the last one may lack that. Of a
  /// longer one than `most` bytes, the beginning. Throws NoAnswer after so many seconds, and leaves
  /// a line without an end unread.
  std::string read_line(double seconds = forever, std::size_t most = 1 << 16);

  /// Waits until it writes or ends, for so many seconds at most, and takes what is there.
  void wait(double seconds);
  /// Of its answers, what was taken and not yet read.
  [[nodiscard]] std::string_view unread() const { return std::string_view(answers_).substr(read_); }
  /// Whether there is more to read now.
  [[nodiscard]] bool has_more() { return !unread().empty() || take_answers(); }

  /// What it, its descendants and those that left it use now.
  [[nodiscard]] ProcessUse use() const { return use_of(family()); }
  /// The most memory that those which are alive have had.
  [[nodiscard]] std::optional<std::int64_t> peak_resident_bytes() const;

  [[nodiscard]] bool has_ended() const;
  /// Waits so many seconds for it to end by itself, while it says nothing but messages.
  bool ends_within(double seconds);
  /// Closes its input, and waits so; returns whether it ended with code 0.
  bool ends_well_within(double seconds);
  /// Kills it, with its group and all else that it left, and takes what they had written.
  void end();
  // Once it has ended so, as wait4() says them.
  [[nodiscard]] int status() const { return status_; }
  [[nodiscard]] const rusage& usage() const { return usage_; }

  /// Its messages; of many, the beginning and the end. Any thread may ask.
  [[nodiscard]] std::string messages();

  /// Sends it a signal. Any thread may.
  void signal(int number) const;
  [[nodiscard]] pid_t id() const { return child_; }

 private:
  using Clock = std::chrono::steady_clock;

  /// It and those that left it.
  [[nodiscard]] std::vector<pid_t> family() const;
  [[noreturn]] void gone();
  template <class Why>
  [[noreturn]] void kill_because(const std::string& why);
  void wait_for_output(const Descriptor& answers, double seconds);
  bool take_answers();
  void take_messages();
  void check_limits();

  std::string name_;
  bool has_group_;
  std::uint64_t most_memory_;
  std::uint64_t most_output_;
  std::uint64_t written_ = 0;
  Clock::time_point last_look_ = Clock::now();  ///< at its memory
  Orphanage orphanage_;
  pid_t child_ = -1;
  std::atomic<bool> is_reaped_ = false;
  int status_ = 0;
  rusage usage_{};
  Descriptor life_;  ///< readable once it has ended; some kernels have none
  Descriptor to_;
  Descriptor from_;
  std::string answers_;
  std::size_t read_ = 0;       ///< of those bytes
  std::mutex messages_mutex_;  ///< of what follows
  Descriptor messages_from_;
  std::string messages_;
  bool are_messages_cut_ = false;
};

}  // namespace macrobench
