#pragma once

#include <optional>
#include <string>
#include <vector>

#include "paper_tables/definitions/definition.hpp"
#include "paper_tables/definitions/place.hpp"

namespace macrobench {

// How Definitions::get() reads a file.

/// A group of rows in the file of a definition.
struct GroupPlace {
  std::string label;
  Place rows;
  bool extra;
  std::optional<Place> shared = {};  ///< has the fields shared by rows that do not set them
};

/// The groups in a file, in the order of Definition::groups.
std::vector<GroupPlace> group_places(const Place& top);

/// A row or another replacement, or a list of these.
std::vector<Place> one_or_several(const Place& place);

/// Reads everything except the rows that it refers to. Throws UsageError.
Definition read_definition(const Place& top);

/// Checks every row that a row of the definition refers to, here and in other tables. Throws
/// UsageError.
void check_references(const Definition& definition, const Place& top, Tables& all);

}  // namespace macrobench
