#include <limits>
#include <sstream>
#include <string>

#include "harness/run/schedule.hpp"
#include "harness/text/format.hpp"
#include "tests/harness/fake_model.hpp"
#include "tests/harness/support.hpp"
#include "tests/matchers.hpp"

namespace macrobench {
namespace {

TEST(Format, DurationsForPeople) {
  EXPECT_EQ(format_duration(0), "0 s");
  EXPECT_EQ(format_duration(12.34e-6), "12.3 µs");
  EXPECT_EQ(format_duration(0.0012), "1.2 ms");
  EXPECT_EQ(format_duration(0.9996e-3), "1 ms");
  EXPECT_EQ(format_duration(0.123), "123 ms");
  EXPECT_EQ(format_duration(12.34), "12.3 s");
  EXPECT_EQ(format_duration(59.96), "1 min");
  EXPECT_EQ(format_duration(200), "3 min 20 s");
  EXPECT_EQ(format_duration(600), "10 min");
  EXPECT_EQ(format_duration(3.2 * 3600), "3.2 h");
  EXPECT_EQ(format_duration(864000), "10 days");
  EXPECT_EQ(format_duration(-2), "-2 s");
  EXPECT_EQ(format_duration(std::numeric_limits<double>::quiet_NaN()), "?");
}

ScheduledCase scheduled(Status status) {
  ScheduledCase one{fake_case("plain", {}), a_record(), false, "", 0};
  one.record->status = status;
  if (status != Status::measured) one.record->why = "a reason";
  return one;
}

TEST(Progress, ALogHasALineEveryTenSecondsAndOneForWhatWentWrong) {
  std::ostringstream out;
  const Progress progress = terminal_progress(false, out);
  ScheduledCase one = scheduled(Status::measured);
  progress.begins(one.which, 0, 12, 3);
  EXPECT_EQ(out.str(), "");
  progress.ended(one, 1, 12);
  EXPECT_EQ(out.str(), "[ 1/12] fake/plain size=1  46.9 ms  valid\n");
  out.str("");
  progress.ended(one, 2, 12);
  progress.moves(one.which, 2, 12, {.elapsed = 1, .eta = 3, .at = "the first solution"});
  EXPECT_EQ(out.str(), "") << "within ten seconds";
  progress.ended(scheduled(Status::invalid), 3, 12);
  EXPECT_THAT(out.str(), EndsWith("invalid: a reason\n"));
  out.str("");
  progress.ended(one, 12, 12);
  EXPECT_THAT(out.str(), HasSubstr("[12/12]")) << "the last one";
}

TEST(Progress, CasesNotRunAreSaidOnceForEachReason) {
  ScheduledCase slow = scheduled(Status::measured);
  slow.record.reset();
  slow.why_not = {"over the budget", "predicted 3 h"};
  ScheduledCase slower = slow;
  slower.why_not.detail = "predicted 4 h";
  for (const bool is_a_terminal : {false, true}) {
    std::ostringstream out;
    terminal_progress(is_a_terminal, out).ended(slow, 12, 12);
    EXPECT_THAT(out.str(), Not(HasSubstr("fake"))) << is_a_terminal;
  }
  std::vector<std::string> lines;
  for (const NotRun& group :
       not_run_by_reason({scheduled(Status::failed), slow, slower}, {"no GPU here"})) {
    lines.push_back(to_string(group));
  }
  EXPECT_THAT(lines,
              ElementsAre("2 cases not run: over the budget", "1 case not run: no GPU here"));
}

TEST(Progress, OneLineOnATerminalThatIsGoneAtTheEnd) {
  std::ostringstream out;
  const Progress progress = terminal_progress(true, out);
  const ScheduledCase one = scheduled(Status::measured);
  progress.begins(one.which, 3, 12, 200);
  EXPECT_THAT(out.str(), StartsWith("\r\x1b[K[#####"));
  EXPECT_THAT(out.str(), HasSubstr("3/12 25% ETA 3 min 20 s"));
  EXPECT_THAT(out.str(), Not(HasSubstr("\n")));
  progress.ended(one, 12, 12);
  EXPECT_THAT(out.str(), EndsWith("\r\x1b[K"));
  EXPECT_THAT(out.str(), Not(HasSubstr("\n")));
}

TEST(Progress, TheBarMovesWithinACaseAndNeverBack) {
  std::ostringstream out;
  const Progress progress = terminal_progress(true, out);
  const ScheduledCase one = scheduled(Status::measured);
  const auto shown = [&](int done, const Moment& now) {
    out.str("");
    progress.moves(one.which, done, 100, now);
    return out.str();
  };
  EXPECT_THAT(shown(1, {.elapsed = 20, .eta = 80, .at = "the first solution"}),
              AllOf(HasSubstr("[####................] 1/100 20% ETA 1 min 20 s"),
                    EndsWith("fake/plain size=1: the first solution")));
  EXPECT_THAT(shown(1, {.elapsed = 50, .eta = 50.4}), HasSubstr("49% ETA 50 s"));
  EXPECT_THAT(shown(2, {.elapsed = 60, .eta = 600}), HasSubstr("49% ETA 10 min"));
  EXPECT_THAT(shown(99, {.elapsed = 60}), HasSubstr("99% after 1 min  fake"));
  EXPECT_THAT(shown(99, {.elapsed = 0.1}), HasSubstr("99%  fake"));
  EXPECT_THAT(shown(99, {.elapsed = 60, .eta = 0.1}), HasSubstr("ETA 1 s  fake"));
}

TEST(Progress, ALongKeyLeavesRoomForWhereTheCaseIs) {
  std::ostringstream out;
  const Progress progress = terminal_progress(true, out);
  Case which = fake_case("plain", {});
  which.parameters.set("behaviour", std::string(200, 'x'));
  progress.moves(which, 1, 4, {.elapsed = 20, .eta = 80, .at = "the first solution"});
  EXPECT_THAT(out.str(), EndsWith("...: the first solution"));
  EXPECT_THAT(out.str(), HasSubstr("ETA 1 min 20 s  fake/plain"));
  EXPECT_LE(out.str().size(), 100 + std::string("\r\x1b[K").size());
}

TEST(Progress, ATerminalKeepsALineOfWhatWentWrong) {
  std::ostringstream out;
  const Progress progress = terminal_progress(true, out);
  progress.ended(scheduled(Status::failed), 1, 2);
  EXPECT_THAT(out.str(), EndsWith("failed: a reason\n"));
  out.str("");
  ScheduledCase known = scheduled(Status::invalid);
  known.record->expected_invalid = true;
  progress.ended(known, 2, 2);
  EXPECT_EQ(out.str(), "\r\x1b[K");
}

}  // namespace
}  // namespace macrobench
