// The screen with which a replication ends.

#include "paper_tables/replicate/result_screen.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/model/registry.hpp"
#include "tests/paper_tables/fixture.hpp"

namespace macrobench {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

ScheduledCase at(std::int64_t nk) {
  return {.which = Registry::global().make_case("rbc/serial", {{"nk", nk}}, 1)};
}

ScheduledCase with(std::int64_t nk, Status status, const Reason& why = {}) {
  ScheduledCase one = at(nk);
  one.record = record_of("serial", one.which.parameters, {0.1});
  one.record->key = one.which.key();
  one.record->status = status;
  one.record->why = why;
  return one;
}

ScheduledCase not_run(std::int64_t nk, const Reason& why, double predicted) {
  ScheduledCase one = at(nk);
  one.why_not = why;
  one.predicted_seconds = predicted;
  return one;
}

std::string screen(std::vector<ScheduledCase> cases, std::vector<Reason> left_out = {}) {
  return to_text(document_of(Replication{.machine_text = "a machine",
                                         .tables_folder = "results/a/tables",
                                         .standings = {},
                                         .claims = {},
                                         .cases = std::move(cases),
                                         .left_out = std::move(left_out),
                                         .replicate_arguments = " paper/table",
                                         .view_arguments = " --results results/a"}),
                 80);
}

TEST(ResultScreen, SaysEachReasonOnceAndWhatToDoNext) {
  const std::string text =
      screen({with(16, Status::measured), not_run(32, {"over the budget", "predicted 1 h"}, 3600),
              not_run(64, {"over the budget", "predicted 2 h"}, 7200)},
             {"no GPU here", "no GPU here", "no GPU here"});
  EXPECT_THAT(
      text,
      AllOf(HasSubstr("Solved: 1 case,"), HasSubstr("Not run: 3 no GPU here; 2 over the budget."),
            HasSubstr("macrobench replicate --budget none paper/table  "),
            HasSubstr("the rest: 3 h or more"), HasSubstr("macrobench report --results results/a "),
            Not(HasSubstr("Wrong")), Not(HasSubstr("Doubtful"))));
}

TEST(ResultScreen, TellsWhatIsWrongFromWhatIsDoubtfulAndFromWhatIsPublishedSo) {
  ScheduledCase known = with(16, Status::invalid, "not converged");
  known.record->expected_invalid = true;
  const std::string text = screen({known, with(32, Status::invalid, "not converged"),
                                   with(64, Status::invalid, "not converged"),
                                   with(128, Status::noisy, {"others ran", "12%"}),
                                   with(256, Status::failed, "out of memory")});
  EXPECT_THAT(
      text, AllOf(HasSubstr("Wrong: 2 cases (invalid: not converged; the first is"),
                  HasSubstr("rbc/serial nk=32"), HasSubstr("1 case (failed: out of"),
                  HasSubstr("Invalid as published: 1 case"),
                  HasSubstr("Doubtful: 1 case (noisy: others ran; rbc/serial"),
                  HasSubstr("macrobench replicate paper/table "), Not(HasSubstr("--budget none"))));
}

}  // namespace
}  // namespace macrobench
