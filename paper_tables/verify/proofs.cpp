#include "paper_tables/verify/proofs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "harness/files/digest.hpp"
#include "harness/files/folder.hpp"
#include "harness/model/solution_folder.hpp"
#include "harness/numbers/folder_times.hpp"
#include "harness/records/record_facts.hpp"
#include "harness/records/results_folder.hpp"
#include "harness/records/statistics.hpp"
#include "harness/run/job.hpp"
#include "harness/text/format.hpp"
#include "harness/text/known_value.hpp"

namespace macrobench {

namespace {

namespace fs = std::filesystem;
using Result = Check::Result;

/// Certificates are the same code, but not always the same vector instructions.
constexpr double same_figure = 1e-6;

bool is_same(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return std::abs(a - b) <= same_figure * std::max({std::abs(a), std::abs(b), same_figure});
}

/// In what a result differs from the recorded one; empty if in nothing.
std::string difference(const Outcome& recorded, const Outcome& again) {
  if (recorded.iterations != again.iterations) {
    return fmt::format("{} iterations, where the record has {}", again.iterations,
                       recorded.iterations);
  }
  for (const auto& [name, value] : recorded.figures) {
    const auto found = again.figures.find(name);
    if (found == again.figures.end()) return fmt::format("no figure {}", name);
    if (!is_same(value, found->second)) {
      return fmt::format("{} = {:.9g}, where the record has {:.9g}", name, found->second, value);
    }
  }
  return {};
}

/// True if there is more to a solution of this model than its time.
bool is_stored(const std::string& model) {
  return std::ranges::any_of(Registry::global().implementations(), [&](const Implementation* its) {
    return its->model == model && its->stores;
  });
}

/// The options with which the states that the record's check looked at are looked at again.
RunOptions with_draw_of(const Record& record, RunOptions options) {
  options.draw = known_value(record.outcome).draw;
  return options;
}

/// Why the stored solution does not prove the record; empty if it does.
std::string against_solution(const fs::path& file, const Record& record, const Case& which,
                             const RunOptions& options) {
  try {
    if (sha256(read_solution(file, largest_stored_solution)) != record.solution) {
      return "the stored solution is not the one that the record names";
    }
  } catch (const UsageError& error) {
    return std::string("of its stored solution: ") + error.what();
  } catch (const std::runtime_error&) {
    return "its stored solution cannot be read";
  }
  const Certified certified =
      certify(which, fs::absolute(file).string(), record.key, with_draw_of(record, options));
  if (!certified.outcome)
    return "its stored solution was not certified: " + to_string(certified.why);
  if (!certified.outcome->valid) return "its stored solution is wrong: " + certified.outcome->why;
  Outcome recorded = known_value(record.outcome);
  if (!is_of_this_build(record)) recorded.figures.clear();
  const std::string other = difference(recorded, *certified.outcome);
  return other.empty() ? "" : "its stored solution has " + other;
}

std::string against_rerun(const Record& record, const Record& again) {
  if (again.status != Status::measured) {
    return fmt::format("it came out {}: {}", to_string(again.status), again.why);
  }
  const std::string other = difference(known_value(record.outcome), known_value(again.outcome));
  if (!other.empty()) return "it came out with " + other;
  const double then = median(seconds_of(record, Phase::solution));
  const double now = median(seconds_of(again, Phase::solution));
  if (now > then * rerun_factor || then > now * rerun_factor) {
    return fmt::format("it took {}, where the record has {}", format_duration(now),
                       format_duration(then));
  }
  return {};
}

/// Another order for each seed, the same on every machine.
template <class T>
void shuffle(std::vector<T>& items, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[random() % i]);
}

}  // namespace

std::optional<Case> case_of(const Record& record) {
  const Implementation* here = Registry::global().find(record.id());
  if (here == nullptr) return std::nullopt;
  try {
    Case which{here, complete_recorded(here->axes, record.parameters)};
    if (reads_file(which)) return std::nullopt;
    Registry::global().model(record.model).check(which.parameters);
    if (which.key() != record.key) return std::nullopt;
    return which;
  } catch (const UsageError&) {
    return std::nullopt;
  }
}

