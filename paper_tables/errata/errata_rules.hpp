#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "paper_tables/cells/definitions.hpp"
#include "paper_tables/cells/formula.hpp"

namespace macrobench {

/// What printed numbers must follow from: the cells of a row, the sum of each row of a table, or a
/// number in the text.
struct Rule {
  std::string paper;
  std::string table;                 ///< its id; empty for a number in the text
  std::string group;                 ///< empty: every group that has the row
  std::string row;                   ///< empty: every row
  std::vector<std::string> columns;  ///< empty: all

  std::string where;  ///< for a number in the text: the place, what it is, and how it is printed
  std::string what;
  std::string printed;
  std::optional<double> unit;  ///< of its last digit that counts: 100 for "roughly 2,500"

  Basis basis = Basis::stated;
  std::string says;              ///< the rule, for a reader
  std::optional<double> within;  ///< an approximate rule: the relative error that is not a finding
  std::optional<double> total;   ///< what the cells of each row add up to, instead of a formula
  Formula follows;
  std::string instead_says;        ///< of a number in the text that may be of another formula
  std::optional<Formula> instead;  ///< that formula, reported if the number follows from it

  [[nodiscard]] bool is_of_text() const { return table.empty(); }
  [[nodiscard]] bool is_of(const std::string& its_group, const std::string& its_row) const {
    return its_row == row && (group.empty() || its_group == group);
  }
};

/// A paper and a place in it.
struct PlaceInPrint {
  std::string paper;
  std::string where;
};

/// An erratum that no rule finds, or one of which the rule does not know what is right.
struct FoundByReading {
  std::vector<PlaceInPrint> places;  ///< one erratum may be in several papers
  bool is_of_code = false;  ///< the text may be as meant, and the authors' code does otherwise
  std::optional<RowReference> explains;  ///< a row whose sum of cells it explains
  std::string printed;
  std::string right;
  std::string evidence;
  std::vector<std::string> tests;  ///< "Suite.Name", each demonstrates it

  /// Where it is in the paper; null if it is in others.
  [[nodiscard]] const PlaceInPrint* place_in(const std::string& paper) const;
};

// Both are beside the definitions; none if there is no such file. They throw UsageError: one
// sentence about what is wrong, with the file and the JSON pointer.

/// FOLDER/errata_rules.json. The rules of ratios, which the definitions have, are not in it.
std::vector<Rule> read_rules(const std::filesystem::path& folder, Definitions& definitions);
/// FOLDER/errata_by_reading.json.
std::vector<FoundByReading> read_readings(const std::filesystem::path& folder,
                                          const Definitions& definitions);

}  // namespace macrobench
