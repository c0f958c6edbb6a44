// Laws of growth in the reference folders: how often a held-out cell lies in its interval.

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <map>

#include "harness/model/registry.hpp"
#include "harness/numbers/law.hpp"
#include "harness/records/results_folder.hpp"
#include "paper_tables/cells/table.hpp"
#include "paper_tables/cells/table_options.hpp"
#include "paper_tables/cells/find.hpp"
#include "tests/matchers.hpp"
#include "tests/paper_tables/fixture.hpp"

namespace macrobench {
namespace {

TEST(Laws, DISABLED_dump) {
  Definitions all(default_definitions());
  for (const auto& folder :
       std::filesystem::directory_iterator(source_dir() / "results/reference")) {
    if (!folder.is_directory()) continue;
    const Results results = read_results(folder.path());
    const Machine machine = machine_of(results);
    const Lookup lookup = lookup_in(results);
    for (const Definition* definition : all.get_all({})) {
      for (const RowPlace& place : places_in(*definition)) {
        if (!is_time(place.row->quantity)) continue;
        const auto cells = law_cells_of(*definition, *place.row, all, lookup, machine);
        std::string line;
        for (const auto& [size, cell] : cells) {
          if (!cell.value || is_doubted(cell.status)) continue;
          line += fmt::format("{},{},{},{};", size.along_axis, size.work, *cell.value, cell.variance);
        }
        const bool of_work = Registry::global().model(definition->model).sizes() == Sizes::of_work;
        fmt::print("LAW|{}|{}|{}|{}|{}|{}\n", folder.path().filename().string(), definition->id(),
                   place.row->label, of_work, cells.empty() ? false : cells.back().cell.on_gpu, line);
      }
    }
  }
}

}  // namespace
}  // namespace macrobench
