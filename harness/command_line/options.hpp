#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace CLI {  // NOLINT(readability-identifier-naming)
class App;
class Option;
}  // namespace CLI

namespace macrobench {

/// What else there is to say about an option.
struct OptionRules {
  std::string type_name = {};  ///< what --help calls its value: "FORMAT"
  std::string envname = {};    ///< an environment variable that gives the value too
  std::optional<std::pair<double, double>> range = {};  ///< the least and the largest number
  std::vector<std::string> one_of = {};                 ///< the values that it takes
  std::vector<std::string> excludes = {};               ///< options that cannot be given with it
  bool required = false;
  std::optional<std::pair<int, int>> values = {};  ///< how many, from and to
  bool one_each = false;  ///< it takes one value each time that it is given, and keeps all of them
};

/// Seconds of "5m", "90s", "1.5h", "0" or "none" (infinite). Any other number needs its unit.
/// Throws UsageError, which says what to write instead.
double parse_duration(const std::string& text);

/// Without the dashes: "budget", "help".
std::vector<std::string> names_of_options(const CLI::App& app);

/// The options of one subcommand, as CLI11 parses them. That library's header takes longer to
/// compile than a command does: only this unit's source and main's include it.
class Options {
 public:
  explicit Options(CLI::App& app) : app_(app) {}
  Options(const Options&) = delete;
  Options& operator=(const Options&) = delete;

  /// Binds an option ("--name"; "name" is positional) to a variable that outlives the parsing: a
  /// text, several, an int or a double. --help shows the variable's value as the default, but not
  /// where an environment variable may give another.
  template <class Value>
  void add_option(const std::string& name, Value& value, const std::string& help,
                  const OptionRules& rules = {});
  /// As parse_duration() reads it; the variable is set to the default.
  void add_duration(const std::string& name, double& seconds, const std::string& default_text,
                    const std::string& help);
  void add_flag(const std::string& name, bool& value, const std::string& help,
                const OptionRules& rules = {});

  /// An option with or without a value: the flag is set where it has none.
  void add_flag_or_file(const std::string& name, bool& flag, std::string& file,
                        const std::string& help, const OptionRules& rules = {});

  /// Arguments that no option takes are no error: remaining() has them.
  void allow_extras();
  [[nodiscard]] std::vector<std::string> remaining() const;
  [[nodiscard]] std::vector<std::string> names() const;

  /// A subcommand of this one, of which exactly one is then to be named; parsed() of that one
  /// holds.
  Options* add_subcommand(const std::string& name, const std::string& summary);
  [[nodiscard]] bool parsed() const;

 private:
  void apply(const OptionRules& rules, CLI::Option* option) const;

  CLI::App& app_;
  std::vector<std::unique_ptr<Options>> subcommands_;
};

}  // namespace macrobench
