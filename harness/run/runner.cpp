#include "harness/run/runner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstring>
#include <exception>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "harness/files/output_folder.hpp"
#include "harness/process/elapsed.hpp"
#include "harness/process/process.hpp"
#include "harness/records/doubt.hpp"
#include "harness/records/record_facts.hpp"
#include "harness/records/results_folder.hpp"
#include "harness/run/job.hpp"
#include "harness/run/machine_watch.hpp"
#include "harness/sources/source_digest.hpp"
#include "harness/text/document_elements.hpp"
#include "harness/text/format.hpp"
#include "harness/text/json_fields.hpp"
#include "harness/text/json_values.hpp"
#include "harness/text/strings.hpp"

namespace macrobench {

namespace {

using Clock = std::chrono::steady_clock;

/// What one process says of a case: an answer, or the status and reason why there is none.
struct Attempt {
  std::optional<JobAnswer> answer;
  Status status = Status::failed;
  Reason why;
};

/// The part of a child's output that may be in a record: valid UTF-8 without control characters,
/// and not too long.
std::string presentable(std::string_view text) {
  return printable(shortened(text, 400));
}

/// What the child wrote on its answering descriptor.
struct ChildAnswer {
  std::string at;     ///< the step of the job that it had reached
  std::string error;  ///< why it gave up
  std::optional<JobAnswer> answer;
  std::string unreadable;  ///< what is wrong with the whole
};

ChildAnswer listen(std::string_view text) {
  ChildAnswer answer;
  try {
    while (!text.empty()) {
      const std::size_t end = text.find('\n');
      const std::string line(text.substr(0, end));
      if (end == std::string_view::npos) {
        throw std::invalid_argument("a line that breaks off: " + line);
      }
      text.remove_prefix(end + 1);
      if (answer.answer || !answer.error.empty()) {
        throw std::invalid_argument("more than one answer");
      }
      const auto object = parsed(line);
      if (!object.is_object() || object.size() != 1) throw std::invalid_argument(line);
      if (object.contains("at")) {
        answer.at = presentable(object["at"].get<std::string>());
      } else if (object.contains("error")) {
        answer.error = presentable(object["error"].get<std::string>());
      } else {
        answer.answer = job_answer_fields().read(JsonCursor(object.at("answer")));
      }
    }
  } catch (const std::exception& error) {
    answer.unreadable = presentable(error.what());
  }
  return answer;
}

std::string killed_by(int signal) {
  if (signal == SIGKILL) return "killed (signal 9), as the kernel does when memory runs out";
  return fmt::format("killed by signal {} ({})", signal, ::strsignal(signal));
}

Attempt judge(const ProcessResult& result, double deadline, bool first) {
  using End = ProcessResult::End;
  ChildAnswer answer = listen(result.answer);
  const auto failed = [](std::string clause, std::string detail = {}) {
    return Attempt{std::nullopt, Status::failed, {std::move(clause), std::move(detail)}};
  };

  if (result.end == End::not_started) {
    return failed("could not start a process", std::strerror(result.code));
  }
  if (result.end == End::deadline) {
    std::string where = answer.at.empty() ? "" : "in " + answer.at;
    return {std::nullopt,
            Status::timeout,
            {fmt::format("ended at its deadline of {:.4g} s", deadline), std::move(where)}};
  }
  if (result.answer_cut) return failed("answered without end, and was killed");
  if (result.end == End::signalled) {
    return failed(killed_by(result.code), presentable(last_line(result.output)));
  }
  if (!answer.error.empty() && answer.unreadable.empty()) return failed(answer.error);
  if (result.code != 0) {
    return failed(fmt::format("exited with code {}", result.code),
                  presentable(last_line(result.output)));
  }
  if (!answer.unreadable.empty()) {
    return failed("answered nothing that could be read", answer.unreadable);
  }
  if (!answer.answer)
    return failed("ended without an answer", presentable(last_line(result.output)));
  if (first && !answer.answer->outcome) return failed("answered without an outcome");
  return {std::move(answer.answer), Status::measured, {}};
}

/// The step of the job that the child has reached, by the whole lines that it has written.
std::string step_reached(std::string_view answer) {
  constexpr std::size_t most = std::size_t{1} << 16;  // what it says before its answer is short
  return answer.size() > most ? "" : listen(answer.substr(0, answer.find_last_of('\n') + 1)).at;
}

/// Runs the child, and adds what it used.
Attempt attempt(const Job& job, const RunOptions& options,
                const std::map<std::string, std::string>& environment, double deadline,
                Usage& usage) {
  const std::vector<std::string> self{"macrobench", "child"};
  const bool is_self = options.child_command.empty();
  ProcessRequest request{.executable = is_self ? "/proc/self/exe" : options.child_command.front(),
                         .command = is_self ? self : options.child_command,
                         .input = to_line(job_fields().write(job)),
                         .deadline = deadline,
                         .environment = environment};
  if (options.ticks) {
    request.ticks = [&](std::string_view answer) { options.ticks(step_reached(answer)); };
  }
  const ProcessResult result = run_process(request);
  usage.cpu_seconds += result.cpu_seconds;
  usage.preempted += result.preempted;
  return judge(result, deadline, job.checked.empty());
}

/// The OpenMP variables that hold threads in place. Other processes do not get them: each has its
/// own threads and processes, and would run on the one core that this one's first thread is held
/// to.
std::map<std::string, std::string> placing(RunsOn runs_on, std::string_view place) {
  if (place.empty() || runs_on == RunsOn::other_processes) return {};
  return {{"OMP_PLACES", "cores"}, {"OMP_PROC_BIND", std::string(place)}};
}

/// Another run of a noisy case is worth more.
constexpr double longest_repeated_case = 60;

bool is_affordable_again(double elapsed, double longest, double deadline) {
  return elapsed < longest && deadline - elapsed > 2 * elapsed;
}

/// What the case's first process must do.
Job job_of(const Case& which, const std::string& key, const Machine& machine,
           const RunOptions& options) {
  Job job{.implementation = which.implementation->id(),
          .parameters = which.parameters.without(options.unknown_axes),
          .sampling = options.sampling,
          .thorough = options.thorough,
          .draw = options.draw,
          .out = options.out,
          .memory_within = std::min(options.deadline, 1e9),
          .cores = machine.cores()};
  if (options.energy) job.energy_within = job.memory_within;
  if (!options.store.empty() && which.implementation->stores) {
    const std::filesystem::path folder = solution_folder(options.store, key);
    static_cast<void>(OutputFolder(options.store).folder(folder.parent_path().filename().string()));
    job.store = std::filesystem::absolute(folder).string();
  }
  return job;
}

/// Adds a process's answer to the record; returns whether it is right.
bool add(JobAnswer answer, Record& record) {
  const bool is_first = record.samples.empty();
  record.samples.push_back(std::move(answer.sample));
  if (answer.outcome && (is_first || !answer.outcome->valid)) {
    record.outcome = std::move(answer.outcome);
    if (!is_first) {
      record.outcome->why = fmt::format("process {} differs from the first: {}",
                                        record.samples.size(), record.outcome->why);
    }
  }
  if (record.outcome && !record.outcome->valid) {
    record.status = Status::invalid;
    record.why = record.outcome->why.empty() ? "not valid" : record.outcome->why;
    return false;
  }
  if (is_first) record.solution = std::move(answer.solution);
  return true;
}

/// Runs the case in as many processes as it takes.
void run_processes(const Case& which, const Machine& machine, const RunOptions& options,
                   const std::map<std::string, std::string>& environment, Record& record,
                   Usage& usage) {
  const auto begin = Clock::now();
  Job job = job_of(which, record.key, machine, options);
  const int processes =
      which.implementation->has_start ? std::max(1, options.sampling.processes) : 1;
  for (double left = options.deadline;;) {
    Attempt made = attempt(job, options, environment, left, usage);
    record.status = made.status;
    record.why = std::move(made.why);
    if (!made.answer) return;
    job.checked = made.answer->fingerprint;
    if (!add(std::move(*made.answer), record)) return;

    const double elapsed = seconds_since(begin);
    const double timing = elapsed - seconds_of_energy(record);
    if (static_cast<int>(record.samples.size()) == processes ||
        !is_affordable_again(timing, longest_repeated_process, options.deadline)) {
      return;
    }
    left = options.deadline - elapsed;
    // The others add their start-up and first solution.
    job.repeats = false;
    job.out.clear();
    job.store.clear();
    job.energy_within.reset();
    job.memory_within.reset();
  }
}

/// One run of the case, with what it met meanwhile.
Record run_once(const Case& which, const Machine& machine, const RunOptions& options) {
  const Implementation& implementation = *which.implementation;
  const int threads = threads_of(which.parameters);
  std::map<std::string, std::string> environment = waiting_policy(threads, options.counters);
  environment.merge(placing(implementation.runs_on, machine.place()));
  Usage usage;
  const MachineWatch watch(options.counters);
  const auto begin = Clock::now();
  Record record = record_of(which, machine, options.campaign);
  run_processes(which, machine, options, environment, record, usage);

  record.expected_invalid = record.status == Status::invalid && !which.known_invalid().empty();
  add_facts(which, record);
  record.time = utc_now();
  record.seconds = seconds_since(begin);
  record.conditions = watch.end(record.seconds, usage);
  record.conditions->threads = threads;
  record.conditions->environment = std::move(environment);
  record.conditions->environment.merge(openmp_environment());
  if (options.judges_time) judge_time(record, machine);
  return record;
}

}  // namespace

Record record_of(const Case& which, const Machine& machine, const std::string& campaign) {
  const Implementation& implementation = *which.implementation;
  Record record;
  record.key = which.key();
  record.model = implementation.model;
  record.implementation = implementation.name;
  record.origin = to_string(implementation.origin);
  record.parameters = recorded(implementation.axes, which.parameters);
  record.campaign = campaign;
  record.machine = machine.id();
  record.source = source_digest(implementation);
  record.time = utc_now();
  add_facts(which, record);
  return record;
}

Record run_case(const Case& which, const Machine& machine, const RunOptions& given) {
  RunOptions options = given;
  if (options.counters.empty()) options.counters = counters_folder();
  if (options.counters == no_counters) options.judges_time = false;
  const auto begin = Clock::now();
  Record record = run_once(which, machine, options);
  if (record.status != Status::noisy) return record;
  const double taken = seconds_since(begin);
  if (!is_affordable_again(taken, longest_repeated_case, options.deadline)) return record;
  const int needed = std::min(threads_of(which.parameters), available_cores());
  const double spare = options.deadline - 2 * taken;
  const double at_most = std::min(options.patience, spare / 2);
  if (options.ticks) {
    options.ticks(fmt::format("noisy: a wait of at most {} for {} idle core{}",
                              format_duration(at_most), needed, needed == 1 ? "" : "s"));
  }
  wait_for_idle_cores(needed, at_most, options.counters);
  options.deadline -= seconds_since(begin);
  Record again = run_once(which, machine, options);
  // The shorter deadline that was left says nothing about the case.
  if (again.status == Status::timeout) return record;
  again.conditions->attempts = 2;
  return again;
}

Certified certify(const Case& which, const std::string& file, const std::string& key,
                  const RunOptions& options) {
  const Job job{.implementation = which.implementation->id(),
                .parameters = which.parameters,
                .sampling = options.sampling,
                .thorough = options.thorough,
                .draw = options.draw,
                .repeats = false,
                .certify = file,
                .certify_key = key};
  Usage usage;
  Attempt made = attempt(job, options, {}, options.deadline, usage);
  if (!made.answer) return {.why = std::move(made.why)};
  return {.outcome = std::move(made.answer->outcome)};
}

}  // namespace macrobench
