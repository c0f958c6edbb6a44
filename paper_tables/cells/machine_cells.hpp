#pragma once

#include <string>

#include "harness/machine/machine.hpp"
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

}  // namespace macrobench
