// macrobench verify: what results from elsewhere are worth.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <string>
#include <vector>

#include "harness/command_line/command.hpp"
#include "harness/command_line/output_options.hpp"
#include "harness/command_line/sheet_output.hpp"
#include "harness/records/results_folder.hpp"
#include "paper_tables/verify/folder_checks.hpp"
#include "paper_tables/verify/proofs.hpp"
#include "paper_tables/verify/verification_render.hpp"

namespace macrobench {

namespace {

namespace fs = std::filesystem;

struct Flags {
  std::vector<std::string> folders;
  int rerun = 0;
  int seed = 1;
  RunOptions run;
  OutputOptions output;
};

Verification verify(const fs::path& folder, const Flags& flags) {
  Verification one{.name = folder_name(folder), .checks = {}};
  Check files{.name = "files", .about = "regular files, and no link to others"};
  for (std::string& fault : foreign_files(folder)) files.fail(std::move(fault));
  const bool is_readable = files.faults.empty();
  one.checks.push_back(std::move(files));
  if (!is_readable) return one;

  const Results results = read_results(folder);
  std::ranges::move(check_folder(results), std::back_inserter(one.checks));
  const Progress progress{
      .says = [](const std::string& message) { print_text_line(stderr, message); }};
  one.checks.push_back(certify_solutions(folder, results, flags.run, progress));
  one.checks.push_back(rerun_cases(results, this_machine(),
                                   {flags.rerun, static_cast<std::uint64_t>(flags.seed)}, flags.run,
                                   progress));
  return one;
}

ExitCode run(const Flags& flags) {
  std::vector<Verification> all;
  ExitCode code = ExitCode::ok;
  for (const std::string& name : flags.folders) {
    all.push_back(verify(find_machine_folder(name), flags));
    code = gravest(code, all.back().code());
  }
  flags.output.print(
      output_of_sheets("verify", [&] { return document_of(all); }, [&] { return sheets_of(all); }));
  return code;
}

const RegisterCommand registered{
    {.name = "verify",
     .summary = "Judge folders of results: are the results certified, and were the times rerun?",
     .example = "  macrobench verify results/nvidia_h200\n"
                "  macrobench verify from_elsewhere --rerun 10 --seed 7\n"
                "results certified: every result has its solution (sweep --out), and it "
                "certifies again; "
                "else not stored.\n"
                "times rerun: every case was rerun and came out the same; else self-reported.\n"
                "Exit code 3: a check failed.",
     .rank = 31},
    [](Flags& flags, Options& app) {
      app.add_option("folders", flags.folders,
                     "Machines' folders of results (part of a name is enough)",
                     {.type_name = "FOLDER", .required = true, .values = {{1, 16}}});
      app.add_option("--rerun", flags.rerun,
                     "Rerun this many cases, drawn from this machine's and build's",
                     {.range = {{0, 1'000'000}}});
      app.add_option("--seed", flags.seed, "The seed of that draw",
                     {.range = {{0, 1'000'000'000}}});
      app.add_duration("--deadline", flags.run.deadline, "10m",
                       "Kill a case's process after this long (90s, 10m, none)");
      app.add_flag("--certify", flags.run.thorough,
                   "Check every state of every stored solution, however long it takes");
      flags.output.add_to(app, {"text", "md", "html", "csv", "json"});
    },
    run};

}  // namespace

}  // namespace macrobench
