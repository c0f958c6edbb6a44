#include <unistd.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "harness/text/document_elements.hpp"
#include "harness/text/strings.hpp"

namespace macrobench {

namespace {

constexpr std::size_t gap = 2;

/// What a terminal shows a kind of number or verdict in; empty without one.
std::string_view colour_of(std::string_view kind) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 9> colours{
      {{"published", "\x1b[36m"},
       {"measured", "\x1b[32m"},
       {"extrapolated", "\x1b[33m"},
       {"invalid", "\x1b[31m"},
       {"absent", "\x1b[2m"},
       {"verdict reproduced", "\x1b[32m"},
       {"verdict contradicted", "\x1b[31m"},
       {"verdict depends", "\x1b[33m"},
       {"verdict", "\x1b[1m"}}};
  const auto* const known =
      std::ranges::find(colours, kind, &std::pair<std::string_view, std::string_view>::first);
  return known == colours.end() ? std::string_view() : known->second;
}

/// The text as a terminal shows what is of this kind: "published", "measured", "extrapolated",
/// "invalid". It must be printable.
std::string in_colour(std::string_view text, std::string_view kind, Colours colours) {
  const std::string_view colour =
      colours == Colours::none || text.empty() ? std::string_view() : colour_of(kind);
  return colour.empty() ? std::string(text) : std::string(colour) + std::string(text) + "\x1b[0m";
}

/// Spans without a kind are of the given one.
std::string as_text(const Words& words, Colours colours = Colours::none,
                    std::string_view kind = {}) {
  return written(words, [&](const Span& span) {
    return in_colour(printable(span.text), span.kind.empty() ? kind : std::string_view(span.kind),
                     span.style == Span::Style::mark ? Colours::none : colours);
  });
}

/// Wrapped, with so many spaces before its first line and, from the second on, `hang` more.
std::string indented(const std::string& text, std::size_t width, std::size_t spaces,
                     std::size_t hang = 2) {
  return std::string(spaces, ' ') +
         wrapped(text, std::max(width, spaces + 1) - spaces, std::string(spaces + hang, ' '));
}

/// The longest word of a text.
std::size_t widest_word(const std::string& text) {
  std::size_t widest = 0;
  for (const std::string_view word : split(text, ' ')) {
    widest = std::max(widest, display_width(word));
  }
  return widest;
}

/// What each column of a grid takes; nothing where it is not inside of it. If the titles are
/// narrow, one above numbers takes no more than its longest word.
std::vector<std::size_t> widths_of(const Grid& grid, bool narrow_titles = false) {
  std::vector<std::size_t> widths;
  for (const Column& column : grid.columns) {
    const bool is_inside = column.place == Column::Place::inside;
    const bool is_broken = narrow_titles && column.kind == Column::Kind::numbers;
    widths.push_back(!is_inside  ? 0
                     : is_broken ? widest_word(column.title)
                                 : display_width(column.title));
  }
  for (const RowGroup& group : grid.groups) {
    for (const Row& row : group.rows) {
      for (std::size_t i = 0; i < row.cells.size(); ++i) {
        if (grid.columns[i].place != Column::Place::inside) continue;
        widths[i] = std::max(widths[i], display_width(as_text(row.cells[i])));
      }
    }
  }
  if (grid.in_panels) {
    const auto first = widths.begin() + static_cast<std::ptrdiff_t>(names_in(grid));
    if (first != widths.end())
      std::fill(first, widths.end(), *std::max_element(first, widths.end()));
  }
  return widths;
}

class PanelText {
 public:
  PanelText(const Grid& panel, std::vector<std::size_t> widths, std::size_t width, Colours colours)
      : panel_(panel), widths_(std::move(widths)), width_(width), colours_(colours) {
    const bool has_lines_above =
        std::ranges::count(panel.columns, Column::Place::above, &Column::place) > 0;
    indent_ = has_lines_above ? gap : 0;
  }

  std::string text() {
    if (total() > width_) widths_ = widths_of(panel_, true);
    const std::string rule(std::min(total(), width_), '-');
    std::string text = head() + rule + "\n";
    for (const RowGroup& group : panel_.groups) {
      if (!group.label.empty()) text += printable(group.label) + "\n";
      for (const Row& row : group.rows) text += lines_of(row);
    }
    return text;
  }

 private:
  [[nodiscard]] bool is_inside(std::size_t column) const {
    return panel_.columns[column].place == Column::Place::inside;
  }

  [[nodiscard]] std::size_t total() const {
    std::size_t sum = indent_;
    for (std::size_t i = 0; i < widths_.size(); ++i) sum += is_inside(i) ? widths_[i] + gap : 0;
    return sum - std::min(sum, gap);
  }

