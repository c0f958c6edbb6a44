#include "paper_tables/table_options.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

namespace macrobench {

namespace {

constexpr std::size_t usual_width = 100;

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

std::filesystem::path tables_folder(const std::filesystem::path& results) {
  return results / "tables";
}

std::size_t terminal_width() {
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return usual_width;
  return size.ws_col;
}

}  // namespace macrobench
