#include "harness/programs/manifest.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "harness/files/digest.hpp"
#include "harness/files/executable.hpp"
#include "harness/files/folder.hpp"
#include "harness/files/json_file.hpp"
#include "harness/files/temporary_folder.hpp"
#include "harness/files/whole_file.hpp"
#include "harness/model/registry.hpp"
#include "harness/process/child_process.hpp"
#include "harness/process/process.hpp"
#include "harness/text/error.hpp"
#include "harness/text/json_cursor.hpp"
#include "harness/text/json_values.hpp"
#include "harness/text/nearest.hpp"
#include "harness/text/shell.hpp"
#include "harness/text/strings.hpp"

namespace macrobench {

namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t most_bytes = std::uintmax_t{64} << 20;  // of a program's folder
constexpr const char* ready_name = "ready";

std::string text_at(const JsonCursor& cursor) {
  const std::string text = cursor.text();
  if (text.empty()) cursor.fail("it must not be empty");
  return text;
}

std::string name_at(const JsonCursor& cursor) {
  const std::string name = text_at(cursor);
  const bool is_name = name.size() <= 60 && name.front() >= 'a' && name.front() <= 'z' &&
                       std::ranges::all_of(name, [](char c) {
                         return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
                       });
  if (!is_name) cursor.fail("a name has small letters, digits and _, and begins with a letter");
  return name;
}

std::vector<std::string> words_at(const JsonCursor& cursor) {
  std::vector<std::string> words = cursor.list_of(text_at);
  if (words.empty()) cursor.fail("it must name an executable");
  return words;
}

std::string one_of(const JsonCursor& cursor, const std::vector<std::string>& known) {
  std::string text = cursor.text();
  if (std::ranges::count(known, text) == 0) cursor.fail(unknown_name("value", text, known));
  return text;
}

std::vector<std::string> some_of(const JsonCursor& cursor, const std::vector<std::string>& known) {
  std::vector<std::string> all =
      cursor.list_of([&](const JsonCursor& item) { return one_of(item, known); });
  if (all.empty()) cursor.fail("it must have one at least");
  return all;
}

Origin origin_at(const JsonCursor& cursor) {
  std::vector<std::string> names;
  for (const Origin origin : all_origins) names.push_back(to_string(origin));
  const std::string name = one_of(cursor, names);
  return all_origins[static_cast<std::size_t>(std::ranges::find(names, name) - names.begin())];
}

/// What is started: the program, or macrobench itself for one that exists already. Such a one was
/// written for whole problems.
void read_command(const JsonCursor& root, const fs::path& folder, Manifest& made) {
  if (!root.has("existing")) {
    made.command = words_at(root.at("command"));
    return;
  }
  if (root.has("command")) root.at("command").fail("a program has a 'command' or is 'existing'");
  made.existing = existing_program_at(root.at("existing"), folder);
  made.command = {this_executable().string(), existing_program_command, "{here}", "{build}"};
  made.declines = {truncated_arrays};
}

/// [lowest, highest] of a number, or the names that are taken.
TakenAxis taken_at(const std::string& name, const JsonCursor& cursor) {
  const std::vector<JsonCursor> items = cursor.items();
  const bool are_numbers = items.size() == 2 && std::ranges::all_of(items, &JsonCursor::is_number);
  if (are_numbers) {
    return {.name = name, .interval = Interval{items[0].number(), items[1].number()}};
  }
  return {.name = name, .choices = cursor.list_of(text_at)};
}

/// What decides what the program does: no documentation, and nothing that its languages leave.
bool counts(const fs::path& path) {
  const std::string name = path.filename();
  return !name.starts_with(".") && name != "__pycache__" && path.extension() != ".md";
}

/// Adds the names and the content of a folder's files; of a link, where it leads.
void add_files(const fs::path& folder, const std::string& prefix, std::string& text,
               std::uintmax_t& bytes) {
  for (const fs::path& path : paths_in(folder)) {
    if (!counts(path)) continue;
    const std::string name = prefix + path.filename().string();
    if (fs::is_symlink(path)) {
      text += name + " -> " + fs::read_symlink(path).string() + "\n";
    } else if (fs::is_directory(path)) {
      add_files(path, name + "/", text, bytes);
    } else {
      const std::string content = read_whole(path, most_bytes);
      bytes += content.size();
      if (bytes > most_bytes) {
        throw UsageError("{}: a program's folder has at most {} MB; keep data elsewhere",
                         folder.string(), most_bytes >> 20);
      }
      text += name + " " + sha256(content) + "\n";
    }
  }
}

/// Of a program's folder, and of others that it uses.
std::string digest_of_files(const fs::path& folder, const std::vector<std::string>& uses) {
  std::string text;
  std::uintmax_t bytes = 0;
  add_files(folder, "", text, bytes);
  for (const std::string& other : uses) add_files(folder / other, other + "/", text, bytes);
  return sha256(text);
}

fs::path builds() {
  const auto set = [](const char* name) -> fs::path {
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
  };
  if (const fs::path folder = set("MACROBENCH_PROGRAMS_BUILD"); !folder.empty()) return folder;
  fs::path cache = set("XDG_CACHE_HOME");
  if (cache.empty() && !set("HOME").empty()) cache = set("HOME") / ".cache";
  if (cache.empty()) cache = folder_for_temporary_files();
  return cache / "macrobench" / "programs";
}

}  // namespace

fs::path Manifest::build_folder() const {
  std::string key;
  for (const auto& words : setup) key += fmt::format("{}\n", fmt::join(words, "\t"));
  if (setup_files.empty()) key += digest;
  for (const std::string& file : setup_files) key += sha256(read_whole(folder / file)) + "\n";
  return builds() / sha256(key).substr(0, 16);
}

