#pragma once

#include <cstdlib>
#include <string>

#include "tests/paths.hpp"

namespace macrobench {

/// The folder of the library in fakes/nvml.cpp, under the name that the driver's has.
inline std::string fake_nvml_folder() {
  return test_programs_folder() + "/fake_nvml";
}
inline std::string fake_nvml() {
  return fake_nvml_folder() + "/libnvidia-ml.so.1";
}

/// An environment variable during its lifetime.
class EnvironmentScope {
 public:
  EnvironmentScope(const char* name, const std::string& value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    ::setenv(name, value.c_str(), 1);
  }
  ~EnvironmentScope() {
    if (before_.empty()) {
      ::unsetenv(name_);
    } else {
      ::setenv(name_, before_.c_str(), 1);
    }
  }
  EnvironmentScope(const EnvironmentScope&) = delete;
  EnvironmentScope& operator=(const EnvironmentScope&) = delete;

 private:
  const char* name_;
  std::string before_;
};

}  // namespace macrobench
