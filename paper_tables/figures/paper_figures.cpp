#include "paper_tables/figures/paper_figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "harness/model/registry.hpp"
#include "harness/text/format.hpp"
#include "harness/text/known_value.hpp"
#include "harness/text/nearest.hpp"
#include "paper_tables/cells/find.hpp"
#include "paper_tables/cells/place.hpp"
#include "paper_tables/cells/printed_number.hpp"
#include "paper_tables/cells/table.hpp"

namespace macrobench {

namespace {

namespace fs = std::filesystem;

template <class T>
using Choices = std::initializer_list<std::pair<const char*, T>>;

template <class T>
T read_choice(const Place& place, std::string_view kind, Choices<T> choices) {
  std::vector<std::string> names;
  for (const auto& [name, choice] : choices) names.emplace_back(name);
  return choices.begin()[find_name(place, kind, names)].second;
}

/// One of Okabe's and Ito's colors by its name, or "#1a2b3c".
std::string read_colour(const Place& place) {
  std::string text = place.text();
  const bool is_number = text.size() == 7 && text.front() == '#' &&
                         text.find_first_not_of("0123456789abcdefABCDEF", 1) == std::string::npos;
  if (is_number) return text;
  return read_choice<const char*>(place, "colour",
                                  {{"black", okabe_ito::black},
                                   {"orange", okabe_ito::orange},
                                   {"sky_blue", okabe_ito::sky_blue},
                                   {"green", okabe_ito::green},
                                   {"blue", okabe_ito::blue},
                                   {"vermillion", okabe_ito::vermillion},
                                   {"purple", okabe_ito::purple}});
}

/// True if it can be a part of file names.
bool is_name(const std::string& text) {
  return !text.empty() &&
         text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == std::string::npos;
}

std::string read_name(const Place& place) {
  std::string name = place.text();
  if (!is_name(name)) place.fail("it must have only small letters, digits and underscores");
  return name;
}

bool read_flag(const Place& place, const std::string& name) {
  return place.has(name) && place.at(name).truth();
}

std::string text_or(const Place& place, const std::string& name, const std::string& otherwise) {
  return place.has(name) ? place.at(name).text() : otherwise;
}

/// How a line that is not named otherwise is drawn.
PlotLine read_style(const Place& place, const std::string& label) {
  PlotLine line{.title = text_or(place, "title", label), .colour = read_colour(place.at("colour"))};
  if (place.has("stroke")) {
    line.stroke = read_choice<Stroke>(
        place.at("stroke"), "stroke",
        {{"solid", Stroke::solid}, {"dashed", Stroke::dashed}, {"dotted", Stroke::dotted}});
  }
  if (place.has("marker")) {
    const std::int64_t marker = place.at("marker").whole();
    if (marker < 0 || marker > 4) place.at("marker").fail("it must be from 0 to 4");
    line.marker = static_cast<int>(marker);
  }
  return line;
}

/// A figure of a model.
struct ModelFigure {
  const Model* model = nullptr;
  const Figure* figure = nullptr;
};

ModelFigure read_curves(const Place& place) {
  std::vector<ModelFigure> all;
  std::vector<std::string> names;
  for (const Model& model : Registry::global().models()) {
    for (const Figure& figure : model.figures) {
      all.push_back({&model, &figure});
      names.push_back(figure.name);
    }
  }
  return all[find_name(place, "figure of a model", names)];
}

/// No more than about so many rows: a curve through them looks the same.
Curves thinned(const Curves& curves, std::size_t most) {
  Curves thin{.columns = curves.columns, .rows = {}};
  const std::size_t step = std::max<std::size_t>(1, curves.rows.size() / most);
  for (std::size_t i = 0; i < curves.rows.size(); ++i) {
    if (i % step == 0 || i + 1 == curves.rows.size()) thin.rows.push_back(curves.rows[i]);
  }
  return thin;
}

/// The number that a table prints in a cell, and the same cell here.
struct FigureCell {
  std::optional<double> printed;
  Cell here;
};

/// One that is computed from other cells, or from the law of smaller ones.
bool is_inferred(const Cell& cell) {
  return cell.value && !is_its_own(cell) &&
         (cell.kind == Kind::computed || cell.kind == Kind::extrapolated);
}

/// Reads one figure of a paper, and fills it with numbers.
class FigureMaker {
 public:
  /// Without curves it computes none, and their lines are only read.
  FigureMaker(const Place& place, Definitions& all, const Lookup& lookup, const Machine& machine,
              bool with_curves)
      : place_(place), all_(all), lookup_(lookup), machine_(machine), with_curves_(with_curves) {}

