#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "harness/text/document.hpp"
#include "paper_tables/verify/verification.hpp"

namespace macrobench {

/// Schema 3: schema 2 had no notes.
nlohmann::ordered_json to_json(const std::vector<Verification>& all);
Document document_of(const std::vector<Verification>& all);

}  // namespace macrobench
