#pragma once

#include <string>

namespace macrobench {

/// A compiler that this program was built with, and the flags of all its files.
struct Compiler {
  std::string name;  ///< "GNU 12.2.0"; empty if there was none
  std::string flags;
};

Compiler cpp_compiler();
Compiler cuda_compiler();

}  // namespace macrobench
