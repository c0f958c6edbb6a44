#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace macrobench {

/// How many columns the text takes: one for each code point.
std::size_t display_width(std::string_view text);

enum class Side { left, right };
/// Padded with spaces to the width; the text is on this side.
std::string padded(const std::string& text, std::size_t width, Side side);

/// Broken at spaces into lines of this width at most, where no word is longer. Every line but the
/// first begins with the indent; the last ends with a line end too.
std::string wrapped(std::string_view text, std::size_t width, std::string_view indent);

/// How many columns the descriptor's terminal has; 100 where it is none.
std::size_t terminal_width(int descriptor);

}  // namespace macrobench
