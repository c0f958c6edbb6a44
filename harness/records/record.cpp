#include "harness/records/record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "harness/text/format.hpp"
#include "harness/text/json_values.hpp"

namespace macrobench {

namespace {

using nlohmann::json;
using nlohmann::ordered_json;

/// A whole number that std::int64_t holds; nlohmann::json would turn a larger one over.
bool is_whole(const json& value) {
  constexpr auto largest = std::uint64_t{std::numeric_limits<std::int64_t>::max()};
  return value.is_number_integer() &&
         (!value.is_number_unsigned() || value.get<std::uint64_t>() <= largest);
}

template <class Enum, std::size_t n>
using Names = std::array<std::pair<Enum, std::string_view>, n>;

constexpr Names<Status, 8> status_names{{{Status::measured, "measured"},
                                         {Status::computed, "computed"},
                                         {Status::extrapolated, "extrapolated"},
                                         {Status::constant, "constant"},
                                         {Status::not_run, "not_run"},
                                         {Status::invalid, "invalid"},
                                         {Status::failed, "failed"},
                                         {Status::timeout, "timeout"}}};

constexpr Names<Phase, 4> phase_names{{{Phase::start, "start"},
                                       {Phase::first_solution, "first_solution"},
                                       {Phase::solution, "solution"},
                                       {Phase::total, "total"}}};

constexpr Names<Origin, 3> origin_names{{{Origin::published, "published"},
                                         {Origin::corrected, "corrected"},
                                         {Origin::frontier, "frontier"}}};

template <class Enum, std::size_t n>
std::string name_of(const Names<Enum, n>& names, Enum value) {
  const auto found = std::find_if(names.begin(), names.end(),
                                  [&](const auto& pair) { return pair.first == value; });
  if (found == names.end()) throw std::logic_error("a value outside its enumeration");
  return std::string(found->second);
}

template <class Enum, std::size_t n>
Enum value_of(const Names<Enum, n>& names, std::string_view text, std::string_view kind) {
  for (const auto& [value, name] : names) {
    if (name == text) return value;
  }
  throw std::invalid_argument(fmt::format("'{}' is no {}", text, kind));
}

/// Thirty thousand years: sums of more might overflow.
constexpr double most_seconds = 1e12;

bool are_seconds(double value) {
  return value >= 0 && value <= most_seconds;
}

/// A place in a JSON document that knows its own pointer, so that every error can name it.
class Field {
 public:
  Field(const json& value, std::string pointer) : value_(value), pointer_(std::move(pointer)) {}

  [[noreturn]] void fail(std::string_view what) const {
    throw std::invalid_argument(fmt::format("{}: {}", pointer_.empty() ? "/" : pointer_, what));
  }

  [[nodiscard]] Field at(const std::string& name) const {
    if (!value_.is_object()) fail("it must be an object");
    const auto found = value_.find(name);
    const std::string pointer = pointer_ + "/" + name;
    if (found == value_.end()) throw std::invalid_argument(pointer + ": it is missing");
    return {*found, pointer};
  }

  template <class Visit>  // visit(name, field)
  void each_member(Visit visit) const {
    if (!value_.is_object()) fail("it must be an object");
    for (const auto& [name, value] : value_.items()) {
      visit(name, Field(value, pointer_ + "/" + name));
    }
  }

  template <class Visit>  // visit(field)
  void each_element(Visit visit) const {
    if (!value_.is_array()) fail("it must be an array");
    for (std::size_t i = 0; i < value_.size(); ++i) {
      visit(Field(value_[i], fmt::format("{}/{}", pointer_, i)));
    }
  }

  [[nodiscard]] bool has(const std::string& name) const { return value_.contains(name); }
  [[nodiscard]] bool is_null() const { return value_.is_null(); }

