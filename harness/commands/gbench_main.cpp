// The registry as a plain Google Benchmark executable, for the tools around it: one benchmark for
// each implementation that can run here, at a few sizes, all in this process. The time is that of
// the solution, as the harness measures it; an invalid outcome is an error, so that it has no time.

#include <benchmark/benchmark.h>

#include <memory>

#include "harness/machine/machine.hpp"
#include "harness/model/registry.hpp"
#include "harness/run/stage_clock.hpp"

namespace macrobench {

namespace {

void run(benchmark::State& state, const Case& which) {
  const std::unique_ptr<Instance> instance = which.implementation->instantiate(which.parameters);
  instance->start();
  for ([[maybe_unused]] auto iteration : state) {
    instance->poison();
    StageClock clock;
    instance->solve(clock);
    clock.finish();
    state.SetIterationTime(clock.seconds());
  }
  const Outcome outcome = instance->check(false);
  state.counters["solver_iterations"] = static_cast<double>(outcome.iterations);
  state.counters["residual"] = outcome.residual;
  state.counters["checked_states"] = static_cast<double>(outcome.checked_states);
  if (!outcome.valid) return state.SkipWithError(outcome.why.c_str());
  state.SetLabel("valid");
}

void register_all() {
  const Registry& registry = Registry::global();
  for (const Implementation* implementation : registry.implementations()) {
    if (!implementation->unavailable().empty()) continue;
    const Model& model = *implementation->its_model;
    for (const std::int64_t size : model.trial_sizes) {
      const Parameters of_size = only_taken(*implementation, {{model.size_axis, size}});
      const Case which = registry.make_case(implementation->id(), of_size, available_cores());
      benchmark::RegisterBenchmark(which.key().c_str(),
                                   [which](benchmark::State& state) { run(state, which); })
          ->UseManualTime()
          ->Unit(benchmark::kMillisecond);
      if (of_size.empty()) break;
    }
  }
}

}  // namespace

}  // namespace macrobench

int main(int argc, char** argv) {
  macrobench::register_all();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::AddCustomContext("macrobench_machine", macrobench::this_machine().slug());
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
