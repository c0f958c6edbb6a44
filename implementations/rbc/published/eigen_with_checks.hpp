#pragma once

// Eigen with its checks of indices and sizes, which a build without NDEBUG has and all else here is
// compiled without. It must be included before anything else includes Eigen.
//
// What a header defines inline is one function in the whole executable, whichever file it is
// compiled in. So what is compiled with checks is renamed: Eigen's namespace, and that of the loop
// in serial.hpp, which is written with it.
#define Eigen Eigen_with_checks
#define serial_solver serial_solver_with_checks

#pragma push_macro("NDEBUG")
#undef NDEBUG
#include <Eigen/Core>
#pragma pop_macro("NDEBUG")
#include <cassert>  // IWYU pragma: keep; assert as it is elsewhere

#ifdef EIGEN_NO_DEBUG
#error "Eigen was included before, without its checks"
#endif
