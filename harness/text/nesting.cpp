#include "harness/text/nesting.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace macrobench {

namespace {

constexpr int deepest = 64;

}  // namespace

void check_nesting(std::string_view json) {
  int depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (in_string && c == '\\') {
      ++i;
    } else if (c == '"') {
      in_string = !in_string;
    } else if (!in_string && (c == '{' || c == '[')) {
      if (++depth > deepest) {
        throw std::invalid_argument(fmt::format("it nests deeper than {} levels", deepest));
      }
    } else if (!in_string && (c == '}' || c == ']')) {
      --depth;
    }
  }
}

}  // namespace macrobench
