#include "harness/run/machine_watch.hpp"

#include <fmt/format.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <thread>
#include <utility>

#include "harness/files/whole_file.hpp"
#include "harness/machine/machine.hpp"
#include "harness/process/elapsed.hpp"
#include "harness/records/doubt.hpp"
#include "harness/text/strings.hpp"

namespace macrobench {

namespace {

using Clock = std::chrono::steady_clock;

/// The kernel's unit in /proc/stat, USER_HZ.
constexpr double ticks_per_second = 100;

/// A twentieth of a second: five ticks, so that one tick more or less is no busy core.
constexpr double glance = 0.05;

std::optional<double> number_in(std::string_view text) {
  double number = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} ? std::optional(number) : std::nullopt;
}

/// The words of a line, which may be several spaces apart.
std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words = split(line, ' ');
  std::erase_if(words, [](std::string_view word) { return word.empty(); });
  return words;
}

/// "0.35 0.78 1.27 6/114 11690": the load of the last minute, and the runnable tasks.
void read_load(std::string_view text, std::optional<double>& load, std::optional<double>& tasks) {
  const std::vector<std::string_view> words = words_of(text);
  if (words.size() < 4) return;
  load = number_in(words[0]);
  tasks = number_in(words[3].substr(0, words[3].find('/')));
}

std::optional<double> mean_mhz(std::string_view cpuinfo) {
  double sum = 0;
  int count = 0;
  for (const std::string_view line : split(cpuinfo, '\n')) {
    if (!line.starts_with("cpu MHz")) continue;
    const std::optional<double> mhz = number_in(trim(line.substr(line.find(':') + 1)));
    if (!mhz) return std::nullopt;
    sum += *mhz;
    ++count;
  }
  return count == 0 ? std::nullopt : std::optional(sum / count);
}

/// How many cores the text of /proc/stat counts, those included that this process may not run on.
int cores_in(std::string_view stat) {
  return static_cast<int>(std::ranges::count_if(split(stat, '\n'), [](std::string_view line) {
    return line.size() > 3 && line.starts_with("cpu") && line[3] != ' ';
  }));
}

/// How many cores others want, as why_busy() counts them. Ready tasks come and go: they are counted
/// ten times. One of them is this process, which reads.
std::optional<double> wanted_cores(const std::string& folder) {
  constexpr int readings = 10;
  const auto begin = Clock::now();
  const MachineWatch watch(folder);
  double ready = 0;
  for (int i = 0; i < readings; ++i) {
    std::this_thread::sleep_for(std::chrono::duration<double>(glance));
    std::optional<double> load, tasks;
    read_load(kernel_text(folder + "/loadavg"), load, tasks);
    ready += std::max(0.0, tasks.value_or(1) - 1) / readings;
  }
  const double wall = seconds_since(begin);
  const std::optional<double> busy = watch.end(wall, {}).others_cores;
  const int all = cores_in(kernel_text(folder + "/stat"));
  if (!busy || ready <= all) return busy;
  return std::max(*busy, ready * available_cores() / all);
}

/// Half a core is what a glance at ticks does not tell from none.
bool leaves_idle(double busy, int cores) {
  return busy + cores <= available_cores() + 0.5;
}

}  // namespace

std::string counters_folder() {
  const char* folder = std::getenv("MACROBENCH_PROC");
  return folder == nullptr ? "/proc" : folder;
}

std::optional<CoreSeconds> core_seconds(std::string_view stat, const std::vector<int>& cores) {
  // user nice system idle iowait irq softirq steal: a guest's time is in user and nice.
  constexpr std::array<std::size_t, 5> busy{1, 2, 3, 6, 7};
  constexpr std::size_t steal = 8;
  constexpr std::array<std::size_t, 2> idle{4, 5};
  CoreSeconds sum;
  std::size_t found = 0;
  for (const std::string_view line : split(stat, '\n')) {
    const std::vector<std::string_view> words = words_of(line);
    if (words.size() <= steal || !words[0].starts_with("cpu")) continue;
    const std::optional<double> core = number_in(words[0].substr(3));
    if (!core || std::ranges::count(cores, static_cast<int>(*core)) == 0) continue;
    ++found;
    for (const std::size_t place : busy) sum.busy += number_in(words[place]).value_or(0);
    for (const std::size_t place : idle) sum.idle += number_in(words[place]).value_or(0);
    sum.stolen += number_in(words[steal]).value_or(0);
  }
  if (found == 0 || found != cores.size()) return std::nullopt;
  return CoreSeconds{.busy = sum.busy / ticks_per_second,
                     .stolen = sum.stolen / ticks_per_second,
                     .idle = sum.idle / ticks_per_second};
}

