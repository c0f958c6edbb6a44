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

TEST(RecordFacts, CallACaseByItsPresentNameAndKeepItsLine) {
  Record record = bare("silent", "plain", {{"size", std::int64_t{1}}, {"rounds", std::int64_t{2}}});
  record.key = "silent/plain size=1 rounds=2";
  record.origin = "corrected";
  const nlohmann::json line = to_json(record);
  add_facts(record);
  EXPECT_EQ(record.key, "silent/several size=1 rounds=2");
  EXPECT_EQ(record.implementation, "several");
  EXPECT_EQ(record.origin, "frontier");
  EXPECT_EQ(key_as_written(record), "silent/plain size=1 rounds=2");
  nlohmann::json after = to_json(record);
  EXPECT_EQ(after["key"], line["key"]);
  for (const char* name : {"implementation", "origin", "parameters"}) {
    EXPECT_EQ(after["case"][name], line["case"][name]);
  }
  Record again = record_from_json(after);
  add_facts(again);
  EXPECT_EQ(again.key, record.key);
}

TEST(RecordFacts, OlderThanAnAxisAreOfWhatWasDoneThen) {
  for (const char* implementation : {"cpu", "cuda_software"}) {  // the latter is left out here
    Record record =
        bare("krusell_smith", implementation,
             {{"N", std::int64_t{50}}, {"T", std::int64_t{200}}, {"nk", std::int64_t{4}}});
    const std::string id = record.id();
    record.key = id + " N=50 T=200 nk=4";
    add_facts(record);
    EXPECT_EQ(record.key, id + " N=50 T=200 moves=all_but_last nk=4");
    EXPECT_EQ(record.parameters.name("moves"), "all_but_last");
    EXPECT_EQ(key_as_written(record), id + " N=50 T=200 nk=4");
    EXPECT_FALSE(to_json(record)["case"]["parameters"].contains("moves")) << "the line stays";
    Record again = record_from_json(to_json(record));
    add_facts(again);
    EXPECT_EQ(again.key, record.key);
  }
}

TEST(RecordFacts, KeysNameWhatIsNotTheDefaultNow) {
  for (const auto& [moves, before, now] : std::vector<std::array<const char*, 3>>{
           {"all", " moves=all", ""},
           {"all", "", ""},
           {"all_but_last", "", " moves=all_but_last"},
           {"all_but_last", " moves=all_but_last", " moves=all_but_last"}}) {
    Record record = bare("krusell_smith", "cpu", {{"T", std::int64_t{200}}, {"moves", moves}});
    record.key = fmt::format("krusell_smith/cpu T=200{}", before);
    add_facts(record);
    EXPECT_EQ(record.key, fmt::format("krusell_smith/cpu T=200{}", now));
    EXPECT_EQ(record.formerly.has_value(), std::string_view(before) != now);
    EXPECT_EQ(record.parameters.name("moves"), moves);
  }
}

TEST(RecordFacts, OfAnImplementationWithoutAnAxisStayAsTheyAre) {
  Record record = bare("krusell_smith", "histogram", {{"T", std::int64_t{200}}});
  record.key = "krusell_smith/histogram T=200";
  add_facts(record);
  EXPECT_FALSE(record.formerly);
  EXPECT_EQ(complete_recorded(Registry::global().model("krusell_smith").axes, record.parameters)
                .name("moves"),
            "all_but_last")
      << "what those do that lack it";
}

TEST(RecordFacts, ProgramsThatWereAllPublishedHaveTheirPresentOrigin) {
  const auto origin_of = [](const std::string& program) {
    Record record = bare("rbc", program, {{"nk", 64}});
    record.origin = "published";
    record.samples.front().around = {{"process", {1}}};
    add_facts(record);
    EXPECT_EQ(to_json(record)["case"]["origin"], "published") << "the line stays";
    return record.origin;
  };
  EXPECT_EQ(origin_of("octave"), "published");
  EXPECT_EQ(origin_of("numpy"), "frontier");
  EXPECT_EQ(origin_of("of_a_user"), "yours");
}

TEST(RecordFacts, AFormerAxisAtItsDefaultIsNoParameter) {
  Record record = bare("silent", "plain", {{"size", std::int64_t{1}}, {"rounds", std::int64_t{1}}});
  record.key = "silent/plain rounds=1 size=1";
  record.origin = "corrected";
  add_facts(record);
  EXPECT_EQ(record.key, "silent/plain size=1");
  EXPECT_EQ(record.implementation, "plain");
  EXPECT_EQ(record.origin, "corrected");
  EXPECT_EQ(record.parameters, Parameters({{"size", std::int64_t{1}}}));
  EXPECT_EQ(to_json(record)["case"]["parameters"]["rounds"], 1) << "the line stays";
  Record now = bare("silent", "plain", {{"size", std::int64_t{1}}});
  add_facts(now);
  EXPECT_FALSE(now.formerly) << "its name is not a former one";
}

TEST(RecordFacts, ANameWithAnotherMeaningNowIsReadAsItWasMeant) {
  Record old = bare("silent", "marked", {{"size", std::int64_t{1}}, {"rounds", std::int64_t{1}}});
  old.key = "silent/marked rounds=1 size=1";
  old.origin = "published";
  add_facts(old);
  EXPECT_EQ(old.key, "silent/unmarked size=1");
  EXPECT_EQ(old.implementation, "unmarked");
  EXPECT_EQ(old.origin, "corrected");
  EXPECT_EQ(to_json(old)["key"], "silent/marked rounds=1 size=1") << "the line stays";
  EXPECT_EQ(present_key("silent/marked rounds=1 size=1"), old.key);

  const Case which = Registry::global().make_case("silent/marked", {}, 1);
  Record now = bare("silent", "marked", which.parameters);
  now.key = which.key();
  add_facts(now);
  EXPECT_EQ(now.key, which.key());
  EXPECT_FALSE(now.formerly);
  EXPECT_EQ(present_key(which.key()), which.key());
}

TEST(RecordFacts, APresentKeyStaysAsItIs) {
  for (const char* key : {"rbc/serial nk=64 capital='a b' real=double", "rbc/serial", "",
                          "odd =", "silent/unmarked 'size=1"}) {
    EXPECT_EQ(present_key(key), key);
  }
  EXPECT_EQ(present_key("silent/marked input='a kind=b' size=1"),
            "silent/unmarked input='a kind=b' size=1");
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
