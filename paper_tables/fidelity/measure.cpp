#include "paper_tables/fidelity/measure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>

#include "harness/files/executable.hpp"
#include "harness/files/temporary_folder.hpp"
#include "harness/model/array_view.hpp"
#include "harness/model/registry.hpp"
#include "harness/model/solution_folder.hpp"
#include "harness/process/process.hpp"
#include "harness/programs/program_models.hpp"
#include "harness/records/results_folder.hpp"
#include "harness/run/job.hpp"
#include "harness/sources/source_digest.hpp"
#include "harness/text/format.hpp"
#include "harness/text/strings.hpp"
#include "paper_tables/cells/machine_cells.hpp"
#include "paper_tables/fidelity/array_difference.hpp"

namespace macrobench {

namespace {

namespace fs = std::filesystem;

/// The original's implementation. On a GPU a program's name ends in _gpu.
const Implementation* implementation_of(const Original& original) {
  for (const std::string& id : {original.program, original.program + "_gpu"}) {
    const Implementation* found = Registry::global().find(id);
    if (found != nullptr && found->origin == Origin::original) return found;
  }
  return nullptr;
}

/// One case, or why there is none.
struct MadeCase {
  std::optional<Case> which;
  std::string why;
};

/// What the case and the original say, as far as the implementation takes it, and its own.
MadeCase make_case(const std::string& id, const Original& original, const Parameters& parameters,
                   const Parameters& own) {
  const Registry& registry = Registry::global();
  const Implementation* implementation = registry.find(id);
  if (implementation == nullptr) {
    const LeftOut* left_out = registry.find_left_out(id);
    return {{}, left_out != nullptr ? left_out->why() : "there is no " + id + " in this build"};
  }
  Parameters given = original.parameters;
  for (const auto& [name, value] : parameters) given.set(name, value);
  Parameters taken = only_taken(*implementation, given);
  for (const auto& [name, value] : parameters) {
    if (taken.find(name) != nullptr) continue;
    return {{}, fmt::format("{} does not take {}, by which the cases differ", id, name)};
  }
  for (const auto& [name, value] : own) taken.set(name, value);
  try {
    const Case which = registry.make_case(id, taken, available_cores());
    const std::string why = which.unavailable();
    return why.empty() ? MadeCase{which, {}} : MadeCase{{}, why};
  } catch (const UsageError& error) {
    return {{}, error.what()};
  }
}

/// What git prints of the folder; none if it fails.
std::optional<std::string> git(const fs::path& folder, std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {"git", "-c", "safe.directory=*", "-C", folder.string()});
  const ProcessResult result = run_process(
      {.executable = "git", .command = std::move(arguments), .deadline = 60, .answers_on = 1});
  const bool is_whole = result.succeeded() && !result.answer_cut;
  return is_whole ? std::optional(std::string(trim(result.answer))) : std::nullopt;
}

/// The commit of a folder that is not of macrobench's own repository.
std::optional<Checkout> checkout_at(const fs::path& folder) {
  const auto top = [](const fs::path& of) { return git(of, {"rev-parse", "--show-toplevel"}); };
  const std::optional<std::string> its = top(folder);
  if (!its || its == top(this_executable().parent_path())) return {};
  const std::optional<std::string> commit = git(folder, {"rev-parse", "HEAD"});
  if (!commit) return {};
  const std::optional<std::string> changes =
      git(folder, {"status", "--porcelain", "--untracked-files=no"});
  return Checkout{*commit, !changes || !changes->empty()};
}

/// Of the folders that the program uses, or its own, the first that git knows.
Checkout checkout_of(const Original& original) {
  const auto& programs = found_programs().programs;
  const auto its = std::ranges::find(programs, original.program, &Manifest::id);
  if (its == programs.end()) return {};
  std::vector<fs::path> folders;
  for (const std::string& used : its->uses) folders.push_back(its->folder / used);
  folders.push_back(its->folder);
  for (const fs::path& folder : folders) {
    if (const auto found = checkout_at(folder)) return *found;
  }
  return {};
}

std::unique_ptr<Instance> restored(const Case& which, const fs::path& folder) {
  std::unique_ptr<Instance> instance = which.implementation->instantiate(which.parameters);
  instance->poison();
  instance->restore(read_solution(stored_solution(folder, which.key()), largest_stored_solution),
                    which.key());
  return instance;
}

/// Says how far the arrays of the solutions are apart, or why that is not known.
void compare(const Original& original, const Case& theirs, const Case& ours,
             const fs::path& their_folder, const fs::path& our_folder, Turns& made) {
  try {
    const std::unique_ptr<Instance> a = restored(theirs, their_folder);
    const std::unique_ptr<Instance> b = restored(ours, our_folder);
    const std::vector<ArrayView> views = a->arrays();
    const std::vector<ArrayDifference> all = differences(views, b->arrays());
    for (const std::string& name : original.arrays) {
      const auto its = std::ranges::find(all, name, &ArrayDifference::name);
      if (its == all.end() || !its->has_numbers) {
        throw UsageError("a solution has no array of numbers '{}'", name);
      }
      ArrayApart& array =
          made.arrays.emplace_back(ArrayApart{its->name, its->numbers.largest, its->a, its->b, {}});
      // Choices off the grid's points, as krusell_smith's, are numbers like others.
      const auto view = std::ranges::find(views, name, &ArrayView::name);
      if (its->points && view->is_whole) array.points = its->points->largest;
    }
  } catch (const std::system_error&) {
    made.not_compared =
        fmt::format("a solution takes more than {} MiB", largest_stored_solution >> 20);
  } catch (const UsageError& error) {
    made.not_compared = error.what();
  }
  if (!made.not_compared.empty()) made.arrays.clear();
}

/// The other's samples go to the record, or its reason if there are none.
void merge(Record& record, Record more) {
  record.time = more.time;
  record.seconds += more.seconds;
  if (!has_right_result(more.status)) {
    record.status = more.status;
    record.why = std::move(more.why);
    record.outcome = std::move(more.outcome);
    record.expected_invalid = more.expected_invalid;
    return;
  }
  for (Sample& sample : more.samples) record.samples.push_back(std::move(sample));
}

}  // namespace

