#include "harness/programs/program_run.hpp"

#include <fmt/format.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <system_error>
#include <utility>

#include "harness/files/folder.hpp"
#include "harness/process/elapsed.hpp"
#include "harness/text/error.hpp"
#include "harness/text/strings.hpp"

namespace macrobench {

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr int pings = 21;
/// A solution that takes less than so many pings is mostly conversation.
constexpr double least_pings = 20;
constexpr double share_of_memory = 0.8;  // that a program may use
constexpr std::uint64_t most_output = std::uint64_t{64} << 20;
constexpr std::uint64_t most_in_file = std::uint64_t{8} << 30;

template <class Function>
double seconds_of_call(Function function) {
  const auto begin = Clock::now();
  function();
  return seconds_since(begin);
}

/// Bytes that a program may use: as many as the user says, or most of the machine's.
std::uint64_t memory_of_a_program() {
  if (const char* set = std::getenv(memory_variable)) {
    return std::strtoull(set, nullptr, 10) << 20;
  }
  const double all =
      static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGESIZE));
  return static_cast<std::uint64_t>(share_of_memory * all);
}

/// A file of the driver's (nvidia and more), or of Windows's subsystem (dxg).
std::string gpu_file(const char* name) {
  const char* devices = std::getenv(devices_variable);
  return fmt::format("{}/{}", devices == nullptr ? "/dev" : devices, name);
}

double median_of(std::vector<double> values) {
  std::ranges::nth_element(values, values.begin() + static_cast<long>(values.size() / 2));
  return values[values.size() / 2];
}

}  // namespace

std::string why_no_gpu() {
  const bool is_here = fs::exists(gpu_file("nvidiactl")) || fs::exists(gpu_file("dxg"));
  return is_here ? "" : "no GPU here";
}

ChildCommand command_of(const ProgramSetting& setting, const fs::path& work) {
  const Manifest& manifest = setting.manifest;
  const bool on_gpu = setting.device == "gpu";
  const std::string threads = fmt::format("{}", setting.threads);
  ChildCommand command{.name = manifest.id(),
                       .command = manifest.expanded(manifest.command),
                       .bare = true,
                       .folder = work,
                       .cores = on_gpu ? 0 : setting.threads,
                       .most_memory = memory_of_a_program(),
                       .most_output = most_output,
                       .most_in_file = most_in_file};
  // The first of a name stays: what decides on what it runs is not its own to say.
  const char* gpus = std::getenv("CUDA_VISIBLE_DEVICES");
  command.environment.emplace_back("CUDA_VISIBLE_DEVICES", !on_gpu           ? ""
                                                           : gpus == nullptr ? "0"
                                                                             : gpus);
  for (const char* name : {"OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS",
                           "NUMBA_NUM_THREADS", "JULIA_NUM_THREADS", "RAYON_NUM_THREADS"}) {
    command.environment.emplace_back(name, threads);
  }
  for (const auto& [name, value] : manifest.environment) {
    command.environment.emplace_back(name, manifest.expanded(value));
  }
  for (const char* name : {"PATH", "LD_LIBRARY_PATH"}) {
    if (const char* value = std::getenv(name)) command.environment.emplace_back(name, value);
  }
  for (const char* name : {"HOME", "TMPDIR"}) command.environment.emplace_back(name, work);
  command.environment.emplace_back("LANG", "C.UTF-8");
  command.environment.emplace_back("PYTHONDONTWRITEBYTECODE", "1");
  if (std::getenv(sandbox_variable) != nullptr) {
    std::vector<std::string> inside = std::move(command.command);
    command.command = {"bwrap", "--ro-bind", "/",  "/",  "--dev-bind",    "/dev",
                       "/dev",  "--bind",    work, work, "--unshare-net", "--die-with-parent"};
    command.command.insert(command.command.end(), inside.begin(), inside.end());
  }
  return command;
}

void ProgramRun::start() {
  conversation_.reset();
  work_.emplace();
  std::string versions;
  std::string device;
  seconds_["process"].push_back(seconds_of_call([&] {
    conversation_ =
        std::make_unique<Conversation>(command_of(setting_, work_->path()), setting_.deadlines);
    versions = conversation_->hello();
  }));
  seconds_["start"].push_back(seconds_of_call([&] {
    device = conversation_->start({{"device", setting_.device},
                                   {"threads", fmt::format("{}", setting_.threads)},
                                   {"real", setting_.real}});
  }));
  constexpr std::size_t longest_note = 300;
  notes_["versions"] = printable(shortened(versions, longest_note));
  if (std::getenv(sandbox_variable) != nullptr) notes_["sandbox"] = "bubblewrap";
  if (!device.empty()) notes_["device"] = printable(shortened(device, longest_note));
}

std::vector<std::string> ProgramRun::load(const std::vector<ProblemData>& problems) {
  std::error_code ignored;
  for (const fs::path& path : paths_in(work_->path())) {
    const std::string name = path.filename();
    if (name.starts_with("problem_") || name.starts_with("result_")) fs::remove_all(path, ignored);
  }
  std::vector<std::string> ids;
  double seconds = 0;
  for (const ProblemData& problem : problems) {
    std::uniform_int_distribution<int> eight_digits(10'000'000, 99'999'999);
    std::string id = fmt::format("{}", eight_digits(random_));
    const fs::path folder = fresh_folder("problem");
    problem.write_to(folder);
    seconds += seconds_of_call([&] { conversation_->load(id, folder); });
    ids.push_back(std::move(id));
  }
  seconds_["load"].push_back(seconds / static_cast<double>(problems.size()));
  static_cast<void>(look());
  return ids;
}

fs::path ProgramRun::fresh_folder(const char* name) {
  fs::path folder = work_->path() / fmt::format("{}_{}", name, ++folders_);
  fs::create_directory(folder);
  return folder;
}

