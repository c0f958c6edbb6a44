#pragma once

// Numbers as people and other programs write them.

#include <cstddef>
#include <optional>
#include <streambuf>
#include <string>
#include <string_view>
#include <vector>

namespace macrobench {

/// The finite number that the whole text is, if it is one: as finite_number() reads it, and also
/// with a plus sign ("+20") or as Fortran writes double precision ("0.20D+02", "0.2-100").
std::optional<double> written_number(std::string_view text);

/// The first character that is not one of ASCII's visible ones, which may look like one of them:
/// "; it has U+2212, a minus sign that is not '-'". Empty if there is none.
std::string odd_character_in(std::string_view text);

/// "'x' is not a number", and the odd character in it.
std::string not_a_number(std::string_view text);

/// The lines of a text, whether they end in LF, CR LF or CR; a byte order mark before the first one
/// is left out.
class Lines {
 public:
  /// Reads from the stream's buffer. Of a line no more than `most` characters are kept.
  explicit Lines(std::streambuf& from, std::size_t most = std::string_view::npos);

  /// Goes to the next line; false if there is none.
  bool next();
  [[nodiscard]] std::string_view line() const { return line_; }
  [[nodiscard]] int number() const { return number_; }  ///< the first is 1
  [[nodiscard]] bool is_too_long() const { return is_too_long_; }

 private:
  std::streambuf& from_;
  std::size_t most_;
  std::string line_;
  int number_ = 0;
  bool is_too_long_ = false;
};

/// A stream's buffer over a text, which it does not copy and which must outlive it.
class TextBuffer final : public std::streambuf {
 public:
  explicit TextBuffer(std::string_view text) {
    char* const begin = const_cast<char*>(text.data());  // never written to
    setg(begin, begin, begin + text.size());
  }
};

/// first, first + step, ... up to last or, if the step is negative, down to it. Each is the double
/// nearest to the decimal number that such a sum has on paper: 0.1, 0.2, 0.3. Empty if the step
/// leads away from last; no more than `most` values and one.
std::vector<double> decimal_steps(double first, double last, double step, std::size_t most);

}  // namespace macrobench
