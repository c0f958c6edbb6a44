#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/records/record.hpp"
#include "harness/records/statistics.hpp"
#include "harness/text/error.hpp"

namespace macrobench {

// What `macrobench regress` concludes from what it measured. Nothing here runs a case or prints.

/// What became of a case between two commits, the worst first.
enum class Verdict {
  failed,      ///< it crashed, answered garbage or met its deadline
  invalid,     ///< the head's result is not right, however fast it came
  slower,      ///< the interval lies wholly above the threshold
  ambiguous,   ///< it may be slower, and it may not
  faster,      ///< the interval lies wholly below 1 over the threshold
  not_slower,  ///< the interval lies wholly below the threshold: the same, or faster
  same,        ///< the interval lies wholly between the two
  is_new,      ///< the base has nothing to compare it with
  left_out     ///< it cannot be measured here, or not in this way
};

std::string to_string(Verdict verdict);  ///< "slower", "not slower", "new", "left out"

/// What is fixed before anything is measured.
struct RegressionTerms {
  int pairs = 21;  ///< measurements of each side
  double confidence = 0.995;
  double threshold = 1.03;    ///< a larger ratio is slower, a smaller one than its inverse faster
  bool instructions = false;  ///< instructions are counted, once, in place of seconds
};

/// One of the two that are compared.
struct RegressionSide {
  std::string name;    ///< for people: "main", "the working tree"
  std::string commit;  ///< its SHA-1; empty where it is not known
};

/// One case. base[i] and head[i] are a pair: measured one right after the other.
struct RegressionCase {
  std::string key;
  Verdict verdict = Verdict::left_out;
  std::string why = {};           ///< one clause, where there is no ratio
  std::string advice = {};        ///< what to do, where the verdict asks for something
  std::vector<double> base = {};  ///< seconds of a solution, or instructions
  std::vector<double> head = {};
  std::optional<double> ratio = {};                 ///< median of head[i] / base[i]
  std::optional<ConfidenceInterval> interval = {};  ///< of the ratio
  bool same_source = false;  ///< its sources are known to be the same in both
  bool base_failed = false;  ///< the base has the case, and could not run it
};

struct Regression {
  RegressionSide base;
  RegressionSide head;
  RegressionTerms terms;
  std::string machine;  ///< its folder name
  std::string time;     ///< UTC, ISO 8601, when it ended
  double seconds = 0;   ///< all of it took
  std::vector<RegressionCase> cases;
};

/// The measurement of one process: the smallest of its solutions' seconds, the first included.
/// What disturbs a solution (another process, an interrupt, a cold cache) only ever adds to its
/// time, so the smallest of several is the one disturbed least; it is unsteady only in so far as
/// no solution was left alone. NaN where there is none.
double least_disturbed(const Record& record);

/// Fills in the ratio, its interval, the verdict and the advice from the pairs.
void conclude(RegressionCase& one, const RegressionTerms& terms);

/// Whether the verdict rests on a ratio: a case that is invalid, or failed, has none.
bool has_ratio(Verdict verdict);

/// The worst verdict first, and within one the largest ratio.
std::vector<const RegressionCase*> worst_first(const Regression& regression);

/// How many cases have the verdict.
int count(const Regression& regression, Verdict verdict);

/// "1 slower, 2 ambiguous, 9 the same".
std::string summary_of(const Regression& regression);

/// Verdicts that are no reason to fail.
struct RegressionLeniency {
  bool slower = false;
  bool ambiguous = false;
};

/// 4 where a case failed, or where not one could be compared because the base failed at all; else
/// 3 where one is invalid; else 1 where one is slower; else 5 where one may be; else 0.
ExitCode exit_code_of(const Regression& regression, const RegressionLeniency& leniency);

}  // namespace macrobench