std::vector<int> allowed_cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  std::vector<int> cores;
  if (::sched_getaffinity(0, sizeof set, &set) == 0) {
    for (int core = 0; core < CPU_SETSIZE; ++core) {
      if (CPU_ISSET(core, &set)) cores.push_back(core);
    }
  }
  return cores;
}

MachineWatch::MachineWatch(std::string folder, std::vector<int> cores)
    : folder_(std::move(folder)), cores_(std::move(cores)), quota_(cpu_quota()), before_(read()) {}

MachineWatch::Reading MachineWatch::read() const {
  Reading reading;
  reading.seconds = core_seconds(kernel_text(folder_ + "/stat"), cores_);
  read_load(kernel_text(folder_ + "/loadavg"), reading.load, reading.runnable);
  reading.mhz = mean_mhz(kernel_text(folder_ + "/cpuinfo"));
  if (quota_) reading.throttled = throttled_seconds(*quota_);
  return reading;
}

Conditions MachineWatch::end(double wall, const Usage& own) const {
  const Reading after = read();
  Conditions conditions;
  conditions.cores = available_cores();
  conditions.cpu_seconds = own.cpu_seconds;
  conditions.preempted = own.preempted;
  conditions.load = {before_.load, after.load};
  conditions.runnable = {before_.runnable, after.runnable};
  conditions.mhz = {before_.mhz, after.mhz};
  if (quota_) {
    conditions.quota = MetQuota{.cores = quota_->cores};
    if (before_.throttled && after.throttled) {
      conditions.quota->throttled_seconds = std::max(0.0, *after.throttled - *before_.throttled);
    }
  }
  // Some sandboxes give counters that stand still.
  if (wall <= 0 || !before_.seconds || !after.seconds || *before_.seconds == *after.seconds) {
    return conditions;
  }
  const double busy = after.seconds->busy - before_.seconds->busy - own.cpu_seconds;
  conditions.others_cores = std::max(0.0, busy / wall);
  conditions.stolen_cores = std::max(0.0, (after.seconds->stolen - before_.seconds->stolen) / wall);
  return conditions;
}

std::optional<double> busy_cores_now(const std::string& folder) {
  const auto begin = Clock::now();
  const MachineWatch watch(folder);
  std::this_thread::sleep_for(std::chrono::duration<double>(glance));
  const double wall = seconds_since(begin);
  return watch.end(wall, {}).others_cores;
}

std::string why_busy(int threads, const std::string& folder) {
  if (!core_seconds(kernel_text(folder + "/stat"), allowed_cores())) return {};
  const double cores = available_cores();
  const double needed = std::min<double>(threads, cores);
  double wanted = 0;
  // The second look tells what goes on from what has just ended, as the command before this one.
  for (int look = 0; look < 2; ++look) {
    wanted = wanted_cores(folder).value_or(0);
    if (wanted <= cores - needed + most_disturbed * needed) return {};
  }
  return fmt::format(
      "this machine is busy: {:.1f} of {} cores. Times may come out noisy: close other "
      "programs, or wait",
      wanted, cores);
}

void wait_for_idle_cores(int cores, double at_most, const std::string& folder) {
  if (!core_seconds(kernel_text(folder + "/stat"), allowed_cores())) return;
  const auto begin = Clock::now();
  while (seconds_since(begin) < at_most) {
    const std::optional<double> busy = busy_cores_now(folder);
    if (busy && leaves_idle(*busy, cores)) return;
  }
}

std::map<std::string, std::string> openmp_environment() {
  std::map<std::string, std::string> variables;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    const std::size_t at = text.find('=');
    const std::string_view name = text.substr(0, at);
    if (at == std::string_view::npos) continue;
    if (!name.starts_with("OMP_") && !name.starts_with("GOMP_") && !name.starts_with("KMP_")) {
      continue;
    }
    variables.emplace(name, text.substr(at + 1));
  }
  return variables;
}

std::map<std::string, std::string> waiting_policy(int threads, const std::string& folder) {
  if (threads <= 1) return {};
  const std::map<std::string, std::string> chosen = openmp_environment();
  for (const char* name : {"OMP_WAIT_POLICY", "GOMP_SPINCOUNT", "KMP_BLOCKTIME"}) {
    if (chosen.contains(name)) return {};
  }
  if (threads <= available_cores()) {
    const std::optional<double> busy = busy_cores_now(folder);
    if (!busy || leaves_idle(*busy, threads)) return {};
  }
  return {{"OMP_WAIT_POLICY", "passive"}};
}

}  // namespace macrobench
