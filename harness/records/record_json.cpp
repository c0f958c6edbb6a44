#include "harness/records/record_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <stdexcept>
#include <utility>

#include "harness/model/scrutiny.hpp"
#include "harness/text/json_values.hpp"

namespace macrobench {

namespace {

using nlohmann::json;
using nlohmann::ordered_json;

JsonType<Reason> reason() {
  const JsonType<std::string> clause = as::name();
  const JsonType<std::string> detail = as::text_or_null();
  return {[=](const Reason& reason) -> ordered_json {
            if (reason.empty()) return nullptr;
            return {{"clause", clause.write(reason.clause)},
                    {"detail", detail.write(reason.detail)}};
          },
          [=](const JsonCursor& cursor) -> Reason {
            if (cursor.is_null()) return {};
            return {clause.read(cursor.at("clause")), detail.read(cursor.at("detail"))};
          },
          {{"type", {"object", "null"}},
           {"required", {"clause", "detail"}},
           {"additionalProperties", false},
           {"properties", {{"clause", clause.schema}, {"detail", detail.schema}}}}};
}

JsonType<Status> status() {
  std::vector<std::string> words;
  for (int i = 0; i <= static_cast<int>(Status::timeout); ++i) {
    words.push_back(to_string(static_cast<Status>(i)));
  }
  return {[](const Status& status) { return ordered_json(to_string(status)); },
          [](const JsonCursor& cursor) {
            try {
              return status_from(cursor.text());
            } catch (const std::invalid_argument& error) {
              cursor.fail(error.what());
            }
          },
          {{"enum", words}}};
}

/// Null for what is not a number: it was not kept.
JsonType<double> seconds_or_null() {
  const JsonType<double> seconds = as::seconds();
  return {[=](double value) { return std::isnan(value) ? ordered_json() : seconds.write(value); },
          [=](const JsonCursor& cursor) {
            return cursor.is_null() ? std::nan("") : seconds.read(cursor);
          },
          as::nullable(seconds.schema)};
}

JsonType<Floor> floor_type() {
  const JsonType<double> amount = as::number_within(0, std::numeric_limits<double>::max());
  return JsonFields<Floor>()
      .field("bytes", &Floor::bytes, amount, "Read from memory and written to it.")
      .field("operations", &Floor::operations, amount, "On floating-point numbers.")
      .field("stages", &Floor::stages, as::list(as::name()),
             "The stages to which they belong; none for the whole solution.")
      .optional_field("exchanged", &Floor::exchanged, amount,
                      "Bytes that each of several devices gets from the others.")
      .type();
}

JsonType<Turns> turns_type() {
  const JsonType<ArrayApart> apart =
      JsonFields<ArrayApart>()
          .field("name", &ArrayApart::name, as::name())
          .field("largest", &ArrayApart::largest, as::number_or_null(), "The largest difference.")
          .field("theirs", &ArrayApart::theirs, as::number_or_null())
          .field("ours", &ArrayApart::ours, as::number_or_null())
          .optional_field("points", &ArrayApart::points, as::number(),
                          "The largest, in points of a grid.")
          .type();
  return JsonFields<Turns>("With which other programs its processes took turns.")
      .field("of", &Turns::of, as::name(), "The original: PAPER/NAME.")
      .field(
          "role", &Turns::role, as::name(),
          "original, counterpart, figure (the counterpart's, for a printed figure alone), or the "
          "difference that a variant shows.")
      .optional_field("commit", &Turns::commit, as::name(), "The commit of the original's source.")
      .optional_field("changed", &Turns::changed, as::truth(),
                      "True if the source differs from the commit.")
      .optional_field("arrays", &Turns::arrays, as::list(apart),
                      "How far its solution and the counterpart's are apart.")
      .optional_field("not_compared", &Turns::not_compared, as::name(),
                      "The reason why nobody compared them.")
      .type();
}

JsonFields<Record> case_fields() {
  return JsonFields<Record>()
      .field("model", &Record::model, as::name())
      .field("implementation", &Record::implementation, as::name())
      .field("origin", &Record::origin,
             as::one_of({"published", "corrected", "frontier", "yours", "original"}))
      .field("parameters", &Record::parameters, parameters_type(),
             "Every axis that the implementation has. A file is NAME@DIGEST.")
      .field("work", &Record::work, as::or_null(as::number()),
             "The amount of work, with which the time grows, in its model's unit.")
      .field("floor", &Record::floor, as::or_null(floor_type()),
             "The least that the case must move and compute.")
      .field("on_gpu", &Record::on_gpu, as::or_null(as::truth()),
             "True if a GPU does any of a solution.")
      .field("gpu_stages", &Record::gpu_stages, as::list(as::name()),
             "The stages that a GPU does.");
}

/// The rest of a record by its status and turns, for readers who have the JSON Schema alone.
ordered_json rules_of_record() {
  return parsed<ordered_json>(R"({"allOf": [
    {"if": {"properties": {"status": {"const": "measured"}}},
     "then": {"properties": {"reason": {"type": "null"}}},
     "else": {"properties": {"reason": {"type": "object"}}}},
    {"if": {"properties": {"status": {"enum": ["measured", "noisy", "throttled", "implausible"]}}},
     "then": {"properties": {"samples": {"minItems": 1},
                             "outcome": {"type": "object",
                                         "properties": {"valid": {"const": true}}}}}},
    {"if": {"properties": {"status": {"const": "invalid"}}},
     "then": {"properties": {"samples": {"minItems": 1},
                             "outcome": {"type": "object",
                                         "properties": {"valid": {"const": false}}}}},
     "else": {"properties": {"expected_invalid": {"const": false}}}},
    {"if": {"not": {"required": ["turns"]}},
     "then": {"properties": {"source": {"type": "string"},
                             "samples": {"items": {"properties": {"start": {"type": "number"}}}}}}}]})");
}

}  // namespace

