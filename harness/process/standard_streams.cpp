#include "harness/process/standard_streams.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>

#include "harness/text/error.hpp"

namespace macrobench {

void open_standard_descriptors() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(descriptor, F_GETFD) >= 0 || errno != EBADF) continue;
    // Progress that nobody sees is no reason to stop; an answer that nobody gets is.
    const int flags = descriptor == STDOUT_FILENO ? O_RDONLY : O_WRONLY;
    // The lowest number that is free is this one.
    if (::open("/dev/null", flags) != descriptor) std::_Exit(2);
  }
}

void check_file_limit() {
  constexpr rlim_t least = 16;
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= least) return;
  throw Failure("a process may open only {} files here: raise the limit (ulimit -n 64)",
                limit.rlim_cur);
}

void flush_standard_output() {
  errno = 0;
  std::cout.flush();
  const bool is_out = std::fflush(stdout) == 0 && std::ferror(stdout) == 0 && std::cout.good();
  if (is_out) return;
  throw Failure("the answer could not be written to standard output ({})",
                errno != 0 ? std::strerror(errno) : "an earlier part of it failed");
}

}  // namespace macrobench
