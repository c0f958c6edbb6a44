#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace macrobench {

// What a view says, in any format: the view builds a Document, and one writer for each format
// writes it. No text in it is markup: the writers escape what their format would interpret as
// such.

/// Characters in one style.
struct Span {
  enum class Style { plain, strong, code, mark };
  std::string text;
  Style style = Style::plain;
  std::string kind = {};  ///< for HTML's style sheet: "contradicted"
};

/// A line or a paragraph of text.
class Words {
 public:
  Words() = default;
  Words(std::string text) : spans_{{std::move(text)}} {}  // NOLINT(*-explicit-*)
  Words(const char* text) : Words(std::string(text)) {}   // NOLINT(*-explicit-*)
  explicit Words(Span span) : spans_{std::move(span)} {}

  [[nodiscard]] const std::vector<Span>& spans() const { return spans_; }
  [[nodiscard]] bool empty() const;

  friend Words operator+(Words words, const Words& more) {
    words.spans_.insert(words.spans_.end(), more.spans_.begin(), more.spans_.end());
    return words;
  }

 private:
  std::vector<Span> spans_;
};

Words strong(std::string text, std::string kind = {});
Words code(std::string text);
/// A mark behind a number or before its explanation: "°".
Words mark(std::string symbol);

/// Above what follows; 2 is the largest below the title.
struct Heading {
  Words words;
  int level = 2;
};

struct Paragraph {
  Words words;
};

struct ListItem {
  Words words;
  std::vector<Words> below = {};  ///< a separate list
};

struct List {
  enum class Style { bullets, numbers, notes };  ///< notes have no bullet; they begin with a mark
  std::vector<ListItem> items;
  Style style = Style::bullets;
};

struct Column {
  enum class Kind { words, numbers };  ///< to the left, to the right
  /// On a terminal, which has little room: a line above the rows that share it, or below each, with
  /// its title if it is named.
  enum class Place { inside, above, below, below_named };
  std::string title;
  Kind kind = Kind::numbers;
  Place place = Place::inside;
};

/// Columns of words, then of numbers, then of words again, by their titles.
std::vector<Column> columns_of(const std::vector<std::string>& words,
                               const std::vector<std::string>& numbers,
                               const std::vector<std::string>& more_words = {});

/// A row's cells; those that are missing at its end are empty.
struct Row {
  std::vector<Words> cells;
  std::string kind = {};   ///< as for a Span
  bool continues = false;  ///< the row before: a line of the same thing
};

struct RowGroup {
  std::string label = {};
  std::vector<Row> rows;
};

/// A table. A column that is empty in every row is left out.
struct Grid {
  Words caption = {};
  std::vector<Column> columns;
  std::vector<RowGroup> groups;
  /// True if its columns of numbers go into several panels, one below the other, where it is too
  /// wide; all its columns are shown then, and those of numbers are equally wide.
  bool in_panels = false;
  std::string folded = {};  ///< on a page: what is shown until it is opened
  std::string label = {};   ///< by which LaTeX refers to it
};

/// A grid without groups.
Grid grid_of(std::vector<Column> columns, std::vector<Row> rows, Words caption = {});
/// A row for each value of the object, under the names that lead to it; a list of words or numbers
/// is one value.
Grid grid_of_object(const nlohmann::ordered_json& object, Words caption);
std::size_t rows_in(const Grid& grid);

using Block = std::variant<Heading, Paragraph, List, Grid>;

struct Document {
  Words title = {};
  std::vector<Block> about = {};  ///< for a page by itself, not for a terminal
  /// First on a page, last on a terminal, where it stays in sight.
  std::vector<Block> summary = {};
  std::vector<Block> body = {};
};

/// True if a terminal is told to show what is published, measured, extrapolated and invalid in
/// different colors.
enum class Colours { none, ansi };

/// For a terminal with this many columns; grids that are not in panels may be wider.
std::string to_text(const Document& document, std::size_t width, Colours colours = Colours::none);
/// For what standard output is: as wide as it, and in colors if it is a terminal that has them and
/// NO_COLOR is not set.
std::string to_terminal(const Document& document);
/// A page of GitHub's Markdown, its tables aligned in the source too.
std::string to_markdown(const Document& document);
/// The summary and the body, for a page whose headings of this level are above.
std::string to_html(const Document& document, int level);
/// A self-contained page.
std::string to_html_page(const Document& document);
/// Macrobench's own script, which may run in a page: nothing else may, and nothing is loaded.
struct PageScript {
  std::string_view text = {};
  std::string sha256 = {};  ///< in base 64
};
/// `style` is added to the pages' own.
std::string html_page(const Words& title, const std::string& content, std::string_view style = {},
                      const PageScript& script = {});
/// The summary and the body, to be \input: without the title, as \caption numbers the tables.
std::string to_latex(const Document& document);

/// The text as it may stand in an element or in an attribute's quotes: nothing in it is markup, and
/// it is printable() but for the ends of its lines.
std::string escape_html(std::string_view text);

}  // namespace macrobench