ordered_json to_json(const Parameters& parameters) {
  ordered_json object = ordered_json::object();
  for (const auto& [name, value] : parameters) {
    if (const auto* real = std::get_if<double>(&value); real != nullptr && !std::isfinite(*real)) {
      throw std::invalid_argument(fmt::format("{} = {}: it must be finite", name, *real));
    }
    std::visit([&place = object[name]](const auto& held) { place = held; }, value);
  }
  return object;
}

std::optional<Value> value_from_json(const json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (is_whole(value)) return value.get<std::int64_t>();
  if (value.is_number()) return value.get<double>();
  return std::nullopt;
}

JsonType<Parameters> parameters_type() {
  return {[](const Parameters& parameters) { return to_json(parameters); },
          [](const JsonCursor& cursor) {
            // More than any model has. Parameters are looked up one after the other.
            constexpr std::size_t most = 256;
            if (cursor.value().size() > most) cursor.fail("it must have at most {} members", most);
            Parameters parameters;
            cursor.each_member([&](const std::string& name, const JsonCursor& field) {
              std::optional<Value> value = value_from_json(field.value());
              if (!value) field.fail("it must be a number or a string");
              parameters.set(name, *std::move(value));
            });
            return parameters;
          },
          {{"type", "object"}, {"additionalProperties", {{"type", {"number", "string"}}}}}};
}

ordered_json to_json(const Reason& its) {
  return reason().write(its);
}

const JsonFields<Sample>& sample_fields() {
  static const auto fields =
      JsonFields<Sample>()
          .field("start", &Sample::start, seconds_or_null(), "Null if it was not kept.")
          .field("first_solution", &Sample::first_solution, as::seconds())
          .field("solutions", &Sample::solutions, as::list(as::seconds()),
                 "The warm ones after the first, in order.")
          .field("stages", &Sample::stages, as::map(as::list(as::seconds())),
                 "One entry per solution, including the first.")
          .optional_field("around", &Sample::around, as::map(as::list(as::seconds())),
                          "Seconds that a program from outside took around its solutions.")
          .optional_field("kept_off", &Sample::kept_off, as::seconds(),
                          "Seconds for which the solving thread was ready and no core ran it; "
                          "absent if hardly any.")
          .optional_field("gpu", &Sample::gpu, gpu_conditions_fields().type())
          .optional_field("energy", &Sample::energy, energy_fields().type())
          .optional_field("memory", &Sample::memory, memory_fields().type())
          .rule([](const Sample& sample, const JsonCursor& cursor) {
            if (!sample.gpu) return;
            const std::vector<std::size_t>& places = sample.gpu->throttled;
            const bool is_rising =
                std::ranges::adjacent_find(places, std::ranges::greater_equal()) == places.end();
            if (!is_rising || (!places.empty() && places.back() > sample.solutions.size())) {
              cursor.at("gpu").at("throttled").fail("it must be the places of solutions, in order");
            }
          });
  return fields;
}

