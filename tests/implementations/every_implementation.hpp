#pragma once

// What the tests of a model's implementations have in common: all of the registry, a new one is
// tested by being there.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "harness/machine/machine.hpp"
#include "harness/model/array_view.hpp"
#include "harness/model/registry.hpp"
#include "harness/model/solution_file.hpp"
#include "harness/model/stages.hpp"
#include "harness/run/stage_clock.hpp"

namespace macrobench {

/// The model says what each of these numbers is in.
inline void expect_units(const Model& model, const Outcome& outcome) {
  EXPECT_TRUE(model.outcome_figures.contains("residual")) << model.name;
  for (const auto& [name, value] : outcome.figures) {
    EXPECT_TRUE(model.outcome_figures.contains(name)) << model.name << ": " << name;
  }
}

/// The model declares each stage that its implementation announces.
inline void expect_declared(const Implementation& implementation,
                            const std::vector<std::string>& announced) {
  const std::vector<std::string> known = implementation.its_model->stages_of(implementation.name);
  for (const std::string& stage : announced) {
    EXPECT_EQ(std::ranges::count(known, stage), 1)
        << implementation.id() << " announces \"" << stage << "\": name it in announced_stages()";
  }
}

/// Starts, poisons, solves once and checks all of it, as a child process would.
inline Outcome solve(const Case& which, std::string* fingerprint = nullptr,
                     std::vector<std::string>* stages = nullptr) {
  const std::unique_ptr<Instance> instance = which.implementation->instantiate(which.parameters);
  instance->start();
  instance->poison();
  StageClock clock;
  instance->solve(clock);
  if (fingerprint != nullptr) *fingerprint = instance->fingerprint();
  std::vector<std::string> announced;
  for (const auto& [name, seconds] : clock.stages()) announced.push_back(name);
  expect_declared(*which.implementation, announced);
  if (stages != nullptr) *stages = std::move(announced);
  Outcome outcome = instance->check(true);
  expect_units(Registry::global().model(which.implementation->model), outcome);
  return outcome;
}

/// The solution of a case, all of it. The axes are its model's table.
template <class Solution, class Axes>
Solution solution_of(const Axes& axes, const Case& which) {
  const std::unique_ptr<Instance> instance = which.implementation->instantiate(which.parameters);
  instance->start();
  instance->poison();
  NoStages none;
  instance->solve(none);
  EXPECT_FALSE(instance->arrays().empty()) << "each has the size that its shape says";
  const std::string stored = instance->stored(which.key());
  Solution solution;
  restore(axes.problem_of(which.parameters), solution, stored, which.key());
  return solution;
}

/// The choices of a named axis; none where the implementation has no such axis.
inline std::vector<std::string> choices(const Implementation& implementation,
                                        const std::string& axis) {
  const auto found = std::ranges::find(implementation.axes, axis, &Axis::name);
  return found == implementation.axes.end() ? std::vector<std::string>{} : found->choices;
}

inline bool has(const Implementation& implementation, const std::string& axis) {
  return std::ranges::count(implementation.axes, axis, &Axis::name) > 0;
}

/// Of `given`, what the implementation takes; a case of it.
inline Case make(const Implementation& implementation, const Parameters& given) {
  return Registry::global().make_case(implementation.id(), only_taken(implementation, given),
                                      available_cores());
}

inline Parameters with(Parameters parameters, std::string_view name, Value value) {
  parameters.set(name, std::move(value));
  return parameters;
}

/// Puts the named number into `value`, or leaves that alone if there is none: by other code than
/// the model's own table.
inline void read(const Parameters& parameters, std::string_view name, int& value) {
  if (parameters.find(name) != nullptr) value = static_cast<int>(parameters.integer(name));
}
inline void read(const Parameters& parameters, std::string_view name, double& value) {
  if (parameters.find(name) != nullptr) value = parameters.real(name);
}

/// Why a case of the implementation cannot be divided among this many GPUs here; empty if it can.
inline std::string no_gpus_for(const Implementation& implementation, std::int64_t gpus) {
  return has(implementation, "gpus") ? make(implementation, {{"gpus", gpus}}).unavailable()
                                     : implementation.id() + " divides nothing among GPUs";
}

/// The implementation of one GPU whose work this one divides among several.
inline const Implementation& on_one_gpu(const Implementation& divided) {
  const bool is_thrust = divided.name.starts_with("thrust");
  const std::string published = divided.model + (is_thrust ? "/thrust_cuda" : "/cuda_c");
  const Implementation* mended =
      Registry::global().find(published + (is_thrust ? "_filled" : "_coalesced"));
  return mended != nullptr ? *mended : Registry::global().implementation(published);
}

/// The names of a model's implementations, those of CUDA or the others.
inline std::vector<std::string> names_of(std::string_view model, bool cuda) {
  std::vector<std::string> names;
  for (const Implementation* implementation : Registry::global().implementations()) {
    if (implementation->model != model) continue;
    if ((implementation->runs_on == RunsOn::gpu) == cuda) names.push_back(implementation->name);
  }
  return names;
}

/// Those of them that solve batches of economies.
inline std::vector<std::string> names_with_economies(std::string_view model, bool cuda) {
  std::vector<std::string> names = names_of(model, cuda);
  std::erase_if(names, [&](const std::string& name) {
    return !has(*Registry::global().find(std::string(model) + "/" + name), "economies");
  });
  return names;
}

/// A test of one implementation, whose name is the parameter. Skipped, with the reason, if it
/// cannot run.
class EveryImplementation : public ::testing::TestWithParam<std::string> {
 protected:
  explicit EveryImplementation(std::string model) : model_(std::move(model)) {}

  void SetUp() override {
    implementation_ = Registry::global().find(model_ + "/" + GetParam());
    ASSERT_NE(implementation_, nullptr);
    if (const std::string why = implementation_->unavailable(); !why.empty()) GTEST_SKIP() << why;
  }

  std::string model_;
  const Implementation* implementation_ = nullptr;
};

inline std::string name_of_test(const ::testing::TestParamInfo<std::string>& tested) {
  return tested.param;
}

/// One test of the suite for each name: names(..., false) on the CPU, names(..., true) with CUDA.
#define FOR_EVERY_IMPLEMENTATION(Suite, names, ...)                                            \
  INSTANTIATE_TEST_SUITE_P(                                                                    \
      Cpu, Suite, ::testing::ValuesIn(names(__VA_ARGS__ __VA_OPT__(, ) false)), name_of_test); \
  INSTANTIATE_TEST_SUITE_P(                                                                    \
      Gpu, Suite, ::testing::ValuesIn(names(__VA_ARGS__ __VA_OPT__(, ) true)), name_of_test);  \
  GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Suite)

}  // namespace macrobench