Check certify_solutions(const fs::path& folder, const Results& results, const RunOptions& options,
                        const Progress& progress) {
  Check check{.name = solutions_check, .about = "stored solutions certify again"};
  int certified = 0;
  int not_stored = 0;
  int not_read = 0;
  for (const Record* record : shown_records(results)) {
    if (Registry::global().find_model(record->model) == nullptr) {
      ++not_read;
      continue;
    }
    if (record->solution.empty()) {
      if (is_stored(record->model)) ++not_stored;
      continue;
    }
    const std::optional<Case> which = case_of(*record);
    if (!which || !which->implementation->stores) {
      ++not_read;
      continue;
    }
    progress.says(fmt::format("certifying {}", record->key));
    const std::string why =
        against_solution(stored_solution(folder, record->key), *record, *which, options);
    if (why.empty()) {
      ++certified;
    } else {
      check.fail(fmt::format("{}: {}", record->key, why));
    }
  }
  check.detail = fmt::format("{} certified", certified);
  if (not_read > 0) check.detail += fmt::format(", {} cannot be read back here", not_read);
  if (not_stored > 0) check.detail += fmt::format(", {} were not stored", not_stored);
  const bool is_whole = certified > 0 && not_stored + not_read == 0;
  if (check.faults.empty() && !is_whole) check.result = Result::unknown;
  return check;
}

Check rerun_cases(const Results& results, const Machine& machine, const Rerun& rerun,
                  const RunOptions& options, const Progress& progress) {
  Check check{.name = reruns_check,
              .about = "cases that are rerun come out the same",
              .result = Result::unknown,
              .detail = "none was requested: --rerun N"};
  if (rerun.count <= 0) return check;
  std::vector<std::pair<const Record*, Case>> comparable;
  const std::vector<const Record*> measured = shown_records(results);
  for (const Record* record : measured) {
    std::optional<Case> which = case_of(*record);
    const auto its_machine = results.machines.find(record->machine);
    if (!which || its_machine == results.machines.end() ||
        !its_machine->second.is_comparable_with(machine) || !is_of_this_build(*record) ||
        !which->unavailable().empty()) {
      continue;
    }
    comparable.emplace_back(record, *std::move(which));
  }
  if (comparable.empty()) {
    check.detail = "no case belongs to this machine and this build's sources";
    return check;
  }
  shuffle(comparable, rerun.seed);
  const std::size_t count =
      std::min<std::size_t>(comparable.size(), static_cast<std::size_t>(rerun.count));
  // A sample is no more than a sample.
  if (count == measured.size()) check.result = Result::passed;
  check.detail = fmt::format("{} of {} times, {} of which can be compared here, seed {}", count,
                             measured.size(), comparable.size(), rerun.seed);
  for (std::size_t i = 0; i < count; ++i) {
    const auto& [record, which] = comparable[i];
    progress.says(fmt::format("rerunning {}", record->key));
    const std::string why =
        against_rerun(*record, run_case(which, machine, with_draw_of(*record, options)));
    if (!why.empty()) check.fail(fmt::format("{}: {}", record->key, why));
  }
  return check;
}

std::vector<std::string> foreign_files(const fs::path& folder) {
  std::vector<std::string> foreign;
  for (const char* name : {"records.jsonl", "machines.jsonl", "campaigns.jsonl"}) {
    std::error_code ignored;
    const fs::file_status status = fs::symlink_status(folder / name, ignored);
    if (fs::exists(status) && !fs::is_regular_file(status)) {
      foreign.push_back(fmt::format("{} is not a regular file", name));
    }
  }
  std::error_code ignored;
  const fs::file_status solutions = fs::symlink_status(folder / "solutions", ignored);
  if (!fs::exists(solutions)) return foreign;
  if (!fs::is_directory(solutions)) {
    foreign.emplace_back("solutions is not a folder");
    return foreign;
  }
  // Each is a folder of files, or the file that older versions wrote.
  std::vector<fs::path> files;
  for (const fs::path& path : paths_in(folder / "solutions")) {
    const bool is_folder = fs::is_directory(fs::symlink_status(path, ignored));
    const std::vector<fs::path> within = is_folder ? paths_in(path) : std::vector{path};
    files.insert(files.end(), within.begin(), within.end());
  }
  for (const fs::path& file : files) {
    if (fs::is_regular_file(fs::symlink_status(file, ignored))) continue;
    foreign.push_back(
        fmt::format("{} is not a regular file", file.lexically_relative(folder).string()));
  }
  return foreign;
}

}  // namespace macrobench
