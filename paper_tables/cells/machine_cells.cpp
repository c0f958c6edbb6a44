#include "paper_tables/cells/machine_cells.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

namespace macrobench {

std::string gpu_name(const Machine& machine) {
  return machine.text_at("/gpu/name");
}

std::string describe_processor(const Machine& machine) {
  if (!machine.block.contains("cpu")) return "a machine about which nothing is known";
  const std::string cpu = machine.text_at("/cpu/model");
  const int cores = machine.cores();
  return fmt::format("{}, {} core{}", cpu.empty() ? "unknown CPU" : cpu, cores,
                     cores == 1 ? "" : "s");
}

std::string describe(const Machine& machine) {
  std::string text = describe_processor(machine);
  const std::string end =
      machine.faults.empty() ? "" : "; this folder fails verify: " + machine.faults;
  if (!machine.block.contains("cpu")) return text + end;
  const std::string gpu = gpu_name(machine);
  const std::string compiler = machine.text_at("/compiler/name");
  text += ", " + (gpu.empty() ? "no GPU" : gpu);
  if (!compiler.empty()) text += ", " + compiler;
  for (const std::string& other : machine.other_compilers) text += " and " + other;
  if (machine.is_shared()) text += ", shared with other jobs";
  if (machine.machines > 1) {
    text += fmt::format(", records of {}{} machines", machine.unnamed > 0 ? "at least " : "",
                        machine.machines);
    if (machine.unnamed > 0) {
      text += fmt::format(" ({} of {} do not say which)", machine.unnamed, machine.records);
    }
  }
  return text + end;
}

Sheet sheet_of_machine(const std::string& machine, const std::string& text) {
  using One = std::pair<std::string, std::string>;
  return SheetOf<One>("machine", {"machine"})
      .data("machine", &One::first)
      .data("text", &One::second)
      .of(std::vector{One{machine, text}});
}

}  // namespace macrobench
