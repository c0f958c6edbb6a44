#include "harness/machine/memory.hpp"

#include <algorithm>

#include "harness/text/json_fields.hpp"

namespace macrobench {

Memory larger_of(const Memory& one, const Memory& other) {
  // An unknown number is less than a known one.
  return {.resident_bytes = std::max(one.resident_bytes, other.resident_bytes),
          .gpu_bytes = std::max(one.gpu_bytes, other.gpu_bytes)};
}

const JsonFields<Memory>& memory_fields() {
  const JsonType<std::int64_t> bytes = as::whole<std::int64_t>(1, std::int64_t{1} << 50);
  static const auto fields =
      JsonFields<Memory>("The most memory at a time; absent if it was not measured.")
          .optional_field(
              "resident_bytes", &Memory::resident_bytes, bytes,
              "Of the process, its problem included, or of a program from outside, with "
              "all descendants, up to the end of the first solution. A page counts for "
              "each process that shares it.")
          .optional_field(
              "gpu_bytes", &Memory::gpu_bytes, bytes,
              "Of the GPU's memory as its driver counts it, the context included, while "
              "further solutions were computed after all timing.")
          .rule(
              [](const Memory& memory, const JsonCursor& cursor) {
                if (memory.resident_bytes || memory.gpu_bytes) return;
                cursor.fail("it must have resident_bytes or gpu_bytes");
              },
              {{"minProperties", 1}});
  return fields;
}

}  // namespace macrobench
