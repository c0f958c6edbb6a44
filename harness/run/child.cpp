#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <iostream>
#include <iterator>
#include <memory>
#include <new>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "harness/files/descriptor.hpp"
#include "harness/files/digest.hpp"
#include "harness/machine/energy_window.hpp"
#include "harness/machine/gpu_memory.hpp"
#include "harness/machine/machine.hpp"
#include "harness/machine/nvml.hpp"
#include "harness/machine/rapl.hpp"
#include "harness/model/input_file.hpp"
#include "harness/model/registry.hpp"
#include "harness/model/solution_folder.hpp"
#include "harness/process/descendants.hpp"
#include "harness/records/doubt.hpp"
#include "harness/run/gpu_watch.hpp"
#include "harness/run/job.hpp"
#include "harness/run/openmp_threads.hpp"
#include "harness/run/runner.hpp"
#include "harness/run/sampler.hpp"
#include "harness/run/solution_output.hpp"
#include "harness/run/stage_clock.hpp"
#include "harness/run/thread_watch.hpp"
#include "harness/text/error.hpp"
#include "harness/text/json_fields.hpp"
#include "harness/text/json_values.hpp"
#include "harness/text/known_value.hpp"

namespace macrobench {

[[gnu::noinline, gnu::noclone]] double counted_solution(Instance& instance, StageClock& clock) {
  instance.solve(clock);
  clock.finish();
  return clock.seconds() / instance.solutions_at_once();
}

namespace {

using Clock = StageClock::Clock;

/// Poisons, solves, and returns the seconds; adds the stages to the sample.
double timed_solution(Instance& instance, Sample& sample, std::size_t solutions_before) {
  instance.poison();
  const ThreadWatch watch;
  StageClock clock;
  const double taken = counted_solution(instance, clock);
  sample.kept_off += watch.kept_off();
  for (const auto& [name, seconds] : clock.stages()) {
    // One entry per solution, whether or not each of them announced the stage.
    std::vector<double>& entries = sample.stages[name];
    entries.resize(solutions_before, 0.0);
    entries.push_back(seconds);
  }
  for (auto& [name, entries] : sample.stages) entries.resize(solutions_before + 1, 0.0);
  return taken;
}

void say(const nlohmann::ordered_json& line) {
  static_cast<void>(write_all(answer_descriptor, to_line(line)));
}

/// Throws UsageError for a file that is no longer what the case's key says: between its digest and
/// its reading anything may have happened to it.
void check_files(const Case& which) {
  for (const Axis& axis : which.implementation->axes) {
    const Value* value = axis.is_file ? which.parameters.find(axis.name) : nullptr;
    if (value != nullptr)
      static_cast<void>(look_at(axis.name, std::get<std::string>(*value), axis.most_bytes));
  }
}

/// The instance's last solution judged, and by which sample.
Outcome check(const Job& job, Instance& instance) {
  const Scrutiny scrutiny(job.thorough, job.draw.empty() ? new_draw() : job.draw);
  Outcome outcome = instance.check(scrutiny);
  if (!outcome.exhaustive && outcome.checked_states > 0) outcome.draw = scrutiny.draw;
  return outcome;
}

/// Judges a solution that another process stored.
JobAnswer certify(const Job& job, Instance& instance) {
  say({{"at", "the check of the stored solution"}});
  instance.poison();
  instance.restore(read_solution(job.certify), job.certify_key);
  JobAnswer answer;
  answer.fingerprint = instance.fingerprint();
  answer.outcome = check(job, instance);
  return answer;
}

/// The solutions of one process: the first, and the repeated ones.
class Solutions {
 public:
  Solutions(const Job& job, const Case& which, Instance& instance)
      : job_(job), which_(which), instance_(instance) {}

  JobAnswer answer() {
    start();
    solve_first();
    if (is_valid()) keep();
    if (job_.repeats && may_go_on()) repeat();
    answer_.sample.gpu = watch_->conditions();
    if (job_.memory_within && may_go_on()) answer_.sample.memory.gpu_bytes = gpu_memory();
    if (job_.repeats && job_.energy_within && may_go_on()) answer_.sample.energy = energy();
    return std::move(answer_);
  }

