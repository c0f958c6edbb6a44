#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace macrobench {

/// The parts of the text between separators, empty ones included: one at least.
std::vector<std::string_view> split(std::string_view text, char separator);

/// Without white space at its beginning and its end.
std::string_view trim(std::string_view text);

/// The finite number that the whole text is, if it is one.
std::optional<double> finite_number(std::string_view text);

/// The number of columns that the text takes: one per code point.
std::size_t display_width(std::string_view text);

enum class Side { left, right };
/// Padded with spaces to the width, with the text on this side.
std::string padded(const std::string& text, std::size_t width, Side side);

/// Broken at spaces into lines of at most this width, if no word is longer. Every line except the
/// first begins with the indent; the last line also ends with a line end.
std::string wrapped(std::string_view text, std::size_t width, std::string_view indent);

/// The number of columns of the descriptor's terminal; 100 if it is not a terminal.
std::size_t terminal_width(int descriptor);

}  // namespace macrobench
