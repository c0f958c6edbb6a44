#include "paper_tables/fidelity/measurement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "harness/files/executable.hpp"
#include "harness/records/results_folder.hpp"
#include "paper_tables/cells/machine_cells.hpp"

namespace macrobench {

namespace {

bool is_of(const Record& record, const Parameters& parameters) {
  return std::ranges::all_of(parameters, [&](const auto& named) {
    const Value* its = record.parameters.find(named.first);
    return its != nullptr && is_same(*its, named.second);
  });
}

bool has_role(const Original& original, const Turns& turns) {
  return turns.role == turns_of_original || turns.role == turns_of_counterpart ||
         turns.role == turns_for_figure ||
         std::ranges::count(original.differences, turns.role, &KnownDifference::name) > 0;
}

/// Records older than campaigns have the time at which their sitting ended.
bool is_of_one_sitting(const Record& one, const Record& other) {
  return one.machine == other.machine && one.campaign == other.campaign &&
         (!one.campaign.empty() || one.time == other.time);
}

Measurement begun(const std::string& id, const Record& newest, const Results& results) {
  Measurement made{.original = id,
                   .machine = newest.machine,
                   .machine_text = newest.machine,
                   .time = newest.time};
  const auto machine = results.machines.find(newest.machine);
  if (machine == results.machines.end()) return made;
  made.machine = machine->second.slug();
  made.machine_text = describe(machine->second);
  made.ours = {machine->second.text_at("/source/commit"),
               machine->second.at("/source/dirty") == true};
  return made;
}

/// The records of one sitting, from the oldest on.
Measurement measurement_of(const std::string& id, const Original& original,
                           const std::vector<const Record*>& records, const Results& results) {
  Measurement made = begun(id, *records.back(), results);
  const auto find = [&](const std::string& role, const Parameters& parameters) -> const Record* {
    const Record* found = nullptr;
    for (const Record* one : records) {
      if (one->turns->role == role && is_of(*one, parameters)) found = one;
    }
    return found;
  };
  const auto side = [](const Record* record) {
    return record == nullptr ? MeasuredSide() : side_of(*record);
  };
  std::set<std::string> commits;
  for (const Parameters& parameters : original.cases) {
    const Record* theirs = find(turns_of_original, parameters);
    const Record* ours = find(turns_of_counterpart, parameters);
    if (theirs == nullptr && ours == nullptr) continue;
    MeasuredCase& one = made.cases.emplace_back(MeasuredCase{parameters, side(theirs), side(ours)});
    for (const KnownDifference& difference : original.differences) {
      const Record* variant = find(difference.name, parameters);
      if (variant != nullptr) one.variants.push_back({difference.name, side_of(*variant)});
    }
    if (theirs == nullptr) continue;
    made.rounds = std::max(made.rounds, static_cast<int>(theirs->samples.size()));
    commits.insert(theirs->turns->commit);
    made.theirs.changed = made.theirs.changed || theirs->turns->changed;
    one.arrays = theirs->turns->arrays;
    one.not_compared = theirs->turns->not_compared;
  }
  // With two commits nobody knows which one ran.
  if (commits.size() == 1) made.theirs.commit = *commits.begin();
  made.theirs.changed = made.theirs.changed || commits.size() > 1;
  for (const PrintedFigure& printed : original.fingerprints) {
    const Record* ours = find(turns_for_figure, printed.parameters);
    if (ours == nullptr) ours = find(turns_of_counterpart, printed.parameters);
    if (ours != nullptr) made.figures.push_back(figure_of(*ours, printed));
  }
  return made;
}

}  // namespace

MeasuredSide side_of(const Record& record) {
  MeasuredSide side{.key = record.key,
                    .status = record.status,
                    .why = record.why,
                    .on_gpu = record.on_gpu.value_or(false)};
  for (const Sample& sample : record.samples) {
    side.seconds.push_back(sample.first_solution);
    const auto add = [&](const char* name, std::vector<double>& to) {
      const auto its = sample.around.find(name);
      if (its != sample.around.end() && !its->second.empty()) to.push_back(its->second.front());
    };
    add("their_solution", side.solution);
    add("their_set_up", side.set_up);
  }
  if (!side.solution.empty() && side.solution.size() != side.seconds.size()) {
    side.status = Status::failed;
    side.why = "it does not say the time of each round";
  }
  if (const auto& outcome = record.outcome) {
    side.iterations = outcome->iterations;
    side.residual = outcome->residual;
    side.allowed = outcome->allowed;
  }
  return side;
}

MeasuredFigure figure_of(const Record& record, const PrintedFigure& printed) {
  MeasuredFigure made{.figure = printed.figure, .parameters = printed.parameters};
  if (!has_right_result(record.status) || !record.outcome) {
    made.why = to_string(record.why);
    return made;
  }
  const auto value = record.outcome->figures.find(printed.figure);
  if (value == record.outcome->figures.end()) {
    made.why = fmt::format("its outcome has no figure '{}'", printed.figure);
  } else {
    made.value = value->second;
  }
  return made;
}

std::vector<Measurement> measurements_in(const Results& results,
                                         const std::vector<PaperOriginals>& papers) {
  std::map<std::string, std::vector<const Record*>> by_original;
  for (const Record& record : results.turns) by_original[record.turns->of].push_back(&record);
  std::vector<Measurement> all;
  for (const PaperOriginals& paper : papers) {
    for (const Original& original : paper.originals) {
      const std::string id = paper.paper + "/" + original.name;
      const auto its = by_original.find(id);
      if (its == by_original.end()) continue;
      std::vector<const Record*>& records = its->second;
      std::erase_if(records, [&](const Record* one) { return !has_role(original, *one->turns); });
      if (records.empty()) continue;
      const Record& newest = *records.back();
      std::erase_if(records, [&](const Record* one) { return !is_of_one_sitting(*one, newest); });
      all.push_back(measurement_of(id, original, records, results));
    }
  }
  return all;
}

std::vector<Measurement> measured_originals(const std::vector<PaperOriginals>& papers,
                                            const Results* results) {
  std::vector<Measurement> all;
  const auto add = [&](const Results& its) {
    std::ranges::move(measurements_in(its, papers), std::back_inserter(all));
  };
  for (const auto& folder :
       machine_folders_in(data_folder("originals", MACROBENCH_ORIGINALS_DIR))) {
    add(read_results(folder));
  }
  if (results != nullptr) add(*results);
  return all;
}

}  // namespace macrobench
