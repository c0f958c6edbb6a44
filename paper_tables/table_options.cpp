#include "paper_tables/table_options.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

namespace macrobench {

namespace {

constexpr std::size_t usual_width = 100;

std::string text_at(const nlohmann::ordered_json& block, const char* pointer) {
  const nlohmann::ordered_json::json_pointer at(pointer);
  return block.contains(at) && block[at].is_string() ? block[at].get<std::string>() : std::string();
}

}  // namespace

void TableOptions::add_to(CLI::App& app) {
  app.add_option("tables", tables,
                 "Tables (aldrich_2010/table_3) or papers (aldrich_2010); all if none")
      ->type_name("TABLE");
  definitions = default_definitions();
  app.add_option("--definitions", definitions, "Folder of the tables' definitions")
      ->envname("MACROBENCH_DEFINITIONS");
}

std::string default_definitions() {
  return MACROBENCH_PAPER_TABLES_DIR;
}

std::string describe(const Machine& machine) {
  const std::string cpu = text_at(machine.block, "/cpu/model");
  const std::string gpu = text_at(machine.block, "/gpu/name");
  const std::string compiler = text_at(machine.block, "/compiler/name");
  const int cores = machine.cores();
  std::string text = fmt::format("{}, {} {}, {}", cpu.empty() ? "unknown CPU" : cpu, cores,
                                 cores == 1 ? "core" : "cores", gpu.empty() ? "no GPU" : gpu);
  if (!compiler.empty()) text += ", " + compiler;
  return text;
}

std::filesystem::path tables_folder(const std::filesystem::path& results) {
  return results / "tables";
}

std::size_t terminal_width() {
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return usual_width;
  return size.ws_col;
}

}  // namespace macrobench
