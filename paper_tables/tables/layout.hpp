#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "paper_tables/tables/table.hpp"

namespace macrobench {

/// The text of a cell: "1,615", "0.0920", "5.20e-5", "41.2×", "invalid"; and the mark behind it, an
/// index into Sheet::marks, or none.
struct Entry {
  static constexpr int unmarked = -1;
  std::string text;
  int mark = unmarked;
};

/// One printed line: what the paper has, what was measured, or how much faster that is.
struct SheetLine {
  std::string label;  ///< the row's on its first line; "to CPU" on the second of a ratio
  std::string kind;   ///< "published", "measured", "speed-up"
  std::vector<Entry> entries;
};

/// Rows under a common heading; `extra` is below the rule.
struct SheetBlock {
  std::string label;
  bool extra = false;
  std::vector<std::vector<SheetLine>> rows;
};

/// A symbol behind cells, and what it means.
struct Mark {
  std::string symbol;  ///< "†" for extrapolated cells, else a letter
  std::string text;
};

/// A table as a reader sees it, in any format: Markdown, LaTeX or plain text.
struct Sheet {
  std::string title;    ///< "Table 3"
  std::string caption;  ///< without its full stop
  std::string source;
  std::string published_on;  ///< empty, like the next, for a table of constants
  std::string measured_on;
  std::string axis;
  std::vector<std::string> columns;
  std::vector<SheetBlock> blocks;
  std::vector<Mark> marks;           ///< explained once, below
  std::vector<std::string> remarks;  ///< likewise
};

Sheet lay_out(const Table& table);

}  // namespace macrobench
