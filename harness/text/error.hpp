#pragma once

#include <stdexcept>

namespace macrobench {

/// What the program answers with, for whoever calls it from a script.
enum class ExitCode : int {
  ok = 0,
  slower = 1,    ///< a case is slower than it was (macrobench regress)
  usage = 2,     ///< the request cannot be understood or met
  invalid = 3,   ///< a result that had to be valid is not
  failed = 4,    ///< a case failed, or what was asked for could not be done
  ambiguous = 5  ///< none is slower for certain, and one may be (macrobench regress)
};

/// The request cannot be understood or met: one clear sentence, exit code 2.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// What was asked for could not be done (a full disk, a folder in use): one sentence, exit code 4.
struct Failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace macrobench
