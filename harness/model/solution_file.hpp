#pragma once

// A solution as text that keeps every bit of it, so that it can be certified again, elsewhere and
// later; solution_folder.hpp has its files. The first line is JSON: what the file is, and the key
// of its case. Then come the arrays in their order: a line "NAME COUNT SIZE", and COUNT
// little-endian elements of SIZE bytes each.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "harness/model/solution_arrays.hpp"

namespace macrobench {

/// The key of the case whose solution this is. Throws UsageError if it is none.
std::string key_of_stored(std::string_view text);

/// An array in such a text.
struct StoredArray {
  std::string_view name;
  std::size_t size = 0;  ///< bytes of an element
  std::string_view bytes;
};

/// All of them, in their order. Throws UsageError.
std::vector<StoredArray> arrays_of_stored(std::string_view text);

class SolutionWriter {
 public:
  explicit SolutionWriter(const std::string& key);

  template <class Array>
  void operator()(std::string_view name, const Array& array, const Shape& /*shape*/ = {}) {
    add(name, sizeof array, bytes_of(array));
  }
  template <class Element>
  void operator()(std::string_view name, const std::vector<Element>& array,
                  const Shape& /*shape*/ = {}) {
    add(name, sizeof(Element), bytes_of(array));
  }

  /// `size` is an element's.
  void add(std::string_view name, std::size_t size, std::string_view bytes);

  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
};

/// Reads what a SolutionWriter wrote. Whatever the text contains, every error is a UsageError with
/// one sentence, and no more memory is used than the text takes.
class SolutionReader {
 public:
  SolutionReader(std::string_view text, const std::string& key);

  template <class Array>
  void operator()(std::string_view name, Array& array) {
    copy(next(name, sizeof array, 1), &array, sizeof array);
  }
  void operator()(std::string_view name, bool& array) {
    std::uint8_t byte = 0;
    operator()(name, byte);
    array = byte != 0;
  }
  template <class Element>
  void operator()(std::string_view name, std::vector<Element>& array, const Shape& /*shape*/ = {}) {
    const std::string_view bytes = next(name, sizeof(Element));
    array.assign(bytes.size() / sizeof(Element), Element{});
    copy(bytes, array.data(), bytes.size());
  }

  /// Refuses what follows the last array.
  void finish() const;

 private:
  static constexpr std::size_t any = static_cast<std::size_t>(-1);

  /// The bytes of the next array, which must have this name, this size of an element and this many.
  std::string_view next(std::string_view name, std::size_t size, std::size_t count = any);
  static void copy(std::string_view bytes, void* to, std::size_t size);

  std::string_view rest_;
};

/// The whole file.
template <class Problem, class Solution>
std::string stored_text(const Problem& problem, const Solution& solution, const std::string& key) {
  SolutionWriter writer(key);
  Solution::each_array(problem, solution, writer);
  return writer.text();
}

/// Puts what stored_text() wrote into a poisoned solution. Throws UsageError.
template <class Problem, class Solution>
void restore(const Problem& problem, Solution& solution, std::string_view text,
             const std::string& key) {
  SolutionReader reader(text, key);
  Solution::each_array(problem, solution, reader);
  reader.finish();
}

}  // namespace macrobench
