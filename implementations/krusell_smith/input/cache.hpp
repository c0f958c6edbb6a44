#pragma once

#include <memory>
#include <mutex>
#include <optional>

namespace macrobench::krusell_smith {

/// The last value made, kept as long as the same is requested.
template <class Key, class Value>
class Cache {
 public:
  /// The result of make(), or of the last call if its key was equal.
  template <class Make>
  std::shared_ptr<const Value> get(const Key& key, const Make& make) {
    const std::scoped_lock lock(mutex_);
    if (value_ == nullptr || key_ != key) {
      value_.reset();  // first, to free its memory
      value_ = std::make_shared<const Value>(make());
      key_ = key;
    }
    return value_;
  }

 private:
  std::mutex mutex_;
  std::optional<Key> key_;
  std::shared_ptr<const Value> value_;
};

}  // namespace macrobench::krusell_smith
