// macrobench diff: two solutions, array by array.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "harness/command_line/command.hpp"
#include "harness/command_line/output_options.hpp"
#include "harness/command_line/sheet_output.hpp"
#include "harness/files/temporary_folder.hpp"
#include "harness/files/whole_file.hpp"
#include "harness/machine/machine.hpp"
#include "harness/model/array_difference.hpp"
#include "harness/model/array_view.hpp"
#include "harness/model/registry.hpp"
#include "harness/model/solution_file.hpp"
#include "harness/records/record_facts.hpp"
#include "harness/records/results_folder.hpp"
#include "harness/run/job.hpp"
#include "harness/run/runner.hpp"
#include "harness/text/format.hpp"
#include "harness/text/strings.hpp"

namespace macrobench {

namespace {

namespace fs = std::filesystem;

struct Flags {
  std::string results;
  double within = 0;
  RunOptions run;
  OutputOptions output;
};

/// "rbc/serial nk=64 'path=a b'" or "rbc/serial --nk 64", as a key or a command line has it.
AxisOptions words_of(const std::string& operand) {
  std::vector<std::string> words;
  bool quoted = false;
  bool between = true;
  for (const char c : operand) {
    if (c == '\'') {
      quoted = !quoted;
    } else if (c == ' ' && !quoted) {
      between = true;
    } else {
      if (std::exchange(between, false)) words.emplace_back();
      words.back() += c;
    }
  }
  bool is_value = false;  // of the option before it
  for (std::size_t i = 1; i < words.size(); ++i) {
    const bool has_value = words[i].find('=') != std::string::npos;
    const bool is_option = !is_value && words[i].starts_with("--");
    if (has_value && !is_value && !is_option) words[i].insert(0, "--");
    is_value = is_option && !has_value;
  }
  AxisOptions options = parse_axis_options(words);
  if (options.names.size() != 1) {
    throw UsageError(
        "'{}' is neither a file nor a case, such as rbc/serial or 'rbc/serial nk=1024' (macrobench "
        "list shows them)",
        shown(operand));
  }
  return options;
}

/// One of the two, and where its solution is.
struct Side {
  Case which;
  std::string key;   ///< that the solution has
  fs::path file;     ///< of a stored solution; empty: it is still to be solved
  std::string from;  ///< "solved now", or where it is stored
};

bool is_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

std::string stored_in(const fs::path& file) {
  try {
    return read_whole(file, largest_stored_solution);
  } catch (const std::system_error& error) {
    throw UsageError("{}: {}", file.string(), error.code().message());
  }
}

Case case_of(const AxisOptions& own, const AxisOptions& shared) {
  const Registry& registry = Registry::global();
  const Implementation& implementation = registry.implementation(own.names.front());
  AxisOptions all = own;
  for (const auto& [name, text] : shared.values) {
    const auto has_name = [&name](const auto& one) { return one.first == name; };
    if (std::ranges::none_of(own.values, has_name)) all.values.emplace_back(name, text);
  }
  // An axis of both that one of the two implementations lacks is the other's.
  const Parameters given = all.parameters(registry.model(implementation.model).axes);
  Parameters taken = only_taken(implementation, given);
  for (const auto& [name, text] : own.values) taken.set(name, *given.find(name));
  return registry.make_case(implementation.id(), taken, available_cores());
}

Side side_of(const std::string& operand, const AxisOptions& shared, const Flags& flags) {
  if (is_file(operand)) {
    try {
      const std::string key = key_of_stored(stored_in(operand));
      return {case_of(words_of(key), {}), key, operand, "stored in " + operand};
    } catch (const UsageError& error) {
      throw UsageError("{}: {}", operand, error.what());
    }
  }
  if (operand.find('/') == std::string::npos || fs::path(operand).is_absolute()) {
    throw UsageError("{}: there is no such file, and it is not a case, such as rbc/serial",
                     shown(operand));
  }
  const Case which = case_of(words_of(operand), shared);
  Side side{which, which.key(), {}, "solved now"};
  if (flags.results.empty()) return side;
  const fs::path file = solution_file(find_machine_folder(flags.results), side.key);
  if (is_file(file)) {
    side.file = file;
    side.from = "stored in " + file.string();
  }
  return side;
}

/// Solves the case as `run` does, once, and stores the solution in the folder.
void solve(Side& side, const fs::path& folder, const Flags& flags) {
  const Case& which = side.which;
  if (const std::string why = which.unavailable(); !why.empty()) {
    throw UsageError("{} cannot run: {}", side.key, why);
  }
  print_line(stderr, "macrobench: {} has no stored solution{}: it is solved", side.key,
             flags.results.empty() ? "" : " in " + flags.results);
  RunOptions options = flags.run;
  options.sampling = {.minimum = 1, .maximum = 1, .processes = 1};
  options.judges_time = false;
  options.store = folder.string();
  const Record record = run_case(which, this_machine(), options);
  if (!has_right_result(record.status)) {
    throw Failure("{} has no solution to compare: {}: {}", side.key, to_string(record.status),
                  to_string(record.why));
  }
  if (record.solution.empty()) {
    throw UsageError("the solution of {} takes more than {} MiB, which are not stored", side.key,
                     largest_stored_solution >> 20);
  }
  side.file = solution_file(folder, side.key);
}

std::unique_ptr<Instance> restored(const Side& side) {
  std::unique_ptr<Instance> instance =
      side.which.implementation->instantiate(side.which.parameters);
  instance->poison();
  try {
    instance->restore(stored_in(side.file), side.key);
  } catch (const UsageError& error) {
    throw UsageError("{}: {}", side.file.string(), error.what());
  }
  return instance;
}

std::string number(double value) {
  return fmt::format("{:.10g}", value);
}

std::string shown_difference(const ArrayDifference& one, double value) {
  if (!one.has_numbers) return "";
  return value == 0 ? "0" : fmt::format("{:.3g}", value);
}

Sheet sheet_of(const std::vector<ArrayDifference>& all) {
  using One = ArrayDifference;
  using enum Column::Kind;
  const auto count = [](const One& one) { return count_of(one.shape); };
  const auto points = [](auto get) { return through(&One::points, get); };
  const auto if_numbers = [](auto get) {
    return [=](const One& one) {
      return one.has_numbers ? std::optional<double>(std::invoke(get, one)) : std::nullopt;
    };
  };
  const auto shown_if = [](bool is, std::string text) { return is ? std::move(text) : ""; };
  const auto differs = [](const One& one) { return one.numbers.differing > 0; };
  const auto operand = [=](double One::* its) {
    return [=](const One& one) {
      const bool is_shown = one.has_numbers && (differs(one) || count(one) == 1);
      return shown_if(is_shown, number(one.*its));
    };
  };
  return SheetOf<One>("arrays", {"array"})
      .column("array", {"array", words}, &One::name)
      .data("shape", [](const One& one) { return in_words(one.shape); })
      .column("elements", {"elements"}, count,
              [=](const One& one) { return std::to_string(count(one)); })
      .data("equal_bits", &One::equal_bits)
      .column(
          "differing", {"differ"}, [](const One& one) { return one.numbers.differing; },
          [](const One& one) {
            return one.equal_bits ? "equal"
                                  : with_separators(static_cast<double>(one.numbers.differing));
          })
      .column("largest", {"largest"},
              if_numbers([](const One& one) { return one.numbers.largest; }),
              [](const One& one) { return shown_difference(one, one.numbers.largest); })
      .column("mean", {"mean"}, if_numbers([](const One& one) { return one.numbers.mean; }),
              [](const One& one) { return shown_difference(one, one.numbers.mean); })
      .column("largest_in_points", {"largest in points"}, points(&Differences::largest),
              [=](const One& one) { return one.points ? number(one.points->largest) : ""; })
      .column(
          "mean_in_points", {"mean in points"}, points(&Differences::mean),
          [](const One& one) { return one.points ? fmt::format("{:.3g}", one.points->mean) : ""; })
      .column("a", {"A"}, if_numbers(&One::a), operand(&One::a))
      .column("b", {"B"}, if_numbers(&One::b), operand(&One::b))
      .column("where", {"where, from 0", words},
              [=](const One& one) {
                return shown_if(differs(one) && one.has_numbers, one.indices_of(one.numbers.where));
              })
      .of(all);
}

Sheet sheet_of(const std::array<Side, 2>& sides, double within, bool equal) {
  using One = std::pair<const char*, const Side*>;
  return SheetOf<One>("sides", {"side"})
      .data("side", &One::first)
      .data("key", [](const One& one) { return one.second->key; })
      .data("from", [](const One& one) { return one.second->from; })
      .data("within", [=](const One&) { return within; })
      .data("equal", [=](const One&) { return equal; })
      .of(std::vector{One{"a", &sides[0]}, One{"b", &sides[1]}});
}

std::string verdict_on(const std::vector<ArrayDifference>& all, double within) {
  if (std::ranges::all_of(all, &ArrayDifference::equal_bits)) return "Equal, bit for bit.";
  std::vector<std::string> others;
  for (const ArrayDifference& one : all) {
    if (!one.is_within(within)) others.push_back(one.name);
  }
  if (others.empty()) return fmt::format("Equal within {:g}.", within);
  const std::string bound = within > 0 ? fmt::format(" by more than {:g}", within) : "";
  return fmt::format("They differ{}: {}.", bound, fmt::join(others, ", "));
}

Document document_of(const std::array<Side, 2>& sides, const std::vector<ArrayDifference>& all,
                     double within) {
  Document document{.title = "A and B"};
  for (const auto& [letter, side] : {std::pair("A", &sides[0]), std::pair("B", &sides[1])}) {
    document.body.emplace_back(Paragraph{fmt::format("{}: {}, {}", letter, side->key, side->from)});
  }
  append(document.body, blocks_of(sheet_of(all)));
  document.body.emplace_back(Paragraph{verdict_on(all, within)});
  return document;
}

/// Every parameter that both are given must be one of theirs.
void check_shared(const std::array<Side, 2>& sides, const AxisOptions& shared) {
  std::vector<std::string> names;
  for (const Side& side : sides) {
    for (const Axis& axis : side.which.implementation->axes) names.push_back(axis.name);
  }
  shared.check_names(names);
}

ExitCode run(const Flags& flags, const AxisOptions& options) {
  if (options.names.size() != 2) {
    throw UsageError(
        "diff takes two solutions, as in: macrobench diff rbc/serial rbc/thrust_omp --nk 1024");
  }
  std::array<Side, 2> sides{side_of(options.names[0], options, flags),
                            side_of(options.names[1], options, flags)};
  check_shared(sides, options);
  if (sides[0].which.implementation->model != sides[1].which.implementation->model) {
    throw UsageError("{} and {} belong to different models: their arrays mean different things",
                     sides[0].which.implementation->id(), sides[1].which.implementation->id());
  }
  for (const Side& side : sides) {
    if (side.which.implementation->stores) continue;
    throw UsageError("{} keeps no solution, only times", side.which.implementation->model);
  }
  const std::array<TemporaryFolder, 2> folders;
  for (std::size_t i = 0; i < sides.size(); ++i) {
    if (sides[i].file.empty()) solve(sides[i], folders[i].path(), flags);
  }
  const std::unique_ptr<Instance> a = restored(sides[0]);
  const std::unique_ptr<Instance> b = restored(sides[1]);
  const std::vector<ArrayDifference> all = differences(a->arrays(), b->arrays());
  const bool equal = std::ranges::all_of(
      all, [&](const ArrayDifference& one) { return one.is_within(flags.within); });
  flags.output.print(output_of_sheets(
      "diff", [&] { return document_of(sides, all, flags.within); },
      [&] { return std::vector{sheet_of(all), sheet_of(sides, flags.within, equal)}; }));
  return equal ? ExitCode::ok : ExitCode::differs;
}

const RegisterCommand registered{
    {.name = "diff",
     .summary = "Compare two solutions, array by array",
     .example =
         "  macrobench diff A B [--PARAMETER VALUE ...] [OPTIONS]\n"
         "  macrobench diff rbc/serial rbc/thrust_omp --nk 1024\n"
         "  macrobench diff 'rbc/serial nk=64' 'rbc/serial nk=64 monotone=on' --within 1e-9\n"
         "  macrobench diff results/MACHINE/solutions/FILE 'rbc/serial nk=64' --json\n"
         "A and B are each a file that --store wrote, or a case: its key, or an implementation. "
         "Parameters outside the quotes apply to both cases. A case is solved first, unless "
         "--results has its solution.\n"
         "Exit code 0: they are equal.  1: they differ.",
     .rank = 30},
    [](Flags& flags, Options& app) {
      app.add_option("--within", flags.within,
                     "They are equal if no number differs by more; with 0, if all bits are equal",
                     {.type_name = "X", .range = {{0, 1e300}}});
      app.add_option("--results", flags.results,
                     "A machine's folder of results, with solutions that --store kept");
      app.add_duration("--deadline", flags.run.deadline, "10m",
                       "Kill a case's process after this long (90s, 10m, none)");
      flags.output.add_to(app, {"text", "md", "html", "json"});
    },
    run};

}  // namespace

}  // namespace macrobench