  Plot make(const std::string& paper) {
    place_.allow({"figure", "title", "reading", "caption", "table", "x", "square_roots", "curves",
                  "parameters", "points", "panels"});
    if (!is_name(paper)) {
      place_.fail("its folder's name must have only small letters, digits and underscores");
    }
    plot_.name = paper + "_" + read_name(place_.at("figure"));
    plot_.title = place_.at("title").text();
    plot_.caption = place_.at("caption").text();
    square_roots_ = read_flag(place_, "square_roots");
    if (place_.has("table")) {
      table_ = &find_table(place_.at("table"), all_);
      read_sizes(place_.at("x"));
      plot_.reading =
          "dashed, open: published; solid, filled: measured; dotted, open: computed or "
          "extrapolated";
    }
    if (place_.has("curves")) read_curves_of_figure();
    if (place_.has("points")) points_ = place_.at("points").count();
    plot_.reading = text_or(place_, "reading", plot_.reading);
    if (figure_.figure != nullptr && !place_.has("panels")) {
      add_data();
    } else {
      for (const Place& panel : place_.at("panels").items()) add_panel(panel);
      if (plot_.panels.empty()) place_.at("panels").fail("it must have a panel");
    }
    return std::move(plot_);
  }

 private:
  void add_size(double size) { plot_.data.rows.push_back({size}); }

  /// Along an axis of the table's columns, or over groups of its rows.
  void read_sizes(const Place& place) {
    place.allow({"called", "axis", "groups", "columns"});
    plot_.data.columns = {place.at("called").text()};
    if (place.has("columns")) {
      for (const Place& column : place.at("columns").items()) {
        column.allow({"at", "column"});
        add_size(column.at("at").number());
        columns_of_sizes_.push_back(find_column(column.at("column"), *table_));
      }
      return;
    }
    if (place.has("groups")) {
      for (const Place& group : place.at("groups").items()) {
        group.allow({"at", "group"});
        add_size(group.at("at").number());
        groups_.push_back(group.at("group").text());
      }
      return;
    }
    const std::string axis = place.at("axis").text();
    for (const ColumnDefinition& column : table_->columns) {
      const Value* value = column.parameters.find(axis);
      const auto* size = value == nullptr ? nullptr : std::get_if<std::int64_t>(value);
      if (size == nullptr) {
        place.at("axis").fail(fmt::format("column '{}' has no size '{}'", column.label, axis));
      }
      add_size(static_cast<double>(*size));
    }
  }

  void read_curves_of_figure() {
    figure_ = read_curves(place_.at("curves"));
    if (place_.has("parameters")) {
      parameters_ = parameters_at(place_.at("parameters"), *figure_.model);
    }
  }

  void add_panel(const Place& place) {
    place.allow({"title", "x_label", "y_label", "x_counts", "log_x", "log_y", "lines"});
    plot_.panels.push_back({.title = place.text_or_empty("title"),
                            .x_label = place.at("x_label").text(),
                            .y_label = place.at("y_label").text(),
                            .x_counts = read_flag(place, "x_counts"),
                            .log_x = read_flag(place, "log_x"),
                            .log_y = read_flag(place, "log_y")});
    const std::vector<Place> lines = place.at("lines").items();
    if (lines.empty()) place.at("lines").fail("it must have a line");
    for (const Place& line : lines) {
      line.allow({"row", "table", "groups", "column", "curves", "called", "title", "colour",
                  "stroke", "marker"});
      if (line.has("row")) {
        add_cells(line);
      } else {
        add_curve(line);
      }
    }
  }

