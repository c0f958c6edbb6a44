#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "harness/text/document.hpp"
#include "paper_tables/errata/errata.hpp"

namespace macrobench {

/// What is wrong in print, by paper; the summary says how many numbers were recomputed.
Document document_of(const Errata& errata);
/// Schema 1: checked, cells, slight, by_reading.
nlohmann::ordered_json to_json(const Errata& errata);
/// One row per finding; `kind` says whether it is in a cell, slight or found by reading.
std::string to_csv(const Errata& errata);

}  // namespace macrobench
