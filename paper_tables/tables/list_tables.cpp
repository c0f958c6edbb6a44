// macrobench list tables: every table that can be replicated or printed.

#include <nlohmann/json.hpp>

#include "harness/text/each.hpp"
#include "paper_tables/cells/definitions.hpp"
#include "paper_tables/cells/list_options.hpp"
#include "paper_tables/cells/table_options.hpp"

namespace macrobench {

namespace {

nlohmann::ordered_json tables() {
  Definitions all(definitions_in_use());
  return each(all.get_all({}), [](const Definition* table) -> nlohmann::ordered_json {
    return {{"table", table->id()},
            {"model", table->model},
            {"hardware", table->hardware},
            {"caption", table->caption}};
  });
}

const RegisterListTopic registered{
    {.name = "tables", .summary = "the papers' tables, and the published machines", .output = [] {
       using enum Column::Kind;
       return listed("tables", tables, "Tables, each with published beside measured numbers",
                     {{"table", words},
                      {"model", words},
                      {"published on", words},
                      {"caption", words, Column::Place::below}},
                     "macrobench replicate TABLE runs what one needs, and macrobench tables TABLE "
                     "prints it from the records.");
     }}};

}  // namespace

}  // namespace macrobench
