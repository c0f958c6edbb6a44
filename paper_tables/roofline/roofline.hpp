#pragma once

#include <string>
#include <vector>

#include "harness/tables/sheet.hpp"
#include "harness/text/document.hpp"
#include "paper_tables/floors/ceilings.hpp"

namespace macrobench {

/// A machine's ceilings, and its cases under them.
struct Roofline {
  std::vector<ProcessorCeilings> ceilings;  ///< as ceilings_of() has them
  std::vector<FloorShare>
      cases;  ///< by key; each by its newest valid record and those that are alike
};

Roofline roofline_of(const Results& results);

/// The ceilings, each implementation's shares and, if asked for, each case's.
Document document_of(const Roofline& roofline, const std::string& machine, bool has_cases);
/// "cases", "shares" (a row for each implementation) and "ceilings".
std::vector<Sheet> sheets_of(const Roofline& roofline);

}  // namespace macrobench
