#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/text/document.hpp"

namespace macrobench {

// What the writers of documents share.

/// The columns of each panel, [first, last), if at most `limit` fit beside each other:
/// 13 columns in panels of 7 and 6.
std::vector<std::pair<std::size_t, std::size_t>> panels(std::size_t columns, std::size_t limit);

/// The leading columns of words, which name a row.
std::size_t names_in(const Grid& grid);

/// The grid as it is written: of a grid in panels these, with so many columns of numbers each and
/// without the rows that have nothing there; of another one its columns that are not empty. Every
/// row has a cell in every column.
std::vector<Grid> panels_of(const Grid& grid, std::size_t limit);

/// A panel's rows of cells as a format writes them, padded to the widths of its columns.
class PanelCells {
 public:
  explicit PanelCells(const Grid& panel, std::size_t narrowest = 0);

  void add(std::vector<std::string> row);
  [[nodiscard]] std::string line(std::size_t row, std::string_view between) const;
  [[nodiscard]] std::size_t size() const { return rows_.size(); }
  [[nodiscard]] const std::vector<std::size_t>& widths() const { return widths_; }

 private:
  const Grid& panel_;
  std::vector<std::vector<std::string>> rows_;
  std::vector<std::size_t> widths_;
};

/// The contents of page.css, which the build puts into the executable.
extern const std::string_view page_style;

/// The spans, one after the other, each as `write` writes it.
template <class Write>
std::string written(const Words& words, Write write) {
  std::string text;
  for (const Span& span : words.spans()) text += write(span);
  return text;
}

template <class... Visitors>
struct Overloaded : Visitors... {
  using Visitors::operator()...;
};
template <class... Visitors>
Overloaded(Visitors...) -> Overloaded<Visitors...>;

}  // namespace macrobench
