#include "paper_tables/cells/machine_cells.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "harness/text/each.hpp"
#include "harness/text/error.hpp"
#include "harness/text/nearest.hpp"

namespace macrobench {

using nlohmann::ordered_json;

namespace {

/// Of a multiprocessor: results of additions, multiplications or fused ones, per clock cycle.
struct Multiprocessor {
  std::string_view capability;
  std::string_view generation;
  int single_lanes;
  int double_lanes;
};

/// CUDA C++ Programming Guide, Throughput of Native Arithmetic Instructions (its editions for CUDA
/// 11 to 13): 32-bit and 64-bit floating-point add, multiply, multiply-add.
constexpr std::array<Multiprocessor, 14> multiprocessors{{{"3.5", "Kepler", 192, 64},
                                                          {"3.7", "Kepler", 192, 64},
                                                          {"5.0", "Maxwell", 128, 4},
                                                          {"5.2", "Maxwell", 128, 4},
                                                          {"6.0", "Pascal", 64, 32},
                                                          {"6.1", "Pascal", 128, 4},
                                                          {"7.0", "Volta", 64, 32},
                                                          {"7.5", "Turing", 64, 2},
                                                          {"8.0", "Ampere", 64, 32},
                                                          {"8.6", "Ampere", 128, 2},
                                                          {"8.9", "Ada", 128, 2},
                                                          {"9.0", "Hopper", 128, 64},
                                                          {"10.0", "Blackwell", 128, 64},
                                                          {"12.0", "Blackwell", 128, 2}}};

Cell word(std::string text) {
  return {.text = std::move(text), .kind = Kind::constant, .why = "of the machine"};
}

Cell unknown(std::string why) {
  return {.kind = Kind::constant, .why = std::move(why)};
}

Cell not_recorded() {
  return unknown("not recorded for the machine");
}

/// A number of the block in the unit, to the step.
Cell number(const Machine& machine, const char* pointer, double unit, double step) {
  const std::optional<double> value = machine.number_at(pointer);
  if (!value) return not_recorded();
  return {.value = step * std::round(*value / unit / step),
          .kind = Kind::constant,
          .status = Status::measured,
          .why = "of the machine"};
}

constexpr double bytes_of_GiB = 1 << 30;
constexpr double MiB_of_GiB = 1 << 10;
constexpr double mhz_of_ghz = 1000;

Cell cpu_generation(const Machine& machine) {
  const std::string architecture = machine.text_at("/cpu/architecture");
  if (architecture.empty()) return not_recorded();
  const ordered_json flags = machine.block.at("cpu").value("flags", ordered_json::array());
  for (const auto& [flag, called] :
       {std::pair{"avx512f", "AVX-512"}, {"avx2", "AVX2"}, {"avx", "AVX"}, {"sve", "SVE"}}) {
    if (std::ranges::find(flags, flag) != flags.end()) return word(architecture + " " + called);
  }
  return word(architecture);
}

Cell cpu_peak(const Machine&) {
  return unknown("what a core of the CPU does per cycle is not recorded");
}

/// What the field needs from the device: a cell, or why there is none.
template <class Field>
Cell of_multiprocessor(const Machine& machine, Field field) {
  const std::string capability = machine.text_at("/gpu/compute_capability");
  if (capability.empty()) return not_recorded();
  const auto* known = std::ranges::find(multiprocessors, capability, &Multiprocessor::capability);
  if (known == multiprocessors.end()) {
    return unknown(fmt::format("the lanes of compute capability {} are not known", capability));
  }
  return field(*known);
}

Cell gpu_generation(const Machine& machine) {
  return of_multiprocessor(machine, [](const Multiprocessor& one) {
    return word(fmt::format("{} {}", one.generation, one.capability));
  });
}

Cell gpu_cores(const Machine& machine) {
  return of_multiprocessor(machine, [&](const Multiprocessor& one) {
    const std::optional<double> count = machine.number_at("/gpu/multiprocessors");
    if (!count) return not_recorded();
    return Cell{.value = *count * one.single_lanes,
                .kind = Kind::computed,
                .status = Status::measured,
                .why = "multiprocessors × lanes"};
  });
}

template <int Multiprocessor::* lanes>
Cell gpu_peak(const Machine& machine) {
  return of_multiprocessor(machine, [&](const Multiprocessor& one) {
    const std::optional<double> count = machine.number_at("/gpu/multiprocessors");
    const std::optional<double> mhz = machine.number_at("/gpu/highest_sm_mhz");
    if (!count || !mhz) return not_recorded();
    return Cell{.value = std::round(2 * *count * one.*lanes * *mhz / 1000),
                .kind = Kind::computed,
                .status = Status::measured,
                .why = "2 × multiprocessors × lanes × highest clock"};
  });
}

Cell gpu_memory(const Machine& machine) {
  return machine.number_at("/gpu/memory_mib")
             ? number(machine, "/gpu/memory_mib", MiB_of_GiB, 0.1)
             : number(machine, "/gpu/memory_bytes", bytes_of_GiB, 0.1);
}

using Field = Cell (*)(const Machine&);
constexpr std::array<std::pair<std::string_view, Field>, 12> fields{{
    {"gpu_generation", gpu_generation},
    {"gpu_cores", gpu_cores},
    {"gpu_ghz",
     [](const Machine& its) { return number(its, "/gpu/highest_sm_mhz", mhz_of_ghz, 0.01); }},
    {"gpu_single_gflops", gpu_peak<&Multiprocessor::single_lanes>},
    {"gpu_double_gflops", gpu_peak<&Multiprocessor::double_lanes>},
    {"gpu_memory_gib", gpu_memory},
    {"cpu_generation", cpu_generation},
    {"cpu_cores", [](const Machine& its) { return number(its, "/cpu/cores_available", 1, 1); }},
    {"cpu_ghz", [](const Machine& its) { return number(its, "/now/mhz", mhz_of_ghz, 0.01); }},
    {"cpu_single_gflops", cpu_peak},
    {"cpu_double_gflops", cpu_peak},
    {"cpu_memory_gib",
     [](const Machine& its) { return number(its, "/memory_bytes", bytes_of_GiB, 0.1); }},
}};

}  // namespace

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
  if (!machine.block.contains("cpu")) return text;
  const std::string gpu = gpu_name(machine);
  const std::string compiler = machine.text_at("/compiler/name");
  text += ", " + (gpu.empty() ? "no GPU" : gpu);
  if (!compiler.empty()) text += ", " + compiler;
  for (const std::string& other : machine.other_compilers) text += " and " + other;
  if (machine.is_shared()) text += ", shared with other jobs";
  if (machine.machines > 1) text += fmt::format(", records of {} machines", machine.machines);
  return text;
}

Sheet sheet_of_machine(const std::string& machine, const std::string& text) {
  using One = std::pair<std::string, std::string>;
  return SheetOf<One>("machine", {"machine"})
      .data("machine", &One::first)
      .data("text", &One::second)
      .of(std::vector{One{machine, text}});
}

const std::vector<std::string>& machine_fields() {
  static const std::vector<std::string> names =
      each(fields, [](const auto& field) { return std::string(field.first); });
  return names;
}

Cell machine_cell(const Machine& machine, std::string_view name) {
  const auto* field = std::ranges::find(fields, name, &std::pair<std::string_view, Field>::first);
  if (field == fields.end()) {
    throw UsageError(unknown_name("field of a machine", name, machine_fields()));
  }
  if (name.starts_with("gpu_") && !machine.has_gpu()) {
    return {.status = Status::not_run, .why = "no GPU here"};
  }
  return field->second(machine);
}

}  // namespace macrobench
