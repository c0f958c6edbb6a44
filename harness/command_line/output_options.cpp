#include "harness/command_line/output_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "harness/text/error.hpp"
#include "harness/text/json_values.hpp"
#include "harness/text/nearest.hpp"

namespace macrobench {

void OutputOptions::add_to(Options& app, const std::vector<std::string>& formats, bool has_default,
                           std::string* json_file) {
  if (has_default) format_ = formats.front();
  app.add_option("--format", format_,
                 fmt::format("Print it as {}{}", fmt::join(formats, ", "),
                             has_default ? "" : " instead of writing files"),
                 {.type_name = "FORMAT", .one_of = formats});
  const OptionRules alone{.excludes = {"--format"}};
  if (json_file == nullptr) {
    app.add_flag("--json", json_, "Short for --format json", alone);
  } else {
    app.add_flag_or_file("--json", json_, *json_file,
                         "Write JSON to this file; without one, short for --format json", alone);
  }
}

std::string OutputOptions::format() const {
  return json_ ? "json" : format_;
}

void OutputOptions::print(const Output& output) const {
  const std::string chosen = format();
  if (chosen == "json") {
    fmt::print("{}", to_text(output.json()));
  } else if (chosen == "csv") {
    fmt::print("{}", output.csv());
  } else {
    fmt::print("{}", written(output.document(), chosen));
  }
}

void check_can_write(const std::string& path) {
  if (path.empty()) return;
  const std::filesystem::path folder = std::filesystem::absolute(path).parent_path();
  if (std::filesystem::is_directory(path) || ::access(folder.c_str(), W_OK | X_OK) != 0) {
    throw UsageError("{}: no file can be written there", path);
  }
}

std::string written(const Document& document, const std::string& format) {
  if (format == "text") return to_terminal(document);
  if (format == "md") return to_markdown(document);
  if (format == "html") return to_html_page(document);
  throw UsageError(unknown_name("format", format, {"text", "md", "html"}));
}

}  // namespace macrobench
