#include "harness/records/record_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "harness/model/scrutiny.hpp"
#include "harness/text/format.hpp"
#include "harness/text/json_cursor.hpp"
#include "harness/text/json_values.hpp"

namespace macrobench {

namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

/// Thirty thousand years: sums of larger numbers might overflow.
constexpr double most_seconds = 1e12;

bool are_seconds(double value) {
  return value >= 0 && value <= most_seconds;
}

/// Other errors in a number are reported where it is used; JSON has no words for these.
ordered_json finite_or_null(double number) {
  return std::isfinite(number) ? ordered_json(number) : ordered_json(nullptr);
}

/// A record is one line, with no room for all the digits of a path.
ordered_json to_json(const std::map<std::string, std::vector<double>>& series) {
  ordered_json object = ordered_json::object();
  for (const auto& [name, values] : series) {
    ordered_json& list = object[name] = ordered_json::array();
    for (const double value : values) {
      list.push_back(finite_or_null(to_nine_digits(value)));
    }
  }
  return object;
}

ordered_json seconds(double value) {
  if (!are_seconds(value)) {
    throw std::invalid_argument(fmt::format("{} seconds is not a measurement", value));
  }
  return value;
}

ordered_json list_of_seconds(const std::vector<double>& values) {
  ordered_json list = ordered_json::array();
  for (const double value : values) list.push_back(seconds(value));
  return list;
}

double seconds_at(const JsonCursor& cursor) {
  return cursor.number_within(0, most_seconds);
}

std::vector<double> list_of_seconds_at(const JsonCursor& cursor) {
  return cursor.list_of(seconds_at);
}

std::vector<double> series_at(const JsonCursor& cursor) {
  return cursor.list_of(&JsonCursor::number_or_null);
}

/// More than any model has. Parameters are looked up one after the other.
constexpr std::size_t most_parameters = 256;

Parameters parameters_at(const JsonCursor& cursor) {
  Parameters parameters;
  if (cursor.value().size() > most_parameters) {
    cursor.fail("it must have at most {} members", most_parameters);
  }
  cursor.each_member([&](const std::string& name, const JsonCursor& field) {
    std::optional<Value> value = value_from_json(field.value());
    if (!value) field.fail("it must be a number or a string");
    parameters.set(name, *std::move(value));
  });
  return parameters;
}

Sample sample_at(const JsonCursor& cursor) {
  Sample sample{.start = seconds_at(cursor.at("start")),
                .first_solution = seconds_at(cursor.at("first_solution")),
                .solutions = list_of_seconds_at(cursor.at("solutions")),
                .stages = cursor.at("stages").map_of(list_of_seconds_at)};
  if (cursor.has("gpu")) {
    sample.gpu = gpu_conditions_at(cursor.at("gpu"));
    const std::vector<std::size_t>& throttled = sample.gpu->throttled;
    const bool is_rising =
        std::ranges::adjacent_find(throttled, std::ranges::greater_equal()) == throttled.end();
    if (!is_rising || (!throttled.empty() && throttled.back() > sample.solutions.size())) {
      cursor.at("gpu").at("throttled").fail("it must be the places of solutions, in order");
    }
  }
  if (cursor.has("energy")) sample.energy = energy_at(cursor.at("energy"));
  if (cursor.has("kept_off")) sample.kept_off = seconds_at(cursor.at("kept_off"));
  if (cursor.has("around")) sample.around = cursor.at("around").map_of(list_of_seconds_at);
  return sample;
}

Outcome outcome_at(const JsonCursor& cursor) {
  Outcome outcome;
  outcome.valid = cursor.at("valid").truth();
  outcome.why = cursor.at("why").text_or_null();
  if (cursor.has("gave_up")) outcome.gave_up = cursor.at("gave_up").truth();
  outcome.iterations = cursor.at("iterations").at_least_0();
  outcome.residual = cursor.at("residual").number_or_null();
  outcome.allowed = cursor.at("allowed").number_or_null();
  outcome.checked_states = cursor.at("checked_states").at_least_0();
  outcome.exhaustive = cursor.at("exhaustive").truth();
  if (cursor.has("draw")) {
    outcome.draw = cursor.at("draw").text();
    if (!is_draw(outcome.draw)) cursor.at("draw").fail("it must be 32 hexadecimal digits");
  }
  outcome.figures = cursor.at("figures").map_of(&JsonCursor::number_or_null);
  outcome.notes = cursor.at("notes").map_of(&JsonCursor::text);
  if (cursor.has("series")) outcome.series = cursor.at("series").map_of(series_at);
  return outcome;
}

ordered_json to_json(const Floor& floor) {
  ordered_json block{
      {"bytes", floor.bytes}, {"operations", floor.operations}, {"stages", floor.stages}};
  if (floor.exchanged > 0) block["exchanged"] = floor.exchanged;
  return block;
}

Floor floor_at(const JsonCursor& cursor) {
  constexpr double most = std::numeric_limits<double>::max();
  return {.bytes = cursor.at("bytes").number_within(0, most),
          .operations = cursor.at("operations").number_within(0, most),
          .stages = cursor.at("stages").list_of(&JsonCursor::text),
          .exchanged = cursor.has("exchanged") ? cursor.at("exchanged").number_within(0, most) : 0};
}

Reason reason_at(const JsonCursor& cursor) {
  if (cursor.is_null()) return {};
  return {cursor.at("clause").text(), cursor.at("detail").text_or_null()};
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

Parameters parameters_from_json(const json& object) {
  return parameters_at(JsonCursor(object));
}

ordered_json to_json(const Reason& reason) {
  if (reason.empty()) return nullptr;
  return {{"clause", reason.clause}, {"detail", or_null(reason.detail)}};
}

ordered_json to_json(const Sample& sample) {
  const auto by_name = [](const std::map<std::string, std::vector<double>>& all) {
    ordered_json object = ordered_json::object();
    for (const auto& [name, values] : all) object[name] = list_of_seconds(values);
    return object;
  };
  ordered_json object{{"start", seconds(sample.start)},
                      {"first_solution", seconds(sample.first_solution)},
                      {"solutions", list_of_seconds(sample.solutions)},
                      {"stages", by_name(sample.stages)}};
  if (!sample.around.empty()) object["around"] = by_name(sample.around);
  constexpr double least_seen = 0.01;  // less is of no use to anybody
  if (sample.kept_off >= least_seen) object["kept_off"] = seconds(sample.kept_off);
  if (sample.gpu) object["gpu"] = to_json(*sample.gpu);
  if (sample.energy) object["energy"] = to_json(*sample.energy);
  return object;
}

Sample sample_from_json(const json& object, const std::string& at) {
  return sample_at(JsonCursor(object, at));
}

ordered_json to_json(const Outcome& outcome) {
  ordered_json figures = ordered_json::object();
  for (const auto& [name, value] : outcome.figures) figures[name] = finite_or_null(value);
  ordered_json object{{"valid", outcome.valid},
                      {"why", or_null(outcome.why)},
                      {"iterations", outcome.iterations},
                      {"residual", finite_or_null(outcome.residual)},
                      {"allowed", finite_or_null(outcome.allowed)},
                      {"checked_states", outcome.checked_states},
                      {"exhaustive", outcome.exhaustive},
                      {"figures", std::move(figures)},
                      {"notes", outcome.notes}};
  if (!outcome.draw.empty()) object["draw"] = outcome.draw;
  if (outcome.gave_up) object["gave_up"] = true;
  if (!outcome.series.empty()) object["series"] = to_json(outcome.series);
  return object;
}

Outcome outcome_from_json(const json& object, const std::string& at) {
  return outcome_at(JsonCursor(object, at));
}

ordered_json to_json(const Record& record) {
  ordered_json samples = ordered_json::array();
  for (const Sample& sample : record.samples) samples.push_back(to_json(sample));
  ordered_json object{
      {"schema", record_schema},
      {"key", record.key},
      {"case",
       {{"model", record.model},
        {"implementation", record.implementation},
        {"origin", record.origin},
        {"parameters", to_json(record.parameters)},
        {"work", finite_or_null(record.work.value_or(unknown))},
        {"floor", record.floor ? to_json(*record.floor) : ordered_json(nullptr)},
        {"on_gpu", or_null(record.on_gpu)},
        {"gpu_stages", record.gpu_stages}}},
      {"status", to_string(record.status)},
      {"reason", to_json(record.why)},
      {"expected_invalid", record.expected_invalid},
      {"samples", std::move(samples)},
      {"outcome", record.outcome ? to_json(*record.outcome) : ordered_json(nullptr)},
      {"campaign", or_null(record.campaign)},
      {"machine", record.machine},
      {"source", record.source},
      {"time", record.time},
      {"seconds", seconds(record.seconds)}};
  if (record.conditions) object["conditions"] = to_json(*record.conditions);
  if (!record.solution.empty()) object["solution"] = record.solution;
  return object;
}

Record record_from_json(const json& object) {
  const JsonCursor cursor(object);
  const JsonCursor schema = cursor.at("schema");
  if (schema.whole() != record_schema) schema.fail("it must be {}", record_schema);

  Record record;
  record.key = cursor.at("key").text();
  const JsonCursor which = cursor.at("case");
  record.model = which.at("model").text();
  record.implementation = which.at("implementation").text();
  record.origin = which.at("origin").text();
  record.parameters = parameters_at(which.at("parameters"));
  const JsonCursor status = cursor.at("status");
  try {
    record.status = status_from(status.text());
  } catch (const std::invalid_argument& error) {
    status.fail(error.what());
  }
  record.why = reason_at(cursor.at("reason"));
  record.campaign = cursor.at("campaign").text_or_null();
  if (const JsonCursor work = which.at("work"); !work.is_null()) record.work = work.number();
  if (const JsonCursor floor = which.at("floor"); !floor.is_null()) record.floor = floor_at(floor);
  if (const JsonCursor gpu = which.at("on_gpu"); !gpu.is_null()) record.on_gpu = gpu.truth();
  record.gpu_stages = which.at("gpu_stages").list_of(&JsonCursor::text);
  if (cursor.has("conditions")) record.conditions = conditions_at(cursor.at("conditions"));
  record.expected_invalid = cursor.at("expected_invalid").truth();
  record.samples = cursor.at("samples").list_of(sample_at);
  const JsonCursor outcome = cursor.at("outcome");
  if (!outcome.is_null()) record.outcome = outcome_at(outcome);
  if (cursor.has("solution")) record.solution = cursor.at("solution").text();
  if (has_right_result(record.status) && !(record.outcome && record.outcome->valid)) {
    status.fail("a {} case must have a valid outcome", to_string(record.status));
  }
  record.machine = cursor.at("machine").text();
  record.source = cursor.at("source").text();
  record.time = cursor.at("time").text();
  record.seconds = seconds_at(cursor.at("seconds"));
  return record;
}

}  // namespace macrobench
