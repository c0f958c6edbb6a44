#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "harness/text/document.hpp"
#include "paper_tables/floors/ceilings.hpp"

namespace macrobench {

/// A machine's ceilings, and its cases under them.
struct Roofline {
  std::vector<ProcessorCeilings> ceilings;  ///< as ceilings_of() has them
  std::vector<FloorShare> cases;            ///< of the newest valid record each, by key
};

Roofline roofline_of(const Results& results);

/// The ceilings, each implementation's shares and, if asked for, each case's.
Document document_of(const Roofline& roofline, const std::string& machine, bool has_cases);
/// Schema 1: ceilings, cases.
nlohmann::ordered_json to_json(const Roofline& roofline);
/// One row per case.
std::string to_csv(const Roofline& roofline);

}  // namespace macrobench
