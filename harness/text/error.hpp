#pragma once

#include <stdexcept>

namespace macrobench {

/// The program's exit codes, for scripts that call it.
enum class ExitCode : int {
  ok = 0,
  slower = 1,    ///< a case is slower than before (macrobench regress)
  usage = 2,     ///< the request cannot be understood or met
  invalid = 3,   ///< a result that must be valid is not
  failed = 4,    ///< a case failed, or the request could not be carried out
  ambiguous = 5  ///< no case is certainly slower, but one may be (macrobench regress)
};

/// The request cannot be understood or met: one clear sentence, exit code 2.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The request could not be carried out (a full disk, a folder in use): one sentence, exit code 4.
struct Failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace macrobench
