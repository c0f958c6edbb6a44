#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "harness/text/document.hpp"
#include "paper_tables/cells/bounds.hpp"
#include "paper_tables/errata/errata_rules.hpp"

namespace macrobench {

/// A printed number that does not follow from the paper's own numbers, however they were rounded.
struct Erratum {
  std::string paper = {};
  std::string table = {};  ///< its id; empty for a number in the text
  std::string where = {};  ///< "Table 3, p. 8"
  std::string row = {};    ///< with its group; for a number in the text, what it is
  std::string column = {};
  std::string printed = {};
  Bounds recomputed = {};
  std::optional<double> off = {};  ///< printed over recomputed, less one; none if not a number
  Basis basis = Basis::stated;
  std::string rule = {};
  std::string note = {};
};

/// Cells of one inferred rule that miss it slightly: our rule may be what is wrong.
struct Slight {
  std::string paper;
  std::string table;
  std::string where;
  std::string row;  ///< without its group
  std::string rule;
  std::vector<Erratum> cells = {};
  int of = 0;        ///< the number of cells to which the rule was applied
  double least = 0;  ///< how far off, relatively, without its sign
  double most = 0;
};

/// The errata, in the order of the papers, tables and cells.
struct Errata {
  std::map<std::string, std::string> documents;  ///< each paper's, as a reader knows it
  int checked = 0;                               ///< printed numbers that a rule was applied to
  std::vector<Erratum> cells;
  std::vector<Slight> slight;
  std::vector<FoundByReading> readings;
};

/// A miss of an inferred rule below this is a slight one.
inline constexpr double slight_below = 0.10;

/// Recomputes every printed number of the papers (all if none is named) for which a rule is known.
/// If a number from which others follow is itself an erratum, those may follow from it as printed
/// or from what it should be. The rules and the errata found by reading are beside the definitions
/// in `folder`. Throws UsageError for an unknown paper and for bad data.
Errata find_errata(const std::filesystem::path& folder, const std::vector<std::string>& papers);

/// What is wrong in print, by paper; the summary says how many numbers were recomputed.
Document document_of(const Errata& errata);
/// Schema 1: checked, cells, slight, by_reading.
nlohmann::ordered_json to_json(const Errata& errata);
/// One row per finding; `kind` says whether it is in a cell, slight, found by reading, or code that
/// differs from the text.
std::string to_csv(const Errata& errata);

}  // namespace macrobench
