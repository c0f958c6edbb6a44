// Is `macrobench regress` to be trusted on this machine? Twenty checks of a build against itself
// may raise one alarm in all their cases together; a slowdown of a tenth must be caught in each of
// five; a wrong answer must be invalid however fast. It takes about ten minutes and says what the
// machine's load was:
//
//   build/regression_acceptance [RUNS [TRIES [PAIRS]]]

#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "harness/regress/regression_run.hpp"
#include "harness/text/format.hpp"
#include "tests/harness/fake_model.hpp"
#include "tests/harness/support.hpp"

namespace {

using namespace macrobench;

std::string load() {
  std::ifstream file("/proc/loadavg");
  std::string one;
  file >> one;
  return one;
}

Contender contender(const std::string& name, const std::vector<std::string>& environment) {
  std::vector<std::string> child{"env"};
  child.insert(child.end(), environment.begin(), environment.end());
  for (const std::string& word : test_child({"child"})) child.push_back(word);
  return {.side = {name, ""},
          .child = child,
          .axes = {{"fake/spinner", {"size", "rounds", "pace", "behaviour"}}}};
}

/// Cases of about 0.2 ms to 7 ms.
Regression check(const std::vector<std::string>& environment, int pairs) {
  RegressionPlan plan{.cases = {}, .terms = {.pairs = pairs}};
  for (const std::int64_t size : {1, 3, 10, 30}) {
    plan.cases.push_back(fake_case("spinner", {{"size", size}}));
  }
  return run_regression(plan, contender("before", {}), contender("after", environment), a_machine(),
                        {});
}

/// Prints the run, and counts the verdicts of its cases.
std::map<Verdict, int> run(const std::string& what, const std::vector<std::string>& environment,
                           int pairs) {
  const std::string load_before = load();
  const Regression regression = check(environment, pairs);
  std::string ratios;
  std::map<Verdict, int> verdicts;
  for (const RegressionCase& one : regression.cases) {
    ++verdicts[one.verdict];
    if (one.ratio && one.interval) {
      ratios += fmt::format("  {:.3f} ({:.3f} to {:.3f})", *one.ratio, one.interval->low,
                            one.interval->high);
    }
  }
  fmt::print("{:<16} {:>10}  load {} -> {}  {}{}\n", what, format_duration(regression.seconds),
             load_before, load(), summary_of(regression), ratios);
  std::fflush(stdout);
  return verdicts;
}

int number(int argc, char** argv, int place, int otherwise) {
  return argc > place ? std::stoi(argv[place]) : otherwise;
}

}  // namespace

int main(int argc, char** argv) try {
  const int runs = number(argc, argv, 1, 20);
  const int tries = number(argc, argv, 2, 5);
  const int pairs = number(argc, argv, 3, RegressionTerms{}.pairs);

  int alarms = 0;
  int cases = 0;
  for (int i = 1; i <= runs; ++i) {
    for (const auto& [verdict, count] : run(fmt::format("the same {}/{}", i, runs), {}, pairs)) {
      cases += count;
      if (verdict == Verdict::slower || verdict == Verdict::faster) alarms += count;
    }
  }
  int caught = 0;
  int caught_cases = 0;
  int slowed_cases = 0;
  for (int i = 1; i <= tries; ++i) {
    const std::string what = fmt::format("a tenth {}/{}", i, tries);
    const auto verdicts = run(what, {"MACROBENCH_TEST_SLOWDOWN=1.1"}, pairs);
    for (const auto& [verdict, count] : verdicts) {
      slowed_cases += count;
      if (verdict == Verdict::slower) caught_cases += count;
    }
    if (verdicts.contains(Verdict::slower)) ++caught;
  }
  const auto wrong =
      run("wrong and fast", {"MACROBENCH_TEST_SLOWDOWN=0.1", "MACROBENCH_TEST_WRONG=1"}, pairs);
  const bool invalid = wrong.size() == 1 && wrong.begin()->first == Verdict::invalid;

  fmt::print(
      "{} alarms in {} cases of {} runs of the same; a tenth slower: {} of {} tries caught, {} of "
      "their {} cases; wrong answers {}\n",
      alarms, cases, runs, caught, tries, caught_cases, slowed_cases,
      invalid ? "invalid" : "NOT invalid");
  return alarms <= 1 && caught == tries && invalid ? 0 : 1;
} catch (const std::exception& error) {
  std::fputs(error.what(), stderr);
  return 2;
}
