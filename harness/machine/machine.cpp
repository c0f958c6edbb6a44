#include "harness/machine/machine.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sched.h>
#include <sodium/version.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <CLI/Version.hpp>
#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <optional>
#include <set>
#include <sstream>
#include <stdexcept>
#include <utility>
#include <vector>

#include "harness/files/digest.hpp"
#include "harness/files/whole_file.hpp"
#include "harness/machine/cpu_quota.hpp"
#include "harness/machine/installation.hpp"
#include "harness/process/process.hpp"
#include "harness/sources/source_digest.hpp"
#include "harness/text/json_values.hpp"
#include "harness/text/strings.hpp"

namespace macrobench {

namespace {

using nlohmann::ordered_json;

std::vector<std::string_view> trimmed_pieces(std::string_view text, char separator) {
  std::vector<std::string_view> pieces = split(text, separator);
  std::ranges::transform(pieces, pieces.begin(), trim);
  return pieces;
}

/// The first value of "name <separator> value" among the lines.
std::string_view value_in(std::string_view text, std::string_view name, char separator) {
  for (const std::string_view line : trimmed_pieces(text, '\n')) {
    const std::size_t at = line.find(separator);
    if (at == std::string_view::npos || trim(line.substr(0, at)) != name) continue;
    std::string_view value = trim(line.substr(at + 1));
    if (value.size() >= 2 && value.front() == '"' && value.back() == '"') {
      value = value.substr(1, value.size() - 2);
    }
    return value;
  }
  return {};
}

template <class Number>
ordered_json number_or_null(std::string_view text) {
  Number number{};
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} ? ordered_json(number) : ordered_json(nullptr);
}

/// How many different values the field has: the sockets of "physical id".
ordered_json count_values(std::string_view cpuinfo, std::string_view name) {
  std::set<std::string_view> values;
  for (const std::string_view line : trimmed_pieces(cpuinfo, '\n')) {
    const std::size_t at = line.find(':');
    if (at != std::string_view::npos && trim(line.substr(0, at)) == name) {
      values.insert(trim(line.substr(at + 1)));
    }
  }
  return values.empty() ? ordered_json(nullptr) : ordered_json(values.size());
}

ordered_json relevant_flags(std::string_view cpuinfo) {
  std::string_view all = value_in(cpuinfo, "flags", ':');
  if (all.empty()) all = value_in(cpuinfo, "Features", ':');  // ARM's name for them
  const std::vector<std::string_view> words = trimmed_pieces(all, ' ');
  ordered_json flags = ordered_json::array();
  for (const char* flag : {"avx", "avx2", "fma", "avx512f", "avx512dq", "asimd", "sve", "sve2"}) {
    if (std::ranges::count(words, flag) > 0) flags.push_back(flag);
  }
  return flags;
}

/// How many numbers a list of the kernel's holds: "0-1,4" holds 3. Null if it is not a list.
ordered_json count_listed(const std::string& list) {
  int many = 0;
  for (const std::string_view range : trimmed_pieces(trim(list), ',')) {
    const std::size_t dash = range.find('-');
    const ordered_json first = number_or_null<int>(range.substr(0, dash));
    const ordered_json last =
        dash == std::string_view::npos ? first : number_or_null<int>(range.substr(dash + 1));
    if (first.is_null() || last.is_null() || last < first) return nullptr;
    many += last.get<int>() - first.get<int>() + 1;
  }
  return many;
}

/// The clock in MHz; null if the kernel does not say.
ordered_json clock_of(std::string_view cpuinfo) {
  const std::string highest = kernel_text("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq");
  const ordered_json khz = number_or_null<double>(trim(highest));
  if (!khz.is_null()) return khz.get<double>() / 1e3;
  return number_or_null<double>(value_in(cpuinfo, "cpu MHz", ':'));
}

ordered_json load_average() {
  std::array<double, 3> load{};
  if (::getloadavg(load.data(), load.size()) != 3) return nullptr;
  return load;
}

ordered_json to_json(const Compiler& compiler) {
  if (compiler.name.empty()) return nullptr;
  return {{"name", compiler.name}, {"flags", compiler.flags}};
}

ordered_json libraries() {
  ordered_json versions = {
      {"fmt",
       fmt::format("{}.{}.{}", FMT_VERSION / 10000, FMT_VERSION / 100 % 100, FMT_VERSION % 100)},
      {"nlohmann_json", fmt::format("{}.{}.{}", NLOHMANN_JSON_VERSION_MAJOR,
                                    NLOHMANN_JSON_VERSION_MINOR, NLOHMANN_JSON_VERSION_PATCH)},
      {"CLI11", CLI11_VERSION},
      {"libsodium", SODIUM_VERSION_STRING}};
  // "Eigen=3.4.0;Thrust=2.0.0", which the build defines.
  for (const std::string_view pair : trimmed_pieces(MACROBENCH_LIBRARIES, ';')) {
    const std::size_t at = pair.find('=');
    if (at != std::string_view::npos) {
      versions[std::string(pair.substr(0, at))] = pair.substr(at + 1);
    }
  }
  return versions;
}

DeviceProbe& device_probe() {
  static DeviceProbe probe;
  return probe;
}

using BusId = std::string (*)();
BusId& bus_id_of_device() {
  static BusId function = nullptr;
  return function;
}

/// The device that CUDA calls 0 in this process, as nvidia-smi names it; none if the environment
/// hides all devices.
std::optional<std::string> first_visible_device() {
  const char* visible = std::getenv("CUDA_VISIBLE_DEVICES");
  if (visible == nullptr) return "0";
  std::string first(trimmed_pieces(visible, ',').front());
  if (first.empty() || first == "-1") return std::nullopt;
  return first;
}

/// The fields of a device that we ask nvidia-smi for.
constexpr std::string_view gpu_query =
    "name,memory.total,clocks.max.sm,clocks.max.memory,ecc.mode.current,power.limit,"
    "driver_version,clocks.sm";

/// What nvidia-smi says to these options.
struct NvidiaSmi {
  explicit NvidiaSmi(std::vector<std::string> options) {
    options.insert(options.begin(), "nvidia-smi");
    const ProcessResult said = run_process({options.front(), options, "", 10});
    is_there = said.end == ProcessResult::End::exited && said.code != 127;
    if (is_there && said.code == 0) answer = said.output;
  }

