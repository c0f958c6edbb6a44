#include "tests/harness/support.hpp"

#include <unistd.h>

#include <fstream>
#include <iterator>
#include <stdexcept>

#include "harness/files/digest.hpp"
#include "tests/paths.hpp"

namespace macrobench {

std::string content_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write_file(const std::filesystem::path& path, const std::string& content) {
  std::ofstream(path, std::ios::binary) << content;
}

Machine a_machine(int cores) {
  Machine machine;
  machine.block = {{"cpu",
                    {{"model", "AMD EPYC 7B13 64-Core Processor"},
                     {"architecture", "x86_64"},
                     {"cores_available", cores},
                     {"cores_in_machine", cores},
                     {"sockets", 1},
                     {"flags", {"avx2"}},
                     {"caches", nlohmann::ordered_json::array()},
                     {"governor", nullptr}}},
                   {"memory_bytes", 8'000'000'000},
                   {"os", "Debian"},
                   {"kernel", "Linux 6"},
                   {"compiler", {{"name", "GNU 12"}, {"flags", "-O3"}}},
                   {"cuda_compiler", nullptr},
                   {"libraries", {{"fmt", "9"}}},
                   {"gpu", nullptr},
                   {"source", {{"commit", "abc"}, {"dirty", false}}},
                   {"now", {{"mhz", 2500.0}}}};
  return machine;
}

Machine identified(const std::string& installation, const std::string& from,
                   const nlohmann::ordered_json& gpus) {
  Machine machine = a_machine();
  machine.block["identity"] = {{"installation", installation}, {"from", from}, {"gpus", gpus}};
  return machine;
}

Record a_record(const std::string& key) {
  Record record;
  record.key = key;
  record.model = "fake";
  record.implementation = "plain";
  record.origin = "corrected";
  record.parameters = {{"size", 1}, {"pace", 0.0}, {"behaviour", "fine"}};
  record.work = 1;
  record.floor = Floor{.bytes = 4096, .operations = 8192, .stages = {"policy"}};
  record.on_gpu = false;
  record.campaign = "2026-11-20T09:59:00Z 1f3a";
  record.status = Status::measured;
  record.samples = {{0.25, 0.125, {0.0625, 0.03125}, {{"policy", {0.1, 0.05, 0.025}}}},
                    {0.5, 0.25, {}, {}}};
  Outcome outcome;
  outcome.valid = true;
  outcome.iterations = 1323;
  outcome.residual = 1.55e-10;
  outcome.allowed = 1.6e-10;
  outcome.checked_states = 16384;
  outcome.exhaustive = true;
  outcome.figures = {{"euler_error", -3.5}};
  outcome.notes = {{"way", "continuous"}};
  outcome.series = {{"path", {1.5, 39.123456789}}};
  record.outcome = outcome;
  record.machine = a_machine().id();
  record.source = sha256("source");
  record.time = "2026-11-20T10:00:00Z";
  record.seconds = 1.5;
  return record;
}

std::vector<std::string> test_child(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), test_executables_folder() + "/test_child");
  return arguments;
}

}  // namespace macrobench
