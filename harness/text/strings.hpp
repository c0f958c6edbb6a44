#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace macrobench {

/// The pieces of the text between separators, empty ones included: one at least.
std::vector<std::string_view> split(std::string_view text, char separator);

/// Without white space at its beginning and its end.
std::string_view trim(std::string_view text);

/// The last line that is not blank, trimmed; empty if there is none.
std::string_view last_line(std::string_view text);

/// On one line, in UTF-8, and without what a terminal obeys or what changes the order of the text
/// around it: a control character becomes a space unless it is among those kept, and U+FFFD
/// replaces what is not UTF-8, the control characters beyond ASCII and those of direction.
std::string printable(std::string_view text, std::string_view kept = {});

/// The text, or its beginning and "..." where it has more than so many bytes.
std::string shortened(std::string_view text, std::size_t most);

/// What an error shows of a value, which may be a stranger's and of any length.
std::string shown(std::string_view value);

/// A code point of UTF-8 at the beginning of a text that is not empty. What is not UTF-8 is U+FFFD
/// of one byte.
struct CodePoint {
  char32_t value;
  std::size_t length;  ///< bytes
};
CodePoint first_code_point(std::string_view text);

/// Whether it is a control character beyond ASCII's, one of direction or one that ends a line: a
/// terminal or an editor may obey it.
bool is_hidden_control(char32_t code);

/// The finite number that the whole text is, if it is one.
std::optional<double> finite_number(std::string_view text);

/// The number of columns that the text takes: one per code point, and none for what sets a color.
std::size_t display_width(std::string_view text);

enum class Side { left, right };
/// Padded with spaces to the width, with the text on this side.
std::string padded(const std::string& text, std::size_t width, Side side);

/// Broken at spaces into lines of at most this width, if no word is longer. Every line except the
/// first begins with the indent; the last line also ends with a line end.
std::string wrapped(std::string_view text, std::size_t width, std::string_view indent);

/// The number of columns of the descriptor's terminal; 100 if it is not a terminal.
std::size_t terminal_width(int descriptor);

/// True if the descriptor is a terminal that obeys escape sequences: TERM names one, and not
/// "dumb".
bool obeys_escapes(int descriptor);

/// True if the descriptor is a terminal that shows colors and the user has not set NO_COLOR.
bool has_colours(int descriptor);

/// Puts `by` wherever the text has `what`, which must not be empty.
void replace_all(std::string& text, std::string_view what, std::string_view by);

}  // namespace macrobench