  bool is_there = false;
  std::optional<std::string> answer;  ///< none if it is not there, or fails
};

ordered_json gpu() {
  const std::optional<std::string> device = first_visible_device();
  if (!device) return nullptr;
  ordered_json block = nullptr;
  // Drivers from before 2022 do not know compute_cap, and refuse a query with it.
  for (const char* more : {",compute_cap", ""}) {
    const NvidiaSmi said({"--id=" + *device, fmt::format("--query-gpu={}{}", gpu_query, more),
                          "--format=csv,noheader,nounits"});
    if (said.answer) block = gpu_from_csv(*said.answer);
    if (block.is_object() || !said.is_there) break;
  }
  if (device_probe()) {
    const ordered_json probed = device_probe()();
    if (probed.is_object()) block.update(probed);
  }
  return block;
}

/// Which machine this is: what its identity is made from besides the hardware that the block has
/// anyway. Every GPU counts, whether or not this process may use it.
ordered_json identity_here() {
  const Installation installation = this_installation();
  const NvidiaSmi said({"--query-gpu=uuid,name", "--format=csv,noheader"});
  return {{"installation", or_null(installation.id)},
          {"from", or_null(installation.from)},
          {"gpus", gpus_from_csv(said.answer.value_or(""))}};
}

std::string lower_case_with_underscores(std::string_view text) {
  std::string name;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0 && byte < 128) {
      name += static_cast<char>(std::tolower(byte));
    } else if (!name.empty() && name.back() != '_') {
      name += '_';
    }
  }
  if (!name.empty() && name.back() == '_') name.pop_back();
  return name;
}

/// A processor's name without the words that say nothing: "(R)", "CPU", "16-Core", "@ 2.60GHz".
std::string plain_cpu_name(std::string model) {
  model = model.substr(0, model.find('@'));
  for (const std::string_view mark : {"(R)", "(r)", "(TM)", "(tm)"}) {
    for (std::size_t at = 0; (at = model.find(mark)) != std::string::npos;) {
      model.replace(at, mark.size(), " ");
    }
  }
  std::istringstream words(model);
  std::string plain;
  for (std::string word; words >> word;) {
    if (word == "CPU" || word == "Processor" || word.ends_with("-Core")) continue;
    plain += word + " ";
  }
  return plain;
}

}  // namespace

