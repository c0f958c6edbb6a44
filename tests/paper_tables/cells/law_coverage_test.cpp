// Laws of growth in the reference folders: how often a held-out cell lies in its interval.

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <filesystem>
#include <map>

#include "harness/model/registry.hpp"
#include "harness/numbers/law.hpp"
#include "harness/records/results_folder.hpp"
#include "harness/text/known_value.hpp"
#include "paper_tables/cells/find.hpp"
#include "paper_tables/cells/table.hpp"
#include "paper_tables/cells/table_options.hpp"
#include "tests/matchers.hpp"
#include "tests/paper_tables/fixture.hpp"

namespace macrobench {
namespace {

/// Numbers that a law would have shown, and those that agree with what was measured.
struct Coverage {
  int shown = 0;
  int inside = 0;

  void add(const Cell& law, const Cell& measured) {
    ++shown;
    const double apart = std::log(known_value(law.value) / known_value(measured.value));
    const double half = 1.96 * std::sqrt(law.variance + measured.variance);
    inside += std::abs(apart) <= half ? 1 : 0;
  }
};

/// By device and whether it is at most twice as large as the largest of the law's cells.
using Coverages = std::map<std::pair<bool, bool>, Coverage>;

/// Each larger cell by the law through the first ones.
void hold_out(const std::vector<SizedCell>& cells, Sizes sizes, Coverages& found) {
  for (std::size_t n = 3; n < cells.size(); ++n) {
    const LawOfRow law({cells.begin(), cells.begin() + static_cast<std::ptrdiff_t>(n)}, sizes);
    for (std::size_t i = n; i < cells.size(); ++i) {
      const std::optional<Cell> shown = law.at(cells[i].size);
      if (!shown) continue;
      const double reach = cells[i].size.along_axis / cells[n - 1].size.along_axis;
      found[{cells[i].cell.on_gpu, reach <= 2}].add(*shown, cells[i].cell);
    }
  }
}

TEST(LawsOfTheReferences, HaveNineOfTenHeldOutCellsInTheirIntervals) {
  Definitions all(default_definitions());
  Coverages found;
  for (const auto& folder :
       std::filesystem::directory_iterator(source_dir() / "results/reference")) {
    if (!folder.is_directory()) continue;
    const Results results = read_results(folder.path());
    const Machine machine = machine_of(results);
    const Lookup lookup = lookup_in(results);
    for (const Definition* definition : all.get_all({})) {
      const Sizes sizes = definition->its_model().sizes();
      for (const RowPlace& place : places_in(*definition)) {
        if (!is_time(place.row->quantity)) continue;
        std::vector<SizedCell> cells = law_cells_of(*definition, *place.row, all, lookup, machine);
        std::erase_if(cells, [](const SizedCell& one) {
          return !one.cell.value || is_doubted(one.cell.status);
        });
        std::ranges::sort(cells, {}, [](const SizedCell& one) { return one.size.work; });
        hold_out(cells, sizes, found);
      }
    }
  }
  Coverage whole;
  for (const auto& [which, one] : found) {
    RecordProperty(fmt::format("{}_{}", which.first ? "gpu" : "cpu", which.second ? "near" : "far"),
                   fmt::format("{} of {}", one.inside, one.shown));
    fmt::print("{}, {}: {} of {}\n", which.first ? "GPU" : "CPU",
               which.second ? "to twice the size" : "beyond", one.inside, one.shown);
    whole.shown += one.shown;
    whole.inside += one.inside;
  }
  EXPECT_GT(whole.shown, 100);
  EXPECT_GE(whole.inside, 0.9 * whole.shown);
}

}  // namespace
}  // namespace macrobench
