#include <filesystem>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "harness/files/json_file.hpp"
#include "harness/records/results_folder.hpp"
#include "harness/regress/noise.hpp"
#include "harness/text/error.hpp"
#include "harness/text/format.hpp"
#include "harness/text/json_cursor.hpp"
#include "harness/text/json_fields.hpp"

namespace macrobench {

namespace fs = std::filesystem;

namespace {

constexpr const char* remedy = "macrobench regress --calibrate makes one";
constexpr double most_noise = 10;  // of a logarithm: a factor of twenty thousand

MachineNoise noise_from(const JsonCursor& at) {
  at.at("schema").check_schema(1);
  const auto block = nlohmann::ordered_json::parse(at.at("machine").value().dump());
  MachineNoise noise;
  try {
    noise.machine = machine_from_json(block);
  } catch (const std::invalid_argument& error) {
    at.fail(error.what());
  }
  noise.time = as::utc_time().read(at.at("time"));
  noise.confidence = at.at("confidence").number_within(0.5, 0.9999);
  noise.cases = at.at("cases").list_of([](const JsonCursor& one) {
    return CaseNoise{one.at("key").text(), static_cast<int>(one.at("pairs").count()),
                     one.at("noise").number_within(0, most_noise)};
  });
  return noise;
}

}  // namespace

fs::path noise_file(const fs::path& results, const Machine& machine) {
  return own_folder(results, machine) / "regress_noise.json";
}

MachineNoise read_noise(const fs::path& results, const Machine& machine, double confidence) {
  const fs::path path = noise_file(results, machine);
  if (!fs::exists(path)) {
    throw UsageError("--threshold auto needs a calibration of this machine, and there is no {}: {}",
                     path.string(), remedy);
  }
  const std::string name = path.string();
  MachineNoise noise;
  try {
    const nlohmann::json json = read_json(path, name);
    noise = noise_from(JsonCursor(name, json));
  } catch (const UsageError& error) {
    throw UsageError("{}; {}", error.what(), remedy);
  }
  if (!noise.machine.is_same_as(machine)) {
    throw UsageError("{}: it is a calibration of another machine, {}; {}", name,
                     noise.machine.slug(), remedy);
  }
  if (noise.confidence != confidence) {
    throw UsageError(
        "{}: it was made for a confidence of {:g}, not {:g}: give regress --calibrate the same "
        "--confidence",
        name, noise.confidence, confidence);
  }
  return noise;
}

std::string why_old(const MachineNoise& noise) {
  constexpr std::time_t oldest = 90 * 24 * 3600;
  if (noise.time >= utc_now(oldest)) return "";
  return "The calibration is from " + noise.time.substr(0, 10) +
         ", more than 90 days ago: macrobench regress --calibrate makes a new one.";
}

}  // namespace macrobench
