#pragma once

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "harness/files/temporary_folder.hpp"
#include "harness/records/record_store.hpp"
#include "paper_tables/cells/definitions.hpp"
#include "paper_tables/cells/lookup.hpp"
#include "paper_tables/cells/table_options.hpp"
#include "tests/golden.hpp"
#include "tests/matchers.hpp"
#include "tests/paths.hpp"

namespace macrobench {

inline std::filesystem::path source_dir() {
  return source_folder();
}

inline std::filesystem::path definitions_folder() {
  return source_dir() / "paper_tables/papers";
}

/// A folder with the results of a made-up machine (4 cores and a GPU) that has run every cell of
/// every table: made once per process, from the definitions, and removed at its end. A time is a
/// rate times the case's work, so rows have laws of growth; cases beyond the budget, wrong results
/// and crashes are among them. It is the same on every machine and in every build.
std::filesystem::path fixture_folder();

/// All claims in Markdown, judged by these results.
std::string claims_page_of_the_fixture();

inline std::string content_of(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

inline void write_file(const std::filesystem::path& path, const std::string& content) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << content;
}

/// The project's definitions, and the results of the made-up machine.
class OfTheFixture : public ::testing::Test {
 protected:
  Definitions all_{definitions_folder()};
  Results results_ = read_results(fixture_folder());
  Lookup lookup_ = lookup_in(results_);
  Machine machine_ = machine_of(results_);
};

/// A definition that is right: three sizes of one implementation, its start, and a ratio.
inline nlohmann::json small_definition() {
  return nlohmann::json::parse(R"({
    "schema": 1, "paper": "paper", "table": "table", "title": "Table 9", "caption": "Times.",
    "source": {"document": "A Paper", "where": "p. 1"},
    "hardware": {"id": "old", "text": "an old machine"},
    "model": "rbc", "parameters": {"nz": 4, "maximizer": "bisection"}, "axis": "Nk",
    "columns": [{"label": "16", "parameters": {"nk": 16}},
                {"label": "32", "parameters": {"nk": 32}},
                {"label": "64", "parameters": {"nk": 64}},
                {"label": "128", "parameters": {"nk": 128}},
                {"label": "1,024", "parameters": {"nk": 1024}}],
    "rows": [
      {"label": "A", "implementation": "serial", "quantity": "solution",
       "published": ["1", "2", "4", "8", "1,024.5"]},
      {"label": "B", "implementation": "serial_tuned", "quantity": "total",
       "published": [null, "2", "4", "8", "64"]},
      {"label": "A to B", "quantity": "ratio", "numerator": "A", "baseline": "B",
       "published": ["1", "1", "1", "1", "16"]}],
    "extra": [{"label": "C", "implementation": "serial_tuned", "parameters": {"real": "single"},
               "quantity": "solution"}]
  })");
}

/// A change that makes a file wrong, and what is said then.
struct Spoilt {
  const char* at;     ///< a JSON pointer
  const char* patch;  ///< what is merged there: null removes a field
  const char* says;   ///< from the JSON pointer on

  [[nodiscard]] nlohmann::json of(nlohmann::json file) const {
    file[nlohmann::json::json_pointer(at)].merge_patch(nlohmann::json::parse(patch));
    return file;
  }
};

/// A folder with one definition in it, paper/table.
struct OneDefinition {
  explicit OneDefinition(const nlohmann::json& definition) {
    write_file(folder.path() / "paper/table.json", definition.dump());
    all = std::make_unique<Definitions>(folder.path());
  }
  const Definition& get() { return all->get("paper/table"); }

  TemporaryFolder folder;
  std::unique_ptr<Definitions> all;
};

/// A valid record with these warm solutions.
inline Record record_of(const std::string& implementation, Parameters parameters,
                        std::vector<double> solutions, double start = 0) {
  Record record;
  record.model = "rbc";
  record.implementation = implementation;
  record.parameters = std::move(parameters);
  record.status = Status::measured;
  record.machine = "machine";
  Sample sample;
  sample.start = start;
  sample.first_solution = solutions.empty() ? 1 : 2 * solutions.front();
  sample.solutions = std::move(solutions);
  record.samples.push_back(std::move(sample));
  return record;
}

/// As on a machine whose times hardly change from one campaign to the next.
inline Lookup quiet_lookup_in(const Results& results) {
  static const Noise quiet{.variance = 1e-6, .degrees = 40};
  return lookup_in(results,
                   std::make_shared<const FolderTimes>(
                       results, [](bool, TimedPart, double) -> const Noise& { return quiet; }));
}

inline Machine machine_of(int cores, bool gpu) {
  nlohmann::ordered_json block{{"cpu", {{"model", "Some CPU"}, {"cores_available", cores}}}};
  block["gpu"] = gpu ? nlohmann::ordered_json{{"name", "Some GPU"}} : nlohmann::ordered_json();
  return Machine{block};
}

}  // namespace macrobench