  /// The titles, in as many lines as they need; the last of each is just above its column.
  [[nodiscard]] std::string head() const {
    std::vector<std::vector<Words>> lines;
    for (std::size_t i = 0; i < widths_.size(); ++i) {
      if (!is_inside(i)) continue;
      const std::string broken = wrapped(panel_.columns[i].title, widths_[i], "");
      const auto pieces = split(trim(broken), '\n');
      while (lines.size() < pieces.size()) lines.emplace(lines.begin(), widths_.size());
      for (std::size_t p = 0; p < pieces.size(); ++p) {
        lines[lines.size() - pieces.size() + p][i] = std::string(pieces[p]);
      }
    }
    std::string text;
    for (const std::vector<Words>& titles : lines) text += line(titles);
    return text;
  }

  [[nodiscard]] std::string line(const std::vector<Words>& cells,
                                 const std::string& kind = {}) const {
    std::string text;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const Column& column = panel_.columns[i];
      if (column.place != Column::Place::inside) continue;
      text += text.empty() ? std::string(indent_, ' ') : std::string(gap, ' ');
      const bool is_name = i + 1 < names_in(panel_);
      text += padded(as_text(cells[i], colours_, is_name ? "" : kind), widths_[i],
                     column.kind == Column::Kind::words ? Side::left : Side::right);
    }
    text.erase(text.find_last_not_of(' ') + 1);
    return text + "\n";
  }

  /// The cells of the columns in this place, or named in it, in one line.
  [[nodiscard]] std::string joined(const Row& row, Column::Place place, Column::Place named) const {
    std::string text;
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      const Column& column = panel_.columns[i];
      if ((column.place != place && column.place != named) || row.cells[i].empty()) continue;
      text += text.empty() ? "" : "; ";
      if (column.place == Column::Place::below_named) text += printable(column.title) + ": ";
      text += as_text(row.cells[i], colours_);
    }
    return text;
  }

  std::string lines_of(const Row& row) {
    std::string text;
    const std::string above = joined(row, Column::Place::above, Column::Place::above);
    if (above != above_ && !above.empty()) text += indented(above, width_, 0);
    above_ = above;
    text += line(row.cells, row.kind);
    const std::string below = joined(row, Column::Place::below, Column::Place::below_named);
    if (!below.empty()) text += indented(below, width_, indent_ + 4);
    return text;
  }

  const Grid& panel_;
  std::vector<std::size_t> widths_;
  std::size_t width_;
  Colours colours_;
  std::size_t indent_ = 0;
  std::string above_;
};

std::string as_text(const Grid& grid, std::size_t width, Colours colours) {
  const std::size_t names = names_in(grid);
  std::vector<std::size_t> widths = widths_of(grid);
  std::size_t limit = grid.columns.size();
  if (grid.in_panels && names < widths.size()) {
    std::size_t taken = 0;
    for (std::size_t i = 0; i < names; ++i) taken += widths[i] + gap;
    const std::size_t room = std::max(width + gap, taken) - taken;
    limit = std::max<std::size_t>(2, room / (widths.back() + gap));
  }
  std::string text;
  for (const Grid& panel : panels_of(grid, limit)) {
    if (grid.in_panels) {
      widths.resize(names + 1);
      widths.resize(panel.columns.size(), widths.back());
    } else {
      widths = widths_of(panel);
    }
    text += (text.empty() ? "" : "\n") + PanelText(panel, widths, width, colours).text();
  }
  return (grid.caption.empty() ? "" : indented(as_text(grid.caption), width, 0)) + text;
}

std::string as_text(const List& list, std::size_t width, Colours colours) {
  std::string text;
  for (std::size_t i = 0; i < list.items.size(); ++i) {
    const ListItem& item = list.items[i];
    const std::string bullet = list.style == List::Style::numbers   ? std::to_string(i + 1) + ". "
                               : list.style == List::Style::bullets ? "* "
                                                                    : "";
    if (i > 0 && !item.below.empty()) text += "\n";
    text += indented(bullet + as_text(item.words, colours), width, 0);
    for (const Words& below : item.below)
      text += indented("- " + as_text(below, colours), width, 2);
  }
  return text;
}

/// What belongs together has no empty line between.
bool is_parted(const Block& before, const Block& after) {
  if (std::holds_alternative<Heading>(before)) return std::holds_alternative<Heading>(after);
  return !std::holds_alternative<List>(after) || std::holds_alternative<Grid>(before);
}

}  // namespace

std::string to_text(const Document& document, std::size_t width, Colours colours) {
  std::string text;
  const Block title = Heading{document.title};
  const Block* before = &title;
  if (!document.title.empty()) text += indented(as_text(document.title), width, 0);
  for (const auto* blocks : {&document.body, &document.summary}) {
    for (const Block& block : *blocks) {
      if (!text.empty() && is_parted(*before, block)) text += "\n";
      text += std::visit(
          Overloaded{[&](const Heading& it) { return indented(as_text(it.words), width, 0); },
                     [&](const Paragraph& it) {
                       return indented(as_text(it.words, colours), width, 0, 0);
                     },
                     [&](const auto& it) { return as_text(it, width, colours); }},
          block);
      before = &block;
    }
  }
  return text;
}

std::string to_terminal(const Document& document) {
  return to_text(document, terminal_width(STDOUT_FILENO),
                 has_colours(STDOUT_FILENO) ? Colours::ansi : Colours::none);
}

}  // namespace macrobench
