#include "paper_tables/compare/comparison.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <system_error>
#include <utility>

#include "harness/records/results_folder.hpp"
#include "harness/text/each.hpp"
#include "harness/text/error.hpp"
#include "harness/text/nearest.hpp"
#include "paper_tables/cells/find.hpp"
#include "paper_tables/cells/lookup.hpp"
#include "paper_tables/cells/machine_cells.hpp"
#include "paper_tables/cells/plan.hpp"
#include "paper_tables/cells/printed_number.hpp"
#include "paper_tables/cells/quantity.hpp"
#include "paper_tables/cells/table_options.hpp"

namespace macrobench {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view in_print = "published/";
constexpr std::string_view here = "here";

ComparedSide published_side(const std::string& id, Definitions& all) {
  const std::vector<std::string> ids = published_machines(all);
  ComparedSide side{.name = std::string(in_print) + id, .published = id};
  for (const std::string& table : all.ids()) {
    const Definition& definition = all.get(table);
    if (definition.hardware.id == id) side.text = definition.hardware.text;
  }
  if (std::ranges::find(ids, id) == ids.end()) {
    const auto name = [](const std::string& known) { return std::string(in_print) + known; };
    throw UsageError(unknown_name("published machine", side.name, each(ids, name)));
  }
  return side;
}

class SideReader {
 public:
  explicit SideReader(const ComparedSide& side) : side_(side), lookup_(lookup_in(side.results)) {}

  [[nodiscard]] ComparedTime read(const Definition& table, const RowDefinition& row,
                                  std::size_t column) {
    if (!side_.published.empty()) return printed(table, row, column);
    if (!row.left_out[column].empty()) return without(row.left_out[column]);
    const Finding finding = lookup_(request_of(table, row, table.columns[column]));
    if (finding.record != nullptr) return recorded(finding, row);
    return without(finding.why_not.kind == Reason::Kind::no_record ? "not measured here"
                                                                   : finding.why_not);
  }

 private:
  static ComparedTime without(Reason why) { return {.time = {.why = std::move(why)}}; }

  [[nodiscard]] ComparedTime printed(const Definition& table, const RowDefinition& row,
                                     std::size_t column) const {
    if (table.hardware.id != side_.published) return without("not printed");
    Cell like{.scope = scope_of(row.quantity)};
    ComparedTime reading{.time = printed_cell(row, column, like)};
    if (!reading.time.value || !row.published_by_extrapolation) return reading;
    return refused(reading, "the published time is the paper's own extrapolation");
  }

  [[nodiscard]] ComparedTime recorded(const Finding& finding, const RowDefinition& row) const {
    const Record& record = *finding.record;
    ComparedTime reading{.time = {.status = record.status, .why = record.why},
                         .is_gpu = is_on_gpu(record, row.stages)};
    if (is_result_believed(record.status)) {
      reading.time = time_of(finding, row);
      if (!reading.time.value) {
        reading.time = {.status = Status::failed, .why = "the record holds no sample"};
      }
      reading.time.stage.clear();  // the two sides time the same row
    }
    if (record.outcome && std::isfinite(record.outcome->allowed)) {
      reading.residual = record.outcome->residual;
      reading.allowed = record.outcome->allowed;
    }
    if (finding.as_before.empty()) return reading;
    return refused(reading, "it was measured when " + finding.as_before + " was the default");
  }

  /// Without its time, if it has one that is believed.
  static ComparedTime refused(const ComparedTime& reading, const std::string& why) {
    if (!reading.seconds()) return reading;
    return {.time = {.status = Status::measured}, .why_refused = why, .is_gpu = reading.is_gpu};
  }

  const ComparedSide& side_;
  Lookup lookup_;
};

/// As the first record says; without one, as this build knows.
bool is_gpu_in(const ComparedCell& cell, const CellRequest& request, const RowDefinition& row) {
  for (const ComparedTime& reading : cell.readings) {
    if (reading.is_gpu) return *reading.is_gpu;
  }
  return runs_on_gpu(request, row.stages);
}

void compare_readings(ComparedCell& cell) {
  for (std::size_t i = 1; i < cell.readings.size(); ++i) {
    ComparedTime& other = cell.readings[i];
    other.faster = Ratio(cell.readings.front().time, other.time, of_machines());
  }
}

}  // namespace

