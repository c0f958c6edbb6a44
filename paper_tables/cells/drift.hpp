#pragma once

#include <map>
#include <memory>
#include <string>

#include "harness/records/campaign.hpp"
#include "harness/records/record.hpp"

namespace macrobench {

/// The records that a number comes from, by key and time, each with its campaign; null if the
/// record is older than campaigns.
using Origins = std::map<std::string, std::shared_ptr<const Campaign>>;

/// The record's name among origins.
std::string origin_of(const Record& record);

/// What these records do not share: empty if they are one record or of one campaign, else one
/// clause that says how much this machine's speeds differed between their campaigns.
std::string drift_of(const Origins& origins);

}  // namespace macrobench
