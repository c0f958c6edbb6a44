#pragma once

#include <map>
#include <string>
#include <vector>

#include "harness/machine/machine.hpp"
#include "harness/records/campaign.hpp"
#include "harness/records/reason.hpp"
#include "harness/records/record.hpp"

namespace macrobench {

// What contradicts itself in a record that was read from a file: anybody may have written it. Each
// is empty if nothing does. What this build cannot judge, such as a parameter that it does not
// know, is left alone. No reason repeats a word of the record.

/// The status, by the outcome, the samples and the reason: Kind::status_contradicted. What a record
/// said before judge_records() is then not known.
Reason against_status(const Record& record);

/// The residual of an outcome that calls itself valid, by what it allows, and that by the most that
/// a certificate allows for this tolerance and precision.
Reason against_residual(const Record& record);

/// The key, by the parameters: it names those that differ from their defaults, and no others.
Reason against_key(const Record& record);

/// The key, origin, work, floor and processor, by the case and the outcome, of a record that was
/// just read and that this build's own source made: whatever it lacks is missing, not unknown.
Reason against_case(const Record& record);

/// The samples' seconds, by the wall time of the case; those of stages, by their solution's; and a
/// solution that takes no time.
Reason against_times(const Record& record);

/// The campaign that the record names, if it is one of these: it is of the record's machine and
/// time. A record that names none must be older than all of them.
Reason against_campaign(const Record& record, const std::vector<Campaign>& campaigns);

/// Makes implausible each record of a right result that contradicts itself, what it met on its
/// machine (met_conditions.hpp), its machine's block or its campaign, or that took less time than
/// any machine needs by the floor that this build declares (the record's own, if it declares none).
/// The machines are by the id under which they were read; `reasons` has what was found about each
/// record before, if anything was. Returns one sentence for each of these records.
std::vector<std::string> judge_records(std::vector<Record>& records,
                                       const std::map<std::string, Machine>& machines,
                                       const std::vector<Campaign>& campaigns,
                                       const std::vector<Reason>& reasons = {});

}  // namespace macrobench
