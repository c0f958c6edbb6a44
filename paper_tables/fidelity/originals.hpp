#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "harness/model/parameters.hpp"
#include "harness/records/record.hpp"

namespace macrobench {

// FOLDER/<paper>/originals.json: the authors' own programs. What a person wrote about them, in
// `originals` and `ratios`, and what `macrobench fidelity --measure` found, in `measured`, are kept
// apart.

/// An implementation of ours, which this build may leave out, and parameters that it has besides
/// those of a case.
struct OurProgram {
  std::string implementation;  ///< "serial"
  Parameters parameters = {};

  bool operator==(const OurProgram&) const = default;
};

/// Something that the original does and its counterpart does not, or the other way round.
struct KnownDifference {
  std::string name;                        ///< "Eigen's checks"
  std::string says;                        ///< a sentence of the model's README
  std::optional<OurProgram> variant = {};  ///< whose time shows what it costs; may be none
};

/// A number that the paper or the original prints.
struct PrintedFigure {
  std::string printed;  ///< with its digits: "-2.11761475"
  std::string where;
  std::string figure;     ///< of our outcome: "V_1_1"
  Parameters parameters;  ///< of the case, besides the original's own
};

/// One program of the authors, as a person described it.
struct Original {
  std::string name;     ///< "vfi_cpp", no two alike in a paper
  std::string summary;  ///< one line
  std::string source;   ///< where it is public; empty: nowhere, and only the counterpart follows
  std::string commit;   ///< of the version that is meant
  std::string model;
  std::string program;  ///< under which it is found among the programs from outside: "rbc/vfi_cpp"
  OurProgram counterpart;
  Parameters parameters;            ///< of every case
  std::vector<Parameters> cases;    ///< what else they have; the sizes, from small to large
  std::vector<std::string> arrays;  ///< of a solution, that are compared
  std::vector<KnownDifference> differences;
  std::vector<PrintedFigure> fingerprints;

  [[nodiscard]] bool is_public() const { return !source.empty(); }
  /// "rbc/serial"
  [[nodiscard]] std::string counterpart_id() const {
    return model + "/" + counterpart.implementation;
  }
};

/// One program's rounds of one case, a process each.
struct MeasuredSide {
  std::string key = {};  ///< of its case
  Status status = Status::not_run;
  Reason why = {};                    ///< why there is nothing, or nothing that is believed
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

/// How far an array of the two solutions is apart.
struct MeasuredArray {
  std::string name;
  double largest = 0;                 ///< the largest difference of two numbers
  double theirs = 0, ours = 0;        ///< where it is
  std::optional<double> points = {};  ///< of choices among a grid's points, the largest in these
};

/// Our time with a known difference.
struct MeasuredVariant {
  std::string difference;  ///< its name
  MeasuredSide side;
};

struct MeasuredCase {
  Parameters parameters;  ///< one of the original's cases
  MeasuredSide original = {}, counterpart = {};
  std::vector<MeasuredVariant> variants = {};
  std::vector<MeasuredArray> arrays = {};
  std::string not_compared = {};  ///< why there are no arrays
};

/// Our value of a printed figure.
struct MeasuredFigure {
  std::string figure;
  Parameters parameters;
  std::optional<double> value = {};
  std::string why = {};  ///< why there is none
};

/// Where sources were found: a commit, and whether files differ from it.
struct Checkout {
  std::string commit;  ///< empty if git does not know
  bool changed = false;
};

/// One original beside its counterpart, in one sitting on one machine.
struct Measurement {
  std::string original;    ///< its name
  std::string machine;     ///< as Machine::slug(): "amd_epyc_2_cores"
  std::string machine_id;  ///< as Machine::identity()
  std::string machine_text;
  std::string time;  ///< UTC, ISO 8601, when it ended
  int rounds = 0;
  std::string why = {};  ///< why nothing was measured: there is no such program here
  Checkout theirs, ours;
  std::vector<MeasuredCase> cases = {};
  std::vector<MeasuredFigure> figures = {};
};

/// A ratio of two rows of a table in print, and the programs that made the rows.
struct PrintedRatio {
  struct At {
    Value size;    ///< on the model's size axis
    double ratio;  ///< of the two numbers in print
  };

  std::string name;         ///< "C++ over CUDA C"
  std::string where;        ///< the table: "Table 2"
  std::string of;           ///< the numerator's program: "aldrich_2014/vfi_cpp"
  std::string over;         ///< the other's
  std::vector<At> printed;  ///< where both rows have a number
};

struct PaperOriginals {
  static constexpr int schema = 1;

  std::string paper;     ///< "aldrich_2014"
  std::string document;  ///< the paper's title
  std::vector<Original> originals;
  std::vector<PrintedRatio> ratios = {};
  std::vector<Measurement> measured;
  /// The largest size for which its tables print a number, by the id of our implementation.
  std::map<std::string, double> largest_in_print = {};
};

/// The names of the folders of papers that say something about originals.
std::vector<std::string> papers_with_originals(const std::filesystem::path& folder);

/// All of them, by paper. Throws UsageError, one sentence about what is wrong, with the file and
/// the JSON pointer.
std::vector<PaperOriginals> read_originals(const std::filesystem::path& folder);

nlohmann::ordered_json to_json(const Measurement& measurement);

/// Puts the measurements into FOLDER/<paper>/originals.json, each instead of an earlier one of the
/// same original on a machine of the same name; the file is written whole or not at all. What comes
/// before `measured` in it keeps its bytes. Throws UsageError and Failure.
void write_measured(const std::filesystem::path& folder, const std::string& paper,
                    const std::vector<Measurement>& fresh);

}  // namespace macrobench
