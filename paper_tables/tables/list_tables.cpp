// macrobench list tables: every table that can be replicated or printed.

#include "harness/command_line/list_topics.hpp"
#include "harness/command_line/sheet_output.hpp"
#include "paper_tables/cells/definitions.hpp"
#include "paper_tables/cells/table_options.hpp"

namespace macrobench {

namespace {

using enum Column::Kind;

Sheet tables() {
  using One = const Definition*;
  Definitions all(definitions_in_use(), leave_out_except({}));
  return SheetOf<One>("tables", {"table"})
      .column("table", {"table", words}, [](One one) { return one->id(); })
      .column("model", {"model", words}, [](One one) { return one->model; })
      .column("published_on", {"published on", words}, [](One one) { return one->hardware.id; })
      .column("caption", {"caption", words, Column::Place::below},
              [](One one) { return one->caption; })
      .of(all.get_all({}));
}

const RegisterListTopic registered{
    {.name = "tables", .summary = "the papers' tables, and the published machines", .output = [] {
       return listed(tables, "Tables, each with published beside measured numbers",
                     "macrobench replicate TABLE runs what one needs, and macrobench tables TABLE "
                     "prints it from the records.");
     }}};

}  // namespace

}  // namespace macrobench
