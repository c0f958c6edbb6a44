#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/files/output_folder.hpp"

namespace macrobench {

/// Named columns of numbers, one row per point.
struct PlotData {
  std::vector<std::string> columns;
  std::vector<std::vector<std::optional<double>>> rows = {};
};

enum class Stroke { solid, dashed, dotted };

/// A curve: two columns of the data. Its color, its stroke and its marker each identify it.
struct PlotLine {
  std::size_t x = 0;
  std::size_t y = 1;
  std::string title;  ///< in the key; empty: not in the key
  std::string colour;
  Stroke stroke = Stroke::solid;
  std::optional<int> marker = {};  ///< 0 to 4; open where dashed. None: none
};

struct PlotPanel {
  std::string title;
  std::string x_label;
  std::string y_label;
  bool x_counts = false;  ///< of many: 10k, 10M
  bool log_x = false;
  bool log_y = false;
  std::vector<PlotLine> lines = {};
};

/// A figure: its data, and how they are drawn: its panels one below the other, and below them one
/// key for all, with what the first of them has. Without a panel it is data alone.
struct Plot {
  std::string name;  ///< of its files: "aldrich_2014_figure_4"
  std::string title;
  std::string reading;  ///< what strokes and markers mean, said below the title
  std::string caption;  ///< with the source
  PlotData data;
  std::vector<PlotPanel> panels = {};
};

/// Colors that the color-blind can distinguish, and that print in different grays (Okabe and Ito,
/// "Color Universal Design", 2008), without the yellow that paper swallows. An SVG has others of
/// their hues, which stand out from its page, light or dark.
namespace okabe_ito {
inline constexpr const char* black = "#000000";
inline constexpr const char* orange = "#E69F00";
inline constexpr const char* sky_blue = "#56B4E9";
inline constexpr const char* green = "#009E73";
inline constexpr const char* blue = "#0072B2";
inline constexpr const char* vermillion = "#D55E00";
inline constexpr const char* purple = "#CC79A7";
}  // namespace okabe_ito

/// A line of names, then one row per line.
std::string to_csv(const Plot& plot);

/// The data and how they are drawn, for other programs that draw. A line's x and y are columns.
nlohmann::ordered_json to_json(const Plot& plot);

/// The figure as an element of a page, without its title, which the page has; its colors are those
/// of plot_style. Empty if there is nothing to draw.
std::string to_svg(const Plot& plot);
/// The same as a file of its own.
std::string to_svg_file(const Plot& plot);

/// The contents of plot.css, which the build puts into the executable.
extern const std::string_view plot_style;

/// Writes NAME.csv, NAME.json and, if there is something to draw, NAME.svg. Throws Failure if a
/// file cannot be written.
void write_plot(const Plot& plot, const OutputFolder& out);

}  // namespace macrobench
