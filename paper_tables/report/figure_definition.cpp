#include "paper_tables/report/figure_definition.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <tuple>
#include <utility>

#include "harness/text/error.hpp"
#include "harness/text/nearest.hpp"
#include "paper_tables/definitions/definitions.hpp"
#include "paper_tables/definitions/find.hpp"
#include "paper_tables/definitions/place.hpp"

namespace macrobench {

namespace {

namespace fs = std::filesystem;

template <class T, std::size_t N>
T read_choice(const Place& place, std::string_view kind,
              const std::array<std::pair<const char*, T>, N>& choices) {
  const std::string text = place.text();
  std::vector<std::string> names;
  for (const auto& [name, choice] : choices) {
    if (name == text) return choice;
    names.emplace_back(name);
  }
  place.fail(unknown_name(kind, text, names));
}

/// One of Okabe's and Ito's colours by its name, or "#1a2b3c".
std::string read_colour(const Place& place) {
  const std::string text = place.text();
  const bool is_number = text.size() == 7 && text.front() == '#' &&
                         text.find_first_not_of("0123456789abcdefABCDEF", 1) == std::string::npos;
  if (is_number) return text;
  constexpr std::array<std::pair<const char*, const char*>, 7> colours{
      {{"black", okabe_ito::black},
       {"orange", okabe_ito::orange},
       {"sky_blue", okabe_ito::sky_blue},
       {"green", okabe_ito::green},
       {"blue", okabe_ito::blue},
       {"vermillion", okabe_ito::vermillion},
       {"purple", okabe_ito::purple}}};
  return read_choice(place, "colour", colours);
}

Stroke read_stroke(const Place& place) {
  constexpr std::array<std::pair<const char*, Stroke>, 3> strokes{
      {{"solid", Stroke::solid}, {"dashed", Stroke::dashed}, {"dotted", Stroke::dotted}}};
  return read_choice(place, "stroke", strokes);
}

LinePrice read_price(const Place& place) {
  constexpr std::array<std::pair<const char*, LinePrice>, 3> prices{
      {{"gpu", LinePrice::gpu}, {"cpu", LinePrice::cpu}, {"core", LinePrice::core}}};
  return read_choice(place, "processor", prices);
}

bool read_flag(const Place& place, const std::string& name) {
  return place.has(name) && place.at(name).truth();
}

/// A figure of a model, and the model.
std::pair<const Model*, const Figure*> read_curves(const Place& place) {
  const std::string name = place.text();
  std::vector<std::string> names;
  for (const Model& model : Registry::global().models()) {
    for (const Figure& figure : model.figures) {
      if (figure.name == name) return {&model, &figure};
      names.push_back(figure.name);
    }
  }
  place.fail(unknown_name("figure of a model", name, names));
}

/// Reads one figure of a paper.
class FigureReader {
 public:
  FigureReader(const std::string& file, const Place& place, std::string paper, Definitions& all)
      : file_(file), place_(place), all_(all) {
    figure_.paper = std::move(paper);
  }

  FigureDefinition read() {
    place_.allow({"figure", "title", "reading", "caption", "height", "table", "x", "square_roots",
                  "curves", "parameters", "points", "scans", "panels"});
    Plot& plot = figure_.plot;
    plot.name = figure_.paper + "_" + read_name(place_.at("figure"));
    plot.title = place_.at("title").text();
    plot.caption = place_.at("caption").text();
    if (place_.has("height")) plot.height = static_cast<int>(place_.at("height").count());
    figure_.square_roots = read_flag(place_, "square_roots");
    if (place_.has("table")) {
      table_ = &find_table(place_.at("table"), all_);
      read_sizes(place_.at("x"));
      plot.reading = "dashed, open: published; solid, filled: measured; dotted: extrapolated";
    }
    if (place_.has("curves")) read_curves_of_figure();
    if (place_.has("points")) figure_.points = place_.at("points").count();
    if (place_.has("reading")) plot.reading = place_.at("reading").text();
    for (const Place& panel : place_.at("panels").items()) read_panel(panel);
    if (plot.panels.empty()) place_.at("panels").fail("it must have a panel");
    return std::move(figure_);
  }

 private:
  /// It is a part of file names.
  static std::string read_name(const Place& place) {
    std::string name = place.text();
    const bool is_name =
        !name.empty() &&
        name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == std::string::npos;
    if (!is_name) place.fail("it must be of small letters, digits and underscores");
    return name;
  }

