#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "harness/text/document.hpp"
#include "paper_tables/roofline/roofline.hpp"

namespace macrobench {

/// The ceilings, each implementation's shares and, if asked for, each case's.
Document document_of(const Roofline& roofline, const std::string& machine, bool has_cases);
/// Schema 1: ceilings, cases.
nlohmann::ordered_json to_json(const Roofline& roofline);
/// One row per case.
std::string to_csv(const Roofline& roofline);

nlohmann::ordered_json to_json(const std::vector<ProcessorCeilings>& ceilings);

/// "GPU", "CPU, 16 threads".
std::string name_of(const ProcessorCeilings& processor);
/// "3.02 TB/s copied, 33.5 TFLOP/s in double, 66.1 TFLOP/s in single".
std::string rates_of(const ProcessorCeilings& processor);

}  // namespace macrobench
