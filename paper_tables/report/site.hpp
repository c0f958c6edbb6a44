#pragma once

#include <map>
#include <string>
#include <vector>

#include "harness/regress/history.hpp"
#include "paper_tables/report/report.hpp"

namespace macrobench {

/// A machine as a site shows it.
struct SiteMachine {
  Report report;
  std::string called;              ///< its GPU, or else its CPU
  std::vector<History> histories;  ///< of the cases that were measured more than once
};

/// Compares the steps of every case that the results have two or more times of.
std::vector<History> histories_of(const Results& results);

/// "NVIDIA H100 80GB HBM3", or without a GPU "AMD EPYC 7B13, 2 cores".
std::string called(const Machine& machine);

/// The pages of a static site, by their paths. What a path is made of lasts: a machine's folder, a
/// table's id, a claim's name.
///   index.html, claims/index.html        what there is, with the best evidence
///   machines/MACHINE/index.html          its report
///   tables/PAPER/TABLE.html              a table on every machine, at #machine-MACHINE
///   claims/PAPER/CLAIM.html              a claim on every machine
///   history/MACHINE/index.html           its cases that were measured again
std::map<std::string, std::string> site_pages(const std::vector<SiteMachine>& machines);

}  // namespace macrobench