namespace {

const JsonFields<Outcome>& outcome_fields() {
  static const auto fields =
      JsonFields<Outcome>()
          .field("valid", &Outcome::valid, as::truth())
          .field("why", &Outcome::why, as::text_or_null())
          .field("iterations", &Outcome::iterations, as::at_least_0<std::int64_t>())
          .field("residual", &Outcome::residual, as::number_or_null(),
                 "The residual that the model's certificate found; null if it computed none.")
          .field("allowed", &Outcome::allowed, as::number_or_null(),
                 "The largest residual that is valid.")
          .field("checked_states", &Outcome::checked_states, as::at_least_0<std::int64_t>())
          .field("exhaustive", &Outcome::exhaustive, as::truth(),
                 "True if those are all the states.")
          .field("figures", &Outcome::figures, as::map(as::number_or_null()))
          .field("notes", &Outcome::notes, as::map(as::text()))
          .optional_field("draw", &Outcome::draw, as::hexadecimal(draw_size),
                          "The random bits by which they were drawn when the result was there, if "
                          "they are not all.")
          .optional_field("gave_up", &Outcome::gave_up, as::truth(),
                          "The solver says itself that it has not converged.")
          // A record is one line, with no room for all the digits of a path.
          .optional_field("series", &Outcome::series,
                          as::map(as::list(as::nine_digits(as::number_or_null()))),
                          "Series to compare with another solution's.");
  return fields;
}

}  // namespace

JsonType<Outcome> outcome_type() {
  JsonType<Outcome> type = outcome_fields().type();
  // A certificate that stops at first sight computes no residual, and allows none.
  type.write = [write = type.write](Outcome outcome) {
    if (!outcome.valid && outcome.allowed == 0) {
      outcome.residual = outcome.allowed = std::numeric_limits<double>::quiet_NaN();
    }
    return write(outcome);
  };
  return type;
}

const JsonFields<Record>& record_fields() {
  static const auto fields =
      JsonFields<Record>(fmt::format("A line of records.jsonl, of schema {}. Times are in seconds; "
                                     "null means not finite.",
                                     record_schema))
          .version(record_schema)
          .field("key", &Record::key, as::name(),
                 "Implementation and parameters in one stable line.")
          .group("case", case_fields())
          .field("status", &Record::status, status(),
                 "A noisy, throttled or implausible case has a valid result, and its time is not "
                 "believed. A reader also calls a record implausible if it contradicts itself.")
          .field("reason", &Record::why, reason(),
                 "Null if the status is measured. Reasons with the same clause are the same.")
          .field("expected_invalid", &Record::expected_invalid, as::truth(),
                 "An invalid outcome that is a known published finding.")
          .field("samples", &Record::samples, as::list(sample_fields().type()), "One per process.")
          .field("outcome", &Record::outcome, as::or_null(outcome_type()),
                 "Null if there is no result.")
          .field("campaign", &Record::campaign, as::text_or_null(),
                 "An id in campaigns.jsonl; null if the record is older than campaigns.")
          .field("machine", &Record::machine, as::hexadecimal(64), "An id in machines.jsonl.")
          .field("source", &Record::source, as::hexadecimal_or_null(64),
                 "SHA-256 of all code that decides the result; null if it was not kept.")
          .field("time", &Record::time, as::utc_time(), "UTC, when the case ended.")
          .field("seconds", &Record::seconds, as::seconds(), "Wall time of the whole case.")
          .optional_field("conditions", &Record::conditions, conditions_fields().type())
          .optional_field("solution", &Record::solution, as::hexadecimal(64),
                          "SHA-256 of the file that stores the first solution, if one does.")
          .optional_field("turns", &Record::turns, turns_type())
          .rule([](const Record& record, const JsonCursor& cursor) {
            if (record.turns) return;
            if (record.source.empty()) {
              cursor.at("source").fail("only a record with turns may lack it");
            }
            for (std::size_t i = 0; i < record.samples.size(); ++i) {
              if (!std::isnan(record.samples[i].start)) continue;
              cursor.at("samples").fail("only a record with turns may have no start");
            }
          })
          .rule(
              [](const Record& record, const JsonCursor& cursor) {
                if (has_right_result(record.status) && !(record.outcome && record.outcome->valid)) {
                  cursor.at("status").fail("a {} case must have a valid outcome",
                                           to_string(record.status));
                }
              },
              rules_of_record());
  return fields;
}

ordered_json to_json(const Record& record) {
  return record_fields().write(record);
}

Record record_from_json(const json& line) {
  return record_fields().read(JsonCursor(line));
}

}  // namespace macrobench
