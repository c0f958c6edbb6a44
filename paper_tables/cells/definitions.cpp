#include "paper_tables/cells/definitions.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "harness/files/folder.hpp"
#include "harness/files/json_file.hpp"
#include "harness/text/error.hpp"
#include "harness/text/nearest.hpp"
#include "harness/text/strings.hpp"
#include "paper_tables/cells/find.hpp"
#include "paper_tables/cells/read_definition.hpp"

namespace macrobench {

namespace fs = std::filesystem;

namespace {

/// The row that the reference names, which must be one that runs something.
const RowDefinition& check_reference(const Place& place, const RowReference& reference,
                                     const Definition& definition, Tables& all, bool same_columns) {
  const RowPlace found = find_row(place, reference, {.table = &definition}, all);
  if (found.row->implementation.empty()) {
    place.fail(fmt::format("the row '{}' is not one that runs anything", reference.row));
  }
  if (!same_columns || found.table == &definition) return *found.row;
  for (const ColumnDefinition& column : definition.columns) {
    if (!find_like(*found.table, column)) {
      place.fail(fmt::format("{} has no column that matches '{}'", reference.table, column.label));
    }
  }
  return *found.row;
}

/// True if a replacement for a row of the table needs the goal.
bool leads_to(const RowDefinition& goal, const Definition& table, const RowDefinition& row,
              Tables& all, std::set<const RowDefinition*>& seen) {
  const auto needs_goal = [&](const RowReference& reference) {
    const std::optional<RowPlace> next = find_row(reference, {.table = &table}, all);
    if (!next) return false;
    return next->row == &goal ||
           (seen.insert(next->row).second && leads_to(goal, *next->table, *next->row, all, seen));
  };
  return std::ranges::any_of(row.otherwise, [&](const Alternative& alternative) {
    return (alternative.iterations && needs_goal(*alternative.iterations)) ||
           std::ranges::any_of(alternative.of, needs_goal);
  });
}

void check_otherwise(const RowDefinition& row, const Place& place, const Definition& definition,
                     Tables& all) {
  const auto check = [&](const RowReference& reference, const Place& at, bool is_factor) {
    const RowDefinition& named = check_reference(at, reference, definition, all, true);
    if (is_factor && named.quantity != Quantity::iterations) {
      at.fail(fmt::format("the row '{}' does not show iterations", named.label));
    }
    if (!is_factor && named.unit != row.unit && row.quantity != Quantity::deviation) {
      at.fail(fmt::format("the row '{}' is in '{}', and this one in '{}'", named.label, named.unit,
                          row.unit));
    }
  };
  const std::vector<Place> places = one_or_several(place);
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Alternative& one = row.otherwise[i];
    if (one.iterations) check(*one.iterations, places[i].at("iterations"), true);
    for (std::size_t n = 0; n < one.of.size(); ++n) {
      check(one.of[n], places[i].has("of") ? places[i].at("of").items()[n] : places[i], false);
    }
  }
  std::set<const RowDefinition*> seen;
  if (leads_to(row, definition, row, all, seen)) place.fail("it leads back to this row");
}

/// Checks every row that a row of the definition refers to, here and in other tables.
void check_references(const Definition& definition, const std::vector<Place>& rows, Tables& all) {
  auto place = rows.begin();
  for (const RowDefinition& row : rows_of(definition)) {
    const auto check = [&](const char* field, const std::optional<RowReference>& named,
                           bool same_columns) {
      if (named) check_reference(place->at(field), *named, definition, all, same_columns);
    };
    check("numerator", row.numerator, true);
    check("baseline", row.baseline, true);
    check("continues", row.continues, false);
    if (!row.otherwise.empty()) {
      check_otherwise(row, place->at("otherwise"), definition, all);
    }
    ++place;
  }
}

}  // namespace

Definitions::Definitions(fs::path folder, LeaveOut leave_out)
    : folder_(std::move(folder)), leave_out_(std::move(leave_out)) {
  for (const fs::path& paper : paths_in(folder_)) {
    for (const fs::path& table : paths_in(paper)) {
      const fs::path file = table.filename();
      if (file.extension() != ".json" || file == claims_file || file == figures_file ||
          file == originals_file) {
        continue;
      }
      ids_.push_back(paper.filename().string() + "/" + file.stem().string());
    }
  }
  std::sort(ids_.begin(), ids_.end());
  if (ids_.empty()) {
    throw UsageError(fmt::format("{}: there is no definition of a table", folder_.string()));
  }
  if (leave_out_) leave_out_wrong_ones();
}

void Definitions::leave_out_wrong_ones() {
  for (std::size_t known = ids_.size() + 1; known != ids_.size();) {
    known = ids_.size();
    loaded_.clear();  // what refers to a wrong one is wrong too
    for (const std::string& id : ids_) {
      read_or_leave_out([&](const std::string&, const std::string& why) { wrong_[id] = why; }, id,
                        [&] { get(id); });
    }
    std::erase_if(ids_, [&](const std::string& id) { return wrong_.contains(id); });
  }
  if (ids_.empty()) throw UsageError(wrong_.begin()->second);
  for (const auto& [id, why] : wrong_) leave_out_(id, why);
}

std::vector<std::string> Definitions::papers() const {
  std::vector<std::string> papers;
  for (const std::string& id : ids_) {
    const std::string paper = id.substr(0, id.find('/'));
    if (papers.empty() || papers.back() != paper) papers.push_back(paper);
  }
  return papers;
}

const Definition& Definitions::get(std::string_view id) {
  if (const auto known = loaded_.find(id); known != loaded_.end()) return *known->second;
  if (const auto wrong = wrong_.find(id); wrong != wrong_.end()) throw UsageError(wrong->second);
  if (!std::binary_search(ids_.begin(), ids_.end(), id)) {
    throw UsageError(unknown_name("table", id, ids_));
  }
  const fs::path path = folder_ / (std::string(id) + ".json");
  const std::string file = display_path(path);
  const nlohmann::json document = read_json(path, file);
  const Place top(file, document);
  std::vector<Place> rows;
  Definition definition = read_definition(top, rows);
  definition.file = file;
  if (definition.id() != id) {
    top.at("table").fail(fmt::format("it says {}, and its place says {}", definition.id(), id));
  }

  // Registered before its references are checked, so that two tables may refer to each other.
  const auto entry = loaded_.emplace(id, std::make_unique<Definition>(std::move(definition))).first;
  try {
    check_references(*entry->second, rows, *this);
  } catch (...) {
    loaded_.erase(entry);
    throw;
  }
  return *entry->second;
}

std::vector<const Definition*> Definitions::get_all(const std::vector<std::string>& names) {
  std::vector<const Definition*> definitions;
  for (const std::string& name : names.empty() ? ids_ : names) {
    bool is_known = false;
    for (const std::string& id : ids_) {
      if (id != name && !id.starts_with(name + "/")) continue;
      is_known = true;
      const Definition* its = &get(id);
      if (std::ranges::count(definitions, its) == 0) definitions.push_back(its);
    }
    if (is_known) continue;
    std::vector<std::string> alike = ids_;
    std::erase_if(alike, [&](const std::string& id) { return !id.ends_with("/" + name); });
    if (!alike.empty()) {
      throw UsageError(fmt::format("'{}' is not a table's whole name: write {}", shown(name),
                                   fmt::join(alike, " or ")));
    }
    std::vector<std::string> known = papers();
    known.insert(known.end(), ids_.begin(), ids_.end());
    throw UsageError(unknown_name("table", name, known));
  }
  return definitions;
}

}  // namespace macrobench
