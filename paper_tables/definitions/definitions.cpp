#include "paper_tables/definitions/definitions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "harness/text/error.hpp"
#include "harness/text/nearest.hpp"
#include "paper_tables/definitions/read_definition.hpp"

namespace macrobench {

namespace fs = std::filesystem;

Definitions::Definitions(fs::path folder) : folder_(std::move(folder)) {
  std::error_code failed;
  for (fs::directory_iterator paper(folder_, failed), end; paper != end; ++paper) {
    if (!paper->is_directory()) continue;
    for (const fs::directory_entry& table : fs::directory_iterator(paper->path())) {
      const fs::path file = table.path().filename();
      if (file.extension() != ".json" || file == claims_file || file == figures_file) continue;
      ids_.push_back(paper->path().filename().string() + "/" + table.path().stem().string());
    }
  }
  std::sort(ids_.begin(), ids_.end());
  if (ids_.empty()) {
    throw UsageError(fmt::format("{}: there is no definition of a table", folder_.string()));
  }
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
    if (!is_known) throw UsageError(unknown_name("table", name, ids_));
  }
  return definitions;
}

}  // namespace macrobench
