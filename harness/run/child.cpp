#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <iostream>
#include <iterator>
#include <memory>
#include <new>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/files/digest.hpp"
#include "harness/files/output_folder.hpp"
#include "harness/files/whole_file.hpp"
#include "harness/machine/energy_window.hpp"
#include "harness/machine/machine.hpp"
#include "harness/machine/nvml.hpp"
#include "harness/machine/rapl.hpp"
#include "harness/model/input_file.hpp"
#include "harness/model/registry.hpp"
#include "harness/records/doubt.hpp"
#include "harness/run/gpu_watch.hpp"
#include "harness/run/job.hpp"
#include "harness/run/runner.hpp"
#include "harness/run/sampler.hpp"
#include "harness/run/stage_clock.hpp"
#include "harness/text/error.hpp"
#include "harness/text/json_values.hpp"

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
  StageClock clock;
  const double taken = counted_solution(instance, clock);
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
  const std::string text = to_line(line);
  std::string_view rest = text;
  while (!rest.empty()) {
    const ssize_t written = ::write(answer_descriptor, rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return;
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
}

/// The GPU that solves the case; none if none does.
std::optional<NvmlDevice> device_of(const Case& which) {
  const Implementation& implementation = *which.implementation;
  const Model& model = Registry::global().model(implementation.model);
  if (!model.is_on_gpu(implementation.name, {}, which.parameters)) return std::nullopt;
  return std::optional<NvmlDevice>(std::in_place, device_bus_id());
}

/// The energy of one more solution, of many.
Energy energy_of(Instance& instance, const std::optional<NvmlDevice>& gpu, double left,
                 double expected) {
  const EnergyMeter meter = gpu ? meter_of(*gpu) : meter_of(std::make_shared<Rapl>());
  return measure_energy(meter, {.left = left}, expected, [&] {
    instance.poison();
    StageClock clock;
    return counted_solution(instance, clock);
  });
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

/// Judges a solution that another process stored.
JobAnswer certify(const Job& job, Instance& instance) {
  say({{"at", "the check of the stored solution"}});
  instance.poison();
  instance.restore(read_whole(job.certify), job.certify_key);
  JobAnswer answer;
  answer.fingerprint = instance.fingerprint();
  answer.outcome = instance.check(job.thorough);
  return answer;
}

/// Returns the SHA-256 of the file; empty if the solution is too large to be stored.
std::string store(const Job& job, const Case& which, const Instance& instance) {
  say({{"at", "storing the first solution"}});
  const std::string text = instance.stored(which.key());
  if (text.size() > largest_stored_solution) return {};
  const std::filesystem::path file = job.store;
  OutputFolder(file.parent_path()).write(file.filename().string(), text);
  return sha256(text);
}

JobAnswer solve(const Job& job, const Case& which, Instance& instance) {
  const auto begin = Clock::now();
  JobAnswer answer;
  Sample& sample = answer.sample;

  say({{"at", "start-up"}});
  const auto start = Clock::now();
  instance.start();
  sample.start = StageClock::seconds_between(start, Clock::now());

  say({{"at", "the first solution"}});
  sample.first_solution = timed_solution(instance, sample, 0);
  check_files(which);
  // Opened only now: start-up and the first solution are the papers', without a driver that NVML
  // has already woken.
  const std::optional<NvmlDevice> gpu = device_of(which);
  GpuWatch watch(gpu ? &*gpu : nullptr);
  watch.after(sample.first_solution);
  answer.fingerprint = instance.fingerprint();
  if (answer.fingerprint != job.checked) {
    say({{"at", "the check of the first solution"}});
    answer.outcome = instance.check(job.thorough);
  }
  if (!job.save.empty() && answer.outcome && answer.outcome->valid) {
    say({{"at", "saving the first solution"}});
    write_whole(job.save, instance.saved(which.key()));
  }
  if (!job.store.empty() && answer.outcome && answer.outcome->valid) {
    answer.solution = store(job, which, instance);
  }
  if (!job.repeats || (answer.outcome && !answer.outcome->valid)) {
    sample.gpu = watch.conditions();
    return answer;
  }

  say({{"at", "the repeated solutions"}});
  std::set<std::uint64_t> checked{answer.fingerprint};
  StoppingCriterion criterion(job.sampling);
  criterion.add(sample.first_solution);
  const auto repeats = Clock::now();
  // Poisoning and comparing are not measured, but they are not free either.
  const double patience = 3 * job.sampling.seconds;
  // A program from outside proves by another problem that it solved the first.
  const bool is_from_outside = !which.implementation->folder.empty();
  const std::size_t least = is_from_outside ? 1 : 0;
  for (std::size_t taken = 1; !criterion.is_finished() || taken <= least; ++taken) {
    if (static_cast<int>(taken) >= job.sampling.minimum && taken > least &&
        StageClock::seconds_between(repeats, Clock::now()) > patience) {
      break;
    }
    const double seconds = timed_solution(instance, sample, taken);
    sample.solutions.push_back(seconds);
    criterion.add(seconds);
    watch.after(seconds);
    if (!checked.insert(instance.fingerprint()).second) continue;
    Outcome other = instance.check(job.thorough);
    if (other.valid) continue;
    other.why = fmt::format("solution {} differs from the first: {}", taken + 1, other.why);
    answer.outcome = std::move(other);
    break;
  }
  sample.gpu = watch.conditions();
  if (job.energy_within && gpus_of(which.parameters) > 1) {
    sample.energy = Energy{.why_not = "only one GPU's energy is measured, and it has several"};
  } else if (job.energy_within && is_from_outside) {
    sample.energy =
        Energy{.why_not = "each solution of a program from outside is of another problem"};
  } else if (job.energy_within && (!answer.outcome || answer.outcome->valid)) {
    say({{"at", "the energy window"}});
    const double left = *job.energy_within - StageClock::seconds_between(begin, Clock::now());
    sample.energy = energy_of(instance, gpu, left, sample.first_solution);
    if (!checked.contains(instance.fingerprint())) {
      sample.energy = Energy{.why_not = "the window's last solution differs from the timed ones"};
    }
  }
  return answer;
}

JobAnswer run_job(const Job& job) {
  const Case which = Registry::global().make_case(job.implementation, job.parameters,
                                                  job.cores.value_or(available_cores()));
  const std::unique_ptr<Instance> instance = which.implementation->instantiate(which.parameters);
  if (!job.certify.empty()) return certify(job, *instance);
  JobAnswer answer = solve(job, which, *instance);
  Surroundings around = instance->surroundings();
  answer.sample.around = std::move(around.seconds);
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
    say({{"answer", to_json(run_job(job_from_json(nlohmann::json::parse(job))))}});
    return static_cast<int>(ExitCode::ok);
  } catch (const std::bad_alloc&) {
    say({{"error", "out of memory"}});
  } catch (const std::exception& error) {
    say({{"error", error.what()}});
  }
  return static_cast<int>(ExitCode::failed);
}

}  // namespace macrobench
