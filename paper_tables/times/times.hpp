#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/records/record_store.hpp"
#include "harness/tables/sheet.hpp"
#include "harness/text/document.hpp"
#include "paper_tables/cells/definitions.hpp"
#include "paper_tables/cells/prices.hpp"
#include "paper_tables/floors/ceilings.hpp"
#include "paper_tables/times/program_times.hpp"
#include "paper_tables/times/work_precision.hpp"

namespace macrobench {

/// What a case takes, by the clock of who waits for it; without a value if there is no sample of
/// that kind.
struct CaseTimes {
  std::string key;
  bool is_gpu = false;
  Cell start = {};                       ///< the device's context and libraries, in a new process
  Cell first = {};                       ///< the first solution after it
  Cell warm = {};                        ///< a solution after the first
  Cell total = {};                       ///< start-up and the first solution of the same process
  std::optional<FloorShare> floor = {};  ///< if the machine's ceilings are known

  /// Warm, or the first if there is no warm one.
  [[nodiscard]] const Cell& solution() const { return warm.value ? warm : first; }
};

/// Of a case by its records, as pooled_records() has them.
CaseTimes times_of(const Record& record, const FolderTimes& times);

/// Where an implementation on a GPU overtakes one on a CPU, of the same problem at growing size.
struct Crossover {
  enum class Where {
    below,    ///< faster at all measured sizes
    between,  ///< faster from `size` on, between two measured ones
    beyond    ///< slower at the largest measured size
  };
  Where where = Where::beyond;
  double size = 0;  ///< for `between`: by the straight line through the neighbors, in logarithms
};

/// A pair of implementations, at the sizes that both have measured.
struct Overtaking {
  std::string model;
  /// The parameters that both share, without the size: "nz=4 real=double". May be empty; says so if
  /// another axis grows with the size.
  std::string problem;
  std::string gpu, cpu;   ///< "cuda_c", "thrust_omp threads=4"
  std::string size_axis;  ///< "nk"
  std::vector<double> sizes;
  Crossover in_solution;  ///< warm, or cold where one of the two has no warm ones
  Crossover in_total;
  Marks marks = {};  ///< of the ratios at these sizes
};

/// How a case in single precision ended.
struct SinglePrecision {
  enum class End {
    converged,   ///< its certificate holds
    stagnated,   ///< its iterates came to rest where the certificate does not hold
    cycling,     ///< its iterates still moved when it gave up
    not_decided  ///< it is wrong for another reason
  };
  std::string key;
  End end = End::converged;
  std::int64_t iterations = 0;
  double residual = 0;
  double allowed = 0;
  std::string unit = {};  ///< of the residual and what is allowed; "1" of pure numbers
  /// The largest relative difference of a figure from the same case in double, and that figure;
  /// none if there is no such case.
  std::optional<double> error = {};
  std::string figure = {};
};

/// A case that solves many economies at once, as an estimation does; or the same as a paper printed
/// it, for one of its machines.
struct BatchTimes {
  std::string called = {};  ///< its key; "cheela_2024, Table A.4: 8 FPGAs"
  std::string table = {};   ///< "cheela_2024/table_a4", of what is printed
  std::string model = {};
  bool is_gpu = false;
  std::int64_t economies = 0;
  Cell time = {};     ///< of the batch: warm, or cold without warm ones
  Cell joules = {};   ///< likewise, of the whole device
  Cell dollars = {};  ///< of a GPU rented for so long, if its price is known
  Cell alone = {};    ///< the first economy by itself

  /// Of a thousand economies, of what the batch takes; without a value if that is not known.
  [[nodiscard]] Cell per_thousand(const Cell& of_batch) const;
};

struct Times {
  std::vector<CaseTimes> cases;        ///< of right results, by key
  std::vector<BatchTimes> batches;     ///< of many economies, as all below of measured records
  std::vector<BatchTimes> published;   ///< of the models that these are of
  std::string dollars_source = {};     ///< who says what the GPU costs, and when
  std::vector<ProgramTimes> programs;  ///< in the order of the cases
  std::vector<WorkPrecision> work_precision;
  std::vector<Overtaking> overtakings;
  std::vector<std::string> not_comparable;        ///< models that ran on both, without such a pair
  std::vector<SinglePrecision> single_precision;  ///< of the newest record with an outcome, by key
};

/// `ratios` are a GPU's times over a CPU's at these sizes, which grow. There must be one at least.
Crossover crossover(const std::vector<double>& sizes, const std::vector<double>& ratios);

/// What the papers print of batches, in the order of the tables and their columns.
std::vector<BatchTimes> published_batches(Definitions& all);

/// `prices` are those of the machine.
Times times_of(const Results& results, const Prices& prices = {},
               const std::vector<BatchTimes>& published = {});

std::string to_string(SinglePrecision::End end);

/// The batches, the programs, what precision costs, the crossovers and single precision, and if
/// asked for each case's times.
Document document_of(const Times& times, const std::string& machine, bool has_cases);
/// "cases", "batches", "programs", "work_precision", "overtakings", "not_comparable" and
/// "single_precision".
std::vector<Sheet> sheets_of(const Times& times);

}  // namespace macrobench
