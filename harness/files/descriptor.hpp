#pragma once

#include <unistd.h>

#include <cerrno>
#include <string_view>
#include <utility>

namespace macrobench {

/// An open file, which is closed with it.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  ~Descriptor() { close(); }
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }

  [[nodiscard]] int get() const { return number_; }
  [[nodiscard]] bool is_open() const { return number_ >= 0; }
  /// 0, or -1 with errno set.
  int close() {
    const int number = std::exchange(number_, -1);
    return number >= 0 ? ::close(number) : 0;
  }

 private:
  int number_;
};

/// Writes all of the text; returns 0, or the errno of what kept it from that.
inline int write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno != EINTR) {
      return errno;
    }
  }
  return 0;
}

}  // namespace macrobench
