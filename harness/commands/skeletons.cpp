#include "harness/commands/skeletons.hpp"

#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "harness/files/whole_file.hpp"
#include "harness/text/strings.hpp"

namespace macrobench {

namespace {

constexpr std::string_view implementation =
    R"(// @NAME@: what it does, and from which paper or program it is.

#include "implementations/@MODEL@/solver.hpp"

namespace macrobench::@MODEL@ {

namespace {

/// The solution is poisoned on entry, and every number of it is to be written. The stages that
/// stages.enter() names are timed one by one.
template <class Real>
void solve(const Problem& /*problem*/, Stages& stages, Solution<Real>& /*solution*/) {
  stages.enter("all");
}

const RegisterSolver registered{{.name = "@NAME@",
                                 .origin = Origin::frontier,
                                 .summary = "what it does, in one line",
                                 .solve_single = solve<float>,
                                 .solve_double = solve<double>,
                                 .source = __FILE__}};

}  // namespace

}  // namespace macrobench::@MODEL@
)";

constexpr std::string_view model_readme = R"(# @MODEL@: what it solves

The problem, the algorithm and the papers; then every deviation from them, by its name.

| name | file | origin |
| --- | --- | --- |
| `serial` | [serial.cpp](serial.cpp) | published |
)";

constexpr std::string_view table = R"({
  "$schema": "../../cells/table.schema.json",
  "schema": 1,
  "paper": "@PAPER@",
  "table": "@TABLE@",
  "title": "Table 1",
  "caption": "The caption, as printed.",
  "source": {"document": "Author (year), \"Title\", journal", "where": "Table 1, section 1"},
  "hardware": {"id": "none", "text": "the machine of the published numbers"},
  "model": "@MODEL@",
  "axis": "",
  "columns": [
    {"label": "the first column, as printed", "parameters": {}}
  ],
  "rows": [
    {"label": "the first row, as printed", "implementation": "@NAME@", "quantity": "solution",
     "published": [null]}
  ]
}
)";

using Words = std::vector<std::pair<std::string, std::string>>;

/// The text with each word, between at signs, replaced.
std::string filled(std::string_view skeleton, const Words& words) {
  std::string text(skeleton);
  for (const auto& [word, by] : words) {
    const std::string mark = "@" + word + "@";
    for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark)) {
      text.replace(at, mark.size(), by);
    }
  }
  return text;
}

}  // namespace

Skeletons skeletons_of_an_implementation(const std::string& model_name, const std::string& name) {
  const std::string folder = "implementations/" + model_name + "/";
  return {.files = {{folder + name + ".cpp",
                     filled(implementation, {{"NAME", name}, {"MODEL", model_name}})}},
          .lines = {{folder + "CMakeLists.txt", "macrobench_",
                     "macrobench_implementation(" + name + " " + name + ".cpp)\n"}},
          .next = "Write its solve(), then: make test"};
}

Skeletons skeletons_of_a_model(const std::filesystem::path& root, const std::string& name) {
  const std::string from = "implementations/newton/";
  Skeletons made{.files = {{"implementations/" + name + "/README.md",
                            filled(model_readme, {{"MODEL", name}})}},
                 .lines = {{"implementations/CMakeLists.txt", "add_subdirectory(",
                            "add_subdirectory(" + name + ")\n"}},
                 .next =
                     "It builds and passes `make test` as it is; replace its parabolas by your "
                     "economics, beginning with model.hpp and certificate.hpp."};
  const auto copy = [&](std::string path, std::string text) {
    // A new model has no former names.
    if (const std::size_t at = text.find(".formerly = "); at != std::string::npos) {
      const std::size_t line = text.rfind('\n', at);
      text.erase(line, text.find('\n', at) - line);
    }
    for (std::string* words : {&path, &text}) {
      replace_all(*words, "newton", name);
      replace_all(*words, "aldrich_2014/", "author_2020/");
    }
    made.files.push_back({path, text});
  };
  for (const char* file : {"model.hpp", "parameters.hpp", "parameters.cpp", "solver.hpp",
                           "newton.cpp", "certificate.hpp", "certificate.cpp", "serial.cpp"}) {
    copy(from + file, read_whole(root / from / file));
  }
  const std::string test = "tests/implementations/newton/implementations_test.cpp";
  copy(test, read_whole(root / test));
  const std::string all_rules = read_whole(root / from / "CMakeLists.txt");
  std::string rules;
  for (const std::string_view line : split(all_rules, '\n')) {
    if (line.starts_with("macrobench_shared(") ||
        line.starts_with("macrobench_implementation(serial ")) {
      rules += fmt::format("{}\n", line);
    }
  }
  copy(from + "CMakeLists.txt", rules);
  return made;
}

Skeletons skeletons_of_a_table(const std::string& paper, const std::string& table_name,
                               const std::string& model_name, const std::string& name) {
  const std::string id = paper + "/" + table_name;
  return {.files = {{"paper_tables/papers/" + id + ".json", filled(table, {{"PAPER", paper},
                                                                           {"TABLE", table_name},
                                                                           {"MODEL", model_name},
                                                                           {"NAME", name}})}},
          .lines = {},
          .next =
              "Fill it in (paper_tables/README.md has its fields), then look at it: macrobench "
              "replicate --dry-run " +
              id};
}

}  // namespace macrobench
