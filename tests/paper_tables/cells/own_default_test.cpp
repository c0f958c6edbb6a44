// Rows of an implementation with its own defaults, and the records that they find.

#include <gtest/gtest.h>

#include <string>

#include "harness/model/registry.hpp"
#include "harness/records/record_facts.hpp"
#include "paper_tables/cells/lookup.hpp"
#include "paper_tables/cells/plan.hpp"

namespace macrobench {
namespace {

constexpr const char* names[] = {"frontier", "frontier_cuda"};

CellRequest row_of(const std::string& implementation, const Parameters& parameters = {}) {
  Definition definition;
  definition.model = "krusell_smith";
  RowDefinition row;
  row.implementation = implementation;
  row.parameters = parameters;
  ColumnDefinition column;
  column.parameters = {{"nk", 100}};
  return request_of(definition, row, column);
}

/// A record with the model's defaults but for these, and without these axes.
Record record_of(const std::string& implementation, const Parameters& other,
                 const std::vector<std::string>& without = {}) {
  Record record;
  record.model = "krusell_smith";
  record.implementation = implementation;
  record.parameters =
      complete(Registry::global().model("krusell_smith").axes, other, 1).without(without);
  return record;
}

const Parameters published{
    {"policy", "euler"}, {"law_update", "relaxation"}, {"reuse_tolerance", 1e-6}};

Parameters own_of(const std::string& implementation) {
  return Registry::global().model("krusell_smith").with_own_defaults(implementation, {});
}

TEST(OwnDefaultOfARow, IsWhatTheRowRequests) {
  for (const char* name : names) {
    const CellRequest request = row_of(name);
    EXPECT_EQ(request.parameters.name("law_update"), "quasi_newton") << name;
    EXPECT_EQ(request.parameters.real("reuse_tolerance"), 1.0) << name;
    EXPECT_EQ(row_of(name, {{"law_update", "relaxation"}}).parameters.name("law_update"),
              "relaxation");
  }
  EXPECT_EQ(row_of("cpu").parameters, (Parameters{{"nk", 100}}));
  EXPECT_TRUE(runs_on_gpu(row_of("frontier_cuda"), {"policy"})) << "its policy is egm_cuda";
}

TEST(OwnDefaultOfARow, TakesNoRecordOfTheModelsDefaultNorTheOtherWayRound) {
  for (const char* name : names) {
    const Record old = record_of(name, {});
    const Record own = record_of(name, own_of(name));
    EXPECT_FALSE(answers(old, row_of(name), 1)) << name;
    EXPECT_TRUE(answers(own, row_of(name), 1)) << name;
    EXPECT_TRUE(answers(old, row_of(name, published), 1)) << name;
    EXPECT_FALSE(answers(own, row_of(name, published), 1)) << name;
  }
}

TEST(OwnDefaultOfARow, TakesNoRecordThatIsOlderThanTheAxis) {
  for (const char* name : names) {
    Parameters own = own_of(name);
    own.set("law_update", "relaxation");
    const Record older = record_of(name, own, {"law_update"});
    EXPECT_FALSE(answers(older, row_of(name), 1)) << name;
    EXPECT_TRUE(answers(older, row_of(name, {{"law_update", "relaxation"}}), 1)) << name;
  }
}

}  // namespace
}  // namespace macrobench