 private:
  /// OpenMP's threads that the case names; 1 if it has none of its own here.
  [[nodiscard]] int openmp_threads() const {
    const Value* threads = which_.parameters.find("threads");
    const bool are_here =
        which_.implementation->runs_on != RunsOn::other_processes && threads != nullptr;
    return are_here ? static_cast<int>(std::get<std::int64_t>(*threads)) : 1;
  }

  static void refuse(const std::string& why) {
    if (!why.empty()) throw Failure("{}", why);
  }

  void start() {
    refuse(why_no_such_team(openmp_threads()));
    say({{"at", "start-up"}});
    const auto begin = Clock::now();
    instance_.start();
    answer_.sample.start = StageClock::seconds_between(begin, Clock::now());
  }

  void solve_first() {
    say({{"at", "the first solution"}});
    answer_.sample.first_solution = timed_solution(instance_, answer_.sample, 0);
    // Before anything is checked: the certificate's memory is not the solution's.
    if (!is_from_outside())
      answer_.sample.memory.resident_bytes = peak_resident_bytes({::getpid()});
    check_files(which_);
    // Counted only now: the first solution's time has the start of its threads.
    refuse(why_fewer_threads(openmp_threads()));
    // Opened only now: start-up and the first solution are the papers', without a driver that NVML
    // has already woken.
    if (which_.is_on_gpu()) gpu_.emplace(device_bus_id());
    watch_.emplace(gpu_ ? &*gpu_ : nullptr);
    watch_->after(answer_.sample.first_solution);
    answer_.fingerprint = instance_.fingerprint();
    checked_.insert(answer_.fingerprint);
    if (answer_.fingerprint == job_.checked) return;
    say({{"at", "the check of the first solution"}});
    answer_.outcome = check(job_, instance_);
  }

  [[nodiscard]] bool is_valid() const { return answer_.outcome && answer_.outcome->valid; }
  /// A solution that another process has checked has no outcome here.
  [[nodiscard]] bool may_go_on() const { return !answer_.outcome || answer_.outcome->valid; }

  void keep() {
    if (job_.out.empty() && job_.store.empty()) return;
    say({{"at", "writing the first solution"}});
    const std::string stored = instance_.stored(which_.key());
    const auto write_to = [&](const std::string& folder) {
      write_solution(which_, instance_, stored, known_value(answer_.outcome), folder);
    };
    if (!job_.out.empty()) write_to(job_.out);
    if (job_.store.empty() || stored.size() > largest_stored_solution) return;
    write_to(job_.store);
    answer_.solution = sha256(stored);
  }

  [[nodiscard]] bool is_from_outside() const { return !which_.implementation->folder.empty(); }

  /// How many warm solutions there must be. A program from outside proves by another problem that
  /// it solved the first; and where that one is much shorter, as after a slow compiler, there are
  /// enough to be compared with each other.
  [[nodiscard]] std::size_t least() const {
    if (!is_from_outside()) return 0;
    const std::vector<double>& warm = answer_.sample.solutions;
    const bool is_shorter =
        !warm.empty() && warm.front() < (1 - widest_spread) * answer_.sample.first_solution;
    return is_shorter ? 3 : 1;
  }

  /// Up to the first that is wrong.
  void repeat() {
    say({{"at", "the repeated solutions"}});
    StoppingCriterion criterion(job_.sampling);
    criterion.add(answer_.sample.first_solution);
    const auto begin = Clock::now();
    // Poisoning and comparing are not measured, but they are not free either.
    const double patience = 3 * job_.sampling.seconds;
    for (std::size_t taken = 1; !criterion.is_finished() || taken <= least(); ++taken) {
      if (static_cast<int>(taken) >= job_.sampling.minimum && taken > least() &&
          StageClock::seconds_between(begin, Clock::now()) > patience) {
        return;
      }
      const double seconds = timed_solution(instance_, answer_.sample, taken);
      answer_.sample.solutions.push_back(seconds);
      criterion.add(seconds);
      watch_->after(seconds);
      if (!checked_.insert(instance_.fingerprint()).second) continue;
      Outcome other = check(job_, instance_);
      if (other.valid) continue;
      other.why = fmt::format("solution {}{}: {}", taken + 1,
                              is_from_outside() ? "" : " differs from the first", other.why);
      answer_.outcome = std::move(other);
      return;
    }
  }

