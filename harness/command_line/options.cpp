#include "harness/command_line/options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <memory>
#include <type_traits>

#include "harness/command_line/empty_value.hpp"
#include "harness/text/error.hpp"
#include "harness/text/nearest.hpp"
#include "harness/text/strings.hpp"

namespace macrobench {

std::vector<std::string> names_of_options(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back(name);
  }
  return names;
}

double parse_duration(const std::string& text) {
  if (text == "none") return std::numeric_limits<double>::infinity();
  double number = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  const bool is_number = error == std::errc{} && number >= 0 && std::isfinite(number);
  const std::string unit(rest, end);
  if (is_number && unit.empty()) {
    if (number == 0) return 0;
    throw UsageError("say the unit, as in {0}s, {0}m or {0}h", shown(text));
  }
  const double seconds = unit == "s" ? 1 : unit == "m" ? 60 : unit == "h" ? 3600 : 0;
  if (!is_number || seconds == 0) throw UsageError("write 90s, 5m, 1.5h or none");
  return number * seconds;
}

namespace {

/// As CLI11's own, with the nearest one.
CLI::Validator is_one_of(const std::vector<std::string>& names) {
  const std::string all = fmt::format("{{{}}}", fmt::join(names, ","));
  return {[=](const std::string& text) {
            if (std::ranges::count(names, text) > 0) return std::string();
            return fmt::format("{} not in {}; the nearest is '{}'", text, all,
                               nearest(text, names));
          },
          all};
}

/// As CLI11's own, whose words and help differ from version to version.
template <class Value>
CLI::Validator is_in(Value lowest, Value highest) {
  return {[=](const std::string& text) {
            Value value{};
            if (CLI::detail::lexical_cast(text, value) && value >= lowest && value <= highest) {
              return std::string();
            }
            return fmt::format("Value {} not in range {} to {}", text, lowest, highest);
          },
          fmt::format("{} in [{} - {}]", CLI::detail::type_name<Value>(), lowest, highest)};
}

/// What is wrong with it, for CLI11; empty if nothing is.
std::string is_not_empty(const std::string& text) {
  return text.empty() ? empty_value_is_wrong : "";
}

/// Likewise.
std::string is_finite(const std::string& text) {
  double number = 0;
  const bool is_odd = CLI::detail::lexical_cast(text, number) && !std::isfinite(number);
  return is_odd ? text + " is not a finite number" : "";
}

}  // namespace

template <class Value>
void Options::add_option(const std::string& name, Value& value, const std::string& help,
                         const OptionRules& rules) {
  CLI::Option* const option = app_.add_option(name, value, help);
  // No bound keeps a NaN out: it is neither below nor above one.
  if constexpr (std::is_floating_point_v<Value>) option->check(CLI::Validator(is_finite, ""));
  if constexpr (std::is_arithmetic_v<Value>) {
    if (rules.range) {
      option->check(
          is_in(static_cast<Value>(rules.range->first), static_cast<Value>(rules.range->second)));
    }
  } else if (name.starts_with("--")) {
    option->check(CLI::Validator(is_not_empty, ""));
  }
  bool has_default = rules.envname.empty();
  if constexpr (!std::is_arithmetic_v<Value>) has_default = has_default && !value.empty();
  if (has_default) option->capture_default_str();
  apply(rules, option);
}

template void Options::add_option(const std::string&, std::string&, const std::string&,
                                  const OptionRules&);
template void Options::add_option(const std::string&, std::vector<std::string>&, const std::string&,
                                  const OptionRules&);
template void Options::add_option(const std::string&, int&, const std::string&, const OptionRules&);
template void Options::add_option(const std::string&, double&, const std::string&,
                                  const OptionRules&);

void Options::add_duration(const std::string& name, double& seconds,
                           const std::string& default_text, const std::string& help) {
  const auto take = [&seconds, name](const CLI::results_t& given) {
    try {
      seconds = parse_duration(given.front());
    } catch (const UsageError& error) {
      throw UsageError("{} {}: {}", name, shown(given.front()), error.what());
    }
    return true;
  };
  seconds = parse_duration(default_text);
  app_.add_option(name, take, help)->type_name("TEXT")->default_str(default_text);
}

void Options::add_flag(const std::string& name, bool& value, const std::string& help,
                       const OptionRules& rules) {
  apply(rules, app_.add_flag(name, value, help));
}

void Options::add_flag_or_file(const std::string& name, bool& flag, std::string& file,
                               const std::string& help, const OptionRules& rules) {
  const auto take = [&flag, &file](const CLI::results_t& given) {
    // So CLI11 says that there is no value.
    flag = given.empty() || given.front().empty() || given.front() == "true";
    if (!flag) file = given.front();
    return true;
  };
  apply(rules, app_.add_option(name, take, help)->type_name("[FILE]")->expected(0, 1));
}

void Options::apply(const OptionRules& rules, CLI::Option* option) const {
  if (!rules.type_name.empty()) option->type_name(rules.type_name);
  option->envname(rules.envname)->required(rules.required);
  if (rules.values) option->expected(rules.values->first, rules.values->second);
  if (rules.one_each) option->expected(1)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  if (!rules.one_of.empty()) option->check(is_one_of(rules.one_of));
  for (const std::string& other : rules.excludes) option->excludes(app_.get_option(other));
}

void Options::allow_extras() {
  app_.allow_extras();
}

std::vector<std::string> Options::remaining() const {
  return app_.remaining();
}

std::vector<std::string> Options::names() const {
  return names_of_options(app_);
}

Options* Options::add_subcommand(const std::string& name, const std::string& summary) {
  app_.require_subcommand(1);
  subcommands_.push_back(std::make_unique<Options>(*app_.add_subcommand(name, summary)));
  return subcommands_.back().get();
}

bool Options::parsed() const {
  return app_.parsed();
}

}  // namespace macrobench
