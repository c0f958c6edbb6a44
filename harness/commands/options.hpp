#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace macrobench {

/// One option of a subcommand, while it is being described. Each member returns the option itself.
class Option {
 public:
  explicit Option(CLI::Option* option) : option_(option) {}

  Option* capture_default_str();  ///< --help shows the variable's value as the default
  Option* type_name(const std::string& name);
  Option* envname(const std::string& name);  ///< an environment variable that gives the value too
  Option* required();
  Option* excludes(const Option* other);
  Option* expected(int count);
  Option* expected(int least, int most);
  Option* take_all();  ///< given again, it adds to its values

  Option* range(double least, double most);
  Option* range(int least, int most);
  Option* non_negative();
  Option* one_of(std::vector<std::string> values);

 private:
  CLI::Option* option_;
};

/// The options of one subcommand, as CLI11 parses them. That library's header takes longer to
/// compile than a command does: only this unit's source and the program's include it.
class Options {
 public:
  explicit Options(CLI::App& app) : app_(app) {}
  Options(const Options&) = delete;
  Options& operator=(const Options&) = delete;

  /// Binds an option ("--name"; "name" is positional) to a variable that outlives the parsing.
  Option* add_option(const std::string& name, std::string& value, const std::string& help);
  Option* add_option(const std::string& name, std::vector<std::string>& value,
                     const std::string& help);
  Option* add_option(const std::string& name, int& value, const std::string& help);
  Option* add_option(const std::string& name, double& value, const std::string& help);
  Option* add_flag(const std::string& name, bool& value, const std::string& help);

  /// An option with or without a value: the flag is set where it has none.
  Option* add_flag_or_file(const std::string& name, bool& flag, std::string& file,
                           const std::string& help);

  /// Arguments that no option takes are no error: remaining() has them.
  void allow_extras();
  [[nodiscard]] std::vector<std::string> remaining() const;

  /// A subcommand of this one, of which exactly one is then to be named; parsed() of that one
  /// holds.
  Options* add_subcommand(const std::string& name, const std::string& summary);
  [[nodiscard]] bool parsed() const;

 private:
  Option* described(CLI::Option* option);

  CLI::App& app_;
  std::deque<Option> options_;
  std::vector<std::unique_ptr<Options>> subcommands_;
};

}  // namespace macrobench
