#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "harness/command_line/options.hpp"
#include "harness/text/document.hpp"

namespace macrobench {

/// The same data in the forms that a command can print; the other forms are not set.
struct Output {
  std::function<Document()> document = {};  ///< text, md, html
  std::function<nlohmann::ordered_json()> json = {};
  std::function<std::string()> csv = {};
};

/// The options --format and --json of every command that prints data.
class OutputOptions {
 public:
  /// --format takes one of these: of documents "text", "md", "html". The default is the
  /// first, or none: the command writes files then. --json is short for --format json; where there
  /// is a `json_file`, and --json names one, it is this instead.
  void add_to(Options& app, const std::vector<std::string>& formats, bool has_default = true,
              std::string* json_file = nullptr);

  [[nodiscard]] std::string format() const;  ///< empty: none was given
  [[nodiscard]] bool is_json() const { return format() == "json"; }

  /// Prints it in the chosen format; text is as wide as the terminal.
  void print(const Output& output) const;

 private:
  std::string format_;
  bool json_ = false;
};

/// Throws UsageError if no file can be written at the path: before a quarter of an hour of
/// measuring, and not after it. An empty path is none.
void check_can_write(const std::string& path);

/// The document in "text", "md" or "html" (a page). Throws UsageError for another format.
std::string written(const Document& document, const std::string& format);

}  // namespace macrobench
