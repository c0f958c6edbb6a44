#include "harness/records/record_facts.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

#include "harness/model/registry.hpp"
#include "harness/records/record_json.hpp"
#include "tests/harness/support.hpp"

namespace macrobench {
namespace {

/// A record that says nothing of its case.
Record bare(const std::string& model, const std::string& implementation, Parameters parameters) {
  Record record = a_record();
  record.model = model;
  record.implementation = implementation;
  record.parameters = std::move(parameters);
  record.work.reset();
  record.floor.reset();
  record.on_gpu.reset();
  return record;
}

TEST(RecordFacts, AreWhatTheRegistryKnows) {
  Record record = bare("rbc", "serial", {{"nk", 64}});
  add_facts(record);
  const Model& rbc = Registry::global().model("rbc");
  EXPECT_EQ(record.work, rbc.work_of("serial", record.parameters));
  ASSERT_TRUE(record.floor);
  EXPECT_EQ(record.floor->bytes, rbc.floor_of("serial", record.parameters, *record.outcome).bytes);
  EXPECT_EQ(record.on_gpu, false);
  EXPECT_TRUE(record.gpu_stages.empty());
}

TEST(RecordFacts, OfACaseAtHandAreThoseOfItsRecordThatWasRead) {
  for (const char* id : {"rbc/serial", "krusell_smith/frontier"}) {
    const Case which = Registry::global().make_case(id, {}, 1);
    Record made = bare(which.implementation->model, which.implementation->name, which.parameters);
    made.key = which.key();
    made.samples.front().stages = {{"policy", {1}}};
    Record read = made;
    add_facts(which, made);
    add_facts(read);
    EXPECT_GT(made.work.value(), 0) << id;
    EXPECT_EQ(made.work, read.work);
    EXPECT_EQ(made.floor, read.floor);
    EXPECT_EQ(made.declared_floor, made.floor);
    EXPECT_EQ(made.declared_floor, read.declared_floor);
    EXPECT_EQ(made.on_gpu, read.on_gpu);
    EXPECT_EQ(made.gpu_stages, read.gpu_stages);
  }
}

TEST(RecordFacts, LeaveWhatTheRecordSays) {
  Record record = bare("rbc", "serial", {{"nk", 64}});
  record.work = 7;
  record.floor = Floor{.bytes = 5};
  record.on_gpu = true;
  record.gpu_stages = {"policy"};
  add_facts(record);
  EXPECT_EQ(record.work, 7);
  EXPECT_EQ(record.floor->bytes, 5);
  EXPECT_GT(record.declared_floor.value().bytes, 5) << "whatever the record says";
  EXPECT_EQ(record.on_gpu, true);
  EXPECT_EQ(record.gpu_stages, std::vector<std::string>{"policy"});
}

TEST(RecordFacts, SayWhichStagesAGpuDoes) {
  Record record = bare("newton", "cuda_c", {{"n", 64}});
  record.samples.front().stages = {{"maximize", {1}}};
  add_facts(record);
  EXPECT_EQ(record.on_gpu, true) << "in this build or not";
  EXPECT_EQ(record.gpu_stages, std::vector<std::string>{"maximize"});
  EXPECT_TRUE(is_on_gpu(record, {}));
  EXPECT_TRUE(is_on_gpu(record, {"maximize"}));
  EXPECT_FALSE(is_on_gpu(record, {"another"}));
}

TEST(RecordFacts, OfAnImplementationWithoutAnAxisStayAsTheyAre) {
  Record record = bare("krusell_smith", "histogram", {{"T", std::int64_t{200}}});
  record.key = "krusell_smith/histogram T=200";
  add_facts(record);
  EXPECT_EQ(complete_recorded(Registry::global().model("krusell_smith").axes, record.parameters)
                .name("moves"),
            "all_but_last")
      << "what those do that lack it";
}

TEST(RecordFacts, AreNoneOfWhatIsNotUnderstood) {
  for (Record record :
       {bare("rbc", "serial", {{"nk", "many"}}), bare("rbc", "serial", {{"nx", 2.0}}),
        bare("a later model", "serial", {})}) {
    add_facts(record);
    EXPECT_FALSE(record.work) << record.model;
    EXPECT_FALSE(record.floor);
  }
}

TEST(RecordFacts, ParametersAreCompletedWithoutLookingAtFiles) {
  const std::vector<Axis>& axes = Registry::global().model("fake").axes;
  const Parameters given{{"input", "gone.bin@0123456789ab"}};
  EXPECT_EQ(complete_recorded(axes, given).name("input"), "gone.bin@0123456789ab");
  EXPECT_EQ(complete_recorded(axes, given).integer("size"), 1);
  EXPECT_EQ(recorded(axes, {{"input", "/x/y.bin@0123456789ab"}}).name("input"),
            "y.bin@0123456789ab");
}

}  // namespace
}  // namespace macrobench
