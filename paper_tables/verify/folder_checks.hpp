#pragma once

#include <string>
#include <vector>

#include "harness/records/record_store.hpp"
#include "paper_tables/verify/verification.hpp"

namespace macrobench {

// These checks look at all records of a folder together.

/// How many times the speed of the campaigns' own measurements a ceiling may have: in the reference
/// records at most 1.7, on a GPU that the campaigns' short work does not fill; others may disturb a
/// machine at the one beginning.
inline constexpr double speed_margin = 4;

/// Passed: all records have one CPU model, number of cores and GPU. A folder may join several such
/// machines, several compilers and blocks that name no machine: each of these groups has a note.
Check check_machines(const Results& results);

/// Passed: the ceilings in the records (the model `roofline`) agree with the campaigns'
/// measurements at their beginnings. Unknown: there is no such record, or no such measurement.
Check check_speeds(const Results& results);

/// All checks that need neither a rerun nor a stored solution: lines, records, machines, speeds.
std::vector<Check> check_folder(const Results& results);

/// What check_folder() finds, for every view of the folder: "records (3), speeds (1)", with the
/// number of faults. Empty if there are none.
std::string faults_in(const Results& results);

}  // namespace macrobench
