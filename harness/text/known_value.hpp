#pragma once

#include <optional>
#include <stdexcept>

namespace macrobench {

/// The value of an optional that has one, as its caller has made sure. Throws std::logic_error if
/// it has none.
template <class T>
const T& known_value(const std::optional<T>& value) {
  if (!value) throw std::logic_error("a value that must be known is not");
  return *value;
}

}  // namespace macrobench