  /// Along an axis of the table's columns, or over groups of its rows.
  void read_sizes(const Place& place) {
    place.allow({"called", "axis", "groups"});
    figure_.x = place.at("called").text();
    if (place.has("groups")) {
      for (const Place& group : place.at("groups").items()) {
        group.allow({"at", "group"});
        figure_.sizes.push_back(group.at("at").number());
        groups_.push_back(group);
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
      figure_.sizes.push_back(static_cast<double>(*size));
    }
  }

  void read_curves_of_figure() {
    curves_ = read_curves(place_.at("curves"));
    if (place_.has("parameters")) {
      figure_.parameters = parameters_at(place_.at("parameters"), *curves_.first);
    }
    if (place_.has("scans")) figure_.scans = place_.at("scans").count();
  }

  void read_panel(const Place& place) {
    place.allow({"title", "x_label", "y_label", "x_counts", "log_x", "log_y", "lines"});
    figure_.plot.panels.push_back({.title = place.text_or_empty("title"),
                                   .x_label = place.at("x_label").text(),
                                   .y_label = place.at("y_label").text(),
                                   .x_counts = read_flag(place, "x_counts"),
                                   .log_x = read_flag(place, "log_x"),
                                   .log_y = read_flag(place, "log_y"),
                                   .kind = figure_.scans ? PanelKind::surface : PanelKind::curves,
                                   .lines = {}});
    std::vector<FigureLine>& lines = figure_.lines.emplace_back();
    for (const Place& line : place.at("lines").items()) lines.push_back(read_line(line));
    if (lines.empty()) place.at("lines").fail("it must have a line");
  }

  FigureLine read_line(const Place& place) {
    place.allow(
        {"row", "column", "curves", "called", "title", "colour", "stroke", "marker", "price"});
    FigureLine line;
    line.place = fmt::format("{} at {}", file_, place.pointer());
    if (place.has("row")) {
      if (table_ == nullptr) place.at("row").fail("the figure has no table");
      line.cells = read_cells(place);
      line.called = place.at("row").text();
      if (place.has("price")) {
        line.price = read_price(place.at("price"));
        if (figure_.plot.caption.find(prices_in_caption) == std::string::npos) {
          place.at("price").fail(
              fmt::format("the figure's caption must have {} in it", prices_in_caption));
        }
      }
    } else {
      std::tie(line.model, line.curves) =
          place.has("curves") ? read_curves(place.at("curves")) : curves_;
      if (line.curves == nullptr) place.fail("it has neither a row nor curves");
      line.called = line.column = place.at("column").text();
    }
    line.style.title = place.has("title") ? place.at("title").text() : line.called;
    if (place.has("called")) line.called = place.at("called").text();
    line.style.colour = read_colour(place.at("colour"));
    if (place.has("stroke")) line.style.stroke = read_stroke(place.at("stroke"));
    if (place.has("marker")) {
      const std::int64_t marker = place.at("marker").whole();
      if (marker < 0 || marker > 4) place.at("marker").fail("it must be from 0 to 4");
      line.style.marker = static_cast<int>(marker);
    }
    return line;
  }

  std::vector<CellPlace> read_cells(const Place& line) {
    const auto row_in = [&](const std::string& group) {
      const RowReference reference{
          .table = {}, .group = group, .row = line.at("row").text(), .called = {}};
      return find_row(line, reference, {.table = table_}, all_);
    };
    std::vector<CellPlace> cells;
    if (groups_.empty()) {
      const RowPlace row = row_in({});
      for (std::size_t i = 0; i < figure_.sizes.size(); ++i) cells.push_back({row, i});
    } else {
      const std::size_t column = find_column(line.at("column"), *table_);
      for (const Place& group : groups_)
        cells.push_back({row_in(group.at("group").text()), column});
    }
    return cells;
  }

  const std::string& file_;
  const Place& place_;
  Definitions& all_;
  FigureDefinition figure_;
  const Definition* table_ = nullptr;
  std::pair<const Model*, const Figure*> curves_ = {};
  std::vector<Place> groups_;
};

}  // namespace

std::vector<FigureDefinition> read_figures(const fs::path& folder, Definitions& all) {
  std::vector<FigureDefinition> figures;
  for (const std::string& paper : all.papers()) {
    const fs::path path = folder / paper / figures_file;
    if (!fs::exists(path)) continue;
    const std::string file = display_path(path);
    const nlohmann::json document = read_json(path, file);
    const Place top(file, document);
    top.allow({"schema", "figures"});
    top.at("schema").check_schema(FigureDefinition::schema);
    for (const Place& place : top.at("figures").items()) {
      figures.push_back(FigureReader(file, place, paper, all).read());
    }
  }
  return figures;
}

}  // namespace macrobench
