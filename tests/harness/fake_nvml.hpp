#pragma once

#include <string>

#include "tests/paths.hpp"

namespace macrobench {

/// The folder of the library in fakes/nvml.cpp, under the name that the driver's has.
inline std::string fake_nvml_folder() {
  return test_executables_folder() + "/fake_nvml";
}
inline std::string fake_nvml() {
  return fake_nvml_folder() + "/libnvidia-ml.so.1";
}

}  // namespace macrobench
