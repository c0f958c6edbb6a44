// macrobench list tables: every table that can be replicated or printed.

#include <nlohmann/json.hpp>

#include "harness/command_line/list_topics.hpp"
#include "paper_tables/cells/definitions.hpp"
#include "paper_tables/tables/table_options.hpp"

namespace macrobench {

namespace {

Document tables_listed() {
  Definitions all(definitions_in_use());
  std::vector<Row> rows;
  for (const Definition* table : all.get_all({})) {
    rows.push_back({{table->id(), table->model, table->hardware, table->caption}});
  }
  using enum Column::Kind;
  return {.title = "Tables, each with published beside measured numbers",
          .body = {grid_of({{"table", words},
                            {"model", words},
                            {"in print on", words},
                            {"caption", words, Column::Place::below}},
                           std::move(rows)),
                   Paragraph{"macrobench replicate TABLE runs what one needs, and macrobench "
                             "tables TABLE prints it from the records."}}};
}

nlohmann::ordered_json tables_as_json() {
  Definitions all(definitions_in_use());
  nlohmann::ordered_json json{{"schema", 1}, {"tables", nlohmann::ordered_json::array()}};
  for (const Definition* table : all.get_all({})) {
    json["tables"].push_back({{"table", table->id()},
                              {"model", table->model},
                              {"hardware", table->hardware},
                              {"caption", table->caption}});
  }
  return json;
}

const RegisterListTopic registered{
    {.name = "tables", .summary = "the papers' tables, and the machines in print", .output = [] {
       return Output{.document = tables_listed, .json = tables_as_json};
     }}};

}  // namespace

}  // namespace macrobench
