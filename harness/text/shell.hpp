#pragma once

#include <string>
#include <string_view>

namespace macrobench {

/// The text as one word of bash, on one line, in which nothing is expanded or executed.
std::string shell_word(std::string_view text);

}  // namespace macrobench
