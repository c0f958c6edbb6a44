#pragma once

#include <vector>

#include "harness/tables/sheet.hpp"
#include "harness/text/document.hpp"
#include "paper_tables/verify/verification.hpp"

namespace macrobench {

/// "checks" by folder, "findings" (the faults and notes of each check) and "folders".
std::vector<Sheet> sheets_of(const std::vector<Verification>& all);
Document document_of(const std::vector<Verification>& all);

}  // namespace macrobench
