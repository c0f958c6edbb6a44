#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/files/digest.hpp"
#include "harness/files/temporary_folder.hpp"
#include "harness/model/registry.hpp"
#include "harness/records/record_facts.hpp"
#include "harness/records/record_json.hpp"
#include "harness/records/record_store.hpp"
#include "harness/text/format.hpp"
#include "harness/text/json_values.hpp"
#include "paper_tables/cells/definitions.hpp"
#include "paper_tables/cells/find.hpp"
#include "paper_tables/cells/lookup.hpp"
#include "paper_tables/cells/plan.hpp"
#include "paper_tables/cells/printed_number.hpp"
#include "paper_tables/cells/quantity.hpp"
#include "paper_tables/claims/claims_verdict.hpp"
#include "tests/paper_tables/fixture.hpp"

namespace macrobench {

namespace {

constexpr int cores = 4;

Machine made_machine() {
  return Machine{{{"cpu",
                   {{"model", "Fixture CPU"},
                    {"architecture", "x86_64"},
                    {"cores_available", cores},
                    {"cores_in_machine", cores}}},
                  {"memory_bytes", std::int64_t{16} << 30},
                  {"os", "Fixture OS 1"},
                  {"kernel", "Linux 6.1"},
                  {"compiler", {{"name", "GNU 12.2.0"}, {"flags", "-O3"}}},
                  {"cuda_compiler", {{"name", "NVIDIA 13.0"}, {"flags", "-arch 90"}}},
                  {"gpu",
                   {{"name", "Fixture GPU"},
                    {"memory_mib", 81559},
                    {"highest_sm_mhz", 1500},
                    {"ecc", true},
                    {"compute_capability", "9.0"},
                    {"multiprocessors", 100}}},
                  {"source", {{"commit", "0000000"}, {"dirty", false}}}}};
}

/// From 0 up to 1, by the text alone.
double share_of(const std::string& text) {
  return static_cast<double>(std::stoul(sha256(text).substr(0, 8), nullptr, 16)) / std::pow(2, 32);
}

/// As the papers and the tables print them: three to four digits.
double rounded(double value) {
  return std::stod(fmt::format("{:.4g}", value));
}

/// What the cells of all tables ask of one case.
struct Asked {
  CellRequest request;
  std::vector<std::string> stages = {};
  std::map<std::string, double> figures = {};
  std::vector<std::string> series = {};
  std::optional<double> iterations = {};
};

/// Seconds of the published program per unit of work, on one core. So some cells of every model are
/// within the budget and some are not.
double rate_of(const std::string& model) {
  if (model == "rbc") return 1e-3;
  return model == "krusell_smith" || model == "lifecycle" ? 2e-9 : 1e-6;
}

/// Seconds of a solution: a rate times the work, and a launch if a GPU does it.
double solution_seconds(const Record& record) {
  const bool on_gpu = record.on_gpu.value();
  // A frontier on a GPU is not faster than its memory.
  const double of_frontier = on_gpu ? 0.04 : 0.01;
  const double rate = rate_of(record.model) * (record.origin == "frontier" ? of_frontier : 1) *
                      (on_gpu ? 0.02 : 1) *
                      (0.5 + share_of(record.model + "/" + record.implementation));
  const Value* const threads = record.parameters.find("threads");
  const double share = threads == nullptr ? 1 : 1 / std::stod(to_string(*threads));
  return rounded((on_gpu ? 1e-3 : 1e-6) + rate * record.work.value() * share);
}

/// One in so many cases, here and there.
bool is_one_of(const Record& record, const std::string& which, int of) {
  return share_of(which + record.key) * of < 1;
}

/// As a build that has the implementation would say: in single precision the papers' RBC programs
/// do not converge on fine grids. A build that lacks it knows that from the records alone.
bool is_known_invalid(const Record& record) {
  const auto is = [&](const char* axis, const auto& wanted) {
    const Value* value = record.parameters.find(axis);
    return value != nullptr && *value == Value(wanted);
  };
  const Value* nk = record.parameters.find("nk");
  return record.model == "rbc" && record.origin == "published" &&
         is("real", std::string("single")) && nk != nullptr && std::stod(to_string(*nk)) >= 1024;
}

/// What became of it, by its time and by chance.
void end(Record& record, double solution) {
  constexpr double budget = 3600;
  record.status = Status::measured;
  if (solution > budget) {
    record.status = Status::not_run;
    record.why = {"over the budget", "predicted " + format_duration(solution)};
  } else if (solution > budget / 4) {
    record.status = Status::timeout;
    record.why = {"over its deadline", format_duration(budget / 4)};
  } else if (is_one_of(record, "failed", 40)) {
    record.status = Status::failed;
    record.why = "killed (signal 9), as the kernel does when memory runs out";
  } else if (is_known_invalid(record) || is_one_of(record, "invalid", 30)) {
    record.status = Status::invalid;
    record.why = "not converged: 3e-05 exceeds 1e-06";
  }
}

void add_samples(Record& record, const Asked& asked, double solution) {
  const bool on_gpu = record.on_gpu.value();
  for (int process = 0; process < (on_gpu ? 2 : 1); ++process) {
    const double here = solution * (1 + 0.01 * process);
    Sample sample{.start = on_gpu ? 0.38 * (1 + 0.02 * process) : 0,
                  .first_solution = rounded(1.2 * here),
                  .solutions = {},
                  .stages = {}};
    if (solution < 10) {
      for (const double relative : {0.99, 1.0, 1.02}) {
        sample.solutions.push_back(rounded(relative * here));
      }
    }
    // Each stage takes half of what the ones before it have left, of the shortest solution.
    double left = 0.98 * here;
    for (const std::string& stage : asked.stages) {
      left /= 2;
      sample.stages[stage].assign(1 + sample.solutions.size(), rounded(left));
    }
    record.samples.push_back(std::move(sample));
  }
}

Outcome outcome_of(const Record& record, const Asked& asked) {
  const bool valid = record.status == Status::measured;
  const double chance = share_of("iterations" + record.key);
  Outcome outcome{.valid = valid,
                  .why = valid ? "" : to_string(record.why),
                  .iterations = std::llround(asked.iterations.value_or(100 + 1000 * chance)),
                  .residual = valid ? 1.5e-10 : 3e-5,
                  .allowed = valid ? 1.6e-10 : 1e-6,
                  .checked_states = 1000,
                  .exhaustive = valid,
                  .draw = {},
                  .figures = asked.figures,
                  .series = {},
                  .notes = {}};
  for (const std::string& name : asked.series) {
    for (const double value : {39.0, 39.5, 39.3, 39.1}) {
      const double off = 1 + 1e-3 * share_of(name + record.key + to_string(value));
      outcome.series[name].push_back(value * off);
    }
  }
  return outcome;
}

constexpr const char* campaign_id = "2026-01-01T00:00:00Z 00000001";

CampaignEvent beginning_of_campaign(const Machine& machine) {
  const auto speed = [&](const char* ceiling, double bytes, double operations) {
    return Speed{.key = fmt::format("roofline/cpu ceiling={}", ceiling),
                 .bytes = bytes,
                 .operations = operations,
                 .seconds = {0.1}};
  };
  return {.campaign = campaign_id,
          .time = "2026-01-01T00:00:00Z",
          .speeds = {speed("copy", 1e9, 0), speed("multiply_add", 0, 1e9)},
          .begins = true,
          .asked = "replicate",
          .machine = machine.id()};
}

Record made_record(const Asked& asked, const Machine& machine) {
  const CellRequest& request = asked.request;
  const Model& model = Registry::global().model(request.model);
  Record record;
  record.model = request.model;
  record.implementation = request.implementation;
  record.parameters = complete(model.axes, request.parameters, cores);
  record.key = record.model + "/" + record.implementation;
  const Parameters named = recorded(model.axes, record.parameters);
  for (const Axis& axis : model.axes) {
    // As in a case's key, so that a new axis draws no other fates.
    const Value* const value = named.find(axis.name);
    if (value == nullptr || (!axis.headline && *value == axis.default_value)) continue;
    record.key += key_field(axis.name, to_string(*value));
  }
  record.origin = request.implementation.starts_with("frontier") ? "frontier" : "published";
  record.on_gpu = needs_gpu(request);
  // A build may leave out what needs a GPU, so its work is that of the model in every build.
  record.work = *record.on_gpu && model.hooks.work
                    ? model.hooks.work(record.parameters)
                    : model.work_of(record.implementation, record.parameters);
  record.gpu_stages = *record.on_gpu ? asked.stages : std::vector<std::string>();
  record.machine = machine.id();
  record.campaign = campaign_id;
  record.source = sha256("made");
  record.time = "2026-01-01T00:00:00Z";
  const double solution = solution_seconds(record);
  end(record, solution);
  if (record.status == Status::measured || record.status == Status::invalid) {
    add_samples(record, asked, solution);
    record.outcome = outcome_of(record, asked);
  }
  record.seconds = 1;
  for (const Sample& sample : record.samples) {
    record.seconds += sample.start + sample.first_solution;
    for (const double seconds : sample.solutions) record.seconds += seconds;
  }
  return record;
}

/// Every case that a row asks for, by its parameters, with all that the rows read from it.
class Questions {
 public:
  void ask(const Definition& table, const RowDefinition& row, Tables& all) {
    if (row.quantity == Quantity::deviation) {
      for (const auto& side : {row.numerator, row.baseline}) {
        const RowPlace place = find_row(*side, {.table = &table}, all).value();
        for (std::size_t i = 0; i < place.table->columns.size(); ++i) {
          if (!place.row->left_out[i].empty()) continue;
          asked(*place.table, *place.row, place.table->columns[i]).series.push_back(row.of);
        }
      }
    }
    if (row.implementation.empty()) return;
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      if (!row.left_out[i].empty()) continue;
      Asked& one = asked(table, row, table.columns[i]);
      for (const std::string& stage : row.stages) {
        if (std::ranges::count(one.stages, stage) == 0) one.stages.push_back(stage);
      }
      const std::optional<double> printed = printed_number(row.published[i].value_or(""));
      const double near = rounded(printed.value_or(1) * (1 + 0.02 * share_of(row.label)));
      if (row.quantity == Quantity::iterations) one.iterations = one.iterations.value_or(near);
      if (row.quantity == Quantity::figure) {
        one.figures.emplace(row.of.empty() ? table.columns[i].figure : row.of, near);
      }
    }
  }

