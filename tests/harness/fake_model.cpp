#include "tests/harness/fake_model.hpp"

#include <unistd.h>

#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <thread>
#include <utility>

#include "harness/model/array_view.hpp"
#include "harness/model/input_file.hpp"
#include "harness/model/solution_file.hpp"
#include "harness/text/error.hpp"

namespace macrobench {

namespace {

void sleep_for(double seconds) {
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
}

/// Writes a byte of each page, and gives the pages back.
void touch_200_mib() {
  const std::size_t bytes = std::size_t{200} << 20;
  const auto pages = std::make_unique_for_overwrite<volatile char[]>(bytes);
  for (std::size_t i = 0; i < bytes; i += 1024) pages[i] = 1;
}

class FakeInstance final : public Instance {
 public:
  FakeInstance(const Parameters& parameters, bool has_start)
      : behaviour_(parameters.name("behaviour")),
        input_(input_file_from(parameters.name("input")).path),
        seconds_(parameters.real("pace") * static_cast<double>(parameters.integer("size"))),
        has_start_(has_start) {}

  void start() override {
    if (has_start_) sleep_for(0.01);
  }
  void poison() override { result_ = 0; }
  void solve(Stages& stages) override {
    ++solutions_;
    stages.enter("first half");
    sleep_for(seconds_ / 2);
    stages.enter("second half");
    sleep_for(seconds_ / 2);
    if (behaviour_ == "crash") {
      std::signal(SIGSEGV, SIG_DFL);
      std::raise(SIGSEGV);
    }
    if (behaviour_ == "hang") sleep_for(600);
    if (behaviour_ == "writes") std::ofstream(input_, std::ios::app) << "more";
    if (behaviour_ == "throw") throw std::runtime_error("the fake threw this");
    if (behaviour_ == "usage") throw UsageError("the fake cannot do this");
    if (behaviour_ == "exit") {
      std::cerr << "first words\nlast words\n" << std::flush;
      std::_Exit(7);
    }
    if (result_ != 0) throw std::logic_error("a solution began on what an earlier one left");
    const bool is_wrong = behaviour_ == "invalid" || (behaviour_ == "turns" && solutions_ == 3);
    result_ = is_wrong ? 13 : 42;
    if (behaviour_ == "wavers") result_ = 42 + 2 * solutions_;
    if (behaviour_ == "fills") touch_200_mib();
    if (behaviour_ == "process") result_ = static_cast<std::uint64_t>(::getpid()) * 2;
    stages.finish();
    if (behaviour_ == "copies") sleep_for(0.02);
  }
  Outcome check(const Scrutiny& scrutiny) override {
    Outcome outcome;
    outcome.valid = result_ % 2 == 0;
    if (!outcome.valid) outcome.why = "13 is not right";
    outcome.iterations = solutions_;
    outcome.exhaustive = scrutiny.thorough;
    outcome.figures["result"] = static_cast<double>(result_);
    if (behaviour_ == "fills_check") touch_200_mib();
    if (behaviour_ == "samples") {
      outcome.checked_states = 1;
      outcome.figures["drawn"] = static_cast<double>(scrutiny.random(result_)() % 1'000'000);
    }
    return outcome;
  }
  [[nodiscard]] std::string fingerprint() const override { return std::to_string(result_); }
  [[nodiscard]] std::string stored(const std::string& key) const override {
    SolutionWriter writer(key);
    writer("result", result_);
    return writer.text();
  }
  [[nodiscard]] std::vector<ArrayView> arrays() const override {
    return {{.name = "result",
             .shape = {},
             .is_whole = true,
             .type = "<u8",
             .number = [this](std::size_t) { return static_cast<double>(result_); },
             .bytes = bytes_of(result_)}};
  }

 private:
  std::string behaviour_;
  std::string input_;
  double seconds_;
  bool has_start_;
  unsigned solutions_ = 0;
  std::uint64_t result_ = 0;
};

/// Computes for some time that is proportional to its size, like a solver and unlike a sleeper.
/// The environment plants what a later commit might have done: MACROBENCH_TEST_SLOWDOWN=1.1 makes
/// it compute more, MACROBENCH_TEST_WRONG=1 makes it wrong. MACROBENCH_TEST_SLOW_PROCESSES=26
/// limits the slowdown to 26 processes, which MACROBENCH_TEST_COUNTER, a file, counts.
class SpinningInstance final : public Instance {
 public:
  explicit SpinningInstance(const Parameters& parameters) {
    const char* slowdown = std::getenv("MACROBENCH_TEST_SLOWDOWN");
    const double factor =
        slowdown == nullptr || is_past_the_slow_ones() ? 1 : std::strtod(slowdown, nullptr);
    turns_ = static_cast<long>(1e5 * factor * static_cast<double>(parameters.integer("size")));
  }

