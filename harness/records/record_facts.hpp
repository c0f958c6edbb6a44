#pragma once

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

/// Whether a frontier made it by its own algorithm, and not by a published one that several devices
/// share.
bool has_its_own_way(const Record& record);

/// Whether a program made it, of this repository or not: only programs' samples have `around`.
bool is_of_a_program(const Record& record);

/// Parameters as records hold them: for a file, its name and digest.
Parameters recorded(const std::vector<Axis>& axes, const Parameters& parameters);

/// A record's parameters, with the defaults of axes that are newer than the record. Its files are
/// not read. Throws UsageError for what an implementation with these axes does not allow.
Parameters complete_recorded(const std::vector<Axis>& axes, const Parameters& parameters);

}  // namespace macrobench