  [[nodiscard]] std::string text() const {
    if (!value_.is_string()) fail("it must be a string");
    return value_.get<std::string>();
  }
  [[nodiscard]] std::string text_or_null() const { return is_null() ? "" : text(); }
  [[nodiscard]] bool truth() const {
    if (!value_.is_boolean()) fail("it must be true or false");
    return value_.get<bool>();
  }
  [[nodiscard]] std::int64_t whole() const {
    if (!is_whole(value_)) fail("it must be a whole number");
    return value_.get<std::int64_t>();
  }
  [[nodiscard]] std::int64_t count() const {
    if (!is_whole(value_) || value_ < 0) fail("it must be a whole number, 0 or more");
    return value_.get<std::int64_t>();
  }
  [[nodiscard]] double number_or_null() const {
    if (is_null()) return std::numeric_limits<double>::quiet_NaN();
    if (!value_.is_number()) fail("it must be a number or null");
    return value_.get<double>();
  }
  [[nodiscard]] double seconds() const {
    if (!value_.is_number() || !are_seconds(value_.get<double>())) {
      fail(fmt::format("it must be a number from 0 to {}", most_seconds));
    }
    return value_.get<double>();
  }
  [[nodiscard]] std::vector<double> list_of_seconds() const {
    std::vector<double> list;
    each_element([&](const Field& field) { list.push_back(field.seconds()); });
    return list;
  }
  [[nodiscard]] Value parameter() const {
    if (std::optional<Value> value = value_from_json(value_)) return *std::move(value);
    fail("it must be a number or a string");
  }
  [[nodiscard]] const json& raw() const { return value_; }
  [[nodiscard]] const std::string& pointer() const { return pointer_; }

 private:
  const json& value_;
  std::string pointer_;
};

/// Whatever else is wrong with a number is said where it stands; JSON has no word for these.
ordered_json finite_or_null(double number) {
  return std::isfinite(number) ? ordered_json(number) : ordered_json(nullptr);
}

/// A record is one line: it has no room for all the digits of a path.
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
    throw std::invalid_argument(fmt::format("{} seconds are no measurement", value));
  }
  return value;
}

ordered_json list_of_seconds(const std::vector<double>& values) {
  ordered_json list = ordered_json::array();
  for (const double value : values) list.push_back(seconds(value));
  return list;
}

}  // namespace

std::string to_string(Status status) {
  return name_of(status_names, status);
}
Status status_from(std::string_view text) {
  return value_of(status_names, text, "status");
}
std::string to_string(Phase phase) {
  return name_of(phase_names, phase);
}
Phase phase_from(std::string_view text) {
  return value_of(phase_names, text, "phase");
}

std::string to_string(Origin origin) {
  return name_of(origin_names, origin);
}

std::vector<double> seconds_of(const Record& record, Phase phase) {
  std::vector<double> seconds;
  if (phase == Phase::solution) {
    for (const Sample& sample : record.samples) {
      seconds.insert(seconds.end(), sample.solutions.begin(), sample.solutions.end());
    }
    return seconds.empty() ? seconds_of(record, Phase::first_solution) : seconds;
  }
  for (const Sample& sample : record.samples) {
    if (phase == Phase::start) seconds.push_back(sample.start);
    if (phase == Phase::first_solution) seconds.push_back(sample.first_solution);
    if (phase == Phase::total) seconds.push_back(sample.start + sample.first_solution);
  }
  return seconds;
}

std::vector<double> seconds_of_stage(const Record& record, const std::string& stage) {
  std::vector<double> seconds;
  for (const Sample& sample : record.samples) {
    const auto found = sample.stages.find(stage);
    if (found == sample.stages.end()) continue;
    seconds.insert(seconds.end(), found->second.begin(), found->second.end());
  }
  return seconds;
}

double median(std::vector<double> values) {
  if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle]
                                : std::midpoint(values[middle - 1], values[middle]);
}

double quantile(std::vector<double> values, double share) {
  std::sort(values.begin(), values.end());
  const double place = share * static_cast<double>(values.size() - 1);
  return values[static_cast<std::size_t>(std::lround(place))];
}

double relative_spread(const std::vector<double>& values) {
  const double center = median(values);
  std::vector<double> deviations;
  for (const double value : values) deviations.push_back(std::abs(value - center));
  return center == 0 ? 0 : median(deviations) / std::abs(center);
}

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
  Parameters parameters;
  Field(object, "").each_member([&](const std::string& name, const Field& field) {
    parameters.set(name, field.parameter());
  });
  return parameters;
}

ordered_json to_json(const Sample& sample) {
  ordered_json stages = ordered_json::object();
  for (const auto& [name, values] : sample.stages) stages[name] = list_of_seconds(values);
  return {{"start", seconds(sample.start)},
          {"first_solution", seconds(sample.first_solution)},
          {"solutions", list_of_seconds(sample.solutions)},
          {"stages", std::move(stages)}};
}

Sample sample_from_json(const json& object, const std::string& at) {
  const Field field(object, at);
  Sample sample;
  sample.start = field.at("start").seconds();
  sample.first_solution = field.at("first_solution").seconds();
  sample.solutions = field.at("solutions").list_of_seconds();
  field.at("stages").each_member([&](const std::string& name, const Field& stage) {
    sample.stages[name] = stage.list_of_seconds();
  });
  return sample;
}

