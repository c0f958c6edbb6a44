#pragma once

#ifndef __CUDACC__  // nvcc does not compile fmt's headers as C++20
#include <fmt/format.h>
#endif

#include <stdexcept>
#include <string>
#include <utility>

namespace macrobench {

/// Macrobench's exit codes, for scripts that call it.
enum class ExitCode : int {
  ok = 0,
  slower = 1,    ///< a case is slower than before (macrobench regress)
  usage = 2,     ///< the request cannot be understood or met
  invalid = 3,   ///< a result that must be valid is not
  failed = 4,    ///< a case failed, or the request could not be carried out
  ambiguous = 5  ///< no case is certainly slower, but one may be (macrobench regress)
};

/// An error that a person reads: one sentence, or a format and what goes into it.
struct ReadableError : std::runtime_error {
  using std::runtime_error::runtime_error;

#ifndef __CUDACC__
  template <class First, class... Rest>
  explicit ReadableError(fmt::format_string<First, Rest...> text, First&& first, Rest&&... rest)
      : std::runtime_error(
            fmt::format(text, std::forward<First>(first), std::forward<Rest>(rest)...)) {}
#endif
};

/// The request cannot be understood or met: exit code 2.
struct UsageError : ReadableError {
  using ReadableError::ReadableError;
};

/// The request could not be carried out (a full disk, a folder in use): exit code 4.
struct Failure : ReadableError {
  using ReadableError::ReadableError;
};

}  // namespace macrobench