  void start() override {}
  void poison() override { result_ = 0; }
  void solve(Stages& stages) override {
    double x = 1;
    for (long turn = 0; turn < turns_; ++turn) x = 0.5 * x + 1;
    result_ = std::getenv("MACROBENCH_TEST_WRONG") != nullptr ? 13 : std::lround(x);
    stages.finish();
  }
  Outcome check(const Scrutiny& /*scrutiny*/) override {
    Outcome outcome;
    outcome.valid = result_ == 2;  // the map's fixed point
    if (!outcome.valid) outcome.why = "13 is not right";
    return outcome;
  }
  [[nodiscard]] std::string fingerprint() const override { return std::to_string(result_); }

 private:
  static bool is_past_the_slow_ones() {
    const char* most = std::getenv("MACROBENCH_TEST_SLOW_PROCESSES");
    if (most == nullptr) return false;
    std::ofstream counter(std::getenv("MACROBENCH_TEST_COUNTER"), std::ios::app);
    counter << '.' << std::flush;
    return counter.tellp() > std::strtol(most, nullptr, 10);
  }

  long turns_ = 0;
  long result_ = 0;
};

std::vector<Axis> axes() {
  Axis size{"size", "how large", std::int64_t{1}, {1, 1e9}};
  size.headline = true;
  Axis behaviour{"behaviour", "how it misbehaves", std::string("fine")};
  behaviour.choices = {"fine",      "samples", "crash", "hang",       "throw",   "usage",
                       "exit",      "invalid", "turns", "wavers",     "process", "copies",
                       "elsewhere", "writes",  "fills", "fills_check"};
  Axis input{"input", "what it reads", std::string()};
  input.is_file = true;
  return {size, Axis{"rounds", "how often", std::int64_t{1}, {1, 1e9}},
          Axis{"pace", "seconds for each unit of size", 0.0, {0, 1e6}}, behaviour, input};
}

std::vector<Axis> with_mark() {
  std::vector<Axis> all = axes();
  Axis mark{"kind", "which program has the name", std::string("second")};
  mark.choices = {"second"};
  mark.in_every_key = true;
  mark.optional = true;
  all.push_back(mark);
  return all;
}

void add(const std::string& name, bool has_start, const std::string& unavailable,
         const std::string& model = "fake") {
  Implementation implementation;
  implementation.model = model;
  implementation.name = name;
  implementation.origin = Origin::corrected;
  implementation.summary = "a fake";
  implementation.axes = name == "marked" ? with_mark() : axes();
  if (name == "own_way") implementation.axes[1].own_default = std::int64_t{3};
  if (model == "silent" && (name == "plain" || name == "marked")) {
    std::erase_if(implementation.axes, [](const Axis& axis) { return axis.name == "rounds"; });
  }
  implementation.source = "tests/fake_" + name;
  implementation.has_start = has_start;
  implementation.stores = true;
  if (name == "device") implementation.runs_on = RunsOn::gpu;
  if (name == "foreign") implementation.runs_on = RunsOn::other_processes;
  implementation.unavailable = [unavailable] { return unavailable; };
  implementation.hooks.unavailable = [](const Parameters& parameters) {
    return parameters.name("behaviour") == "elsewhere" ? std::string("only elsewhere") : "";
  };
  implementation.instantiate = [has_start, spins = name == "spinner"](
                                   const Parameters& parameters) -> std::unique_ptr<Instance> {
    if (spins) return std::make_unique<SpinningInstance>(parameters);
    return std::make_unique<FakeInstance>(parameters, has_start);
  };
  implementation.hooks.known_invalid = [](const Parameters& parameters) {
    return parameters.integer("size") == 13 ? std::string("13 never is") : std::string();
  };
  if (name == "doubling") {
    implementation.hooks.work = [](const Parameters& parameters) {
      return static_cast<double>(parameters.integer("rounds")) *
             std::exp2(static_cast<double>(parameters.integer("size")));
    };
  }
  Registry::global().add(std::move(implementation));
}

const bool registered = [] {
  Model model{"fake", "a fake", axes(), "size", [](const Parameters&) {}};
  model.hooks.work = [](const Parameters& parameters) {
    return static_cast<double>(parameters.integer("rounds") * parameters.integer("size"));
  };
  model.work_axes = {"rounds"};
  Registry::global().add(std::move(model));
  add("plain", false, "");
  add("doubling", false, "");
  add("starter", true, "");
  add("absent", false, "no such device here");
  add("spinner", false, "");
  add("device", false, "");
  add("foreign", false, "");
  add("own_way", false, "");
  Model silent{"silent", "says nothing of its work", with_mark(), "size", [](const Parameters&) {}};
  Registry::global().add(std::move(silent));
  add("plain", false, "", "silent");
  add("several", false, "", "silent");
  add("marked", false, "", "silent");
  add("unmarked", false, "", "silent");
  return true;
}();

}  // namespace

Case fake_case(const std::string& name, const Parameters& parameters) {
  const bool of_a_model = name.find('/') != std::string::npos;
  return Registry::global().make_case(of_a_model ? name : "fake/" + name, parameters, 1);
}

}  // namespace macrobench
