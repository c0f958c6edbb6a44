#pragma once

// GNU Octave as a child of this process: what a model's Matlab program runs in. Start-up is the
// interpreter's; commands are sent to it and answers waited for.

#include <string>
#include <vector>

#include "implementations/numerics/child_program.hpp"

namespace macrobench::numerics {

/// Empty if GNU Octave is on the PATH, else why not, in one sentence.
std::string no_octave_here();

/// A running interpreter that reads commands from a pipe and answers on another. It ends with this
/// object, and with this process. Where it ends by itself, as it does at an error, the members
/// throw std::runtime_error.
class Octave {
 public:
  Octave();

  /// Sends commands, each ended by a newline, and waits for nothing.
  void send(const std::string& commands);

  /// Waits for what Octave prints up to the next newline. It must flush stdout itself.
  std::string read_line();

  /// Waits for as many values as there is room for, as Octave's fwrite writes them.
  template <class T>
  void read(std::vector<T>& values) {
    program_.read(values.data(), values.size() * sizeof(T));
  }

 private:
  ChildProgram program_;
};

/// Starts the interpreter of this process, or starts it afresh, and waits until it is ready, with
/// the functions of `folder` (*.m) at hand.
void start_octave(const std::string& folder);

/// The interpreter that start_octave() started.
Octave& running_octave();

}  // namespace macrobench::numerics