/// One of those that take turns.
struct FidelityRun::Contestant {
  MadeCase made;
  Turns turns = {};
  std::string store_in = {};  ///< a folder for the solution of the first round; empty: none
  std::optional<Record> record = {};

  [[nodiscard]] bool goes_on() const {
    return made.which && (!record || has_right_result(record->status));
  }
  [[nodiscard]] MeasuredSide side() const {
    if (record) return side_of(*record);
    if (made.which) {
      return {.key = made.which->key(),
              .why = Reason("it was not run, since another of its case could not be")};
    }
    return {.why = Reason(made.why)};
  }
};

FidelityRun::FidelityRun(RecordStore& store, const Machine& machine, FidelityOptions options,
                         const Progress& progress, const std::vector<Original>& planned)
    : store_(store), machine_(machine), options_(std::move(options)), progress_(progress) {
  options_.run.sampling = {.minimum = 1, .maximum = 1, .processes = 1};
  options_.run.judges_time = false;
  for (const Original& original : planned) {
    if (implementation_of(original) == nullptr) continue;
    const auto variants = std::ranges::count_if(
        original.differences, [](const KnownDifference& its) { return its.variant.has_value(); });
    total_ += static_cast<int>(original.cases.size()) * options_.rounds *
              (2 + static_cast<int>(variants));
  }
}

Record FidelityRun::run(const Case& which, const std::string& store_in) {
  const double mean = runs_ > 0 ? spent_ / runs_ : std::numeric_limits<double>::quiet_NaN();
  progress_.begins(which, done_, total_, mean * (total_ - done_));
  RunOptions options = options_.run;
  options.store = store_in;
  Record record = run_case(which, machine_, options);
  record.solution.clear();  // the folder of results does not keep it
  ++runs_;
  spent_ += record.seconds;
  progress_.ended({.which = which, .record = record}, ++done_, total_);
  return record;
}

void FidelityRun::run_round(std::vector<Contestant>& contestants, bool is_first) {
  for (Contestant& one : contestants) {
    if (!one.goes_on()) {
      ++done_;
      continue;
    }
    Record record = run(*one.made.which, is_first ? one.store_in : std::string());
    if (one.record) {
      merge(*one.record, std::move(record));
    } else {
      one.record = std::move(record);
    }
    if (!one.store_in.empty() && !one.goes_on()) return;  // there is nothing to compare
  }
}

