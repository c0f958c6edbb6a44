#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "harness/numbers/cell.hpp"

namespace macrobench {

/// From `at_least` to `at_most`, both included.
struct Range {
  std::optional<double> at_least = {};
  std::optional<double> at_most = {};

  [[nodiscard]] bool holds(double value) const {
    return (!at_least || value >= *at_least) && (!at_most || value <= *at_most);
  }
  /// Of a number that may be anywhere in the interval; none if it may be on either side of a bound.
  [[nodiscard]] std::optional<bool> holds(const ConfidenceInterval& where) const;
};

/// How a claim is tested (paper_tables/README.md says what each does).
enum class TestKind { within, rising, falling, growth, untestable };

/// The paper's own words that bound a size on one side only, and where they are.
struct OneSided {
  std::string words;  ///< "more than"
  std::string where;
};

struct ClaimTest {
  TestKind kind = TestKind::untestable;
  std::string reason = {};  ///< for the bounds; or why it cannot be tested here
  /// Labels, in the order of their table: all columns where the paper prints the subject's rows, or
  /// those that its words allow.
  std::vector<std::string> columns = {};
  std::string columns_why = {};  ///< these words; empty if it is all
  std::size_t need = 0;          ///< this many of the columns must have evidence
  Range range = {};              ///< for all except rising and falling
  double slack = 0;       ///< rising, falling: the largest step the other way that is ignored
  double times = 1;       ///< rising, falling: the least ratio from first to last
  std::string over = {};  ///< growth: a parameter of the columns, or "work"
  std::optional<OneSided> one_sided = {};
};

/// A quantity's number in a column, or why there is none.
struct SeriesPoint {
  std::string of;  ///< the quantity's name; where there is no number, that of the row without it
  std::string column;  ///< empty where several quantities are compared in one
  double size = 0;     ///< of the case, for growth
  bool is_known = false;
  double value = 0;
  ConfidenceInterval interval = {};  ///< where the value may be
  Cell cell = {};                    ///< what else is known of the value
  Kind kind = Kind::none;            ///< of the cell that `why` is about
  Status status = Status::not_run;   ///< likewise
  Reason why = {};  ///< what replaces the cell's own case, or why there is no number
};

/// One point per column of the test.
using Series = std::vector<SeriesPoint>;

/// What an answer rests on, in the order in which it is read: words, numbers and points.
using Evidence = std::vector<std::variant<std::string, double, SeriesPoint>>;

struct TestResult {
  std::optional<bool> holds = {};  ///< none if it cannot be decided
  Evidence evidence = {};          ///< why it cannot, then
  /// True if the numbers are known, but not well enough: a bound is within their intervals.
  bool is_within_noise = false;
};

/// Everything about a kind of test: how it is read, done and put into words.
struct TestDescription {
  TestKind kind;
  std::string_view name;   ///< in claims.json and in JSON
  std::string_view asked;  ///< for a reader; {range}, {steps} and {over} are the test's own
  /// None for what nothing can test. `known` are those points of the series that are.
  TestResult (*result)(const ClaimTest& test, const Series& known) = nullptr;
  /// Whether it goes from one number to the next, along the columns or down a list of quantities;
  /// it has a slack and times then, instead of a range.
  bool goes_in_steps = false;
};

const std::array<TestDescription, 5>& test_descriptions();
const TestDescription& description_of(TestKind kind);

/// The points that are evidence.
Series known_in(const Series& series);

/// Of one series, or of several that rise or fall down their list.
TestResult put_to_the_test(const ClaimTest& test, const std::vector<Series>& all);

}  // namespace macrobench
