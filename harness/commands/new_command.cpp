// macrobench new: writes the files that an implementation, a model, a table or a program begins
// with.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "harness/command_line/command.hpp"
#include "harness/commands/skeletons.hpp"
#include "harness/files/folder.hpp"
#include "harness/files/whole_file.hpp"
#include "harness/model/registry.hpp"
#include "harness/programs/program_models.hpp"
#include "harness/text/json_values.hpp"
#include "harness/text/nearest.hpp"
#include "harness/text/strings.hpp"

namespace macrobench {

namespace {

namespace fs = std::filesystem;

struct Flags {
  std::vector<std::string> what;  ///< a kind, and the name of the new one
  std::string model = "rbc";
  std::string language = "numpy";
};

/// The repository around the current folder. Throws UsageError.
fs::path repository() {
  std::error_code ignored;
  for (fs::path folder = fs::current_path(ignored); !folder.empty();
       folder = folder.parent_path()) {
    if (fs::exists(folder / "cmake/Implementations.cmake", ignored)) return folder;
    if (folder == folder.parent_path()) break;
  }
  throw UsageError("here is no repository of macrobench: change to its folder first");
}

/// What C++, CMake and a file can be named alike.
void check_name(std::string_view name) {
  const bool is_name = !name.empty() && name.size() <= 60 && name.front() >= 'a' &&
                       name.front() <= 'z' && std::ranges::all_of(name, [](char c) {
                         return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
                       });
  if (!is_name) {
    throw UsageError("'{}': a name has small letters, digits and _, and begins with a letter",
                     shown(name));
  }
}

/// "rbc/fast" in its two names.
std::pair<std::string, std::string> two_names(const std::string& name, std::string_view form) {
  const std::size_t slash = name.find('/');
  if (slash == std::string::npos) throw UsageError("'{}': write it as {}", shown(name), form);
  const std::pair<std::string, std::string> names{name.substr(0, slash), name.substr(slash + 1)};
  check_name(names.first);
  check_name(names.second);
  return names;
}

Skeletons skeletons_for(const fs::path& root, const Flags& flags) {
  if (flags.what.size() != 2) {
    throw UsageError(
        "say what is new and its name, as in: macrobench new implementation rbc/faster");
  }
  const Registry& registry = Registry::global();
  const std::string& kind = flags.what[0];
  if (kind == "model") {
    check_name(flags.what[1]);
    return skeletons_of_a_model(root, flags.what[1]);
  }
  if (kind == "implementation") {
    const auto [model, name] = two_names(flags.what[1], "MODEL/NAME");
    static_cast<void>(registry.model(model));
    return skeletons_of_an_implementation(model, name);
  }
  if (kind != "table") {
    throw UsageError(unknown_name("kind", kind, {"implementation", "model", "program", "table"}));
  }
  const auto [paper, table] = two_names(flags.what[1], "PAPER/TABLE");
  const std::string model = registry.model(flags.model).name;
  const std::vector<const Implementation*> known = implementations_of(model);
  const auto on_cpu = std::ranges::find(known, RunsOn::cpu, &Implementation::runs_on);
  return skeletons_of_a_table(paper, table, model,
                              (on_cpu == known.end() ? known.front() : *on_cpu)->name);
}

/// The text with the line behind the last one that begins alike.
std::string with_line(const std::string& text, const AddedLine& line) {
  std::size_t at = text.size();
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size() - 1) + 1;
    if (text.compare(begin, line.after.size(), line.after) == 0) at = end;
    begin = end;
  }
  return text.substr(0, at) + line.text + text.substr(at);
}

/// A program is a copy of one that there is, in the current folder: it needs no repository.
ExitCode make_program(const Flags& flags) {
  const auto [model, name] = two_names(flags.what[1], "MODEL/NAME");
  const std::string like = fmt::format("{}/{}", model, flags.language);
  const std::vector<Manifest>& all = found_programs().programs;
  const auto its = std::ranges::find(all, like, &Manifest::id);
  if (its == all.end()) {
    std::vector<std::string> known;
    for (const Manifest& one : all) {
      if (one.model == model) known.push_back(one.name);
    }
    if (known.empty()) throw UsageError("no program of {} is here to begin with", shown(model));
    throw UsageError(unknown_name("language", flags.language, known));
  }
  const fs::path folder = name;
  if (fs::exists(folder)) throw UsageError("{} is there already: choose another name", name);
  // What it uses goes with it: the new folder stands alone.
  std::string text = read_whole(its->folder / manifest_name);
  fs::copy(its->folder, folder, fs::copy_options::recursive);
  for (const std::string& used : parsed(text).value("uses", std::vector<std::string>())) {
    fs::copy(its->folder / used, folder, fs::copy_options::recursive);
    replace_all(text, "{here}/" + used, "{here}");
    replace_all(text, "\"" + used + "/", "\"");  // where a name begins with it: setup_files
  }
  auto json = nlohmann::ordered_json::parse(text);
  for (const char* ours : {"uses", "origin", "of_a_paper"}) json.erase(ours);
  json["name"] = name;
  json["authors"] = {"your name"};
  write_whole(folder / manifest_name, to_text(json));
  for (const fs::path& path : paths_in(folder)) print_line(stdout, "{}", path.string());
  print_line(stdout, "Change its solver, and then: macrobench check-program {}", name);
  return ExitCode::ok;
}

ExitCode make_new(const Flags& flags) {
  if (flags.what.size() == 2 && flags.what[0] == "program") return make_program(flags);
  const fs::path root = repository();
  const Skeletons made = skeletons_for(root, flags);
  for (const Skeleton& file : made.files) {
    if (!fs::exists(root / file.path)) continue;
    throw UsageError("{} is there already: choose another name", file.path);
  }
  for (const Skeleton& file : made.files) {
    std::error_code error;
    fs::create_directories((root / file.path).parent_path(), error);
    write_whole(root / file.path, file.text);
    print_line(stdout, "{}", file.path);
  }
  for (const AddedLine& line : made.lines) {
    write_whole(root / line.path, with_line(read_whole(root / line.path), line));
    print_line(stdout, "{}: {}", line.path, line.text.substr(0, line.text.find('\n')));
  }
  print_line(stdout, "{}", made.next);
  return ExitCode::ok;
}

const RegisterCommand registered{
    {.name = "new",
     .summary = "Write the files that an implementation, a model, a table or a program begins with",
     .example = "  macrobench new implementation rbc/faster\n"
                "  macrobench new model search\n"
                "  macrobench new table author_2020/table_1 --model rbc\n"
                "  macrobench new program rbc/mine --language fortran",
     .rank = 70},
    [](Flags& flags, Options& app) {
      app.add_option(
          "what", flags.what,
          "implementation MODEL/NAME, model NAME, table PAPER/TABLE, or program MODEL/NAME, "
          "which is written into the folder NAME here",
          {.values = {{0, 2}}});
      app.add_option("--model", flags.model, "Of a table: the model that its rows solve");
      app.add_option("--language", flags.language,
                     "Of a program: the one of its model to begin with, as macrobench programs "
                     "lists them");
    },
    make_new};

}  // namespace

}  // namespace macrobench
