#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "harness/text/document.hpp"
#include "paper_tables/floors/scaling.hpp"

namespace macrobench {

/// Each point is shown, whether cases are asked for or not.
Document document_of(const Scaling& scaling, const std::string& machine, bool has_cases = true);
/// Schema 1: strong, weak.
nlohmann::ordered_json to_json(const Scaling& scaling);
/// One row per count, of strong scaling.
std::string to_csv(const Scaling& scaling);

}  // namespace macrobench
