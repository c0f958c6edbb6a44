// What registers itself under a name that is taken, and a model that says little of itself.

#include "harness/model/registry.hpp"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "harness/records/record_store.hpp"
#include "harness/records/results_folder.hpp"
#include "harness/text/error.hpp"
#include "tests/matchers.hpp"
#include "tests/paths.hpp"

namespace macrobench {
namespace {

Implementation one_in(const std::string& file) {
  Implementation implementation;
  implementation.model = "plain";
  implementation.name = "serial";
  implementation.source = file;
  return implementation;
}

std::string complaint(const Registry& registry) {
  return failure_of([&] { return registry.check(); });
}

TEST(Registry, NamesTheFilesOfTwoImplementationsOfOneName) {
  Registry registry;
  registry.add(Model{.name = "plain", .summary = "", .axes = {}, .size_axis = ""});
  registry.add(one_in("/somewhere/implementations/plain/serial.cpp"));
  EXPECT_EQ(complaint(registry), "");
  registry.add(one_in("/somewhere/implementations/plain/faster.cpp"));
  EXPECT_THAT(complaint(registry), AllOf(HasSubstr("two implementations are named plain/serial, in "
                                                   "implementations/plain/serial.cpp and "
                                                   "implementations/plain/faster.cpp"),
                                         HasSubstr("rename one")));
  EXPECT_EQ(registry.implementations().size(), 1U);
}

TEST(Registry, AModelKnowsWhatAllIsOnceAnImplementationDoes) {
  Registry registry;
  const Axis gpus{"gpus", "how many", std::int64_t{1}, {1, 64}};
  registry.add(Model{.name = "plain", .summary = "", .axes = {gpus}, .size_axis = ""});
  const auto all = [&] { return parse_value(registry.models().front().axes.front(), "all", 7); };
  EXPECT_THROW(all(), UsageError);
  Implementation implementation = one_in("/somewhere/implementations/plain/serial.cpp");
  implementation.axes = {gpus};
  implementation.axes.front().all = [] { return 3; };
  registry.add(implementation);
  EXPECT_EQ(all(), Value(std::int64_t{3}));
}

TEST(Registry, TwoModelsOfOneNameAreAnError) {
  Registry registry;
  for (int i = 0; i < 2; ++i) {
    registry.add(Model{.name = "plain", .summary = "", .axes = {}, .size_axis = ""});
  }
  EXPECT_THAT(complaint(registry), HasSubstr("two models are named plain"));
  EXPECT_EQ(registry.models().size(), 1U);
}

TEST(Registry, AModelNeedNotCheckItsParameters) {
  Registry registry;
  registry.add(Model{.name = "plain", .summary = "", .axes = {}, .size_axis = ""});
  registry.add(one_in("implementations/plain/serial.cpp"));
  EXPECT_EQ(registry.make_case("plain/serial", {}, 1).key(), "plain/serial");
}

/// What the reference machines' records hold, which have all implementations and devices.
std::set<std::string> on_record(
    const std::function<void(const Record&, std::set<std::string>&)>& add) {
  std::set<std::string> models, names;
  const std::filesystem::path results = std::filesystem::path(source_folder()) / "results";
  for (const std::filesystem::path& machine : machine_folders_in(results / reference_name)) {
    for (const Record& record : read_results(machine).records) {
      models.insert(record.model);
      add(record, names);
    }
  }
  EXPECT_GE(models.size(), 6U);
  return names;
}

TEST(OutcomeFigures, EachOnRecordIsDeclared) {
  EXPECT_THAT(on_record([](const Record& record, std::set<std::string>& undeclared) {
                if (!record.outcome) return;
                const OutcomeFigures& known =
                    Registry::global().model(record.model).outcome_figures;
                if (!known.contains("residual")) undeclared.insert(record.model + ": residual");
                for (const auto& [name, value] : record.outcome->figures) {
                  if (!known.contains(name)) undeclared.insert(record.model + ": " + name);
                }
              }),
              IsEmpty());
}

TEST(Stages, EachOnRecordIsDeclared) {
  EXPECT_THAT(on_record([](const Record& record, std::set<std::string>& undeclared) {
                const std::vector<std::string> known =
                    Registry::global().model(record.model).stages_of(record.implementation);
                for (const Sample& sample : record.samples) {
                  for (const auto& [stage, seconds] : sample.stages) {
                    if (std::ranges::count(known, stage) > 0) continue;
                    undeclared.insert(record.model + "/" + record.implementation + ": " + stage);
                  }
                }
              }),
              IsEmpty());
}

TEST(OutcomeFigures, EachHasAUnitAndADefinition) {
  for (const Model& model : Registry::global().models()) {
    for (const auto& [figure, its] : model.outcome_figures) {
      EXPECT_FALSE(its.unit.empty()) << model.name << ": " << figure;
      EXPECT_FALSE(its.definition.empty()) << model.name << ": " << figure;
    }
  }
  const Model& rbc = Registry::global().model("rbc");
  EXPECT_EQ(rbc.unit_of("euler_error_max"), "log10 of a share of consumption");
  EXPECT_EQ(rbc.unit_of("of an older build"), "1");
}

}  // namespace
}  // namespace macrobench
