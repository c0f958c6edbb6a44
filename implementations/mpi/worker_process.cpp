#include "implementations/mpi/worker_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include "harness/files/executable.hpp"
#include "harness/files/temporary_folder.hpp"
#include "harness/process/child_process.hpp"
#include "harness/text/json_values.hpp"

namespace macrobench::mpi {

namespace {

namespace fs = std::filesystem;
using Environment = std::vector<std::pair<std::string, std::string>>;

/// The words of MACROBENCH_MPIRUN.
std::vector<std::string> mpirun() {
  const char* set = std::getenv("MACROBENCH_MPIRUN");
  std::istringstream text(set == nullptr ? "" : set);
  std::vector<std::string> words;
  for (std::string word; text >> word;) words.push_back(word);
  if (words.empty()) words.emplace_back("mpirun");
  return words;
}

/// The worker, beside this executable even if the build was moved.
fs::path path_of(const std::string& worker) {
  return this_executable().parent_path() / worker;
}

/// Changes what OpenMPI refuses or does differently by default. From version 5 on, its mpirun is
/// PRTE's and has other names for these; other MPIs ignore them.
Environment environment(Cores cores) {
  Environment all{{"OMPI_ALLOW_RUN_AS_ROOT", "1"},
                  {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"},
                  // The ranks take their cores themselves, in the same way under every MPI.
                  {"OMPI_MCA_hwloc_base_binding_policy", "none"},
                  {"PRTE_MCA_hwloc_default_binding_policy", "none"},
                  // Containers may forbid the kernel's copies from process to process.
                  {"OMPI_MCA_btl_vader_single_copy_mechanism", "none"},
                  // MPI does not free all of its memory at exit, which a sanitizer's build must not
                  // report.
                  {"ASAN_OPTIONS", "detect_leaks=0"}};
  if (cores == Cores::own) {
    // A core is here what the operating system calls one.
    all.insert(all.end(), {{"OMPI_MCA_hwloc_base_use_hwthreads_as_cpus", "1"},
                           {"PRTE_MCA_rmaps_default_mapping_policy", ":hwtcpus"}});
  } else {
    all.insert(all.end(), {{"OMPI_MCA_rmaps_base_oversubscribe", "1"},
                           {"PRTE_MCA_rmaps_default_mapping_policy", ":oversubscribe"},
                           // A process that waits for another yields its core.
                           {"OMPI_MCA_mpi_yield_when_idle", "1"}});
  }
  return all;
}

struct Started {
  int ranks = 0;
  std::unique_ptr<TemporaryFolder> folder;
  std::unique_ptr<ChildProcess> process;
  std::map<std::string, std::string> placement;
  std::ofstream arrays;             ///< of a request
  std::ifstream solution;           ///< that the first rank has written ...
  std::optional<std::size_t> left;  ///< ... and of it, the bytes that nobody has received; none yet
};

Started& started() {
  static Started ranks;
  return ranks;
}

ChildProcess& process() {
  if (!started().process) throw std::logic_error("the MPI ranks were not started");
  return *started().process;
}

// --- what the ranks say when their case is at its deadline ---------------------------------------

constexpr int where_are_you = SIGUSR1;  ///< mpirun and srun pass it on to the ranks

std::array<int, 2>& deadline_pipe() {
  static std::array<int, 2> ends{-1, -1};
  return ends;
}

extern "C" void at_deadline(int /*signal*/) {
  const char one = 1;
  static_cast<void>(!::write(deadline_pipe()[1], &one, 1));
}

/// Asks the ranks, and says in one line which of them answer and what they were doing.
std::string last_words(ChildProcess& child, int ranks) {
  const std::string before = child.messages();
  child.signal(where_are_you);
  constexpr std::chrono::milliseconds patience{1500};
  std::string said;
  for (const auto end = std::chrono::steady_clock::now() + patience;
       std::chrono::steady_clock::now() < end;) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    said = child.messages();
    if (said.size() > before.size()) said.erase(0, before.size());
    if (std::ranges::count(said, '\n') >= ranks) break;
  }
  return words_at_deadline(before, said, ranks);
}

/// From now on SIGUSR1 makes this process say where its ranks are, and end.
void listen_for_the_deadline() {
  if (deadline_pipe()[0] >= 0) return;
  if (::pipe2(deadline_pipe().data(), O_CLOEXEC) != 0) return;
  std::thread([] {
    char one = 0;
    while (::read(deadline_pipe()[0], &one, 1) < 0 && errno == EINTR) {
    }
    const std::string words = last_words(process(), started().ranks) + "\n";
    static_cast<void>(!::write(STDERR_FILENO, words.data(), words.size()));
    ::_exit(EXIT_FAILURE);
  }).detach();
  struct sigaction action{};
  action.sa_handler = at_deadline;
  action.sa_flags = SA_RESTART;
  ::sigaction(where_are_you, &action, nullptr);
}

struct OtherSize : std::runtime_error {
  OtherSize() : runtime_error("the ranks' solution has another size: build the workers again") {}
};

/// The first rank's next answer.
template <class Answer>
Answer answer() {
  const std::string line = process().read_line();
  const nlohmann::json said = parsed(line);
  if (!said.is_object() || !said.contains("answer")) {
    throw std::runtime_error("mpirun printed something else instead of the worker's answer: " +
                             line);
  }
  return said["answer"].get<Answer>();
}

}  // namespace

std::string why_not_here(const std::string& worker) {
  const std::string starter = mpirun().front();
  if (!can_be_started(starter)) {
    return starter + " is not on the PATH: install OpenMPI (openmpi-bin)";
  }
  if (!can_be_started(path_of(worker))) {
    return "there is no worker " + path_of(worker).string();
  }
  return {};
}

bool may_reach_other_hosts() {
  const char* const nodes = std::getenv("SLURM_JOB_NUM_NODES");
  if ((nodes != nullptr && std::atoi(nodes) > 1) || std::getenv("PBS_NODEFILE") != nullptr) {
    return true;
  }
  const std::vector<std::string> words = mpirun();
  const fs::path starter = fs::path(words.front()).filename();
  if (starter != "mpirun" && starter != "mpiexec") return true;
  return std::ranges::any_of(words, [](const std::string& word) {
    return word == "-H" || word.find("host") != std::string::npos ||
           word.find("machinefile") != std::string::npos;
  });
}

void start(const Job& job) {
  std::vector<std::string> command = mpirun();
  const std::string ranks = std::to_string(job.ranks);
  started() = {};  // an earlier start's ranks must not share the cores with these
  started().ranks = job.ranks;
  started().folder = std::make_unique<TemporaryFolder>();
  command.insert(command.end(),
                 {"-n", ranks, path_of(job.worker), ranks, std::to_string(job.threads),
                  job.cores == Cores::own ? "1" : "0", started().folder->path()});
  started().process = std::make_unique<ChildProcess>(
      ChildCommand{.name = "The MPI worker",
                   .command = std::move(command),
                   .environment = environment(job.cores),
                   .has_children = true,
                   // mpirun's own first one may only say that it ended
                   .paragraphs = 2});
  listen_for_the_deadline();
  started().placement = answer<std::map<std::string, std::string>>();
}

std::string words_at_deadline(const std::string& before, const std::string& said, int ranks) {
  std::string silent;
  std::string others;
  for (int rank = 0; rank < ranks; ++rank) {
    const std::string name = "rank " + std::to_string(rank) + " of " + std::to_string(ranks);
    const std::size_t at = said.find(name + ": ");
    if (at == std::string::npos) {
      silent += (silent.empty() ? "" : ", ") + name;
    } else {
      others += "; " + said.substr(at, said.find('\n', at) - at);
    }
  }
  std::string words = silent.empty() ? "all ranks answer" : silent + " did not answer";
  words += others;
  std::string last = before.substr(0, before.find_last_not_of(" \r\n") + 1);
  last = last.substr(last.find_last_of('\n') + 1);
  return last.empty() ? words : words + "; the last message before was: " + last;
}

std::map<std::string, std::string> placement() {
  return started().placement;
}

TimedStages request(std::string_view message, std::string_view arrays) {
  Started& ranks = started();
  ranks.left.reset();
  if (!arrays.empty()) {
    // A file that is made or shortened each time would cost more than its bytes.
    if (!ranks.arrays.is_open()) ranks.arrays.open(ranks.folder->path() / arrays_name);
    ranks.arrays.seekp(0);
    ranks.arrays.write(arrays.data(), static_cast<std::streamsize>(arrays.size()));
    if (!ranks.arrays.flush()) throw std::runtime_error("the ranks' arrays could not be written");
  }
  const std::vector<unsigned char> bytes(message.begin(), message.end());
  const std::string problem = fmt::format("{:02x}", fmt::join(bytes, ""));
  const std::string line = to_line({{"job", {{"problem", problem}, {"arrays", arrays.size()}}}});
  process().write(line);
  return answer<TimedStages>();
}

void receive(char* to, std::size_t size) {
  Started& ranks = started();
  if (!ranks.left) {
    ranks.left = answer<std::size_t>();
    if (!ranks.solution.is_open()) ranks.solution.open(ranks.folder->path() / solution_name);
    ranks.solution.seekg(0);
  }
  ranks.solution.read(to, static_cast<std::streamsize>(size));
  if (!ranks.solution || size > *ranks.left) throw OtherSize();
  *ranks.left -= size;
}

void check_all_received() {
  if (started().left.value_or(0) != 0) throw OtherSize();
}

}  // namespace macrobench::mpi
