#pragma once

#include <memory>
#include <mutex>
#include <optional>

namespace macrobench::krusell_smith {

/// The last of what was made, for as long as the same is asked for.
template <class Key, class Value>
class Kept {
 public:
  /// What make() returns, or returned for an equal key at the last call.
  template <class Make>
  std::shared_ptr<const Value> get(const Key& key, const Make& make) {
    const std::scoped_lock lock(mutex_);
    if (value_ == nullptr || key_ != key) {
      value_.reset();  // first, for the memory
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
