#pragma once

#include <string>
#include <string_view>

namespace macrobench {

/// The text as it may stand in an element or in an attribute's quotes: nothing in it is markup, and
/// no character is one that HTML has not.
std::string escape_html(std::string_view text);

}  // namespace macrobench
