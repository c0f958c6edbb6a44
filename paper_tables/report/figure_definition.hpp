#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/model/registry.hpp"
#include "paper_tables/definitions/definitions.hpp"
#include "paper_tables/report/plot.hpp"

namespace macrobench {

/// Times which price a line's times are shown: nothing's, the GPU's, the CPU's, or that of one of
/// the CPU's cores.
enum class LinePrice { none, gpu, cpu, core };

/// Stands in the caption of a figure with prices, for what they are.
inline constexpr std::string_view prices_in_caption = "{prices}";

/// A cell of a table.
struct CellPlace {
  RowPlace row;
  std::size_t column;
};

/// A line of a figure: through cells of tables, as published, measured and extrapolated, or through
/// a column of a model's curves.
struct FigureLine {
  std::string place;             ///< in the file, for errors
  std::vector<CellPlace> cells;  ///< one for each of FigureDefinition::sizes; none of a curve
  LinePrice price = LinePrice::none;
  const Model* model = nullptr;  ///< of the curves
  const Figure* curves = nullptr;
  std::string column;  ///< of the curves
  std::string called;  ///< in the data
  PlotLine style;      ///< without its columns of the data
};

/// What a paper plots (schema 1).
struct FigureDefinition {
  static constexpr int schema = 1;

  std::string paper;
  Plot plot;                                   ///< without data, and panels without lines
  std::vector<std::vector<FigureLine>> lines;  ///< of each panel
  std::string x;                               ///< what the sizes are called in the data
  std::vector<double> sizes;                   ///< of a figure of cells
  bool square_roots = false;                   ///< of the cells' numbers
  Parameters parameters;                       ///< of the curves: others are the model's defaults
  std::size_t points = 200;                    ///< of a curve, at most about so many
  std::optional<std::size_t> scans;            ///< of a surface: equal parts of the root of x
};

/// Every paper's figures, FOLDER/<paper>/figures.json, in the order of these files. Throws
/// UsageError with the file and the JSON pointer: also for a table, row, column or model's figure
/// that is not there.
std::vector<FigureDefinition> read_figures(const std::filesystem::path& folder, Definitions& all);

}  // namespace macrobench
