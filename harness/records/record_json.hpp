#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "harness/records/record.hpp"

namespace macrobench {

/// Of the lines of records.jsonl that are written: harness/records/record.schema.json describes it.
/// Schema 1 is still read; a reason is one text in it, and there is no campaign, work or floor.
inline constexpr int record_schema = 2;

nlohmann::ordered_json to_json(const Record& record);
/// Throws std::invalid_argument that names the JSON pointer of what is wrong, a later schema and a
/// time whose result is not valid included.
Record record_from_json(const nlohmann::json& json);

/// The parts of a record that a child process answers with. A number that is not finite stands as
/// null. Both ways back throw std::invalid_argument that names the JSON pointer, which begins with
/// `at`.
nlohmann::ordered_json to_json(const Sample& sample);
nlohmann::ordered_json to_json(const Outcome& outcome);
Sample sample_from_json(const nlohmann::json& json, const std::string& at = "");
Outcome outcome_from_json(const nlohmann::json& json, const std::string& at = "");

/// Parameters as a JSON object, in their order, and back.
nlohmann::ordered_json to_json(const Parameters& parameters);
/// A whole JSON number becomes a whole number; the axes put the type right later.
Parameters parameters_from_json(const nlohmann::json& json);
/// The value of one; none where it is neither a number nor a string.
std::optional<Value> value_from_json(const nlohmann::json& json);

/// A reason as {"clause": ..., "detail": ...}; null where there is none.
nlohmann::ordered_json to_json(const Reason& reason);

}  // namespace macrobench
