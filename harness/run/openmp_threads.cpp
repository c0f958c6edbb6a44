#include "harness/run/openmp_threads.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <cstdlib>

namespace macrobench {

namespace {

/// The variables that may be why, as the user set them: " (OMP_THREAD_LIMIT=1)", or nothing.
std::string variables() {
  std::string set;
  for (const char* name : {"OMP_THREAD_LIMIT", "OMP_DYNAMIC"}) {
    if (const char* value = std::getenv(name)) {
      set += fmt::format("{}{}={}", set.empty() ? " (" : ", ", name, value);
    }
  }
  return set.empty() ? set : set + ")";
}

}  // namespace

std::string why_no_such_team(int threads) {
  if (threads <= 1) return {};
  if (omp_get_thread_limit() < threads) {
    return fmt::format("OpenMP gives {} of the {} threads{}", omp_get_thread_limit(), threads,
                       variables());
  }
  if (omp_get_dynamic() != 0) {
    return fmt::format("OpenMP may give fewer than the {} threads{}: unset OMP_DYNAMIC", threads,
                       variables());
  }
  return {};
}

std::string why_fewer_threads(int threads) {
  if (threads <= 1) return {};
  int given = 0;
#pragma omp parallel num_threads(threads)
  {
#pragma omp single
    given = omp_get_num_threads();
  }
  if (given >= threads) return {};
  return fmt::format("OpenMP gave {} of the {} threads{}", given, threads, variables());
}

}  // namespace macrobench
