#pragma once

#include <optional>
#include <vector>

#include "harness/model/parameters.hpp"
#include "harness/model/registry.hpp"
#include "harness/records/record.hpp"

namespace macrobench {

/// Adds to the case's record what it lacks: the work, the floor once there is an outcome, and which
/// part a GPU does.
void add_facts(const Case& which, Record& record);

/// The same for a record that was read, whose case is looked up here and nowhere else.
void add_facts(Record& record);

/// True if this build's own code made the record, so that a rerun has its numbers.
bool is_of_this_build(const Record& record);

/// True if the case reads a user's file.
bool reads_file(const Case& which);

/// The model whose cases are what a processor does at its best: no problem of a paper.
inline constexpr const char* ceilings_model = "roofline";

/// What a case of this model does per second at its best.
struct BestRate {
  bool is_copy = false;
  double per_second = 0;  ///< bytes that it copies, or operations
};

/// By the median of the record's stage. None if the record is of another model or of an exchange,
/// or has no time.
std::optional<BestRate> best_rate_of(const Record& record);

/// Whether a frontier made it by its own algorithm, and not by a published one that several devices
/// share.
bool has_its_own_way(const Record& record);

/// Whether a program made it, of this repository or not: only programs' samples have `around`.
bool is_of_a_program(const Record& record);

/// Whether its result met only a wider tolerance than it was to meet, as its figure "relaxed" says.
bool met_relaxed_tolerance(const Record& record);

/// Parameters as records hold them: for a file, its name and digest.
Parameters recorded(const std::vector<Axis>& axes, const Parameters& parameters);

/// A record's parameters, with the defaults of axes that are newer than the record. Its files are
/// not read. Throws UsageError for what an implementation with these axes does not allow.
Parameters complete_recorded(const std::vector<Axis>& axes, const Parameters& parameters);

}  // namespace macrobench