  void add_line(PlotLine style, std::size_t column) {
    style.y = column;
    plot_.panels.back().lines.push_back(std::move(style));
  }

  /// A column of a model's curves.
  void add_curve(const Place& place) {
    const ModelFigure from = place.has("curves") ? read_curves(place.at("curves")) : figure_;
    if (from.figure == nullptr) place.fail("it has neither a row nor curves");
    const std::string name = place.at("column").text();
    const PlotLine style = read_style(place, name);
    const std::string called = text_or(place, "called", name);
    if (!with_curves_) return;
    const Curves& curves = curves_of(from);
    PlotData& data = plot_.data;
    if (data.columns.empty()) {
      data.columns = {curves.columns.front()};
      for (const auto& row : curves.rows) data.rows.push_back({row.front()});
    }
    const auto found = std::ranges::find(curves.columns, name);
    if (found == curves.columns.end()) place.fail(unknown_name("column", name, curves.columns));
    if (curves.rows.size() != data.rows.size()) {
      place.fail(fmt::format("its curve has {} points, and the first one {}", curves.rows.size(),
                             data.rows.size()));
    }
    add_line(style, data.columns.size());
    data.columns.push_back(called);
    const auto column = static_cast<std::size_t>(found - curves.columns.begin());
    for (std::size_t i = 0; i < data.rows.size(); ++i) {
      data.rows[i].push_back(curves.rows[i][column]);
    }
  }

  /// All columns of the model's figure, which is not drawn.
  void add_data() {
    if (!with_curves_) return;
    const Curves& curves = curves_of(figure_);
    plot_.data.columns = curves.columns;
    for (const auto& row : curves.rows) plot_.data.rows.emplace_back(row.begin(), row.end());
  }

  /// The model's own figure, thinned.
  const Curves& curves_of(const ModelFigure& from) {
    const auto known = curves_.find(from.figure);
    if (known != curves_.end()) return known->second;
    const Curves curves =
        from.figure->curves(complete(from.model->axes, parameters_, available_cores()));
    return curves_[from.figure] = thinned(curves, points_);
  }

  /// Three columns of the data, once for all panels, and the lines that show them.
  void add_cells(const Place& place) {
    if (table_ == nullptr) place.at("row").fail("the figure has no table");
    const std::vector<FigureCell> cells = read_cells(place);
    const std::string label = place.at("row").text();
    const std::string called = text_or(place, "called", label);
    const auto [known, is_new] = columns_.try_emplace(called, plot_.data.columns.size());
    if (is_new) add_columns(called, cells);
    const std::size_t first = known->second;
    PlotLine style = read_style(place, label);
    const PlotLine inferred{
        .title = "", .colour = style.colour, .stroke = Stroke::dotted, .marker = style.marker};
    PlotLine measured = style;
    const bool is_printed =
        std::ranges::any_of(cells, [](const FigureCell& cell) { return cell.printed.has_value(); });
    (is_printed ? measured : style).title.clear();
    style.stroke = Stroke::dashed;
    add_line(style, first);
    add_line(measured, first + 1);
    add_line(inferred, first + 2);
  }

  /// Of the line's row: the figure's, unless it names another.
  const Definition& table_of(const Place& line) {
    return line.has("table") ? find_table(line.at("table"), all_) : *table_;
  }

