// macrobench programs: the solvers from outside that were found, and their set-up.

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/command_line/command.hpp"
#include "harness/command_line/output_options.hpp"
#include "harness/programs/program_models.hpp"
#include "harness/text/nearest.hpp"

namespace macrobench {

namespace {

struct Flags {
  std::vector<std::string> names;
  bool set_up = false;
  OutputOptions output;
};

/// Those that are named; all if none is.
std::vector<Manifest> chosen(const std::vector<std::string>& names) {
  const std::vector<Manifest>& all = found_programs().programs;
  if (names.empty()) return all;
  std::vector<Manifest> some;
  for (const std::string& name : names) {
    const auto its = std::ranges::find(all, name, &Manifest::id);
    if (its == all.end()) {
      std::vector<std::string> known;
      for (const Manifest& one : all) known.push_back(one.id());
      throw UsageError(unknown_name("program", name, known));
    }
    some.push_back(*its);
  }
  return some;
}

ExitCode set_up_all(const std::vector<Manifest>& programs) {
  ExitCode code = ExitCode::ok;
  for (const Manifest& program : programs) {
    std::string why = program.untried.empty() ? "" : program.unavailable();
    try {
      if (why.empty()) set_up(program);
      why = program.unavailable();
    } catch (const Failure& error) {
      why = error.what();
      code = ExitCode::failed;
    }
    print_line(stdout, "{}: {}", program.id(), why.empty() ? "ready" : why);
  }
  return code;
}

Document document_of(const std::vector<Manifest>& programs) {
  using enum Column::Kind;
  std::vector<Row> rows;
  for (const Manifest& program : programs) {
    const std::string why = program.unavailable();
    rows.push_back({{program.id(), why.empty() ? "ready" : why, program.summary}});
  }
  return {.title = "Programs",
          .body = {grid_of({{"program", words}, {"here", words}, {"", words}}, std::move(rows))}};
}

nlohmann::ordered_json as_json(const std::vector<Manifest>& programs) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Manifest& program : programs) {
    list.push_back({{"name", program.id()},
                    {"folder", program.folder.string()},
                    {"digest", program.digest},
                    {"why_not", program.unavailable()},
                    {"summary", program.summary}});
  }
  return list;
}

ExitCode run(const Flags& flags) {
  const std::vector<Manifest> programs = chosen(flags.names);
  if (flags.set_up) return set_up_all(programs);
  flags.output.print({.document = [&] { return document_of(programs); },
                      .json = [&] { return as_json(programs); }});
  return ExitCode::ok;
}

const RegisterCommand registered{
    {.name = "programs",
     .summary = "Solvers in other languages, and their set-up",
     .example = "  macrobench programs\n"
                "  macrobench programs --setup rbc/numpy newton/numpy",
     .rank = 13},
    [](Flags& flags, Options& app) {
      app.add_option("names", flags.names, "Only these", {.values = {{0, 1000}}});
      app.add_flag("--setup", flags.set_up,
                   "Run each program's set-up, unless that was done: it may fetch packages");
      flags.output.add_to(app, {"text", "md", "html", "json"});
    },
    run};

}  // namespace

}  // namespace macrobench