std::string cpu_model(std::string_view cpuinfo) {
  for (const std::string_view name : {"model name", "Model", "cpu model", "Hardware", "cpu"}) {
    const std::string_view value = value_in(cpuinfo, name, ':');
    if (!value.empty()) return std::string(value);
  }
  const std::string_view implementer = value_in(cpuinfo, "CPU implementer", ':');
  const std::string_view core = value_in(cpuinfo, "CPU part", ':');
  if (implementer.empty()) return {};
  // ARM's kernel gives numbers; these are the server cores that an economist may meet.
  constexpr std::array<std::pair<std::string_view, std::string_view>, 8> arm_cores{
      {{"0xd03", "Cortex-A53"},
       {"0xd08", "Cortex-A72"},
       {"0xd0b", "Cortex-A76"},
       {"0xd0c", "Neoverse-N1"},
       {"0xd40", "Neoverse-V1"},
       {"0xd49", "Neoverse-N2"},
       {"0xd4f", "Neoverse-V2"},
       {"0xd84", "Neoverse-V3"}}};
  if (implementer == "0x41") {
    for (const auto& [number, name] : arm_cores) {
      if (core == number) return "ARM " + std::string(name);
    }
  }
  if (implementer == "0x61") return fmt::format("Apple part {}", core);
  return fmt::format("ARM implementer {} part {}", implementer, core);
}

ordered_json gpu_from_csv(std::string_view csv) {
  const std::vector<std::string_view> fields =
      trimmed_pieces(trim(csv).substr(0, trim(csv).find('\n')), ',');
  if (fields.size() < 8 || fields[0].empty()) return nullptr;
  ordered_json ecc = nullptr;
  if (fields[4] == "Enabled") ecc = true;
  if (fields[4] == "Disabled") ecc = false;
  return {{"name", fields[0]},
          {"memory_mib", number_or_null<std::int64_t>(fields[1])},
          {"highest_sm_mhz", number_or_null<int>(fields[2])},
          {"highest_memory_mhz", number_or_null<int>(fields[3])},
          {"ecc", ecc},
          {"power_limit_w", number_or_null<double>(fields[5])},
          {"driver", or_null(fields[6])},
          {"compute_capability", or_null(fields.size() > 8 ? fields[8] : "")},
          {"now", {{"sm_mhz", number_or_null<int>(fields[7])}}}};
}

ordered_json gpus_from_csv(std::string_view csv) {
  std::vector<std::pair<std::string, std::string>> gpus;
  for (const std::string_view line : trimmed_pieces(trim(csv), '\n')) {
    const std::vector<std::string_view> fields = trimmed_pieces(line, ',');
    if (fields.size() != 2 || !fields[0].starts_with("GPU-") || fields[1].empty()) continue;
    gpus.emplace_back(hmac_sha256(fields[0], "macrobench: which GPU").substr(0, 16), fields[1]);
  }
  std::ranges::sort(gpus);
  ordered_json list = ordered_json::array();
  for (const auto& [id, name] : gpus) list.push_back({{"name", name}, {"id", id}});
  return list;
}

bool set_device_probe(DeviceProbe probe) {
  device_probe() = std::move(probe);
  return true;
}

std::string device_bus_id() {
  return bus_id_of_device() == nullptr ? std::string() : bus_id_of_device()();
}

bool set_device_bus_id(std::string (*bus_id)()) {
  bus_id_of_device() = bus_id;
  return true;
}

ordered_json cpu_topology(const std::filesystem::path& system) {
  return {{"numa_nodes", count_listed(kernel_text(system / "node" / "online"))},
          {"threads_per_core",
           count_listed(kernel_text(system / "cpu/cpu0/topology/thread_siblings_list"))}};
}

ordered_json cpu_caches(const std::filesystem::path& system) {
  ordered_json list = ordered_json::array();
  for (int index = 0;; ++index) {
    const auto folder = system / fmt::format("cpu/cpu0/cache/index{}", index);
    const auto field = [&](const char* name) {
      return std::string(trim(kernel_text(folder / name)));
    };
    const ordered_json size = number_or_null<std::int64_t>(field("size"));  // of "32K"
    if (size.is_null()) return list;
    const std::int64_t unit = field("size").ends_with('M')   ? 1 << 20
                              : field("size").ends_with('K') ? 1 << 10
                                                             : 1;
    list.push_back({{"level", number_or_null<int>(field("level"))},
                    {"type", field("type")},
                    {"bytes", unit * size.get<std::int64_t>()},
                    {"shared_by", count_listed(field("shared_cpu_list"))}});
  }
}

