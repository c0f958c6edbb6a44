#include <regex>
#include <string>
#include <utility>

#include "implementations/rbc/parameters.hpp"
#include "tests/certificates/rbc_truth.hpp"
#include "tests/implementations/every_implementation.hpp"
#include "tests/matchers.hpp"

namespace macrobench::rbc {
namespace {

/// What the reason says would do, or nothing.
std::string advised_tolerance(const std::string& why) {
  std::smatch found;
  const std::regex advice("--tolerance ([0-9.e-]+)");
  return std::regex_search(why, found, advice) ? found[1].str() : "";
}

/// Each implementation that this machine runs in this process, in double.
std::vector<std::string> implementations() {
  std::vector<std::string> all;
  for (const Implementation* its : Registry::global().implementations()) {
    if (its->model != "rbc" || its->runs_on == RunsOn::other_processes) continue;
    if (its->unavailable().empty()) all.push_back(its->id());
  }
  return all;
}

/// Solves it, and says by how much a solution that is certified is wrong.
Outcome certified(const std::string& id, const Parameters& given, const Truth& truth) {
  const Implementation& its = Registry::global().implementation(id);
  const Case which = Registry::global().make_case(id, only_taken(its, given), 1);
  Outcome outcome = macrobench::solve(which);
  if (!outcome.valid) return outcome;
  const auto solution = solution_of<Solution<double>>(axes(), which);
  // The bound of |V - TV|, and twice it of the choice, at each state that a policy leads through.
  EXPECT_LE(truth.wrong_by(solution), 4e-6) << which.key();
  return outcome;
}

TEST(CertifiedImplementations, OfRbcAreRightFarFromThePapersCalibration) {
  const std::vector<Parameters> economies = {
      {{"gamma", 0.5}},  {{"gamma", 1.0}},   {{"gamma", 8.0}}, {{"gamma", 20.0}},
      {{"gamma", 50.0}}, {{"gamma", 100.0}}, {{"beta", 0.3}},  {{"beta", 0.995}}};
  for (Parameters given : economies) {
    given.set("nk", std::int64_t{32});
    const Truth on_capital(axes().problem_of(given));
    const Truth interpolated(axes().problem_of(with(given, "maximizer", "interpolated")));
    for (const std::string& id : implementations()) {
      const bool interpolates = id.ends_with("_interpolated");
      // V converges before the next maximization, and the policy stays out of date.
      if (interpolates && given == Parameters{{"beta", 0.3}, {"nk", 32}}) continue;
      const Truth& truth = interpolates ? interpolated : on_capital;
      Outcome outcome = certified(id, given, truth);
      // A tighter tolerance, and then perhaps one that arithmetic can meet.
      Parameters as_advised = given;
      std::string advice;
      for (int n = 0; n < 2 && !outcome.valid; ++n) {
        advice = advised_tolerance(outcome.why);
        EXPECT_NE(advice, "") << id << ": " << outcome.why;
        if (advice.empty()) break;
        as_advised.set("tolerance", std::stod(advice));
        outcome = certified(id, as_advised, truth);
      }
      EXPECT_TRUE(outcome.valid) << id << ' ' << advice << ": " << outcome.why;
    }
  }
}

}  // namespace
}  // namespace macrobench::rbc
