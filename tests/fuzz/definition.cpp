// What reads the definition of a table, and every format of a table of which nothing was measured.

#include <nlohmann/json.hpp>

#include "harness/files/temporary_folder.hpp"
#include "paper_tables/cells/definitions.hpp"
#include "paper_tables/cells/lookup.hpp"
#include "paper_tables/cells/plan.hpp"
#include "paper_tables/tables/render.hpp"
#include "tests/fuzz/target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace macrobench;
  static const TemporaryFolder folder;
  write_input(folder.path() / "paper/table.json", data, size);
  read_or_refuse("table.json", [] {
    Definitions all(folder.path());
    const Definition& definition = all.get("paper/table");
    const Results nothing;
    const Table table = make_table(definition, all, lookup_in(nothing), "folder", {});
    for (const std::string& format : table_formats()) {
      require(!render(table, format).empty(), "a table says something");
    }
    require(!to_text(document_of(table), 80).empty(), "a table says something");
    const auto json = nlohmann::json::parse(render(table, "json"));
    std::size_t cells = 0;
    for (const TableGroup& group : table.groups) {
      cells += group.rows.size() * definition.columns.size();
    }
    require(json.at("tables").at("cells").at("rows").size() == cells, "every cell is there");
    static_cast<void>(plan_of({&definition}, all, 1));
  });
  return 0;
}
