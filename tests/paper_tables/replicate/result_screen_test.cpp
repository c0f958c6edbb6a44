// The screen with which a replication ends.

#include "paper_tables/replicate/result_screen.hpp"

#include <algorithm>
#include <limits>

#include "harness/model/registry.hpp"
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

ScheduledCase not_run(std::int64_t nk, const Reason& why) {
  ScheduledCase one = at(nk);
  one.why_not = why;
  return one;
}

Replication replication_of(std::vector<ScheduledCase> cases, std::vector<Reason> left_out = {}) {
  return {.machine_text = "a machine",
          .tables_folder = "results/a/tables",
          .report = "results/a/report.html",
          .claims = {},
          .cases = std::move(cases),
          .left_out = std::move(left_out),
          .budget = 300,
          .replicate_arguments = " paper/table",
          .view_arguments = " --results results/a"};
}

std::string screen(std::vector<ScheduledCase> cases, std::vector<Reason> left_out = {}) {
  return to_text(document_of(replication_of(std::move(cases), std::move(left_out))), 200);
}

TEST(ResultScreen, IsOneScreenWithARowAModelAndTheCommandThatHelpsMost) {
  const auto measured = [](double seconds) {
    Cell cell = constant(seconds, "s");
    cell.kind = Kind::measured;
    return cell;
  };
  Replication replication =
      replication_of({with(16, Status::measured), with(32, Status::noisy, "others ran"),
                      with(64, Status::invalid, "not converged"), not_run(128, "over the budget")},
                     {"no GPU here", "no GPU here"});
  replication.front = {.machine = "m",
                       .machine_text = "a machine",
                       .rows = {{.model = "rbc",
                                 .title = "Growth",
                                 .size = "128 points",
                                 .hardware = "C2075",
                                 .published = constant(10, "s"),
                                 .here = {"C++", measured(5)},
                                 .best = ProgramTime{"one core", measured(0.5)},
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
  EXPECT_THAT(text, AllOf(HasSubstr("Wrong: 1 case (rbc/serial nk=64"),
                          HasSubstr("Not believed: 1 case"), HasSubstr("others ran"),
                          HasSubstr("Not run: 3 cases"), HasSubstr("over the budget"),
                          HasSubstr("macrobench replicate --budget 5m paper/table  when the"),
                          HasSubstr("Report: results/a/report.html\n"),
                          HasSubstr("macrobench report --open --results results/a "),
                          Not(HasSubstr("macrobench tables"))));
  EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 24);
}

TEST(ResultScreen, HasOneCountOfCasesAndWhatBecameOfThem) {
  Replication replication =
      replication_of({with(16, Status::measured), with(32, Status::noisy, "others ran"),
                      with(64, Status::invalid, "not converged"),
                      with(128, Status::implausible, {"no machine is so fast", "12%"}),
                      not_run(256, "over the budget")},
                     {"no GPU here"});
  replication.best_rates = 3;
  EXPECT_THAT(to_text(document_of(replication), 200),
              HasSubstr("Cases: 9: 2 solved, 1 wrong, 1 doubtful, 2 not run, 3 of the machine at "
                        "its best.\n"));
}

TEST(ResultScreen, TellsWhatIsWrongFromWhatIsDoubtfulAndFromWhatIsPublishedSo) {
  ScheduledCase known = with(16, Status::invalid, "not converged");
  known.record->expected_invalid = true;
  const std::string text = screen(
      {known, with(32, Status::invalid, "not converged"), with(64, Status::failed, "out of memory"),
       with(128, Status::implausible, {"no machine is so fast", "12%"})});
  EXPECT_THAT(text, AllOf(HasSubstr("Wrong: 2 cases"), HasSubstr("rbc/serial nk=32"),
                          HasSubstr("Invalid as published: 1 case"), HasSubstr("Doubtful: 1 case"),
                          HasSubstr("Solved: 0 cases"), Not(HasSubstr("Not believed")),
                          Not(HasSubstr("Not run")),
                          HasSubstr("macrobench replicate --budget 5m paper/table ")));
}

TEST(ResultScreen, NamesTheCommandThatMeasuresMore) {
  const std::string again = "macrobench replicate --budget ";
  const ScheduledCase measured = with(16, Status::measured);
  EXPECT_THAT(screen({measured}), Not(HasSubstr(again)));
  EXPECT_THAT(screen({measured}, {"no GPU here"}), Not(HasSubstr(again))) << "no budget brings one";
  const ScheduledCase left = not_run(32, Reason(Reason::Kind::over_budget, "predicted 1 h"));
  EXPECT_THAT(screen({measured, left}), HasSubstr(again + "10m paper/table"));
  EXPECT_THAT(screen({measured, left, with(64, Status::noisy, "others ran")}),
              HasSubstr(again + "5m paper/table"))
      << "noisy times come first";
  Replication unlimited = replication_of({with(64, Status::noisy, "others ran")});
  unlimited.budget = std::numeric_limits<double>::infinity();
  EXPECT_THAT(to_text(document_of(unlimited), 200), HasSubstr(again + "none paper/table"));
}

}  // namespace
}  // namespace macrobench