/// What all its processes use, and the CPU seconds since the last look.
ProcessUse ProgramRun::look() {
  ProcessUse use = conversation_->program().use();
  last_look_ = Clock::now();
  use.cpu_seconds -= std::exchange(cpu_seconds_, use.cpu_seconds);
  return use;
}

void ProgramRun::solve(const std::vector<std::string>& ids) {
  last_seconds_ = seconds_of_call([&] { conversation_->solve(ids); });
  is_written_ = false;
}

fs::path ProgramRun::write(const std::string& id) {
  if (!is_written_) check_cores();
  is_written_ = true;
  // A program that knows no contract has ended by now, and only its wrapper is there.
  if (!seconds_.contains("write") && !setting_.manifest.existing) {
    resident_bytes_ = conversation_->program().peak_resident_bytes();
  }
  fs::path folder = fresh_folder("result");
  seconds_["write"].push_back(seconds_of_call([&] { conversation_->write(id, folder); }));
  return folder;
}

/// Of the write into the folder, which took so many seconds and was the last thing it did.
WriteUse ProgramRun::use_of_write(double seconds, const fs::path& folder) {
  WriteUse use{.seconds = seconds, .cpu_seconds = look().cpu_seconds};
  for (const fs::path& file : paths_in(folder)) {
    std::error_code not_a_file;
    const auto bytes = fs::file_size(file, not_a_file);
    if (not_a_file) continue;
    use.bytes += static_cast<double>(bytes);
    if (file.extension() != ".txt") use.binary += static_cast<double>(bytes);
  }
  return use;
}

fs::path ProgramRun::write_twice(const std::string& id, LateWork& late) {
  fs::path folder = write(id);
  const WriteUse first = use_of_write(seconds_["write"].back(), folder);
  WriteUse again = first;  // of a program that forgets the result at once: its bytes remain
  try {
    const fs::path repeated = fresh_folder("result");
    const double seconds = seconds_of_call([&] { conversation_->write(id, repeated); });
    again = use_of_write(seconds, repeated);
  } catch (const ProgramFault&) {
    if (conversation_->program().has_ended()) throw;
  }
  late.add(last_seconds_, first, again);
  object(late.why());
  return folder;
}

fs::path ProgramRun::write_twice(const std::string& id) {
  LateWork late(setting_.device != "cpu");
  return write_twice(id, late);
}

void ProgramRun::hear(const ResultFolder& result) {
  if (!setting_.manifest.existing) return;
  for (const char* name : {"their_solution", "their_set_up"}) {
    const auto seconds = finite_number(result.words(fmt::format("{}_seconds", name)));
    if (seconds) seconds_[name].push_back(*seconds);
  }
  if (const std::string assumed = result.words("assumed"); !assumed.empty()) {
    notes_["assumed"] = assumed + ": program.json says so, not the program";
  }
  digits_ = finite_number(result.words("digits")).value_or(0);
  rounding_ = finite_number(result.words("rounding")).value_or(0);
}

std::string ProgramRun::too_few_digits(double residual) const {
  const int enough = setting_.real == "single" ? 9 : 17;
  // What rounding moves on both sides of an equation, and a few sums of that.
  constexpr double most = 10;
  if (digits_ == 0 || digits_ >= enough || !(residual <= most * rounding_)) return {};
  return fmt::format("{} digits leave a residual of {:.0e}: print {}", digits_, residual, enough);
}

void ProgramRun::check_cores() {
  const auto begin = last_look_;
  const ProcessUse use = look();
  if (setting_.device != "cpu") return;
  if (use.cores > setting_.threads) {
    object(fmt::format("left the {} core{} that it was given", setting_.threads,
                       setting_.threads == 1 ? "" : "s"));
  }
  constexpr double least_seconds = 0.2;
  constexpr double tolerated = 1.3;
  const double seconds = std::chrono::duration<double>(last_look_ - begin).count();
  const double cores = use.cpu_seconds / seconds;
  if (seconds < least_seconds || cores <= tolerated * setting_.threads) return;
  object(fmt::format("used {:.1f} cores, but has {} thread{}", cores, setting_.threads,
                     setting_.threads == 1 ? "" : "s"));
}

int ProgramRun::calibrate(const std::function<ProblemData()>& another) {
  std::vector<double> each(pings);
  for (double& ping : each) ping = seconds_of_call([&] { conversation_->ping(); });
  ping_ = median_of(each);
  seconds_["ping"] = {ping_};
  double seconds = 0;
  for (LateWork late(setting_.device != "cpu"); late.wants_more();) {
    const std::vector<std::string> ids = load({another()});
    solve(ids);
    if (seconds == 0) seconds = last_seconds_;
    static_cast<void>(write_twice(ids.front(), late));
  }
  const double least = least_pings * ping_;
  if (seconds >= least || !objection_.empty()) return 1;
  const double needed = std::ceil(2 * least / std::max(seconds, 1e-9));
  const int batch = static_cast<int>(std::min<double>(needed, setting_.manifest.batch));
  if (batch * seconds >= least) return batch;
  object(
      fmt::format("{}a solution takes {:.3g} s, and an answer to nothing {:.3g} s; "
                  "solve a larger problem, or let the program take {:.0f} at a time (batch)",
                  too_short, seconds, ping_, needed));
  return 1;
}

std::map<std::string, std::string> ProgramRun::notes() const {
  std::map<std::string, std::string> all = notes_;
  if (conversation_ == nullptr) return all;
  const ProcessUse use = conversation_->program().use();
  if (use.processes > 1) all["processes"] = fmt::format("{}", use.processes);
  return all;
}

}  // namespace macrobench
