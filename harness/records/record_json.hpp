#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "harness/records/record.hpp"
#include "harness/text/json_fields.hpp"

namespace macrobench {

/// The schema in which records.jsonl is written. harness/records/record.schema.json follows from
/// record_fields().
inline constexpr int record_schema = 3;

/// The fields of a record. Reading throws std::invalid_argument with the JSON pointer of what is
/// wrong, including another schema and a time whose result is not valid.
const JsonFields<Record>& record_fields();
nlohmann::ordered_json to_json(const Record& record);
Record record_from_json(const nlohmann::json& line);

/// The parts of a record with which a child process answers.
const JsonFields<Sample>& sample_fields();
JsonType<Outcome> outcome_type();

/// Parameters as a JSON object, in their order, and back: a whole JSON number becomes a whole
/// number; the axes correct the type later.
JsonType<Parameters> parameters_type();
nlohmann::ordered_json to_json(const Parameters& parameters);
/// The value of one; none if it is neither a number nor a string.
std::optional<Value> value_from_json(const nlohmann::json& json);

/// A reason as {"clause": ..., "detail": ...}; null if there is none.
nlohmann::ordered_json to_json(const Reason& reason);

}  // namespace macrobench
