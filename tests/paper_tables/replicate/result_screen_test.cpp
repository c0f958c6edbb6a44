// The screen with which a replication ends.

#include "paper_tables/replicate/result_screen.hpp"

#include <algorithm>
#include <limits>

#include "harness/model/registry.hpp"
#include "paper_tables/replicate/unreached.hpp"
#include "tests/matchers.hpp"
#include "tests/paper_tables/fixture.hpp"

namespace macrobench {
namespace {

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

using Cells = std::vector<std::set<std::string>>;

ScheduledCase not_run(std::int64_t nk, const Reason& why, double predicted) {
  ScheduledCase one = at(nk);
  one.why_not = why;
  one.predicted_seconds = predicted;
  return one;
}

Replication replication_of(std::vector<ScheduledCase> cases, std::vector<Reason> left_out = {},
                           Cells printed = {}) {
  return {.machine_text = "a machine",
          .tables_folder = "results/a/tables",
          .report = "results/a/report.html",
          .standings = {},
          .claims = {},
          .cases = std::move(cases),
          .left_out = std::move(left_out),
          .printed_cells = std::move(printed),
          .budget = 300,
          .deadline = 600,
          .replicate_arguments = " paper/table",
          .view_arguments = " --results results/a"};
}

std::string screen(std::vector<ScheduledCase> cases, std::vector<Reason> left_out = {},
                   Cells printed = {}) {
  return to_text(
      full_document_of(replication_of(std::move(cases), std::move(left_out), std::move(printed))),
      200);
}

TEST(ResultScreen, IsOneScreenWithARowAModelAndTheCommandThatHelpsMost) {
  const auto measured = [](double seconds) {
    Cell cell = constant(seconds, "s");
    cell.kind = Kind::measured;
    return cell;
  };
  Replication replication = replication_of(
      {with(16, Status::measured), with(32, Status::noisy, "others ran"),
       with(64, Status::invalid, "not converged"), not_run(128, "over the budget", 20)},
      {"no GPU here", "no GPU here"});
  replication.front = {.machine = "m",
                       .machine_text = "a machine",
                       .rows = {{.model = "rbc",
                                 .title = "Growth",
                                 .size = "128 points",
                                 .hardware = "C2075",
                                 .published = constant(10, "s"),
                                 .here = {"C++", measured(5)},
                                 .best = FrontTime{"one core", measured(0.5)},
                                 .faster = Ratio(constant(10, "s"), measured(5), {})},
                                {.model = "lifecycle",
                                 .title = "Life cycle",
                                 .size = "150 points",
                                 .hardware = "GTX 105x",
                                 .published = constant(8, "s"),
                                 .here = {"Julia", {}}}}};
  const std::string text = to_text(document_of(replication), 100);
  EXPECT_THAT(text, AllOf(HasSubstr("a machine"), HasSubstr("10 s, C++, C2075"), HasSubstr("2.00×"),
                          HasSubstr("500 ms, one core"), HasSubstr("8 s, Julia, GTX 105x")));
  EXPECT_THAT(text, AllOf(HasSubstr("Not believed: 1 case wrong, 1 case solved in a noisy time"),
                          HasSubstr("Not run: 3 cases.\n"),
                          HasSubstr("macrobench replicate --budget 5m paper/table  when the"),
                          HasSubstr("Report: results/a/report.html\n"),
                          HasSubstr("macrobench report --open --results results/a "),
                          Not(HasSubstr("macrobench tables"))));
  EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 24);
}

TEST(ResultScreen, SaysEachReasonOnceAndWhatToDoNext) {
  const std::string text =
      screen({with(16, Status::measured), not_run(32, {"over the budget", "predicted 1 h"}, 3600),
              not_run(64, {"over the budget", "predicted 2 h"}, 7200)},
             {"no GPU here", "no GPU here", "no GPU here"});
  EXPECT_THAT(
      text,
      AllOf(HasSubstr("Solved: 1 case,"), HasSubstr("Not run: 3 no GPU here; 2 over the budget."),
            HasSubstr("Report: results/a/report.html,"),
            HasSubstr("macrobench report --open --results results/a "),
            Not(HasSubstr("Not written")), Not(HasSubstr("Wrong")), Not(HasSubstr("Doubtful"))));
}

TEST(ResultScreen, SaysWhatALongerBudgetBrings) {
  const Reason budget = "over the budget";
  const std::vector<ScheduledCase> cases{with(16, Status::measured),   not_run(32, budget, 20),
                                         not_run(64, budget, 50),      not_run(128, budget, 2000),
                                         not_run(256, budget, 50'000), not_run(512, budget, 2e6),
                                         not_run(1024, budget, 55)};
  const auto key = [&](std::size_t i) { return cases[i].which.key(); };
  // A ratio of two cases; one of a case that takes long; and 1,024, which no published row has.
  const Cells printed{{key(0)}, {key(1)}, {key(0), key(2)}, {key(1), key(3)}, {key(1), key(5)}};
  const std::string text = screen(cases, {}, printed);
  EXPECT_THAT(
      text,
      AllOf(HasSubstr("Over the budget: 3 cases of under a minute each; 1 case of under an hour"),
            HasSubstr("1 case of under a day each;"),
            HasSubstr("1 case of more than a day each, which is extrapolated"),
            HasSubstr("macrobench replicate --budget 2m paper/table  "),
            HasSubstr("about 2 more of the papers' numbers"),
            HasSubstr("macrobench replicate --budget 45m --deadline 1h paper/table  "),
            HasSubstr("about 3 more of the papers' numbers"), Not(HasSubstr("days"))));
}

TEST(ResultScreen, PromisesNothingWithoutPredictions) {
  const Reason budget = "over the budget";
  const double unknown = std::numeric_limits<double>::quiet_NaN();
  const std::vector<ScheduledCase> cases{not_run(32, budget, 20), not_run(64, budget, unknown)};
  EXPECT_THAT(screen(cases),
              AllOf(HasSubstr("1 case without a prediction yet"),
                    HasSubstr("macrobench replicate --budget 10m paper/table  "),
                    HasSubstr("what has no prediction yet"), Not(HasSubstr("about"))));
  EXPECT_THAT(screen(cases, {}, {{cases[0].which.key()}}),
              HasSubstr("about 1 more of the papers' numbers"))
      << "what has no prediction comes after it";
}

TEST(ResultScreen, DurationsAreThoseOfOptions) {
  EXPECT_EQ(written_duration(1), "1m");
  EXPECT_EQ(written_duration(660.5), "12m");
  EXPECT_EQ(written_duration(3601), "65m");
  EXPECT_EQ(written_duration(3 * 3600 - 5), "3h");
}

TEST(ResultScreen, TellsWhatIsWrongFromWhatIsDoubtfulAndFromWhatIsPublishedSo) {
  ScheduledCase known = with(16, Status::invalid, "not converged");
  known.record->expected_invalid = true;
  const std::string text = screen({known, with(32, Status::invalid, "not converged"),
                                   with(64, Status::invalid, "not converged"),
                                   with(128, Status::implausible, {"others ran", "12%"}),
                                   with(256, Status::failed, "out of memory")});
  EXPECT_THAT(
      text, AllOf(HasSubstr("Wrong: 2 cases (invalid: not converged; the first is"),
                  HasSubstr("rbc/serial nk=32"), HasSubstr("1 case (failed: out of"),
                  HasSubstr("Invalid as published: 1 case"),
                  HasSubstr("Doubtful: 1 case (implausible: others ran; rbc/serial"),
                  HasSubstr("Solved: 0 cases"), Not(HasSubstr("not believed")),
                  HasSubstr("macrobench replicate paper/table "), Not(HasSubstr("--budget none"))));
}

TEST(ResultScreen, ANoisyTimeIsOfASolvedCaseAndHasAWayToGoOn) {
  const Reason others{"others ran", "12%"};
  std::vector<ScheduledCase> cases{with(16, Status::measured), with(32, Status::noisy, others),
                                   with(64, Status::noisy, others)};
  EXPECT_THAT(screen(cases),
              AllOf(HasSubstr("Solved: 3 cases,"),
                    HasSubstr("Times not believed: 2 cases (noisy: others ran; the first is "
                              "rbc/serial nk=32"),
                    HasSubstr("They are solved, but the machine was busy: 2 times are noisy."),
                    HasSubstr("when the machine is quiet, measures only them again."),
                    HasSubstr("macrobench replicate --budget 5m paper/table  "),
                    Not(HasSubstr("Doubtful")), Not(HasSubstr("Wrong"))));
  cases.push_back(not_run(128, "over the budget", 20));
  EXPECT_THAT(screen(cases), AllOf(HasSubstr("measures them again, and more."),
                                   HasSubstr("macrobench replicate --budget 5m paper/table  ")));
}

}  // namespace
}  // namespace macrobench
