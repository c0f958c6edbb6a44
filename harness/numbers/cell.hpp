#pragma once

#include <compare>
#include <optional>
#include <set>
#include <string>

#include "harness/numbers/problem.hpp"
#include "harness/records/record.hpp"
#include "harness/records/statistics.hpp"

namespace macrobench {

/// How a number was obtained, from best to worst. What follows from several numbers has the worst
/// of their kinds, and is never better than `computed`.
enum class Kind {
  constant,      ///< not a measurement: a calibrated parameter, a vendor's figure
  measured,      ///< by a run of its case
  printed,       ///< by a paper
  computed,      ///< from other numbers: a sum, a product, a ratio
  extrapolated,  ///< by a law from smaller cases
  none           ///< there is no number
};

std::string to_string(Kind kind);

/// The worse one, and `computed` at best.
Kind kind_from(Kind one, Kind other);

/// The part of a run that a time covers.
enum class Scope { no_time, start, first_solution, solution, total, stage };

/// The marks of a number, in the order in which they are explained.
enum class Sign {
  extrapolated,  ///< ≈, before it: by a law from smaller cases, here or in print
  one_sample,    ///< °: a single sample, or a first solution where later ones are meant
  unlike,        ///< ≠: its parts are of two versions of a program, hosts, compilers or sittings
  language,      ///< ‡: of two languages or precisions
  own            ///< !: something about itself: noisy, throttled, relaxed, computed
};

/// "≈"
std::string symbol_of(Sign sign);

/// Something that a reader must know about a number.
struct Mark {
  Sign sign = Sign::own;
  std::string note;  ///< "measured when moves=all_but_last was the default"

  auto operator<=>(const Mark&) const = default;
};
using Marks = std::set<Mark>;

/// Where and with what a number was measured.
struct Provenance {
  std::string machine = {};   ///< "amd_epyc_2_cores": the kind of hardware
  std::string host = {};      ///< which one of that kind, if it says so
  std::string compiler = {};  ///< "GNU 12.2.0"
  std::string source = {};    ///< SHA-256 of all code that decides the result
  std::string sitting = {};   ///< of one build on one machine, without an hour's pause

  auto operator<=>(const Provenance&) const = default;
};

/// One number, how well it is known, and all that decides what it may be compared with; or why
/// there is none.
struct Cell {
  std::optional<double> value = {};  ///< in the unit, of a right result; see is_doubted()
  Kind kind = Kind::none;
  Status status = Status::not_run;  ///< of the record, or of what it is computed from
  Reason why = {};                  ///< empty if measured, or computed in the row's own way
  std::string unit = "1";

  /// Where the value may be: with 95% confidence, or all that rounds to a printed number; none if
  /// it is known exactly.
  std::optional<ConfidenceInterval> interval = {};
  /// The variance of the logarithm's mean, and its degrees of freedom.
  double variance = 0;
  double degrees = 0;
  double shared = 0;  ///< of the variance, what numbers of one campaign may have in common

  int samples = 0;              ///< how many times the value rests on; 0 if it is not a time
  double spread = 0;            ///< their relative spread
  std::string samples_of = {};  ///< of what they are: "warm solutions", "processes"
  int processes = 0;
  bool is_cold = false;              ///< of a solution none of which was warm
  bool is_relaxed = false;           ///< the result met only a wider tolerance than it was to meet
  std::optional<double> error = {};  ///< of the result's economics, a share: see error_in()

  Scope scope = Scope::no_time;
  std::string stage = {};  ///< whose time it is, of a stage
  bool on_gpu = false;     ///< whether a GPU does the timed part
  SolvedProblem problem = {};
  std::set<Provenance> from = {};
  Marks marks = {};
};

/// True if the cell's case itself gave its number, and no other cell.
inline bool is_its_own(const Cell& cell) {
  return cell.value &&
         (cell.kind == Kind::measured || (cell.kind == Kind::computed && cell.why.empty()));
}

/// "measured", "computed", "noisy", "not_run": the kind of a number that is believed, or the
/// status.
std::string word_of(const Cell& cell);

/// The value alone if it has no interval.
ConfidenceInterval interval_of(const Cell& cell);

/// Gives the cell the provenance and the marks of one that it rests on, and the worse kind.
void rest_on(Cell& cell, const Cell& other);

/// Both must have values. The intervals' ends add or multiply; the rest is the first one's.
Cell sum(const Cell& one, const Cell& other);
Cell product(const Cell& one, const Cell& other);
/// A number that nothing was measured for.
Cell constant(double value, std::string unit = "1");

/// The value for a reader, with as many digits as are known: two where the interval is wider than
/// 10%, else three. "1,600", "0.092", "86.2".
std::string text_of(const Cell& cell);
/// As a duration: "16 ms".
std::string duration_of(const Cell& cell);

/// Errors between these two, which are shares, in %: "0.0020–0.10", or "0.71" if that is both.
std::string error_text(double least, double most);

}  // namespace macrobench