const std::vector<std::pair<Scope, std::string>>& compared_scopes() {
  static const std::vector<std::pair<Scope, std::string>> all{
      {Scope::start, "start-ups"},
      {Scope::first_solution, "first solutions"},
      {Scope::solution, "solutions"},
      {Scope::stage, "stages"},
      {Scope::total, "totals"}};
  return all;
}

std::optional<MeanRatio> mean_of(const std::vector<ComparedCell>& cells, std::size_t side,
                                 Scope scope, bool is_gpu) {
  MeanRatio mean{.side = side, .scope = scope, .is_gpu = is_gpu};
  std::vector<Ratio> ratios;
  for (const ComparedCell& cell : cells) {
    const ComparedTime& first = cell.readings.front();
    const ComparedTime& other = cell.readings[side];
    const bool is_meant = scope_of(cell.quantity) == scope && cell.is_gpu == is_gpu;
    if (!is_meant || !first.was_run() || !other.was_run()) continue;
    if (!other.faster.is_refused()) {
      ratios.push_back(other.faster);
    } else if (first.time.status == Status::invalid || other.time.status == Status::invalid) {
      ++mean.invalid;
    } else if (is_doubted(first.time.status) || is_doubted(other.time.status)) {
      ++mean.doubted;
    } else if (!first.why_refused.empty() || !other.why_refused.empty() ||
               other.faster.cell().why.kind == Reason::Kind::not_divided) {
      ++mean.unequal;
    }
  }
  const MeanOfRatios its = geometric_mean(ratios);
  mean.cells = its.ratios;
  if (mean.cells + mean.unequal + mean.invalid + mean.doubted == 0) return std::nullopt;
  if (!its.cell.value) return mean;
  mean.lowest = its.lowest;
  mean.highest = its.highest;
  mean.ratio = its.cell;
  return mean;
}

bool prints_times_to_compare(const Definition& table) {
  return std::ranges::any_of(
      rows_of(table), [](const RowDefinition& row) { return is_time(row.quantity) && !row.extra; });
}

std::vector<std::string> published_machines(Definitions& all) {
  std::set<std::string> ids;
  for (const std::string& table : all.ids()) {
    const Definition& definition = all.get(table);
    if (prints_times_to_compare(definition)) ids.insert(definition.hardware.id);
  }
  return {ids.begin(), ids.end()};
}

ComparedSide side_of(const std::string& name, Definitions& all) {
  if (name.starts_with(in_print)) return published_side(name.substr(in_print.size()), all);
  std::error_code unreadable;
  if (!fs::exists(name, unreadable) && std::ranges::count(published_machines(all), name) > 0) {
    throw UsageError(fmt::format(
        "{0}: there are no records; for the published machine write {1}{0}", name, in_print));
  }
  const fs::path folder = name == here ? folder_of_this_machine() : find_machine_folder(name);
  ComparedSide side{.name = folder_name(folder), .results = read_results(folder)};
  const Machine machine = machine_of(side.results);
  side.text = describe(machine);
  return side;
}

Comparison compare(std::vector<ComparedSide> sides, const std::vector<const Definition*>& tables) {
  Comparison comparison{.sides = std::move(sides)};
  std::vector<SideReader> readers;
  for (const ComparedSide& side : comparison.sides) readers.emplace_back(side);
  for (const Definition* table : tables) {
    ComparedTable compared{.id = table->id(), .title = table->title};
    for (const RowPlace& place : places_in(*table)) {
      const RowDefinition& row = *place.row;
      if (!is_time(row.quantity)) continue;
      for (std::size_t i = 0; i < table->columns.size(); ++i) {
        ComparedCell cell{.group = place.group->label,
                          .row = row.label,
                          .column = table->columns[i].label,
                          .implementation = row.implementation,
                          .quantity = row.quantity};
        for (SideReader& reader : readers) {
          cell.readings.push_back(reader.read(*table, row, i));
        }
        if (!cell.readings.front().was_run()) continue;
        cell.is_gpu = is_gpu_in(cell, request_of(*table, row, table->columns[i]), row);
        compare_readings(cell);
        compared.cells.push_back(std::move(cell));
      }
    }
    for (std::size_t side = 1; side < comparison.sides.size(); ++side) {
      for (const auto& [scope, called] : compared_scopes()) {
        for (const bool is_gpu : {true, false}) {
          const auto mean = mean_of(compared.cells, side, scope, is_gpu);
          if (mean) compared.means.push_back(*mean);
        }
      }
    }
    if (!compared.means.empty()) comparison.tables.push_back(std::move(compared));
  }
  return comparison;
}

}  // namespace macrobench