  /// While more solutions are computed, if they are short.
  std::optional<std::int64_t> gpu_memory() {
    if (!gpu_ || gpus_of(which_.parameters) > 1) return {};
    const std::vector<double>& warm = answer_.sample.solutions;
    const MemoryWindow window{
        .left = *job_.memory_within - StageClock::seconds_between(begin_, Clock::now()),
        .expected = warm.empty() ? answer_.sample.first_solution : warm.back()};
    say({{"at", "the memory of the GPU"}});
    return measure_gpu_memory(*gpu_, window, [&] {
      instance_.poison();
      StageClock clock;
      instance_.solve(clock);
    });
  }

  /// Of one more solution, of many.
  Energy energy() {
    if (gpus_of(which_.parameters) > 1) {
      return {.why_not = "only one GPU's energy is measured, and it has several"};
    }
    if (is_from_outside()) {
      return {.why_not = "each solution of a program from outside is of another problem"};
    }
    say({{"at", "the energy window"}});
    const EnergyMeter meter = gpu_ ? meter_of(*gpu_) : meter_of(std::make_shared<Rapl>());
    const double left = *job_.energy_within - StageClock::seconds_between(begin_, Clock::now());
    Energy energy = measure_energy(meter, {.left = left}, answer_.sample.first_solution, [&] {
      instance_.poison();
      StageClock clock;
      return counted_solution(instance_, clock);
    });
    if (checked_.contains(instance_.fingerprint())) return energy;
    return {.why_not = "the window's last solution differs from the timed ones"};
  }

  const Job& job_;
  const Case& which_;
  Instance& instance_;
  Clock::time_point begin_ = Clock::now();
  std::optional<NvmlDevice> gpu_;  ///< that solves the case; none if none does
  std::optional<GpuWatch> watch_;
  std::set<std::string> checked_;  ///< fingerprints
  JobAnswer answer_;
};

JobAnswer run_job(const Job& job) {
  const Case which = Registry::global().make_case(job.implementation, job.parameters,
                                                  job.cores.value_or(available_cores()));
  const std::unique_ptr<Instance> instance = which.implementation->instantiate(which.parameters);
  if (!job.certify.empty()) return certify(job, *instance);
  JobAnswer answer = Solutions(job, which, *instance).answer();
  Surroundings around = instance->surroundings();
  answer.sample.around = std::move(around.seconds);
  if (around.resident_bytes) answer.sample.memory.resident_bytes = around.resident_bytes;
  constexpr double least_seen = 0.01;  // less is of no use to anybody
  if (answer.sample.kept_off < least_seen) answer.sample.kept_off = 0;
  if (answer.outcome) answer.outcome->notes.merge(around.notes);
  return answer;
}

}  // namespace

int child_main() {
  if (::fcntl(answer_descriptor, F_GETFD) < 0) {
    std::cerr << "macrobench: `child` is for macrobench itself; to run a case: macrobench run\n";
    return static_cast<int>(ExitCode::usage);
  }
  try {
    const std::string job(std::istreambuf_iterator<char>(std::cin), {});
    const auto asked = parsed(job);
    say({{"answer", job_answer_fields().write(run_job(job_fields().read(JsonCursor(asked))))}});
    return static_cast<int>(ExitCode::ok);
  } catch (const std::bad_alloc&) {
    say({{"error", "out of memory"}});
  } catch (const std::exception& error) {
    say({{"error", error.what()}});
  }
  return static_cast<int>(ExitCode::failed);
}

}  // namespace macrobench