MeasuredCase FidelityRun::measure(const Measurement& whole, const Original& original,
                                  const Parameters& parameters, RecordsByCase& ours_by_case) {
  const TemporaryFolder their_folder;
  const TemporaryFolder our_folder;
  std::vector<Contestant> contestants;
  const std::string& id = whole.original;
  contestants.push_back({make_case(implementation_of(original)->id(), original, parameters, {}),
                         {.of = id,
                          .role = turns_of_original,
                          .commit = whole.theirs.commit,
                          .changed = whole.theirs.changed},
                         their_folder.path().string()});
  contestants.push_back(
      {make_case(original.counterpart_id(), original, parameters, original.counterpart.parameters),
       {.of = id, .role = turns_of_counterpart},
       our_folder.path().string()});
  for (const KnownDifference& difference : original.differences) {
    if (!difference.variant) continue;
    Parameters own = original.counterpart.parameters;
    for (const auto& [name, value] : difference.variant->parameters) own.set(name, value);
    contestants.push_back({make_case(original.model + "/" + difference.variant->implementation,
                                     original, parameters, own),
                           {.of = id, .role = difference.name}});
  }
  const int before = done_;
  const auto is_open = [&] { return contestants[0].goes_on() && contestants[1].goes_on(); };
  // Rounds in alternating order, so that none always comes after the same one.
  for (int round = 0; round < options_.rounds && is_open(); ++round) {
    const auto turn = [&] { std::ranges::reverse(contestants); };
    if (round % 2 == 1) turn();
    run_round(contestants, round == 0);
    if (round % 2 == 1) turn();
  }
  done_ = before + options_.rounds * static_cast<int>(contestants.size());

  Contestant& theirs = contestants[0];
  const Contestant& ours = contestants[1];
  if (is_open()) {
    compare(original, *theirs.made.which, *ours.made.which, their_folder.path(), our_folder.path(),
            theirs.turns);
  } else {
    theirs.turns.not_compared = "one of the two has no right solution";
  }
  MeasuredCase made{.parameters = parameters,
                    .original = theirs.side(),
                    .counterpart = ours.side(),
                    .arrays = theirs.turns.arrays,
                    .not_compared = theirs.turns.not_compared};
  for (std::size_t i = 2; i < contestants.size(); ++i) {
    made.variants.push_back({contestants[i].turns.role, contestants[i].side()});
  }
  if (ours.record) ours_by_case.emplace_back(parameters, *ours.record);
  for (Contestant& one : contestants) {
    if (one.record) keep(*std::move(one.record), std::move(one.turns));
  }
  return made;
}

void FidelityRun::keep(Record record, Turns turns) {
  code_ = gravest(code_, verdict(record, false));
  record.turns = std::move(turns);
  store_.append(record, machine_);
}

MeasuredFigure FidelityRun::figure(const std::string& id, const Original& original,
                                   const PrintedFigure& printed, const RecordsByCase& ours) {
  const auto known = std::ranges::find(ours, printed.parameters, &RecordsByCase::value_type::first);
  if (known != ours.end()) return figure_of(known->second, printed);
  const MadeCase its = make_case(original.counterpart_id(), original, printed.parameters,
                                 original.counterpart.parameters);
  if (!its.which) {
    return {.figure = printed.figure, .parameters = printed.parameters, .why = its.why};
  }
  ++total_;
  Record record = run(*its.which, {});
  MeasuredFigure made = figure_of(record, printed);
  keep(std::move(record), {.of = id, .role = turns_for_figure});
  return made;
}

Measurement FidelityRun::measure(const std::string& paper, const Original& original) {
  const std::string id = paper + "/" + original.name;
  Measurement made{.original = id,
                   .machine = machine_.slug(),
                   .machine_text = describe(machine_),
                   .time = {},
                   .rounds = options_.rounds,
                   .theirs = checkout_of(original),
                   .ours = {std::string(source_commit()), source_dirty().value_or(false)}};
  if (implementation_of(original) == nullptr) {
    made.why = fmt::format("there is no program {} here", original.program);
  } else {
    RecordsByCase ours;
    for (const Parameters& parameters : original.cases) {
      made.cases.push_back(measure(made, original, parameters, ours));
    }
    for (const PrintedFigure& printed : original.fingerprints) {
      made.figures.push_back(figure(id, original, printed, ours));
    }
  }
  made.time = utc_now();
  return made;
}

}  // namespace macrobench
