#include "implementations/mpi/program.hpp"

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <sstream>
#include <utility>
#include <vector>

#include "harness/system/program_files.hpp"
#include "implementations/numerics/child_program.hpp"

namespace macrobench::mpi {

namespace {

namespace fs = std::filesystem;
using numerics::ChildCommand;
using numerics::ChildProgram;
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

/// The worker, beside this program even if the build was moved.
fs::path path_of(const std::string& worker) {
  return this_program().parent_path() / worker;
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
  std::unique_ptr<ChildProgram> program;
  std::string placement;
};

Started& started() {
  static Started ranks;
  return ranks;
}

ChildProgram& program() {
  if (!started().program) throw std::logic_error("the MPI ranks were not started");
  return *started().program;
}

/// The text of an answer of this kind.
std::string answer(Kind kind) {
  Heading heading;
  program().read(&heading.magic, sizeof heading.magic);
  if (heading.magic != Heading::first_bytes) {
    std::string words(reinterpret_cast<const char*>(&heading.magic), sizeof heading.magic);
    words += program().rest_of_line();
    throw std::runtime_error("mpirun printed something else instead of the worker's answer: " +
                             words);
  }
  program().read(&heading.kind, sizeof heading - sizeof heading.magic);
  if (heading.kind != kind) throw std::runtime_error("the worker's answer is out of turn");
  std::string text(heading.size, '\0');
  program().read(text.data(), text.size());
  return text;
}

}  // namespace

std::string why_not_here(const std::string& worker) {
  const std::string starter = mpirun().front();
  if (!numerics::can_be_started(starter)) {
    return starter + " is not on the PATH: install OpenMPI (openmpi-bin)";
  }
  if (!numerics::can_be_started(path_of(worker))) {
    return "there is no program " + path_of(worker).string();
  }
  return {};
}

void start(const Job& job) {
  std::vector<std::string> command = mpirun();
  const std::string ranks = std::to_string(job.ranks);
  command.insert(command.end(), {"-n", ranks, path_of(job.worker), ranks,
                                 std::to_string(job.threads), job.cores == Cores::own ? "1" : "0"});
  started() = {};  // an earlier start's ranks must not share the cores with these
  started().program = std::make_unique<ChildProgram>(
      ChildCommand{.name = "The MPI program",
                   .command = std::move(command),
                   .environment = environment(job.cores),
                   .has_children = true,
                   // mpirun's own first one may only say that it ended
                   .paragraphs = 2});
  started().placement = answer(Kind::ready);
}

std::map<std::string, std::string> placement() {
  std::map<std::string, std::string> all;
  std::istringstream lines(started().placement);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t space = line.find(' ');
    all[line.substr(0, space)] = line.substr(space + 1);
  }
  return all;
}

TimedStages request(const void* message, std::size_t size) {
  const Heading heading{.size = size};
  program().write(&heading, sizeof heading);
  program().write(message, size);
  std::istringstream lines(answer(Kind::solved));
  TimedStages timed;
  double seconds = 0;
  for (std::string stage; lines >> seconds >> std::ws && std::getline(lines, stage);) {
    timed.emplace_back(stage, seconds);
  }
  return timed;
}

void receive(void* to, std::size_t size) {
  program().read(to, size);
}

}  // namespace macrobench::mpi
