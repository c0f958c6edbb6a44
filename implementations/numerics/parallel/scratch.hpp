#pragma once

#include <cstddef>
#include <cstdlib>
#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace macrobench::numerics {

/// Memory for one call, on 2 MiB pages if the system grants them. A solver that takes a
/// millisecond would otherwise spend half of it on page faults.
class Scratch {
 public:
  explicit Scratch(std::size_t bytes) {
    constexpr std::size_t huge = std::size_t{1} << 21;
    const std::size_t page = bytes < huge / 4 ? 4096 : huge;  // a huge page takes long to clear
    size_ = (bytes + page - 1) / page * page;
    memory_ = static_cast<std::byte*>(std::aligned_alloc(page, size_));
    if (memory_ == nullptr) throw std::bad_alloc();
#if defined(__linux__)
    // Only advice: if it is refused, the memory works all the same.
    if (page == huge) static_cast<void>(madvise(memory_, size_, MADV_HUGEPAGE));
#endif
  }
  ~Scratch() { std::free(memory_); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  /// The next `count` places, each initialised with `value`.
  template <class T>
  T* take(std::size_t count, const T& value) {
    const std::size_t start = (used_ + 63) / 64 * 64;
    used_ = start + count * sizeof(T);
    if (used_ > size_) throw std::bad_alloc();
    T* places = reinterpret_cast<T*>(memory_ + start);
    for (std::size_t i = 0; i < count; ++i) new (places + i) T(value);
    return places;
  }

  /// What take() will use for `count` places.
  template <class T>
  static constexpr std::size_t bytes(std::size_t count) {
    return count * sizeof(T) + 64;
  }

 private:
  std::byte* memory_;
  std::size_t size_;
  std::size_t used_ = 0;
};

}  // namespace macrobench::numerics
