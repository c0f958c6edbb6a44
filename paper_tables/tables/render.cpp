#include "paper_tables/tables/render.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <system_error>
#include <utility>

#include "harness/system/whole_file.hpp"
#include "harness/text/error.hpp"
#include "harness/text/nearest.hpp"

namespace macrobench {

namespace {

namespace fs = std::filesystem;

constexpr std::array<std::pair<std::string_view, std::string (*)(const Table&)>, 4> renderers{
    {{"json", render_json}, {"csv", render_csv}, {"md", render_markdown}, {"tex", render_latex}}};

}  // namespace

const std::vector<std::string>& table_formats() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const auto& [name, renderer] : renderers) all.emplace_back(name);
    return all;
  }();
  return names;
}

std::string render(const Table& table, std::string_view format) {
  for (const auto& [name, renderer] : renderers) {
    if (name == format) return renderer(table);
  }
  throw UsageError(unknown_name("format", format, table_formats()));
}

void write_table(const Table& table, const fs::path& folder) {
  const fs::path place = folder / table.definition->paper;
  std::error_code failed;
  fs::create_directories(place, failed);
  if (failed) {
    throw Failure(fmt::format("{}: it cannot be made ({})", place.string(), failed.message()));
  }
  for (const std::string& format : table_formats()) {
    write_whole(place / (table.definition->table + "." + format), render(table, format));
  }
}

}  // namespace macrobench
