#include "harness/commands/options.hpp"

#include <CLI/CLI.hpp>
#include <memory>
#include <utility>

namespace macrobench {

Option* Option::capture_default_str() {
  option_->capture_default_str();
  return this;
}

Option* Option::type_name(const std::string& name) {
  option_->type_name(name);
  return this;
}

Option* Option::envname(const std::string& name) {
  option_->envname(name);
  return this;
}

Option* Option::required() {
  option_->required();
  return this;
}

Option* Option::excludes(const Option* other) {
  option_->excludes(other->option_);
  return this;
}

Option* Option::expected(int count) {
  option_->expected(count);
  return this;
}

Option* Option::expected(int least, int most) {
  option_->expected(least, most);
  return this;
}

Option* Option::take_all() {
  option_->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  return this;
}

Option* Option::range(double least, double most) {
  option_->check(CLI::Range(least, most));
  return this;
}

Option* Option::range(int least, int most) {
  option_->check(CLI::Range(least, most));
  return this;
}

Option* Option::non_negative() {
  option_->check(CLI::NonNegativeNumber);
  return this;
}

Option* Option::one_of(std::vector<std::string> values) {
  option_->check(CLI::IsMember(std::move(values)));
  return this;
}

Option* Options::described(CLI::Option* option) {
  return &options_.emplace_back(option);
}

Option* Options::add_option(const std::string& name, std::string& value, const std::string& help) {
  return described(app_.add_option(name, value, help));
}

Option* Options::add_option(const std::string& name, std::vector<std::string>& value,
                            const std::string& help) {
  return described(app_.add_option(name, value, help));
}

Option* Options::add_option(const std::string& name, int& value, const std::string& help) {
  return described(app_.add_option(name, value, help));
}

Option* Options::add_option(const std::string& name, double& value, const std::string& help) {
  return described(app_.add_option(name, value, help));
}

Option* Options::add_flag(const std::string& name, bool& value, const std::string& help) {
  return described(app_.add_flag(name, value, help));
}

Option* Options::add_flag_or_file(const std::string& name, bool& flag, std::string& file,
                                  const std::string& help) {
  const auto take = [&flag, &file](const CLI::results_t& given) {
    // So CLI11 says that there is no value.
    flag = given.empty() || given.front().empty() || given.front() == "true";
    if (!flag) file = given.front();
    return true;
  };
  return described(app_.add_option(name, take, help)->type_name("[FILE]")->expected(0, 1));
}

void Options::allow_extras() {
  app_.allow_extras();
}

std::vector<std::string> Options::remaining() const {
  return app_.remaining();
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
