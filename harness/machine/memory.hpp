#pragma once

#include <cstdint>
#include <optional>

namespace macrobench {

/// The most memory that a case had at a time. None if it was not measured.
struct Memory {
  /// In the machine's own memory, from the process's beginning to the end of its first solution: of
  /// the whole process with its problem, or of a program from outside; and of their descendants. A
  /// page counts for each process that shares it.
  std::optional<std::int64_t> resident_bytes = {};
  /// In a GPU's memory while the case is solved, as its driver counts it: with the context.
  std::optional<std::int64_t> gpu_bytes = {};
};

/// Of each kind the larger.
Memory larger_of(const Memory& one, const Memory& other);

template <class Struct>
class JsonFields;
/// As a record holds it.
const JsonFields<Memory>& memory_fields();

}  // namespace macrobench