  [[nodiscard]] const std::map<std::string, Asked>& all() const { return asked_; }

 private:
  Asked& asked(const Definition& table, const RowDefinition& row, const ColumnDefinition& column) {
    CellRequest request = request_of(table, row, column);
    std::string key = request.model + "/" + request.implementation;
    for (const auto& [name, value] :
         complete(Registry::global().model(request.model).axes, request.parameters, cores)) {
      key += " " + name + "=" + to_string(value);
    }
    return asked_.try_emplace(key, Asked{std::move(request)}).first->second;
  }

  std::map<std::string, Asked> asked_;
};

void make(const std::filesystem::path& folder) {
  Definitions all(definitions_folder());
  Questions questions;
  for (const Definition* table : all.get_all({})) {
    for (const GroupDefinition& group : table->groups) {
      for (const RowDefinition& row : group.rows) questions.ask(*table, row, all);
    }
  }
  const Machine machine = made_machine();
  std::string lines;
  std::optional<RecordStore> store(folder);
  store->append(beginning_of_campaign(machine), machine);
  for (const auto& [key, asked] : questions.all()) {
    const Record record = made_record(asked, machine);
    // The first names the machine; a thousand more need not each be proof against a kill.
    if (lines.empty()) store->append(record, machine);
    lines += to_line(to_json(record));
  }
  store.reset();
  std::ofstream(folder / "records.jsonl", std::ios::binary) << lines;
}

}  // namespace

std::filesystem::path fixture_folder() {
  static const TemporaryFolder scratch;
  static const std::filesystem::path folder = [] {
    const std::filesystem::path made = scratch.path() / made_machine().slug();
    make(made);
    return made;
  }();
  return folder;
}

std::string claims_page_of_the_fixture() {
  Definitions all(definitions_folder());
  const Results results = read_results(fixture_folder());
  const std::vector<PaperClaims> claims = read_claims(definitions_folder(), {}, all);
  const Machine machine = machine_of(results);
  return to_markdown(document_of(ClaimReport{
      "fixture", describe(machine), judge_claims(claims, all, lookup_in(results), machine)}));
}

}  // namespace macrobench
