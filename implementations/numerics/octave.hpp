#pragma once

// GNU Octave as a child of this process, which runs a model's Matlab program. Start-up is the start
// of the interpreter; then commands are sent and answers are read.

#include <string>
#include <vector>

#include "harness/process/child_program.hpp"

namespace macrobench::numerics {

/// Empty if GNU Octave is on the PATH, else the reason, in one sentence.
std::string no_octave_here();

/// A running interpreter that reads commands from a pipe and answers on another. It ends with this
/// object and with this process. If it ends by itself, as it does after an error, the members throw
/// std::runtime_error.
class Octave {
 public:
  Octave();

  /// Sends commands, each ended by a newline, without waiting for answers.
  void send(const std::string& commands);

  /// Waits for what Octave prints up to the next newline. It must flush stdout itself.
  std::string read_line();

  /// Waits for values.size() values, as Octave's fwrite writes them.
  template <class T>
  void read(std::vector<T>& values) {
    program_.read(values.data(), values.size() * sizeof(T));
  }

 private:
  ChildProgram program_;
};

/// Starts or restarts this process's interpreter, and waits until it is ready, with the functions
/// of `folder` (*.m) on its path.
void start_octave(const std::string& folder);

/// The interpreter that start_octave() started.
Octave& running_octave();

}  // namespace macrobench::numerics
