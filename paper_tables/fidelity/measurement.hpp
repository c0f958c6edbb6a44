#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/records/record_store.hpp"
#include "paper_tables/fidelity/originals.hpp"

namespace macrobench {

/// One program's rounds of one case, a process each.
struct MeasuredSide {
  std::string key = {};  ///< of its case
  Status status = Status::not_run;
  Reason why = {};                    ///< why there is nothing, or nothing that is believed
  bool on_gpu = false;                ///< as far as it is known
  std::vector<double> seconds = {};   ///< of the solution; of an original's whole process
  std::vector<double> solution = {};  ///< as the original says itself, if it does
  std::vector<double> set_up = {};    ///< likewise
  std::optional<std::int64_t> iterations = {};
  std::optional<double> residual = {}, allowed = {};  ///< of its certificate

  /// What is compared: its solution by its own clock if it says so, else by ours.
  [[nodiscard]] const std::vector<double>& times() const {
    return solution.empty() ? seconds : solution;
  }
};

MeasuredSide side_of(const Record& record);

/// Our time with a known difference.
struct MeasuredVariant {
  std::string difference;  ///< its name
  MeasuredSide side;
};

struct MeasuredCase {
  Parameters parameters;  ///< one of the original's cases
  MeasuredSide original = {}, counterpart = {};
  std::vector<MeasuredVariant> variants = {};
  std::vector<ArrayApart> arrays = {};
  std::string not_compared = {};  ///< why there are no arrays
};

/// Our value of a printed figure.
struct MeasuredFigure {
  std::string figure;
  Parameters parameters;
  std::optional<double> value = {};
  std::string why = {};  ///< the reason if there is no value
};

MeasuredFigure figure_of(const Record& record, const PrintedFigure& printed);

/// Where sources were found: a commit, and whether files differ from it.
struct Checkout {
  std::string commit;  ///< empty if git does not know
  bool changed = false;
};

/// One original beside its counterpart, in one sitting on one machine.
struct Measurement {
  std::string original;  ///< "aldrich_2014/vfi_cpp"
  std::string machine;   ///< as Machine::slug(): "amd_epyc_2_cores"
  std::string machine_text;
  std::string time;  ///< UTC, ISO 8601, when it ended
  int rounds = 0;
  std::string why = {};  ///< the reason if nothing was measured: no such program is here
  Checkout theirs = {}, ours = {};
  std::vector<MeasuredCase> cases = {};
  std::vector<MeasuredFigure> figures = {};
};

/// The newest of each original in these records, as far as its case is one that it still has.
std::vector<Measurement> measurements_in(const Results& results,
                                         const std::vector<PaperOriginals>& papers);

/// What the repository ships, and what else these results have, if there are any.
std::vector<Measurement> measured_originals(const std::vector<PaperOriginals>& papers,
                                            const Results* results);

}  // namespace macrobench