std::string affinity() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (::sched_getaffinity(0, sizeof set, &set) != 0) return {};
  std::string list;
  for (int first = 0; first < CPU_SETSIZE; ++first) {
    if (!CPU_ISSET(first, &set)) continue;
    int last = first;
    while (last + 1 < CPU_SETSIZE && CPU_ISSET(last + 1, &set)) ++last;
    list += fmt::format("{}{}", list.empty() ? "" : ",", first);
    if (last > first) list += fmt::format("-{}", last);
    first = last;
  }
  return list;
}

int available_cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (::sched_getaffinity(0, sizeof set, &set) == 0) return CPU_COUNT(&set);
  // More cores than the set can hold: use those of the machine.
  return static_cast<int>(std::max(1L, ::sysconf(_SC_NPROCESSORS_ONLN)));
}

Machine this_machine() {
  const std::string cpuinfo = kernel_text("/proc/cpuinfo");
  const std::string governor = kernel_text("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
  const std::string release = kernel_text("/etc/os-release");
  utsname kernel{};
  ::uname(&kernel);
  const auto memory = static_cast<std::int64_t>(::sysconf(_SC_PHYS_PAGES)) *
                      static_cast<std::int64_t>(::sysconf(_SC_PAGESIZE));

  Machine machine;
  const ordered_json topology = cpu_topology();
  const std::optional<CpuQuota> quota = cpu_quota();
  machine.block = {
      {"cpu",
       {{"model", or_null(cpu_model(cpuinfo))},
        {"architecture", kernel.machine},
        {"cores_available", available_cores()},
        {"cores_in_machine", ::sysconf(_SC_NPROCESSORS_CONF)},
        {"sockets", count_values(cpuinfo, "physical id")},
        {"numa_nodes", topology["numa_nodes"]},
        {"threads_per_core", topology["threads_per_core"]},
        {"flags", relevant_flags(cpuinfo)},
        {"caches", cpu_caches()},
        {"governor", or_null(trim(governor))}}},
      {"memory_bytes", memory},
      {"os", or_null(value_in(release, "PRETTY_NAME", '='))},
      {"kernel", fmt::format("{} {}", kernel.sysname, kernel.release)},
      {"compiler", to_json(cpp_compiler())},
      {"cuda_compiler", to_json(cuda_compiler())},
      {"libraries", libraries()},
      {"gpu", gpu()},
      {"identity", identity_here()},
      {"source", {{"commit", or_null(source_commit())}, {"dirty", or_null(source_dirty())}}},
      {"now",
       {{"mhz", clock_of(cpuinfo)},
        {"scaling", !governor.empty() && trim(governor) != "performance"},
        {"affinity", affinity()},
        {"load_average", load_average()}}}};
  // A machine without one stays what it was.
  if (quota) machine.block["cpu"]["quota_cores"] = quota->cores;
  return machine;
}

Machine machine_from_json(ordered_json block) {
  const auto require = [](bool holds, const char* what) {
    if (!holds) throw std::invalid_argument(what);
  };
  require(block.is_object(), "/machine: it must be an object");
  require(block.contains("cpu") && block["cpu"].is_object(), "/machine/cpu: it must be an object");
  const ordered_json& cpu = block["cpu"];
  const ordered_json cores = cpu.value("cores_available", ordered_json());
  require(cores.is_number_integer() && cores >= 1 && cores <= std::numeric_limits<int>::max(),
          "/machine/cpu/cores_available: it must be a whole number, 1 or more");
  require(cpu.contains("model"), "/machine/cpu/model: it is missing");
  const ordered_json gpu = block.value("gpu", ordered_json());
  require(gpu.is_null() || gpu.is_object(), "/machine/gpu: it must be an object or null");
  require(!gpu.contains("name") || gpu["name"].is_string(),
          "/machine/gpu/name: it must be a string");
  const ordered_json identity = block.value("identity", ordered_json());
  require(identity.is_null() || identity.is_object(),
          "/machine/identity: it must be an object or null");
  return {.block = std::move(block)};
}

ordered_json Machine::at(const char* pointer) const {
  const ordered_json::json_pointer place(pointer);
  return block.contains(place) ? block.at(place) : ordered_json();
}

std::string Machine::text_at(const char* pointer) const {
  const ordered_json value = at(pointer);
  return value.is_string() ? value.get<std::string>() : std::string();
}

std::optional<double> Machine::number_at(const char* pointer) const {
  const ordered_json value = at(pointer);
  return value.is_number() ? std::optional(value.get<double>()) : std::nullopt;
}

std::string Machine::id() const {
  ordered_json lasting = block;
  lasting.erase("now");
  if (lasting.contains("gpu") && lasting["gpu"].is_object()) lasting["gpu"].erase("now");
  // Machines do not differ by the order of the members.
  return sha256(compact(nlohmann::json(lasting)));
}

std::string Machine::comparable_id() const {
  nlohmann::json compared = nlohmann::json::array();
  for (const char* pointer :
       {"/cpu/model", "/cpu/cores_available", "/cpu/flags", "/gpu/name", "/gpu/memory_mib",
        "/gpu/ecc", "/gpu/multiprocessors", "/compiler", "/cuda_compiler"}) {
    compared.push_back(nlohmann::json(at(pointer)));
  }
  // Records from before threads could be held in place stay comparable with those of none.
  if (!place().empty()) compared.push_back(place());
  if (is_shared()) compared.push_back("shared");
  if (const ordered_json quota = at("/cpu/quota_cores"); !quota.is_null()) {
    compared.push_back({"quota", quota});
  }
  return sha256(compact(compared));
}

namespace {

/// What equal machines share. The kernel keeps some of the memory to itself, and not always as
/// much.
ordered_json hardware_of(const Machine& machine) {
  const std::optional<double> bytes = machine.number_at("/memory_bytes");
  constexpr double gibi = 1 << 30;
  return {{"cpu", machine.at("/cpu/model")},
          {"cores", machine.at("/cpu/cores_in_machine")},
          {"memory_gib", bytes ? ordered_json(std::ceil(*bytes / gibi)) : ordered_json(nullptr)},
          {"gpu", machine.at("/gpu/name")}};
}

}  // namespace

bool Machine::is_identified() const {
  return at("/identity/installation").is_string();
}

std::string Machine::identity() const {
  ordered_json known = hardware_of(*this);
  if (is_identified()) {
    known["installation"] = at("/identity/installation");
    // Machines that their user calls one have different GPUs of one kind. Else every GPU counts,
    // and not which of them this process sees first.
    if (at("/identity/from") != "name") known["gpu"] = at("/identity/gpus");
  }
  return sha256(compact(nlohmann::json(known)));
}

bool Machine::is_same_as(const Machine& other) const {
  return is_identified() && other.is_identified() ? identity() == other.identity()
                                                  : hardware_of(*this) == hardware_of(other);
}

bool Machine::is_comparable_with(const Machine& other) const {
  return comparable_id() == other.comparable_id() && is_same_as(other);
}

std::size_t count_machines(const std::map<std::string, Machine>& blocks) {
  std::vector<const Machine*> different;
  // Those that say which they are come first: one that does not may be any of them.
  for (const bool is_identified : {true, false}) {
    for (const auto& [id, machine] : blocks) {
      if (machine.is_identified() != is_identified) continue;
      if (std::ranges::none_of(different,
                               [&](const Machine* one) { return one->is_same_as(machine); })) {
        different.push_back(&machine);
      }
    }
  }
  return different.size();
}

int Machine::cores() const {
  return block.at("cpu").at("cores_available").get<int>();
}

std::string Machine::place() const {
  return text_at("/cpu/place");
}

bool Machine::is_shared() const {
  return at("/shared") == true;
}

bool Machine::has_gpu() const {
  return at("/gpu").is_object();
}

std::string Machine::slug() const {
  std::string cpu = lower_case_with_underscores(plain_cpu_name(text_at("/cpu/model")));
  if (cpu.empty()) cpu = "unknown_cpu";
  std::string slug = fmt::format("{}_{}_core{}", cpu, cores(), cores() == 1 ? "" : "s");
  if (const std::string gpu = text_at("/gpu/name"); !gpu.empty()) {
    slug += "_" + lower_case_with_underscores(gpu);
  }
  if (!place().empty()) slug += "_" + lower_case_with_underscores(place());
  if (is_shared()) slug += "_shared";
  return slug;
}

std::string Machine::own_name() const {
  return slug() + "_" + identity().substr(0, 6);
}

}  // namespace macrobench
