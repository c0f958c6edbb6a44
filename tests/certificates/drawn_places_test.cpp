#include "implementations/numerics/methods/drawn_places.hpp"

#include <string>

#include "implementations/krusell_smith/certificate/certificate.hpp"
#include "implementations/lifecycle/certificate.hpp"
#include "implementations/rbc/certificate.hpp"
#include "tests/certificates/mutants.hpp"

namespace macrobench {
namespace {

using numerics::drawn_from, numerics::drawn_places, numerics::unseen_share;

void expect_row(const std::string& model, std::size_t in_full, const char* places,
                std::size_t drawn) {
  expect_in_evidence(fmt::format("| {} | {} {} | {} | {:.3f}% |", model, in_full, places, drawn,
                                 100 * unseen_share(drawn)));
}

TEST(DrawnPlaces, MissTheShareThatEvidenceSays) {
  EXPECT_LT(unseen_share(drawn_places), 1e-4);
  EXPECT_NEAR(std::pow(1 - unseen_share(100), 100), .01, 1e-12);
  expect_row("rbc", rbc::affordable_states, "states", drawn_places);
  expect_row("lifecycle", lifecycle::affordable_states, "states", drawn_places);
  expect_row("krusell_smith, policy", drawn_places, "nodes", drawn_places);
  constexpr std::size_t periods = 1'000;
  const auto steps = static_cast<std::size_t>(krusell_smith::affordable_steps);
  expect_row("krusell_smith, wealth at the end of 1,000 periods", steps / periods, "households",
             steps / 2 / periods);
}

TEST(DrawnPlaces, AreAsManyAsThatInALargeResult) {
  // As unsolved as can be: what is looked at is counted all the same.
  rbc::Problem problem;
  problem.nk = 70'000;
  rbc::Solution<double> solution;
  solution.V.assign(problem.states(), -1);
  solution.policy.assign(problem.states(), 0);
  const Outcome outcome = rbc::judge(problem, solution, false);
  EXPECT_FALSE(outcome.exhaustive);
  EXPECT_GE(outcome.checked_states, static_cast<std::int64_t>(drawn_places));
}

TEST(DrawnPlaces, AreOneOfEachStretch) {
  std::mt19937_64 random(1);
  for (const std::size_t count : {std::size_t{3}, std::size_t{10}, std::size_t{1'000'003}}) {
    const std::vector<std::size_t> places = drawn_from(count, 10, random);
    ASSERT_EQ(places.size(), std::min<std::size_t>(count, 10));
    for (std::size_t n = 0; n < places.size(); ++n) {
      EXPECT_GE(places[n], count * n / places.size());
      EXPECT_LT(places[n], count * (n + 1) / places.size());
    }
  }
}

}  // namespace
}  // namespace macrobench
