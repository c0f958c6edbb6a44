#include "harness/process/descendants.hpp"

#include <sched.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <limits>
#include <mutex>
#include <sstream>
#include <string>
#include <system_error>

namespace macrobench {

namespace {

namespace fs = std::filesystem;

/// Of all orphanages of this process.
struct {
  std::mutex mutex;
  int count = 0;
  int took_orphans_in = 0;  ///< whether this process did before the first
  std::vector<pid_t> owned;
} living;

constexpr auto most_in_line = std::numeric_limits<std::streamsize>::max();

/// The children of all its threads.
std::vector<pid_t> children_of(pid_t process) {
  std::vector<pid_t> children;
  std::error_code gone;
  const fs::path tasks = "/proc/" + std::to_string(process) + "/task";
  for (fs::directory_iterator task(tasks, gone), end; !gone && task != end; task.increment(gone)) {
    std::ifstream list(task->path() / "children");
    for (pid_t child = 0; list >> child;) children.push_back(child);
  }
  return children;
}

/// Which counts nanoseconds, where /proc has hundredths of a second.
std::optional<double> seconds_on_its_clock(pid_t process) {
  clockid_t clock{};
  timespec used{};
  if (::clock_getcpuclockid(process, &clock) != 0 || ::clock_gettime(clock, &used) != 0) return {};
  return static_cast<double>(used.tv_sec) + 1e-9 * static_cast<double>(used.tv_nsec);
}

/// The processes with all their descendants.
std::vector<pid_t> families_of(const std::vector<pid_t>& processes) {
  std::vector<pid_t> all;
  for (const pid_t process : processes) {
    const std::vector<pid_t> more = with_descendants(process);
    all.insert(all.end(), more.begin(), more.end());
  }
  return all;
}

}  // namespace

std::vector<pid_t> with_descendants(pid_t process) {
  std::vector<pid_t> all{process};
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (const pid_t child : children_of(all[i])) {
      if (std::ranges::count(all, child) == 0) all.push_back(child);
    }
  }
  return all;
}

ProcessUse use_of(const std::vector<pid_t>& processes) {
  static const auto page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  static const auto ticks = static_cast<double>(::sysconf(_SC_CLK_TCK));
  ProcessUse use;
  cpu_set_t of_all;
  CPU_ZERO(&of_all);
  for (const pid_t one : families_of(processes)) {
    std::ifstream file("/proc/" + std::to_string(one) + "/stat");
    std::string text;
    if (!std::getline(file, text)) continue;
    // Its name, in parentheses, may contain anything; what follows are numbers.
    std::istringstream fields(text.substr(std::min(text.rfind(')') + 1, text.size())));
    std::vector<std::string> words;
    for (std::string word; fields >> word;) words.push_back(word);
    constexpr std::size_t user = 11;  // and three more: system, and both of its children
    constexpr std::size_t resident = 21;
    if (words.size() <= resident) continue;
    const std::optional<double> its_own = seconds_on_its_clock(one);
    use.cpu_seconds += its_own.value_or(0);
    for (std::size_t i = its_own ? user + 2 : user; i < user + 4; ++i) {
      use.cpu_seconds += std::stod(words[i]) / ticks;
    }
    use.bytes += page * static_cast<std::uint64_t>(std::stoll(words[resident]));
    cpu_set_t cores;
    if (::sched_getaffinity(one, sizeof cores, &cores) == 0) {
      CPU_OR(&of_all, &of_all, &cores);
    }
    ++use.processes;
  }
  use.cores = CPU_COUNT(&of_all);
  return use;
}

std::optional<std::int64_t> peak_resident_bytes(const std::vector<pid_t>& processes) {
  std::optional<std::int64_t> sum;
  for (const pid_t process : families_of(processes)) {
    std::ifstream status("/proc/" + std::to_string(process) + "/status");
    for (std::string name; status >> name; status.ignore(most_in_line, '\n')) {
      if (name != "VmHWM:") continue;
      std::int64_t kilobytes = 0;
      if (status >> kilobytes && kilobytes > 0) sum = sum.value_or(0) + 1024 * kilobytes;
      break;
    }
  }
  return sum;
}

Orphanage::Orphanage() : before_(children_of(::getpid())) {
  const std::lock_guard lock(living.mutex);
  if (living.count++ > 0) return;
  ::prctl(PR_GET_CHILD_SUBREAPER, &living.took_orphans_in);
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
}

Orphanage::~Orphanage() {
  const std::lock_guard lock(living.mutex);
  std::erase(living.owned, own_);
  if (--living.count == 0) ::prctl(PR_SET_CHILD_SUBREAPER, living.took_orphans_in);
}

void Orphanage::own(pid_t child) {
  const std::lock_guard lock(living.mutex);
  own_ = child;
  living.owned.push_back(child);
}

std::vector<pid_t> Orphanage::strays() const {
  const std::lock_guard lock(living.mutex);
  std::vector<pid_t> children = children_of(::getpid());
  std::erase_if(children, [&](pid_t child) {
    return std::ranges::count(before_, child) > 0 || std::ranges::count(living.owned, child) > 0;
  });
  return children;
}

void Orphanage::end() {
  {
    const std::lock_guard lock(living.mutex);
    std::erase(living.owned, own_);
  }
  // What is killed may leave orphans in turn, and what starts processes faster than these are
  // killed must not keep this one for ever.
  for (int round = 0; round < 100; ++round) {
    const std::vector<pid_t> ended = strays();
    if (ended.empty()) return;
    for (const pid_t stray : ended) {
      for (const pid_t one : with_descendants(stray)) ::kill(one, SIGKILL);
    }
    for (const pid_t stray : ended) {
      while (::waitpid(stray, nullptr, 0) < 0 && errno == EINTR) {
      }
    }
  }
}

}  // namespace macrobench
