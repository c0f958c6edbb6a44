#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "harness/records/record_store.hpp"
#include "harness/text/document.hpp"
#include "paper_tables/cells/definitions.hpp"
#include "paper_tables/cells/prices.hpp"
#include "paper_tables/times/program_times.hpp"
#include "paper_tables/times/work_precision.hpp"

namespace macrobench {

/// What a case takes, by the clock of who waits for it. Medians, in seconds; none if there is no
/// sample of that kind.
struct CaseTimes {
  std::string key;
  Status status = Status::measured;  ///< or that of a time that is not believed
  bool is_gpu = false;
  std::optional<double> start = {};  ///< the device's context and libraries, in a new process
  std::optional<double> cold = {};   ///< the first solution after it
  std::optional<double> warm = {};   ///< a solution after the first
  std::optional<double> total = {};  ///< start-up and the first solution of the same process
  int processes = 0;                 ///< samples of start, cold and total
  int solutions = 0;                 ///< samples of warm

  /// Of solutions one after the other, in a process that goes on; none of a time that is not
  /// believed.
  [[nodiscard]] std::optional<double> per_second() const;
};

CaseTimes times_of(const Record& record);
/// Warm, or cold if there is no warm one.
std::optional<double> solution_of(const CaseTimes& times);

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
  std::string drift = {};  ///< as joined_campaigns() says of their records
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

/// A case that solves many economies at once, as an estimation does.
struct BatchTimes {
  std::string key = {};
  bool is_gpu = false;
  std::int64_t economies = 0;
  double seconds = 0;                  ///< of the batch: warm, or cold without warm ones
  std::optional<double> joules = {};   ///< likewise, of the whole device
  std::optional<double> dollars = {};  ///< of a GPU rented for so long, if its price is known
  std::optional<double> alone = {};    ///< seconds of the first economy by itself
  [[nodiscard]] double per_second() const { return static_cast<double>(economies) / seconds; }
  [[nodiscard]] double per_thousand(double of_batch) const {
    return 1000 * of_batch / static_cast<double>(economies);
  }
};

/// The same as a paper printed it, for one of its machines.
struct PublishedBatch {
  std::string table;  ///< "cheela_2024/table_a4"
  std::string model;
  std::string called;  ///< "Cheela and others (2024), Table A.4: 8 FPGAs"
  BatchTimes times;    ///< without a key
};

struct Times {
  std::vector<CaseTimes> cases;           ///< of the newest record of a right result each, by key
  std::vector<BatchTimes> batches;        ///< of many economies, as all below of measured records
  std::vector<PublishedBatch> published;  ///< of the models that these are of
  std::string dollars_source = {};        ///< who says what the GPU costs, and when
  std::vector<ProgramTimes> programs;     ///< in the order of the cases
  std::vector<WorkPrecision> work_precision;
  std::vector<Overtaking> overtakings;
  std::vector<std::string> not_comparable;        ///< models that ran on both, without such a pair
  std::vector<SinglePrecision> single_precision;  ///< of the newest record with an outcome, by key
};

/// `gpu` and `cpu` are seconds at these sizes, which grow. There must be one at least.
Crossover crossover(const std::vector<double>& sizes, const std::vector<double>& gpu,
                    const std::vector<double>& cpu);

/// What the papers print of batches, in the order of the tables and their columns.
std::vector<PublishedBatch> published_batches(Definitions& all);

/// `prices` are those of the machine.
Times times_of(const Results& results, const Prices& prices = {},
               const std::vector<PublishedBatch>& published = {});

std::string to_string(SinglePrecision::End end);

/// The batches, the programs, what precision costs, the crossovers and single precision, and if
/// asked for each case's times.
Document document_of(const Times& times, const std::string& machine, bool has_cases);
/// Schema 1: cases, batches, published_batches, programs, work_precision, overtakings,
/// single_precision.
nlohmann::ordered_json to_json(const Times& times);
/// One row per case.
std::string to_csv(const Times& times);

}  // namespace macrobench
