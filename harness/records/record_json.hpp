#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "harness/records/record.hpp"

namespace macrobench {

/// The schema in which records.jsonl is written; harness/records/record.schema.json describes it.
inline constexpr int record_schema = 3;

nlohmann::ordered_json to_json(const Record& record);
/// Throws std::invalid_argument with the JSON pointer of what is wrong, including a later schema
/// and a time whose result is not valid.
Record record_from_json(const nlohmann::json& json);

/// The fields of a record with which a child process answers. A number that is not finite is
/// written as null. Both ways back throw std::invalid_argument that names the JSON pointer, which
/// begins with `at`.
nlohmann::ordered_json to_json(const Sample& sample);
nlohmann::ordered_json to_json(const Outcome& outcome);
Sample sample_from_json(const nlohmann::json& json, const std::string& at = "");
Outcome outcome_from_json(const nlohmann::json& json, const std::string& at = "");

/// Parameters as a JSON object, in their order, and back.
nlohmann::ordered_json to_json(const Parameters& parameters);
/// A whole JSON number becomes a whole number; the axes correct the type later.
Parameters parameters_from_json(const nlohmann::json& json);
/// The value of one; none if it is neither a number nor a string.
std::optional<Value> value_from_json(const nlohmann::json& json);

/// A reason as {"clause": ..., "detail": ...}; null if there is none.
nlohmann::ordered_json to_json(const Reason& reason);

}  // namespace macrobench
