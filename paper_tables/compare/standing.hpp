#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/records/doubt.hpp"
#include "paper_tables/compare/comparison.hpp"

namespace macrobench {

/// One problem, solved in print and here.
struct SolvedTwice {
  std::string program;              ///< the row in print: "10,000 agents: Panel Time"
  std::string size;                 ///< "Nk = 65,536"
  double printed = 0;               ///< seconds
  std::optional<double> published;  ///< seconds here of the same program; none if it was not solved
  std::optional<double> today;      ///< seconds of the best frontier here; none likewise
};

/// How a machine stands to a published one, over a model's tables. Start-ups alone do not count.
struct Standing {
  std::string published;                    ///< the machine in print: "c2075"
  std::string model;                        ///< "rbc"
  Scope scope = Scope::solution;            ///< the part of a run whose times are compared
  std::optional<MeanRatio> cpu, gpu;        ///< the published programs here, by what they run on
  std::optional<MeanRatio> today = {};      ///< the best frontier here over the fastest in print
  std::optional<SolvedTwice> longest = {};  ///< of those solved here, that took longest in print
  /// Cases of these three that were solved here in a time that is not believed: in no ratio.
  DoubtedTimes doubted_cpu = {}, doubted_gpu = {}, doubted_today = {};
};

/// By model, then by published machine; one for each of the tables' pairs with times in print,
/// even if nothing of it was solved here. Today's best is the fastest valid solution of a frontier
/// whose case differs from the printed one in its algorithm and its threads alone.
std::vector<Standing> standings_of(const ComparedSide& here,
                                   const std::vector<const Definition*>& tables, Definitions& all);

/// "standings": a row for each, with the longest problem below it.
Sheet sheet_of(const std::vector<Standing>& standings, const std::string& machine_text);
/// The sheet, and what its columns mean; `machine_text` is the machine's here.
std::vector<Block> blocks_of(const std::vector<Standing>& standings,
                             const std::string& machine_text);

}  // namespace macrobench
