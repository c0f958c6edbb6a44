#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

namespace macrobench::numerics {

/// Whether a program of this name can be started: a path, or a name on the PATH.
bool can_be_started(const std::string& program);

/// Another program, and how it is started.
struct ChildCommand {
  std::string name;                  ///< what messages call it: "Octave"
  std::vector<std::string> command;  ///< its argv; the first can_be_started()
  /// Variables set in its environment unless they already have a value.
  std::vector<std::pair<std::string, std::string>> environment = {};
  /// It starts processes itself and must clean up after them: if this process ends first, the child
  /// gets SIGTERM, in its own process group, instead of being killed.
  bool has_children = false;
  int paragraphs = 1;  ///< of its standard error, that say why it ended
};

/// A program that runs as a child of this process: write to its standard input, read from its
/// standard output. It ends with this object and with this process, however that ends. If it ends
/// by itself, the members throw std::runtime_error with the first paragraphs of its standard error.
class ChildProgram {
 public:
  explicit ChildProgram(const ChildCommand& command);
  ChildProgram(const ChildProgram&) = delete;
  ChildProgram& operator=(const ChildProgram&) = delete;
  /// Closes its input, and kills it if it does not end within a few seconds.
  ~ChildProgram();

  /// Sends `size` bytes without waiting for an answer.
  void write(const void* from, std::size_t size);

  /// Waits for `size` bytes.
  void read(void* to, std::size_t size);

  /// Sends it a signal.
  void signal(int number) const;

  /// Its standard error so far, from this byte on: 2,048 of them at most.
  [[nodiscard]] std::string messages(std::size_t from = 0) const;

  /// What it has already written, up to the end of the line: of a program that says something else
  /// than was expected.
  std::string rest_of_line();

 private:
  [[noreturn]] void gone();

  std::string name_;
  int paragraphs_;
  pid_t child_ = -1;
  std::FILE* to_ = nullptr;
  std::FILE* from_ = nullptr;
  int messages_ = -1;  ///< its standard error, a file in memory
};

}  // namespace macrobench::numerics
