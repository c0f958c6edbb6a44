// A machine's ceilings and its cases under them: which records count, and what the shares are.

#include <limits>
#include <map>
#include <nlohmann/json.hpp>

#include "harness/model/registry.hpp"
#include "harness/records/record_facts.hpp"
#include "harness/text/json_values.hpp"
#include "paper_tables/times/times.hpp"
#include "tests/matchers.hpp"
#include "tests/paper_tables/fixture.hpp"
#include "tests/sheet_rows.hpp"

namespace macrobench {
namespace {

Record measured(const std::string& model, const std::string& implementation, Parameters parameters,
                double seconds, const std::string& stage = "") {
  Record record = record_of(implementation, std::move(parameters), {seconds, seconds});
  record.model = model;
  record.key = model + "/" + implementation;
  for (const auto& [name, value] : record.parameters) {
    record.key += " " + name + "=" + to_string(value);
  }
  record.outcome = Outcome{};
  record.outcome->valid = true;
  record.outcome->iterations = 100;
  if (!stage.empty()) record.samples.front().stages[stage] = {seconds, seconds};
  return record;
}

Record ceiling(const std::string& implementation, const std::string& what, const char* real,
               double seconds, std::int64_t threads = 1) {
  Parameters parameters{
      {"ceiling", what}, {"n", 1'000'000}, {"real", std::string(real)}, {"passes", 10}};
  if (implementation == "cpu") parameters.set("threads", threads);
  return measured("roofline", implementation, std::move(parameters), seconds, what);
}

/// A GPU that copies 160 GB/s and does 12.8 TFLOP/s in double.
std::vector<Record> of_a_gpu() {
  return {ceiling("cuda", "copy", "double", 1e-3), ceiling("cuda", "multiply_add", "double", 1e-4),
          ceiling("cuda", "multiply_add", "single", 5e-5)};
}

/// With what the registry knows of it, as it is read.
Record read_again(Record record) {
  record.work.reset();
  record.floor.reset();
  record.on_gpu.reset();
  record.gpu_stages.clear();
  add_facts(record);
  return record;
}

Results holding(const std::vector<Record>& records) {
  Results results;
  for (const Record& record : records) results.records.push_back(read_again(record));
  return results;
}

/// Those of the cases that times shows.
std::vector<FloorShare> shares_in(const Results& results) {
  std::vector<FloorShare> shares;
  for (const CaseTimes& one : times_of(results).cases) {
    if (one.floor) shares.push_back(*one.floor);
  }
  return shares;
}

TEST(Ceilings, AreRatesOfTheStageForEachProcessor) {
  std::vector<Record> records = of_a_gpu();
  records.push_back(ceiling("cpu", "copy", "double", 1.6e-2, 4));
  const std::vector<ProcessorCeilings> all = ceilings_of(holding(records));
  ASSERT_EQ(all.size(), 2U);
  EXPECT_TRUE(all[0].is_gpu);
  EXPECT_NEAR(*all[0].bytes_a_second, 160e9, 1);
  EXPECT_NEAR(*all[0].double_operations_a_second, 12.8e12, 1e3);
  EXPECT_NEAR(*all[0].single_operations_a_second, 25.6e12, 1e3);
  EXPECT_EQ(all[1].threads, 4);
  EXPECT_NEAR(*all[1].bytes_a_second, 10e9, 1);
  EXPECT_FALSE(all[1].double_operations_a_second);
}

TEST(Ceilings, CountValidRecordsAlone) {
  Record wrong = ceiling("cuda", "copy", "double", 1e-9);
  wrong.outcome->valid = false;
  wrong.status = Status::invalid;
  EXPECT_TRUE(ceilings_of(holding({wrong})).empty());
}

TEST(Ceilings, AndSharesAreNoneWhereParametersCannotBe) {
  std::vector<Record> records = of_a_gpu();
  records.push_back(measured("newton", "cuda_c", {{"n", 64}}, 1, "maximize"));
  ASSERT_EQ(shares_in(holding(records)).size(), 1U);
  for (const auto& [name, value] : std::vector<std::pair<const char*, Value>>{
           {"n", "many"}, {"n", 1e300}, {"n", -1}, {"real", 2.0}, {"nx", 2.0}}) {
    records.back().parameters = {{"n", 64}};
    records.back().parameters.set(name, value);
    EXPECT_TRUE(shares_in(holding(records)).empty()) << name;
  }
  for (Record& record : records) record.parameters.set("n", std::string("many"));
  EXPECT_TRUE(ceilings_of(holding(records)).empty());
}

std::optional<FloorShare> share_of_one(const Record& record,
                                       const std::vector<ProcessorCeilings>& ceilings) {
  return share_of(record, FolderTimes(), ceilings);
}

TEST(Shares, OfMoreIterationsThanACaseMayTakeAreFoundAtOnce) {
  Outcome outcome;
  outcome.iterations = std::numeric_limits<std::int64_t>::max();
  const Parameters given{{"nk", 64}, {"maximizer", "grid_howard"}};
  EXPECT_TRUE(Registry::global().model("rbc").floor_of("serial", given, outcome).is_known());
}

TEST(Shares, AreOfTheLongerOfMovingAndComputing) {
  std::vector<Record> records = of_a_gpu();
  // 17 bytes per coefficient: a, argmax and steps.
  records.push_back(measured("newton", "cuda_c", {{"n", 1'000'000}, {"real", "double"}},
                             17e6 / 160e9 * 4, "maximize"));
  const std::vector<FloorShare> shares = shares_in(holding(records));
  ASSERT_EQ(shares.size(), 1U) << "the ceilings themselves are no cases";
  EXPECT_NEAR(*shares[0].share.cell().value, 0.25, 1e-9);
  EXPECT_TRUE(shares[0].is_memory_bound);
  EXPECT_TRUE(shares[0].is_gpu);
  records.back().parameters.set("gpus", std::int64_t{2});
  EXPECT_NEAR(*shares_in(holding(records)).at(0).share.cell().value, 0.125, 1e-9)
      << "the ceiling is of one GPU";

  // T - 1 ages of nx ne states, each nx choices of 2 ne + 5 operations.
  const double operations = 9.0 * 100 * 5 * 100 * 15;
  records.back() =
      measured("lifecycle", "cuda_c", {{"nx", 100}, {"ne", 5}, {"T", 10}, {"real", "single"}},
               operations / 25.6e12 * 2);
  Record& record = records.back();
  record.floor =
      Registry::global().model("lifecycle").floor_of("serial", record.parameters, *record.outcome);
  record.on_gpu = true;
  const std::optional<FloorShare> share = share_of_one(record, ceilings_of(holding(of_a_gpu())));
  ASSERT_TRUE(share);
  EXPECT_NEAR(*share->share.cell().value, 0.5, 1e-9);
  EXPECT_FALSE(share->is_memory_bound);
}

TEST(Shares, AreNoneWhereTheProcessorsCeilingIsNotKnown) {
  const Record record =
      measured("newton", "serial", {{"n", 1000}, {"real", "double"}}, 1, "maximize");
  EXPECT_FALSE(share_of_one(read_again(record), ceilings_of(holding(of_a_gpu()))));
}

TEST(Shares, AreNoneOfARecordThatIsNotUnderstood) {
  std::vector<Record> records = of_a_gpu();
  const auto ceilings = ceilings_of(holding(records));
  Record old = measured("krusell_smith", "frontier_cuda", {{"N", 1000}}, 1, "panel");
  EXPECT_TRUE(share_of_one(read_again(old), ceilings))
      << "a parameter that is missing stands at its default";
  old.parameters.set("N", std::string("many"));
  EXPECT_FALSE(share_of_one(read_again(old), ceilings));
  old.model = "a model of later days";
  EXPECT_FALSE(share_of_one(read_again(old), ceilings));
}

TEST(Floors, AreDeclaredInEveryModelAndByAllThatRunsOnAGpu) {
  Outcome outcome;
  outcome.iterations = 10;
  outcome.figures = {{"passes", 3.0}, {"nodes", 62.0}, {"newton_iterations_mean", 2.0}};
  std::map<std::string, int> declared;
  for (const Implementation* one : Registry::global().implementations()) {
    const bool is_known =
        Registry::global().model(one->model).floor_of(one->name, {}, outcome).is_known();
    if (is_known) ++declared[one->model];
    EXPECT_TRUE(is_known || one->runs_on != RunsOn::gpu) << one->id();
  }
  for (const Model& model : Registry::global().models()) {
    EXPECT_GT(declared[model.name], 0) << model.name;
  }
}

TEST(Shares, AreShownWithTheTimesOfCases) {
  std::vector<Record> records = of_a_gpu();
  const Parameters million{{"n", 1'000'000}, {"real", "double"}};
  for (const auto& [share, shown, is_above] :
       {std::tuple{0.25, "25.0%", false}, {1.16, "116%†", true}}) {
    records.resize(3);
    records.push_back(measured("newton", "cuda_c", million, 17e6 / 160e9 / share, "maximize"));
    const Times times = times_of(holding(records));
    const std::string text = to_text(document_of(times, "a machine", true), 100);
    EXPECT_THAT(text, HasSubstr(shown));
    EXPECT_EQ(text.find("† Above 100%") != std::string::npos, is_above) << text;
    const nlohmann::json row = rows_of(sheets_of(times), "cases")[0];
    EXPECT_NEAR(row["share_of_floor"].get<double>(), share, 1e-9);
    EXPECT_EQ(row["bound_by"], "memory");
  }
}

}  // namespace
}  // namespace macrobench
