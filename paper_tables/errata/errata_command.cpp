// macrobench errata: what the papers misprint.

#include <nlohmann/json.hpp>

#include "harness/command_line/command.hpp"
#include "harness/command_line/output_options.hpp"
#include "paper_tables/cells/table_options.hpp"
#include "paper_tables/errata/errata.hpp"

namespace macrobench {

namespace {

struct Flags {
  std::vector<std::string> papers;
  OutputOptions output;
  std::string definitions;
};

ExitCode errata(const Flags& flags) {
  const Errata found = find_errata(flags.definitions, flags.papers);
  flags.output.print(output_of(found));
  return ExitCode::ok;
}

const RegisterCommand registered{
    {.name = "errata",
     .summary = "Misprints: numbers that do not follow from the papers' own",
     .example =
         "  macrobench errata\n"
         "  macrobench errata --paper hatcher_scheffel_2014\n"
         "  macrobench errata --format md > paper_tables/ERRATA.md\n"
         "Every derived number is recomputed from the paper's other numbers, each allowed to\n"
         "be anything that rounds to what is printed. A rule is stated by the paper or\n"
         "inferred by us; all misses of an inferred rule below 10% are one finding.",
     .rank = 42},
    [](Flags& flags, Options& app) {
      app.add_option("--paper", flags.papers, "Only of this paper (aldrich_2010); may be repeated",
                     {.type_name = "NAME"});
      flags.output.add_to(app, {"text", "md", "html", "csv", "json"});
      add_definitions_option(app, flags.definitions);
    },
    errata};

}  // namespace

}  // namespace macrobench
