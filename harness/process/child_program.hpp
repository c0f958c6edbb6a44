#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "harness/files/descriptor.hpp"
#include "harness/process/descendants.hpp"

namespace macrobench {

/// Whether a program of this name can be started: a path, or a name on the PATH.
bool can_be_started(const std::string& program);

/// Another program, how it is started, and what it may use.
struct ChildCommand {
  std::string name;                  ///< what messages call it: "Octave"
  std::vector<std::string> command;  ///< its argv; the first can_be_started()
  /// Variables set in its environment unless they already have a value.
  std::vector<std::pair<std::string, std::string>> environment = {};
  bool bare = false;  ///< its environment has nothing but those
  /// It starts processes itself and must clean up after them: if this process ends first, the child
  /// gets SIGTERM, in its own process group, instead of being killed.
  bool has_children = false;
  /// Of its standard error, those that say why it ended; 0: the last line says it.
  int paragraphs = 1;

  std::filesystem::path folder = {};  ///< that it runs in; empty: this process's
  int cores = 0;                      ///< of this process's, the first so many; 0: all of them
  /// Bytes in memory, of it and its descendants; on its standard output and error; and in one file.
  /// It is killed for more. 0: no limit.
  std::uint64_t most_memory = 0;
  std::uint64_t most_output = 0;
  std::uint64_t most_in_file = 0;
};

/// It did not answer in time. It is ended.
struct NoAnswer : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A program that runs as a child of this process: write to its standard input, read from its
/// standard output. It ends with this object and with this process, however that ends, and so does
/// what it started. If it ends by itself, the members throw std::runtime_error with what its
/// standard error says.
class ChildProgram {
 public:
  static constexpr double forever = std::numeric_limits<double>::infinity();

  explicit ChildProgram(const ChildCommand& command);
  ChildProgram(const ChildProgram&) = delete;
  ChildProgram& operator=(const ChildProgram&) = delete;
  /// Closes its input, and kills it if it does not end within a few seconds.
  ~ChildProgram();

  /// Sends `size` bytes without waiting for an answer.
  void write(const void* from, std::size_t size);

  /// Waits for `size` bytes.
  void read(void* to, std::size_t size);

  /// Waits for the next line, and returns it without its end. Of a longer one than `most` bytes,
  /// the beginning. Throws NoAnswer after so many seconds.
  std::string read_line(double seconds = forever, std::size_t most = 1 << 16);

  /// Whether more of its output is already here.
  [[nodiscard]] bool has_more();

  /// What it has already written, up to the end of the line: of a program that says something else
  /// than was expected.
  std::string rest_of_line();

  /// What it and its descendants use now, and the most memory seen so far.
  [[nodiscard]] ProcessUse use();
  [[nodiscard]] std::uint64_t most_bytes() const { return most_bytes_; }
  /// As open_files_of() it.
  [[nodiscard]] std::optional<std::vector<std::string>> open_files() const;

  /// Waits so many seconds for it to end by itself; returns whether it did, with code 0.
  bool ends_well_within(double seconds);

  /// What it wrote on standard error; of much, the beginning and the end. Any thread may ask.
  [[nodiscard]] std::string messages();

  /// Sends it a signal. Any thread may.
  void signal(int number) const;

 private:
  [[noreturn]] void gone();
  [[noreturn]] void kill_because(const std::string& why);
  bool ends_within(double seconds);
  void wait_for_output(double seconds);
  bool take_output();
  void take_messages();
  void count_output(std::size_t size);
  void check_memory();

  std::string name_;
  int paragraphs_;
  std::uint64_t most_memory_;
  std::uint64_t most_output_;
  std::uint64_t written_ = 0;
  Orphanage orphanage_;
  pid_t child_ = -1;
  bool ended_ = false;
  int status_ = 0;
  Descriptor to_;
  Descriptor from_;
  Descriptor messages_;
  std::string output_;         ///< read, and not yet taken
  std::size_t taken_ = 0;      ///< of those bytes
  std::mutex messages_mutex_;  ///< of what follows
  std::string message_head_;   ///< of its standard error
  std::string message_tail_;
  std::uint64_t most_bytes_ = 0;
};

}  // namespace macrobench
