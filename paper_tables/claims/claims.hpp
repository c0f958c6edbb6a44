#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "paper_tables/definitions/definitions.hpp"

namespace macrobench {

/// What a row's time is multiplied by: nothing, or the price of the processor that took it.
enum class PriceOf { nothing, cpu, gpu };

/// A row of a table, or another number of the same cases: a figure of the outcome, the iterations.
struct ClaimRow {
  const Definition* table = nullptr;
  RowDefinition row;
  std::string called;  ///< its name for a reader
  PriceOf price = PriceOf::nothing;
};

/// The subject of a claim, column by column: a row, or one over another.
struct ClaimQuantity {
  ClaimRow row;
  std::optional<ClaimRow> baseline;
  std::string called;
};

/// From `at_least` to `at_most`, both included.
struct Range {
  std::optional<double> at_least;
  std::optional<double> at_most;

  [[nodiscard]] bool holds(double value) const {
    return (!at_least || value >= *at_least) && (!at_most || value <= *at_most);
  }
};

/// "1.5 to 2.5", "at least 500", "at most 1".
std::string to_string(const Range& range);

/// How a claim is tested (paper_tables/README.md says what each does).
enum class TestKind {
  within,
  usually,
  reaches,
  rising,
  falling,
  crosses,
  growth,
  spread,
  untestable
};

std::string to_string(TestKind kind);

/// Whether some columns may decide it, whatever the others contain, so that it needs no number of
/// columns.
bool takes_what_is_known(TestKind kind);

struct ClaimTest {
  TestKind kind = TestKind::untestable;
  std::vector<std::string> columns;  ///< labels, in the order of their table
  std::size_t need = 0;              ///< this many of the columns must have evidence
  Range range;       ///< for all except rising and falling; for a spread its largest
  double slack = 0;  ///< rising, falling: the largest step the other way that is ignored
  double times = 1;  ///< rising, falling: the least ratio from first to last
  std::vector<std::string> first;  ///< crosses: columns that may be the first in the range
  std::string over;                ///< growth: a parameter of the columns, or "work"
};

/// One of the baselines with which a claim can be read, and its subject then; several if a test
/// takes a list.
struct Reading {
  std::string called;  ///< "as published", "against lean C++"
  std::vector<ClaimQuantity> of;
};

/// A sentence of a paper that a measurement can support or contradict.
struct Claim {
  std::string name;      ///< "gpu_time_is_linear", no two alike in a paper
  std::string where;     ///< "section 4, p. 8"
  std::string says;      ///< in our words
  std::string quantity;  ///< in words: what is tested
  ClaimTest test;
  std::optional<int> cores;       ///< for claims about all cores: how many a machine must have
  std::string reason;             ///< for the bounds; or why it cannot be tested here
  std::vector<Reading> readings;  ///< the paper's first, then like for like; none if untestable
};

struct PaperClaims {
  static constexpr int schema = 1;

  std::string paper;     ///< "aldrich_2010"
  std::string document;  ///< the paper's title
  std::vector<Claim> claims;
};

/// The claims of the papers named, DIR/<paper>/claims.json, or of all if none is. Throws
/// UsageError: an unknown paper with the nearest one, or one sentence about what is wrong, with the
/// file and the JSON pointer. The claims refer to the definitions.
std::vector<PaperClaims> read_claims(const std::filesystem::path& folder,
                                     const std::vector<std::string>& papers, Definitions& all);

}  // namespace macrobench
