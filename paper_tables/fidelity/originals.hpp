#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/model/parameters.hpp"
#include "harness/numbers/cell.hpp"
#include "paper_tables/cells/definitions.hpp"

namespace macrobench {

// FOLDER/<paper>/originals.json: what a person wrote about the authors' own programs. What was
// measured of them is in records, as of every program.

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

/// A ratio of two rows of a table in print, and the programs that made the rows.
struct PrintedRatio {
  struct At {
    Value size;  ///< on the model's size axis
    Cell ratio;  ///< one printed number over the other
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
  /// The largest size for which its tables print a number, by the id of our implementation.
  std::map<std::string, double> largest_in_print = {};
};

/// The names of the folders of papers that say something about originals.
std::vector<std::string> papers_with_originals(const std::filesystem::path& folder);

/// All of them, by paper. Without leave_out, throws UsageError, one sentence about what is wrong,
/// with the file and the JSON pointer.
std::vector<PaperOriginals> read_originals(const std::filesystem::path& folder,
                                           const LeaveOut& leave_out = {});

}  // namespace macrobench