  /// One for each size.
  std::vector<FigureCell> read_cells(const Place& line) {
    const Definition& table = table_of(line);
    for (const char* field : {"table", "groups"}) {
      if (line.has(field) && groups_.empty()) line.at(field).fail("the figure is not over groups");
    }
    const auto cell_of = [&](const std::string& group, std::size_t column) -> FigureCell {
      const RowReference reference{
          .table = {}, .group = group, .row = line.at("row").text(), .called = {}};
      const RowPlace row = find_row(line, reference, {.table = &table}, all_);
      return {printed_number(row.row->published[column].value_or(""), row.row->unit),
              rows_(row).cells[column]};
    };
    std::vector<FigureCell> cells;
    if (!groups_.empty()) {
      const std::size_t column = find_column(line.at("column"), table);
      std::vector<std::string> groups = groups_;
      if (line.has("groups")) {
        groups.clear();
        for (const Place& group : line.at("groups").items()) groups.push_back(group.text());
        if (groups.size() != groups_.size()) {
          line.at("groups").fail(
              fmt::format("{} groups for {} sizes", groups.size(), groups_.size()));
        }
      }
      for (const std::string& group : groups) cells.push_back(cell_of(group, column));
    } else if (!columns_of_sizes_.empty()) {
      for (const std::size_t column : columns_of_sizes_) cells.push_back(cell_of("", column));
    } else {
      for (std::size_t i = 0; i < table_->columns.size(); ++i) cells.push_back(cell_of("", i));
    }
    return cells;
  }

  void add_columns(const std::string& called, const std::vector<FigureCell>& cells) {
    for (const char* kind : {"published", "measured", "computed or extrapolated"}) {
      plot_.data.columns.push_back(fmt::format("{}, {}", called, kind));
    }
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const auto& [printed, here] = cells[i];
      const bool is_evidence = is_its_own(here);
      std::vector<std::optional<double>>& row = plot_.data.rows[i];
      row.push_back(shown(printed));
      row.push_back(shown(is_evidence ? here.value : std::nullopt));
      row.push_back(shown(is_inferred(here) ? here.value : std::nullopt));
    }
  }

  [[nodiscard]] std::optional<double> shown(std::optional<double> number) const {
    if (!number) return std::nullopt;
    return square_roots_ ? std::sqrt(*number) : *number;
  }

  const Place& place_;
  Definitions& all_;
  const Lookup& lookup_;
  const Machine& machine_;
  bool with_curves_;
  Plot plot_;
  bool square_roots_ = false;          ///< of the cells' numbers
  const Definition* table_ = nullptr;  ///< of the cells
  std::vector<std::string> groups_;    ///< one per size; none if the sizes are the table's columns
  std::vector<std::size_t> columns_of_sizes_;  ///< these, if not all
  ModelFigure figure_;                         ///< of curves that name no other
  Parameters parameters_;                      ///< of the curves: others are the model's defaults
  std::size_t points_ = 200;                   ///< of a curve, at most about so many
  std::map<const Figure*, Curves> curves_;
  std::map<std::string, std::size_t> columns_;  ///< by what the lines of cells are called
  MadeRows rows_{all_, lookup_, machine_};
};

std::vector<Plot> plots_in(const fs::path& path, Definitions& all, const Lookup& lookup,
                           const Machine& machine, bool with_curves) {
  const std::string paper = path.parent_path().filename().string();
  std::vector<Plot> plots;
  for_each_in(path, "figures", [&](const Place& figure) {
    plots.push_back(FigureMaker(figure, all, lookup, machine, with_curves).make(paper));
  });
  return plots;
}

}  // namespace

void check_figures(const fs::path& file, Definitions& all) {
  plots_in(file, all, lookup_in(Results{}), Machine{}, false);
}

std::vector<Plot> paper_plots(Definitions& all, const Lookup& lookup, const Machine& machine) {
  std::vector<Plot> plots;
  for (const std::string& paper : all.papers()) {
    const fs::path file = all.folder() / paper / figures_file;
    read_or_leave_out(all.leave_out(), paper + "/figures", [&] {
      std::ranges::move(plots_in(file, all, lookup, machine, true), std::back_inserter(plots));
    });
  }
  return plots;
}

}  // namespace macrobench
