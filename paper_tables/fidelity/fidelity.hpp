#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "harness/numbers/cell.hpp"
#include "harness/records/statistics.hpp"
#include "harness/tables/sheet.hpp"
#include "harness/text/document.hpp"
#include "harness/text/known_value.hpp"
#include "paper_tables/cells/definitions.hpp"
#include "paper_tables/fidelity/measurement.hpp"

namespace macrobench {

/// How a published implementation compares with its original on a machine.
enum class FidelityVerdict {
  stands,        ///< in time and in values, at every size up to the largest in print
  undecided,     ///< the values are the same, and an interval of the time crosses a bound
  other_time,    ///< the values are the same, and at some size the time is not
  other_values,  ///< at some size
  no_source,     ///< there is no public original
  not_measured
};
inline constexpr FidelityVerdict all_fidelity_verdicts[] = {
    FidelityVerdict::stands,       FidelityVerdict::undecided, FidelityVerdict::other_time,
    FidelityVerdict::other_values, FidelityVerdict::no_source, FidelityVerdict::not_measured};

/// "stands for the original", "same values, other time"
std::string to_string(FidelityVerdict verdict);

/// The whole interval of the ratio of the times must be within these, for the one to stand for the
/// other.
inline constexpr double lowest_faithful_ratio = 0.9;
inline constexpr double highest_faithful_ratio = 1.1;

/// The verdict on times alone: by the interval of their ratio, which may be unknown.
FidelityVerdict verdict_on_times(const std::optional<ConfidenceInterval>& interval);

/// True if the values of two solutions are the same, to what the precision allows; none if they
/// were not compared. Choices among a grid's points may be one point apart, where two are equally
/// good. Other numbers may be apart by what both certificates allow together, and by a thousand
/// units in their own last place, which sums in another order come to.
std::optional<bool> has_same_values(const MeasuredCase& one);

/// The first significant digit of a printed number from which a value differs by more than half a
/// unit, from 1 on; 0 if it agrees with all of them.
int first_differing_digit(const std::string& printed, double value);

/// A ratio of times that were measured in turn.
struct PairedRatio {
  std::optional<double> ratio = {};                 ///< the median of those of the rounds
  std::optional<ConfidenceInterval> interval = {};  ///< none of too few rounds
};

struct JudgedCase {
  std::string name;  ///< "nk=1024"
  MeasuredCase measured;
  std::optional<double> theirs = {}, ours = {};  ///< seconds, medians
  PairedRatio time = {};                         ///< theirs over ours
  std::vector<PairedRatio> variants = {};        ///< over the counterpart, as `measured` has them
  FidelityVerdict verdict = FidelityVerdict::not_measured;
  std::string why = {};  ///< one clause; may be empty
};

struct JudgedFigure {
  PrintedFigure printed;
  std::optional<double> value = {};
  std::string why = {};             ///< why there is none
  std::optional<int> differs = {};  ///< as first_differing_digit()
};

/// A published implementation and its original.
struct JudgedOriginal {
  std::string paper;
  Original original;
  std::optional<Measurement> measurement = {};
  FidelityVerdict verdict = FidelityVerdict::not_measured;
  std::string why = {};
  std::vector<JudgedCase> cases = {};
  std::vector<JudgedFigure> figures = {};

  /// "aldrich_2014/vfi_cpp"
  [[nodiscard]] std::string id() const { return paper + "/" + original.name; }
};

/// A printed ratio, and that of the authors' own programs on one machine.
struct JudgedRatio {
  struct At {
    std::string size;  ///< "nk=1024"
    Cell printed = {};
    Cell measured = {};

    /// Surely: not within the measured one's interval.
    [[nodiscard]] bool is_reversed() const {
      const ConfidenceInterval where = interval_of(measured);
      return known_value(printed.value) < 1 ? where.low > 1 : where.high < 1;
    }
  };

  PrintedRatio what;
  std::vector<At> sizes;  ///< at which both programs were measured on the same problem
};

/// "nk=1024 nz=4"
std::string name_of(const Parameters& parameters);

struct MachineFidelity {
  std::string machine;       ///< "amd_epyc_2_cores"
  std::string machine_text;  ///< for a reader
  std::vector<JudgedOriginal> originals = {};
  std::vector<JudgedRatio> ratios = {};  ///< those of which both programs were measured

  [[nodiscard]] int count(FidelityVerdict verdict) const;
};

struct Fidelity {
  std::vector<MachineFidelity> machines;  ///< those with a measurement; one, if none has any
  std::vector<std::string> unnamed = {};  ///< published implementations that no paper's file names
};

/// Fills in what the papers' tables print at most: without it, no size is too small.
void add_largest_in_print(std::vector<PaperOriginals>& papers, Definitions& all);

/// Judges what was measured on each machine whose name contains the text, which may be empty.
/// Throws UsageError, with the names that there are, if there is no such machine.
Fidelity judge_fidelity(const std::vector<PaperOriginals>& papers,
                        std::span<const Measurement> measured, const std::string& machine = "");
/// The same on one machine of this name, whether anything was measured there or not.
Fidelity fidelity_on(const std::vector<PaperOriginals>& papers,
                     std::span<const Measurement> measured, const std::string& name,
                     const std::string& text);

/// Programs whose numbers the papers print, and that none of their files names as a counterpart:
/// by our implementations' ids, of papers after add_largest_in_print().
std::vector<std::string> published_without_original(const std::vector<PaperOriginals>& papers);

/// The verdict on each original first, then their counts, then what they rest on.
Document document_of(const Fidelity& fidelity);
/// "cases" (a row for each original and size), "originals", "differences", "figures" and "ratios".
std::vector<Sheet> sheets_of(const Fidelity& fidelity);

}  // namespace macrobench
