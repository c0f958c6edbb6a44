// The tutorial's cpu_lifecycle_multicore: separate processes divide the states of an age. They are
// MPI processes that run processes/worker.cpp. Start-up starts them, as the tutorial's addprocs
// does; a solution is a request to the first of them.
//
// They are started by `mpirun -n P`, or by the environment's MACROBENCH_MPIRUN instead ("mpirun
// --hostfile hosts"), whose words are separated by spaces. Other hosts must be of the same kind and
// have the worker at the same path. MPI settings of the user, in the environment or there, take
// precedence over those made here.

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "harness/system/program_files.hpp"
#include "implementations/lifecycle/processes/protocol.hpp"
#include "implementations/lifecycle/solver.hpp"
#include "implementations/numerics/child_program.hpp"

namespace macrobench::lifecycle {

namespace {

namespace fs = std::filesystem;
using numerics::ChildCommand;
using numerics::ChildProgram;

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
fs::path worker() {
  return this_program().parent_path() / "macrobench_lifecycle_worker";
}

std::string no_mpi_here() {
  const std::string program = mpirun().front();
  if (!numerics::can_be_started(program)) {
    return program + " is not on the PATH: install OpenMPI (openmpi-bin)";
  }
  if (!numerics::can_be_started(worker())) return "there is no program " + worker().string();
  return {};
}

/// Changes what OpenMPI refuses or does differently by default. From version 5 on, its mpirun is
/// PRTE's and has other names for these; other MPIs ignore them.
std::vector<std::pair<std::string, std::string>> environment() {
  return {{"OMPI_ALLOW_RUN_AS_ROOT", "1"},
          {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"},
          // Allow more processes than cores, and bind none to a core.
          {"OMPI_MCA_rmaps_base_oversubscribe", "1"},
          {"PRTE_MCA_rmaps_default_mapping_policy", ":oversubscribe"},
          {"OMPI_MCA_hwloc_base_binding_policy", "none"},
          {"PRTE_MCA_hwloc_default_binding_policy", "none"},
          // A process that waits for another yields its core.
          {"OMPI_MCA_mpi_yield_when_idle", "1"},
          // Containers may forbid the kernel's copies from process to process.
          {"OMPI_MCA_btl_vader_single_copy_mechanism", "none"},
          // MPI does not free all of its memory at exit, which a sanitizer's build must not report.
          {"ASAN_OPTIONS", "detect_leaks=0"}};
}

std::unique_ptr<ChildProgram>& ranks() {
  static std::unique_ptr<ChildProgram> program;
  return program;
}

void expect(Signal expected) {
  Signal signal{};
  ranks()->read(&signal, 1);
  if (signal != expected) {
    throw std::runtime_error("mpirun printed something else in place of the worker's answer");
  }
}

void start(const Problem& problem) {
  std::vector<std::string> command = mpirun();
  const std::string processes = std::to_string(problem.processes);
  command.insert(command.end(), {"-n", processes, worker(), processes});
  ranks() = nullptr;  // processes of an earlier start-up must not share the cores with these
  ranks() = std::make_unique<ChildProgram>(ChildCommand{.name = "The MPI program",
                                                        .command = std::move(command),
                                                        .environment = environment(),
                                                        .has_children = true});
  expect(Signal::ready);
}

template <class Real>
void solve(const Problem& problem, Stages& stages, Solution<Real>& solution) {
  if (!ranks()) throw std::logic_error("the MPI processes were not started");
  Request request;
  request.problem = problem;
  request.single = sizeof(Real) == sizeof(float);
  ranks()->write(&request, sizeof request);
  for (int age = problem.T; age >= 1; --age) {
    expect(Signal::age);
    stages.enter(stage_of(age, problem.T));
  }
  expect(Signal::solved);
  stages.finish();
  ranks()->read(solution.V.data(), solution.V.size() * sizeof(Real));
}

const RegisterSolver registered{{.name = "processes",
                                 .origin = Origin::published,
                                 .summary = "C++, MPI processes divide the states of an age",
                                 .axes = {{"processes"}},
                                 .runs_on = RunsOn::another_program,
                                 .unavailable = no_mpi_here,
                                 .start = start,
                                 .solve_single = solve<float>,
                                 .solve_double = solve<double>,
                                 .floor = floor_of_every_choice,
                                 .source = __FILE__}};

}  // namespace

}  // namespace macrobench::lifecycle
