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

/// Something that a reader must know about a number.
struct Mark {
  std::string id;    ///< "compiler": the same wherever one reason has it
  std::string note;  ///< "measured when moves=all_but_last was the default"

  auto operator<=>(const Mark&) const = default;
};
using Marks = std::set<Mark>;

/// The note of the mark; empty if the number has none of that name.
std::string note_of(const Marks& marks, const std::string& id);

/// Where and with what a number was measured.
struct Provenance {
  std::string machine = {};   ///< "amd_epyc_2_cores": the kind of hardware
  std::string compiler = {};  ///< "GNU 12.2.0"
  std::string source = {};    ///< SHA-256 of all code that decides the result

  auto operator<=>(const Provenance&) const = default;
};

/// One number, how well it is known, and all that decides what it may be compared with; or why
/// there is none.
struct Cell {
  std::optional<double> value = {};  ///< in the unit, of a right result; see is_doubted()
  std::string text = {};             ///< the words in place of a number
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
  bool is_cold = false;  ///< of a solution none of which was warm

  /// How many times as large it is as the largest case that was measured.
  std::optional<double> reach = {};
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

/// Gives the cell the provenance and the marks of one that it rests on, the larger reach and the
/// worse kind.
void rest_on(Cell& cell, const Cell& other);

/// Both must have values. The intervals' ends add or multiply; the rest is the first one's.
Cell sum(const Cell& one, const Cell& other);
Cell product(const Cell& one, const Cell& other);
/// A number that nothing was measured for.
Cell constant(double value, std::string unit = "1");

/// A law is trusted with a ratio up to this many times the largest case measured. It is never a
/// claim's evidence.
inline constexpr double longest_reach = 8;

/// True if the cell rests on a law so far beyond the measured cells that no ratio with it is shown,
/// but only its two numbers.
inline bool reaches_too_far(const Cell& cell) {
  return cell.value && cell.reach.value_or(0) > longest_reach;
}

}  // namespace macrobench