std::string Manifest::expanded(std::string text) const {
  replace_all(text, "{here}", folder.string());
  if (text.find("{build}") != std::string::npos)
    replace_all(text, "{build}", build_folder().string());
  return text;
}

std::vector<std::string> Manifest::expanded(std::vector<std::string> words) const {
  for (std::string& word : words) word = expanded(word);
  return words;
}

std::string Manifest::unavailable() const {
  if (!untried.empty()) return "untried: " + untried;
  if (!setup.empty() && !fs::exists(build_folder() / ready_name)) {
    const std::string tool = setup.front().front();
    if (tool.find('{') == std::string::npos && !can_be_started(tool)) {
      return fmt::format("its set-up needs {}, which is not on the PATH", tool);
    }
    return fmt::format("its set-up has not run: macrobench list programs --setup {}", id());
  }
  const std::string executable = expanded(existing ? existing->run.front() : command.front());
  if (can_be_started(executable)) return {};
  if (!missing.empty()) return missing;
  return executable.find('/') == std::string::npos
             ? fmt::format("{} is not on the PATH", executable)
             : fmt::format("there is no executable {}", shown(executable));
}

Manifest read_manifest(const fs::path& folder) {
  std::error_code unknown;
  Manifest made;
  made.folder = fs::weakly_canonical(fs::absolute(folder), unknown);
  const std::string file = (folder / manifest_name).string();
  const nlohmann::json json = read_json(file, file, most_bytes);
  const JsonCursor root(file, json);
  root.allow({"contract",   "model",    "name",        "summary", "authors", "origin",
              "command",    "setup",    "setup_files", "uses",    "real",    "devices",
              "parameters", "batch",    "environment", "untried", "missing", "work",
              "of_a_paper", "declines", "existing"});
  one_of(root.at("contract"), {program_contract});
  made.model = name_at(root.at("model"));
  made.name = name_at(root.at("name"));
  made.summary = text_at(root.at("summary"));
  made.authors = root.at("authors").list_of(text_at);
  read_command(root, folder, made);
  if (root.has("origin")) made.origin = origin_at(root.at("origin"));
  if (root.has("setup")) made.setup = root.at("setup").list_of(words_at);
  if (root.has("setup_files")) made.setup_files = root.at("setup_files").list_of(text_at);
  if (root.has("real")) made.real = some_of(root.at("real"), {"double", "single"});
  if (root.has("devices")) made.devices = some_of(root.at("devices"), {"cpu", "gpu"});
  if (root.has("parameters")) {
    root.at("parameters").each_member([&](const std::string& name, const JsonCursor& its) {
      made.parameters.push_back(taken_at(name, its));
    });
  }
  if (root.has("batch")) made.batch = static_cast<int>(root.at("batch").count());
  if (root.has("environment")) made.environment = root.at("environment").map_of(&JsonCursor::text);
  if (root.has("declines")) made.declines = some_of(root.at("declines"), {truncated_arrays});
  if (root.has("untried")) made.untried = text_at(root.at("untried"));
  if (root.has("missing")) made.missing = text_at(root.at("missing"));
  if (root.has("work")) made.work = one_of(root.at("work"), {"statements"});
  if (root.has("of_a_paper")) made.of_a_paper = root.at("of_a_paper").truth();
  for (const JsonCursor& its :
       root.has("setup_files") ? root.at("setup_files").items() : std::vector<JsonCursor>()) {
    if (!fs::is_regular_file(folder / its.text(), unknown)) its.fail("there is no such file");
  }
  if (root.has("uses")) made.uses = root.at("uses").list_of(text_at);
  for (const std::string& other : made.uses) {
    if (!fs::is_directory(folder / other, unknown)) {
      root.at("uses").fail("there is no folder {}", shown(other));
    }
  }
  try {
    made.digest = digest_of_files(made.folder, made.uses);
  } catch (const std::system_error& error) {
    throw UsageError("{}: {}", folder.string(), error.what());
  }
  return made;
}

std::vector<fs::path> program_folders(const fs::path& folder) {
  std::error_code unknown;
  std::vector<fs::path> level{folder};
  std::vector<fs::path> found;
  for (int depth = 0; depth <= 2; ++depth) {
    std::vector<fs::path> below;
    for (const fs::path& one : level) {
      if (fs::exists(one / manifest_name, unknown)) {
        found.push_back(one);
        continue;
      }
      for (const fs::path& path : paths_in(one)) {
        if (fs::is_directory(path, unknown)) below.push_back(path);
      }
    }
    level = std::move(below);
  }
  std::ranges::sort(found);
  return found;
}

void set_up(const Manifest& manifest) {
  const fs::path build = manifest.build_folder();
  if (manifest.setup.empty() || fs::exists(build / ready_name)) return;
  std::error_code error;
  fs::remove_all(build, error);
  fs::create_directories(build, error);
  if (error) throw Failure("{} cannot be made: {}", build.string(), error.message());
  for (const std::vector<std::string>& words : manifest.setup) {
    const std::vector<std::string> command = manifest.expanded(words);
    constexpr double half_an_hour = 1800;
    const ProcessResult result =
        run_process({.executable = command.front(), .command = command, .deadline = half_an_hour});
    if (result.succeeded()) continue;
    std::string said(trim(result.output));
    constexpr std::size_t most_said = 400;
    if (said.size() > most_said) said = "... " + said.substr(said.size() - most_said);
    std::string line;
    for (const std::string& word : command) line += (line.empty() ? "" : " ") + shell_word(word);
    throw Failure("the set-up of {} failed at {}: {}", manifest.id(), line, said);
  }
  write_whole(build / ready_name, manifest.id() + "\n");
}

}  // namespace macrobench
