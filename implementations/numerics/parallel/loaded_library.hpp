#pragma once

#include <dlfcn.h>

#include <string>
#include <type_traits>
#include <vector>

namespace macrobench::numerics {

/// A shared library that is loaded when it is first needed, and stays loaded: the first of these
/// names that the system finds.
class LoadedLibrary {
 public:
  explicit LoadedLibrary(const std::vector<std::string>& names) {
    for (auto next = names.begin(); library_ == nullptr && next != names.end(); ++next) {
      name_ = *next;
      library_ = ::dlopen(name_.c_str(), RTLD_NOW | RTLD_LOCAL);
    }
  }

  [[nodiscard]] bool is_there() const { return library_ != nullptr; }
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] bool has_all() const { return has_all_; }  ///< that it was asked for

  /// Puts the address of what has this name there, or null.
  template <class Function>
  void find(const char* name, Function& function) {
    function = reinterpret_cast<std::decay_t<Function>>(::dlsym(library_, name));
    has_all_ = has_all_ && function != nullptr;
  }

 private:
  void* library_ = nullptr;
  std::string name_;
  bool has_all_ = true;
};

}  // namespace macrobench::numerics
