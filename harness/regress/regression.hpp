#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "harness/records/record.hpp"
#include "harness/records/statistics.hpp"
#include "harness/tables/sheet.hpp"
#include "harness/text/document.hpp"
#include "harness/text/error.hpp"

namespace macrobench {

// What `macrobench regress` concludes from its measurements, and what that looks like. Nothing here
// runs a case or prints.

/// How a case changed between two commits, the worst first.
enum class Verdict {
  failed,      ///< it crashed, answered garbage or met its deadline
  invalid,     ///< the head's result is not right, however fast it came
  slower,      ///< the whole interval is above the threshold
  ambiguous,   ///< it may be slower, or not
  faster,      ///< the whole interval is below 1 over the threshold
  not_slower,  ///< the whole interval is below the threshold: the same, or faster
  same,        ///< the whole interval is between the two
  is_new,      ///< the base has nothing to compare with it
  left_out     ///< it cannot be measured here or in this way
};

std::string to_string(Verdict verdict);  ///< "slower", "not slower", "new", "left out"

/// What is fixed before anything is measured.
struct RegressionTerms {
  int pairs = 21;  ///< measurements of each side
  double confidence = 0.995;
  double threshold = 1.03;    ///< a larger ratio is slower, a smaller one than its inverse faster
  bool instructions = false;  ///< count instructions, once, instead of seconds
};

/// One of the two that are compared.
struct RegressionSide {
  std::string name;    ///< for people: "main", "the working tree"
  std::string commit;  ///< its SHA-1; empty if it is not known
  bool dirty = false;  ///< it has changes to that commit
};

/// The measurement that raised an alarm: its pairs, and what they said.
struct RegressionAlarm {
  std::vector<double> base, head;
  double ratio = 1;
  ConfidenceInterval interval;
};

/// One case. base[i] and head[i] are a pair: measured one right after the other. If it came out
/// slower, it was measured again: it is slower only if both measurements say so, and its numbers
/// are those of the second, because the first was chosen for being large.
struct RegressionCase {
  std::string key;
  Verdict verdict = Verdict::left_out;
  std::string why = {};           ///< one clause, if there is no ratio: it was not compared
  std::string advice = {};        ///< what to do, if the verdict needs something
  std::vector<double> base = {};  ///< seconds of a solution, or instructions
  std::vector<double> head = {};
  std::optional<double> ratio = {};                 ///< median of head[i] / base[i]
  std::optional<ConfidenceInterval> interval = {};  ///< of the ratio
  std::optional<RegressionAlarm> alarm = {};        ///< the first measurement, if there are two
  bool same_source = false;  ///< its sources are known to be the same in both
  bool base_failed = false;  ///< the base has the case, and could not run it
  std::string usual = {};  ///< the key of the usual case, too long, that this smaller one replaces
};

struct Regression {
  RegressionSide base;
  RegressionSide head;
  RegressionTerms terms;
  std::string machine;           ///< its folder name
  std::string time;              ///< UTC, ISO 8601, when it ended
  double seconds = 0;            ///< in all
  std::string never_tried = {};  ///< the cases that are not in `cases`, and why; one clause
  std::vector<RegressionCase> cases;
};

/// The measurement of one process: the smallest of its solutions' seconds, the first included.
/// A disturbance (another process, an interrupt, a cold cache) only ever adds to a solution's time,
/// so the smallest of several is the least disturbed. It is unsteady only if every solution was
/// disturbed. NaN if there is none.
double least_disturbed(const Record& record);

/// The verdict on a ratio with this interval.
Verdict verdict_of(const ConfidenceInterval& interval, double threshold);

/// Fills in the ratio, its interval, the verdict and the advice from the pairs.
void conclude(RegressionCase& one, const RegressionTerms& terms);

/// The case of this key, which is the same because nothing that decides it has changed: it is not
/// measured.
RegressionCase unchanged(std::string key);

/// Puts the pairs of a case that came out slower aside as an alarm, and makes it ready to be
/// measured again.
void doubt(RegressionCase& one);

/// The worst verdict first, and within one the largest ratio.
std::vector<const RegressionCase*> worst_first(const Regression& regression);

/// True if any case could be compared.
bool compares(const Regression& regression);

/// How many cases have each verdict, the worst first.
std::map<Verdict, int> counts_of(const Regression& regression);

/// The first line of every view: the cases that are left out and why, and the models that a smaller
/// case is run of. One sentence or two.
std::string left_out_of(const Regression& regression);

/// "1 slower, 2 ambiguous, 9 the same".
std::string summary_of(const Regression& regression);

/// Verdicts that are not a reason to fail.
struct RegressionLeniency {
  bool slower = false;
  bool ambiguous = false;
};

/// 4 if a case failed, or if none could be compared because the base always failed; else 3 if one
/// is invalid; else 1 if one is slower; else 5 if one may be; else 0.
ExitCode exit_code_of(const Regression& regression, const RegressionLeniency& leniency);

// The views; each is a projection of the same Regression. None shows a ratio beside a wrong result.

/// The worst first, and what to do; on a page, as of a pull request, the quiet cases are folded.
Document document_of(const Regression& regression);

/// "cases", their "pairs" of measurements, "counts" of verdicts, and the "run" with its terms.
std::vector<Sheet> sheets_of(const Regression& regression, ExitCode code);

/// Google Benchmark's JSON, for trackers: each side of each case that was measured is one entry,
/// "base/KEY" or "head/KEY", of its pairs; instructions pass as nanoseconds. Google's compare.py
/// reads it as `compare.py filters FILE base/ head/`.
nlohmann::ordered_json to_google_benchmark(const Regression& regression);

}  // namespace macrobench
