#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/machine/machine.hpp"
#include "harness/numbers/cell.hpp"
#include "harness/tables/sheet.hpp"

namespace macrobench {

/// One line about a machine: "AMD EPYC 7B13, 2 cores, no GPU, GNU 12.2.0".
std::string describe(const Machine& machine);

/// Its processor alone: "AMD EPYC 7B13, 2 cores".
std::string describe_processor(const Machine& machine);

/// "machine": one row, with the name of a view's machine and the text for a reader.
Sheet sheet_of_machine(const std::string& machine, const std::string& text);

/// The GPU's name as its driver reports it; empty if there is none.
std::string gpu_name(const Machine& machine);

/// What a table may show about the machine of its records: "gpu_cores", "gpu_double_gflops".
const std::vector<std::string>& machine_fields();

/// A word or a number of the machine's block, as a constant; what follows from several of them, as
/// computed; or why there is none. A GPU's cores are multiprocessors times single-precision lanes;
/// a peak is twice the lanes of its precision times the highest clock, in GFLOP/s, a fused
/// multiply-add being two operations. Throws UsageError for an unknown field.
Cell machine_cell(const Machine& machine, std::string_view field);

}  // namespace macrobench
