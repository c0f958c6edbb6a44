#include "paper_tables/plots/plot.hpp"

#include <fmt/format.h>

#include <cmath>

#include "harness/text/csv.hpp"

namespace macrobench {

std::string to_csv(const Plot& plot) {
  std::string text = csv_line(plot.data.columns);
  for (std::size_t i = 0; i < plot.data.rows.size(); ++i) {
    std::vector<std::string> fields;
    if (!plot.data.words.empty()) fields.push_back(plot.data.words[i]);
    for (const std::optional<double>& number : plot.data.rows[i]) {
      fields.push_back(number && std::isfinite(*number) ? fmt::format("{:.7g}", *number) : "");
    }
    text += csv_line(fields);
  }
  return text;
}

void write_plot(const Plot& plot, const OutputFolder& out) {
  out.write(plot.name + ".csv", to_csv(plot));
  const std::string svg = to_svg_file(plot);
  if (!svg.empty()) out.write(plot.name + ".svg", svg);
}

}  // namespace macrobench
