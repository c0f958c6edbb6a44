#include "harness/model/parameters.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>

#include "harness/text/error.hpp"
#include "harness/text/nearest.hpp"
#include "harness/text/number_text.hpp"
#include "harness/text/strings.hpp"

namespace macrobench {

namespace {

double as_double(const Value& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
  return std::get<double>(value);
}

Value checked_number(const Axis& axis, double number, std::string_view printed) {
  if (!axis.interval.contains(number)) {
    throw UsageError("{} = {}: it must be {}{}{}", axis.name, shown(printed),
                     axis.interval.describe(), axis.otherwise.empty() ? "" : "; ", axis.otherwise);
  }
  if (std::holds_alternative<double>(axis.default_value)) return number;
  if (number != std::floor(number)) {
    throw UsageError("{} = {}: it must be a whole number", axis.name, shown(printed));
  }
  return static_cast<std::int64_t>(number);
}

const Value& at(const Parameters& parameters, std::string_view name) {
  const Value* value = parameters.find(name);
  if (value == nullptr) throw std::logic_error(fmt::format("no parameter '{}'", name));
  return *value;
}

}  // namespace

std::string to_string(const Value& value) {
  return std::visit([](const auto& held) { return fmt::format("{}", held); }, value);
}

bool Interval::contains(double x) const {
  return (x > lowest || (lowest_allowed && x == lowest)) &&
         (x < highest || (highest_allowed && x == highest));
}

std::string Interval::describe() const {
  std::string from = fmt::format("{} {}", lowest_allowed ? "at least" : "above", lowest);
  std::string to = fmt::format("{} {}", highest_allowed ? "at most" : "below", highest);
  if (std::isinf(highest)) return from;
  if (std::isinf(lowest)) return to;
  if (lowest_allowed && highest_allowed) return fmt::format("from {} to {}", lowest, highest);
  return fmt::format("{} and {}", from, to);
}

Parameters::Parameters(std::initializer_list<std::pair<std::string, Value>> values) {
  for (const auto& [name, value] : values) set(name, value);
}

void Parameters::set(std::string_view name, Value value) {
  for (auto& [known, held] : values_) {
    if (known == name) {
      held = std::move(value);
      return;
    }
  }
  values_.emplace_back(name, std::move(value));
}

Parameters Parameters::without(const std::vector<std::string>& names) const {
  Parameters rest = *this;
  std::erase_if(rest.values_,
                [&](const auto& one) { return std::ranges::count(names, one.first) > 0; });
  return rest;
}

const Value* Parameters::find(std::string_view name) const {
  for (const auto& [known, value] : values_) {
    if (known == name) return &value;
  }
  return nullptr;
}

std::int64_t Parameters::integer(std::string_view name) const {
  return std::get<std::int64_t>(at(*this, name));
}
double Parameters::real(std::string_view name) const {
  return std::get<double>(at(*this, name));
}
const std::string& Parameters::name(std::string_view name) const {
  return std::get<std::string>(at(*this, name));
}

bool is_single(const Parameters& parameters) {
  const Value* real = parameters.find("real");
  return real != nullptr && *real == Value("single");
}

std::int64_t economies_of(const Parameters& parameters) {
  const Value* economies = parameters.find("economies");
  if (economies == nullptr) return 1;
  const auto* count = std::get_if<std::int64_t>(economies);  // a stranger's file may say otherwise
  return count == nullptr ? 1 : *count;
}

bool allows(const Axis& axis, const Value& value) {
  if (axis.is_file) return true;
  if (const auto* name = std::get_if<std::string>(&value)) {
    return std::ranges::count(axis.choices, *name) > 0;
  }
  return axis.interval.contains(as_double(value));
}

Value parse_value(const Axis& axis, std::string_view text, int cores) {
  if (axis.is_file) return to_string(look_at(axis.name, text, axis.most_bytes));
  if (std::holds_alternative<std::string>(axis.default_value)) {
    if (!allows(axis, std::string(text))) {
      if (axis.choices.size() == 1) {
        throw UsageError("{} = {}: there is only {} here", axis.name, shown(text),
                         axis.choices.front());
      }
      throw UsageError("{} = {}: it must be one of {}; the nearest is '{}'", axis.name, shown(text),
                       fmt::join(axis.choices, ", "), nearest(text, axis.choices));
    }
    return std::string(text);
  }
  if (axis.counts_cores && text == "all") return static_cast<std::int64_t>(cores);
  if (axis.all != nullptr && text == "all") return static_cast<std::int64_t>(axis.all());
  const std::optional<double> number = finite_number(text);
  if (!number) {
    throw UsageError("{} = {}: it must be a number, {}", axis.name, shown(text),
                     axis.interval.describe());
  }
  return checked_number(axis, *number, text);
}

Value check_value(const Axis& axis, const Value& value, int cores) {
  if (std::holds_alternative<std::string>(value) ||
      std::holds_alternative<std::string>(axis.default_value)) {
    return parse_value(axis, to_string(value), cores);
  }
  return checked_number(axis, as_double(value), to_string(value));
}

std::vector<Value> parse_values(const Axis& axis, std::string_view text, int cores) {
  if (axis.is_file) return {parse_value(axis, text, cores)};
  std::vector<Value> values;
  for (const std::string_view piece : split(text, ',')) {
    const auto refuse = [&](std::string_view why) {
      throw UsageError("{} = {}: {}", axis.name, shown(piece), why);
    };
    const std::size_t dots = piece.find("..");
    if (dots == std::string_view::npos) {
      values.push_back(parse_value(axis, piece, cores));
      continue;
    }
    if (std::holds_alternative<std::string>(axis.default_value)) refuse("a range needs numbers");
    const std::string_view after = piece.substr(dots + 2);
    const std::size_t colon = after.find(':');
    const double first = as_double(parse_value(axis, piece.substr(0, dots), cores));
    const double last = as_double(parse_value(axis, after.substr(0, colon), cores));
    if (colon != std::string_view::npos) {
      const double step = finite_number(after.substr(colon + 1)).value_or(0);
      if (step == 0) refuse("the step must be a number, and not 0");
      constexpr std::size_t most = 10'000;
      const std::vector<double> steps = decimal_steps(first, last, step, most);
      if (steps.empty()) refuse("the step leads away from the end of the range");
      if (steps.size() > most) refuse("more than 10,000 values");
      for (const double x : steps) values.push_back(check_value(axis, x, cores));
      continue;
    }
    if (!(last >= first) || !(first > 0)) {
      refuse("a range that doubles must run upwards and start above 0");
    }
    if (last / first > 1e300) refuse("more than 10,000 values");
    double x = first;
    for (; x <= last; x *= 2) values.push_back(check_value(axis, x, cores));
    const bool ended_short = x < 2 * last;
    if (ended_short) values.push_back(check_value(axis, last, cores));
  }
  return values;
}

const Axis& find_axis(const std::vector<Axis>& axes, std::string_view name) {
  const auto axis = std::ranges::find(axes, name, &Axis::name);
  if (axis != axes.end()) return *axis;
  std::vector<std::string> names;
  for (const Axis& known : axes) names.push_back(known.name);
  throw UsageError(unknown_name("parameter", name, names));
}

Parameters complete(const std::vector<Axis>& axes, const Parameters& given, int cores) {
  for (const auto& [name, value] : given) static_cast<void>(find_axis(axes, name));
  Parameters result;
  for (const Axis& axis : axes) {
    const Value* value = given.find(axis.name);
    result.set(axis.name, value == nullptr ? axis.usual() : check_value(axis, *value, cores));
  }
  return result;
}

}  // namespace macrobench
