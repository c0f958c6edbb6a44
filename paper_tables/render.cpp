#include "paper_tables/render.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>
#include <utility>

#include "harness/error.hpp"
#include "harness/nearest.hpp"

namespace macrobench {

namespace {

namespace fs = std::filesystem;

constexpr std::array<std::pair<std::string_view, std::string (*)(const Table&)>, 4> renderers{
    {{"json", render_json}, {"csv", render_csv}, {"md", render_markdown}, {"tex", render_latex}}};

void write_whole(const fs::path& path, const std::string& text) {
  fs::path unfinished = path;
  unfinished += ".unfinished";
  errno = 0;
  std::ofstream stream(unfinished, std::ios::binary);
  stream << text;
  stream.close();
  std::error_code failed;
  if (stream) {
    fs::rename(unfinished, path, failed);
    if (!failed) return;
  } else {
    failed = std::error_code(errno, std::generic_category());
  }
  std::error_code ignored;
  fs::remove(unfinished, ignored);
  throw Failure(fmt::format("{}: it cannot be written ({})", path.string(), failed.message()));
}

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
