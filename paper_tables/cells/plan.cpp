#include "paper_tables/cells/plan.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "paper_tables/cells/find.hpp"
#include "paper_tables/cells/printed_number.hpp"

namespace macrobench {

CellRequest request_of(const Definition& definition, const RowDefinition& row,
                       const ColumnDefinition& column) {
  CellRequest request{definition.model, row.implementation, row.parameters};
  for (const auto& [name, value] : column.parameters) request.parameters.set(name, value);
  const Model* model = Registry::global().find_model(definition.model);
  if (model != nullptr && !row.implementation.empty()) {
    request.parameters = model->with_own_defaults(row.implementation, request.parameters);
  }
  return request;
}

std::string published_on(const Definition& definition, const RowDefinition& row,
                         const ColumnDefinition& column) {
  const Hardware& hardware = definition.hardware;
  const bool on_gpu = runs_on_gpu(request_of(definition, row, column), row.stages);
  const std::string& name = on_gpu ? hardware.gpu : hardware.processor;
  return name.empty() ? hardware.id : name;
}

namespace {

/// The cases that a cell is computed from: its own, those of a ratio's two rows, and those of what
/// may replace it. False if this build leaves one of them out.
bool add_keys(const RowPlace& at, const ColumnDefinition& column, Tables& all, int cores,
              std::set<std::string>& keys) {
  const std::optional<std::size_t> index = find_like(*at.table, column);
  if (!index || !at.row->left_out[*index].empty()) return true;
  bool has_all = true;
  if (!at.row->implementation.empty()) {
    const CellRequest request = request_of(*at.table, *at.row, at.table->columns[*index]);
    const std::optional<Case> wanted = case_of(request, cores);
    if (wanted) keys.insert(wanted->key());
    has_all = wanted.has_value();
  }
  for_each_reference(*at.row, [&](const RowReference& reference) {
    if (at.row->continues && &reference == &*at.row->continues) return;
    const std::optional<RowPlace> other = find_row(reference, {.table = at.table}, all);
    if (other) has_all = add_keys(*other, column, all, cores, keys) && has_all;
  });
  return has_all;
}

/// Groups of keys, joined as pairs become known.
class Groups {
 public:
  void join(const std::string& a, const std::string& b) { parent_[root(a)] = root(b); }
  const std::string& root(const std::string& key) {
    const auto found = parent_.try_emplace(key, key).first;
    return found->second == key ? found->first : root(found->second);
  }
  [[nodiscard]] bool has(const std::string& key) const { return parent_.contains(key); }

 private:
  std::map<std::string, std::string> parent_;
};

/// Names the groups of cases that ratios, or times, of the same column join. A case that several
/// columns of a table have is of its first column's group, and joins no others to it.
void name_groups(const std::vector<RowPlace>& rows, Tables& all, int cores, Plan& plan) {
  Groups groups;
  std::map<std::pair<const Definition*, std::string>, std::size_t> column_of;
  std::map<std::pair<const Definition*, std::size_t>, std::string> first_of;
  for (const RowPlace& at : rows) {
    // In a table without groups all times of a column are compared with each other.
    const bool is_flat = at.group->label.empty() || at.group->label == extra_label;
    const bool is_compared = is_flat && is_time(at.row->quantity);
    if (at.row->quantity != Quantity::ratio && !is_compared) continue;
    for (std::size_t i = 0; i < at.table->columns.size(); ++i) {
      std::set<std::string> keys;
      add_keys(at, at.table->columns[i], all, cores, keys);
      std::erase_if(keys, [&](const std::string& key) {
        return column_of.try_emplace({at.table, key}, i).first->second != i;
      });
      if (is_compared && !keys.empty()) {
        keys.insert(first_of.try_emplace({at.table, i}, *keys.begin()).first->second);
      }
      if (keys.size() < 2) continue;
      for (const std::string& key : keys) groups.join(key, *keys.begin());
    }
  }
  std::map<std::string, std::string> names;
  for (auto& [key, hint] : plan.hints) {
    if (groups.has(key)) hint.group = names.try_emplace(groups.root(key), key).first->second;
  }
}

}  // namespace

Plan plan_of(const std::vector<const Definition*>& tables, Tables& all, int cores,
             const CellSet& headlines) {
  Plan plan;
  std::set<std::string> seen;
  std::map<std::pair<const Definition*, std::size_t>, double> shortest;  // in print in a column
  std::map<std::string, std::set<std::pair<const Definition*, std::size_t>>> columns_of;
  const auto add_cells = [&](const Definition& definition, const RowDefinition& row) {
    for (std::size_t i = 0; i < definition.columns.size(); ++i) {
      if (!row.left_out[i].empty()) continue;
      const CellRequest request = request_of(definition, row, definition.columns[i]);
      std::optional<Case> wanted = case_of(request, cores);
      const std::string key = wanted ? wanted->key() : request.key();
      // A stage or an iteration is only a fraction of its case's time.
      const bool whole =
          is_time(row.quantity) && row.quantity != Quantity::stage && !row.per_iteration;
      CaseHint& hint = plan.hints.try_emplace(key, CaseHint{.extra = true}).first->second;
      hint.extra = hint.extra && row.extra;
      hint.headline = hint.headline || headlines.contains({&row, i});
      if (const auto seconds = printed_number(row.published[i].value_or("")); seconds && whole) {
        hint.seconds = hint.seconds > 0 ? std::min(hint.seconds, *seconds) : *seconds;
        double& in_column = shortest.try_emplace({&definition, i}, *seconds).first->second;
        in_column = std::min(in_column, *seconds);
      }
      columns_of[key].emplace(&definition, i);
      if (!seen.insert(key).second) continue;
      if (wanted) {
        plan.cases.push_back(std::move(*wanted));
      } else {
        plan.left_out.push_back(request);
      }
    }
  };
  std::vector<RowPlace> rows;
  for (const Definition* definition : tables) {
    std::ranges::copy(places_in(*definition), std::back_inserter(rows));
  }
  // Then the rows referred to, and those that they refer to.
  std::set<const RowDefinition*> known;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const RowPlace at = rows[i];
    if (!known.insert(at.row).second) continue;
    if (!at.row->implementation.empty()) add_cells(*at.table, *at.row);
    for_each_reference(*at.row, [&](const RowReference& reference) {
      rows.push_back(find_row(reference, {.table = at.table}, all).value());
    });
  }
  for (auto& [key, hint] : plan.hints) {
    if (hint.seconds > 0) continue;
    for (const auto& column : columns_of[key]) {
      const auto its = shortest.find(column);
      if (its == shortest.end()) continue;
      hint.seconds = hint.seconds > 0 ? std::min(hint.seconds, its->second) : its->second;
    }
  }
  name_groups(rows, all, cores, plan);
  return plan;
}

}  // namespace macrobench
