#pragma once

#include <string>
#include <vector>

#include "harness/machine/machine.hpp"
#include "harness/records/record_store.hpp"
#include "harness/run/runner.hpp"
#include "harness/run/schedule.hpp"
#include "harness/text/error.hpp"
#include "paper_tables/fidelity/measurement.hpp"

namespace macrobench {

struct FidelityOptions {
  int rounds = 7;  ///< of each case: so many processes of each program, in turn
  RunOptions run;  ///< the deadline, and the campaign of the records
};

/// One sitting, in which originals are measured beside their counterparts.
class FidelityRun {
 public:
  /// `planned` are the originals that will be measured, for the progress.
  FidelityRun(RecordStore& store, const Machine& machine, FidelityOptions options,
              const Progress& progress, const std::vector<Original>& planned);

  /// Runs original, counterpart and variants in turn, round by round, each round in the other
  /// order, a process each, through the runner of every case. Each gets one record, with a sample
  /// for each round. What is missing, fails or is refused by its certificate is said so in what is
  /// returned, and ends with its case.
  Measurement measure(const std::string& paper, const Original& original);

  /// The gravest code of what was run.
  [[nodiscard]] ExitCode code() const { return code_; }

 private:
  struct Contestant;
  using RecordsByCase = std::vector<std::pair<Parameters, Record>>;
  Record run(const Case& which, const std::string& store_in);
  MeasuredCase measure(const Measurement& whole, const Original& original,
                       const Parameters& parameters, RecordsByCase& ours_by_case);
  void run_round(std::vector<Contestant>& contestants, bool is_first);
  MeasuredFigure figure(const std::string& id, const Original& original,
                        const PrintedFigure& printed, const RecordsByCase& ours);
  void keep(Record record, Turns turns);

  RecordStore& store_;
  const Machine& machine_;
  FidelityOptions options_;
  const Progress& progress_;
  int total_ = 0, done_ = 0;
  double spent_ = 0;  ///< seconds of what is done
  int runs_ = 0;
  ExitCode code_ = ExitCode::ok;
};

}  // namespace macrobench