ordered_json to_json(const Outcome& outcome) {
  ordered_json figures = ordered_json::object();
  for (const auto& [name, value] : outcome.figures) figures[name] = finite_or_null(value);
  ordered_json notes = ordered_json::object();
  for (const auto& [name, text] : outcome.notes) notes[name] = text;
  ordered_json object{{"valid", outcome.valid},
                      {"why", or_null(outcome.why)},
                      {"iterations", outcome.iterations},
                      {"residual", finite_or_null(outcome.residual)},
                      {"allowed", finite_or_null(outcome.allowed)},
                      {"checked_states", outcome.checked_states},
                      {"exhaustive", outcome.exhaustive},
                      {"figures", std::move(figures)},
                      {"notes", std::move(notes)}};
  if (!outcome.series.empty()) object["series"] = to_json(outcome.series);
  return object;
}

Outcome outcome_from_json(const json& object, const std::string& at) {
  const Field field(object, at);
  Outcome outcome;
  outcome.valid = field.at("valid").truth();
  outcome.why = field.at("why").text_or_null();
  outcome.iterations = field.at("iterations").count();
  outcome.residual = field.at("residual").number_or_null();
  outcome.allowed = field.at("allowed").number_or_null();
  outcome.checked_states = field.at("checked_states").count();
  outcome.exhaustive = field.at("exhaustive").truth();
  field.at("figures").each_member([&](const std::string& name, const Field& figure) {
    outcome.figures[name] = figure.number_or_null();
  });
  field.at("notes").each_member(
      [&](const std::string& name, const Field& note) { outcome.notes[name] = note.text(); });
  if (!field.has("series")) return outcome;
  field.at("series").each_member([&](const std::string& name, const Field& values) {
    std::vector<double>& series = outcome.series[name];
    values.each_element([&](const Field& value) { series.push_back(value.number_or_null()); });
  });
  return outcome;
}

ordered_json to_json(const Record& record) {
  ordered_json samples = ordered_json::array();
  for (const Sample& sample : record.samples) samples.push_back(to_json(sample));
  return {{"schema", Record::schema},
          {"key", record.key},
          {"case",
           {{"model", record.model},
            {"implementation", record.implementation},
            {"origin", record.origin},
            {"parameters", to_json(record.parameters)}}},
          {"status", to_string(record.status)},
          {"why", or_null(record.why)},
          {"expected_invalid", record.expected_invalid},
          {"samples", std::move(samples)},
          {"outcome", record.outcome ? to_json(*record.outcome) : ordered_json(nullptr)},
          {"machine", record.machine},
          {"source", record.source},
          {"time", record.time},
          {"seconds", seconds(record.seconds)}};
}

Record record_from_json(const json& object) {
  const Field field(object, "");
  const std::int64_t schema = field.at("schema").whole();
  if (schema > Record::schema) {
    field.at("schema").fail(
        fmt::format("schema {} comes from a later version of macrobench; this one reads {}", schema,
                    Record::schema));
  }
  if (schema < 1) field.at("schema").fail("it must be 1");

  Record record;
  record.key = field.at("key").text();
  const Field which = field.at("case");
  record.model = which.at("model").text();
  record.implementation = which.at("implementation").text();
  record.origin = which.at("origin").text();
  which.at("parameters").each_member([&](const std::string& name, const Field& value) {
    record.parameters.set(name, value.parameter());
  });
  const Field status = field.at("status");
  try {
    record.status = status_from(status.text());
  } catch (const std::invalid_argument& error) {
    status.fail(error.what());
  }
  record.why = field.at("why").text_or_null();
  record.expected_invalid = field.at("expected_invalid").truth();
  field.at("samples").each_element([&](const Field& sample) {
    record.samples.push_back(sample_from_json(sample.raw(), sample.pointer()));
  });
  const Field outcome = field.at("outcome");
  if (!outcome.is_null()) record.outcome = outcome_from_json(outcome.raw(), outcome.pointer());
  if (record.status == Status::measured && !(record.outcome && record.outcome->valid)) {
    status.fail("what is measured must have a valid outcome");
  }
  record.machine = field.at("machine").text();
  record.source = field.at("source").text();
  record.time = field.at("time").text();
  record.seconds = field.at("seconds").seconds();
  return record;
}

}  // namespace macrobench
