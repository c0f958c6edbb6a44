#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "harness/machine/machine.hpp"
#include "harness/records/record_store.hpp"
#include "harness/run/runner.hpp"
#include "harness/run/schedule.hpp"
#include "paper_tables/verify/verification.hpp"

namespace macrobench {

/// How far a time that is measured again may be from the recorded one, either way. Campaigns of one
/// machine differ by up to a third (docs/variance.md).
inline constexpr double rerun_factor = 1.5;

/// The record's case in this build, if it has it and the case reads no file. Opens nothing.
std::optional<Case> case_of(const Record& record);

/// Certifies the stored solutions of the newest measured records again, each in a child process.
/// Passed: each of them whose model stores solutions has one that certifies. Unknown: none is
/// stored, or not all. No file is opened but the regular ones that stored_solution() names.
Check certify_solutions(const std::filesystem::path& folder, const Results& results,
                        const RunOptions& options, const Progress& progress = {});

/// What is run again.
struct Rerun {
  int count = 0;  ///< cases; 0: none
  std::uint64_t seed = 1;
};

/// Runs a random sample of the newest measured cases again: those of this build's own sources and
/// of a machine that is comparable with this one. Passed: all of the folder's were run, and each
/// has the same iterations, residual and figures, and a median solution within rerun_factor of the
/// recorded time. Unknown: some were not.
Check rerun_cases(const Results& results, const Machine& machine, const Rerun& rerun,
                  const RunOptions& options, const Progress& progress = {});

/// A file or folder of results that is not what it seems: a link, a device. Empty if there is none.
/// Nothing in the folder may be read otherwise.
std::vector<std::string> foreign_files(const std::filesystem::path& folder);

}  // namespace macrobench
