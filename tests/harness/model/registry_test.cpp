// What registers itself under a name that is taken, and a model that says little of itself.

#include "harness/model/registry.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "harness/text/error.hpp"

namespace macrobench {
namespace {

using testing::AllOf;
using testing::HasSubstr;

Implementation one_in(const std::string& file) {
  Implementation implementation;
  implementation.model = "plain";
  implementation.name = "serial";
  implementation.source = file;
  return implementation;
}

std::string complaint_of(const Registry& registry) {
  try {
    registry.check();
  } catch (const Failure& failure) {
    return failure.what();
  }
  return "";
}

TEST(Registry, NamesTheFilesOfTwoImplementationsOfOneName) {
  Registry registry;
  registry.add(Model{.name = "plain", .summary = "", .axes = {}, .size_axis = ""});
  registry.add(one_in("/somewhere/implementations/plain/serial.cpp"));
  EXPECT_EQ(complaint_of(registry), "");
  registry.add(one_in("/somewhere/implementations/plain/faster.cpp"));
  EXPECT_THAT(complaint_of(registry),
              AllOf(HasSubstr("two implementations are named plain/serial, in "
                              "implementations/plain/serial.cpp and "
                              "implementations/plain/faster.cpp"),
                    HasSubstr("rename one")));
  EXPECT_EQ(registry.implementations().size(), 1U);
}

TEST(Registry, TwoModelsOfOneNameAreAnError) {
  Registry registry;
  for (int i = 0; i < 2; ++i) {
    registry.add(Model{.name = "plain", .summary = "", .axes = {}, .size_axis = ""});
  }
  EXPECT_THAT(complaint_of(registry), HasSubstr("two models are named plain"));
  EXPECT_EQ(registry.models().size(), 1U);
}

TEST(Registry, AModelNeedNotCheckItsParameters) {
  Registry registry;
  registry.add(Model{.name = "plain", .summary = "", .axes = {}, .size_axis = ""});
  registry.add(one_in("implementations/plain/serial.cpp"));
  EXPECT_EQ(registry.make_case("plain/serial", {}, 1).key(), "plain/serial");
}

}  // namespace
}  // namespace macrobench
