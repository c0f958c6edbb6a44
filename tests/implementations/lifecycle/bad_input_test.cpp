#include <string>

#include "harness/model/registry.hpp"
#include "tests/matchers.hpp"

namespace macrobench {
namespace {

/// What is said of parameters that any of the model's implementations may have.
std::string complaint(const Parameters& given) {
  const Model& model = Registry::global().model("lifecycle");
  return complaint_of([&] { return model.check(complete(model.axes, given, 1)); });
}

Value whole(std::int64_t number) {
  return number;
}

TEST(BadInput, OfLifecycleIsSaidInOneSentence) {
  EXPECT_EQ(complaint({}), "");
  EXPECT_THAT(complaint({{"nx", whole(1)}}), HasSubstr("nx = 1: it must be from 2 to"));
  EXPECT_THAT(complaint({{"ne", whole(1)}}), HasSubstr("ne = 1: it must be from 2 to"));
  EXPECT_THAT(complaint({{"T", whole(0)}}), HasSubstr("T = 0: it must be from 1 to"));
  EXPECT_THAT(complaint({{"sigma", -1.0}}), HasSubstr("sigma = -1"));
  for (const double beta : {0.0, -0.5, 1.01}) {
    EXPECT_THAT(complaint({{"beta", beta}}), HasSubstr("above 0 and at most 1"));
  }
  EXPECT_EQ(complaint({{"beta", 1.0}}), "");
  for (const double lambda : {1.0, -1.0, 1.5}) {
    EXPECT_THAT(complaint({{"lambda_eps", lambda}}), HasSubstr("above -1 and below 1"));
  }
  EXPECT_THAT(complaint({{"sigma_eps", 0.0}}),
              AllOf(HasSubstr("sigma_eps = 0"), HasSubstr("above 0")));
  EXPECT_THAT(complaint({{"half_width", 0.0}}), HasSubstr("half_width = 0"));
  EXPECT_THAT(complaint({{"w", 0.0}}), HasSubstr("w = 0"));
  EXPECT_THAT(complaint({{"r", -1.0}}), HasSubstr("r = -1"));
  EXPECT_THAT(complaint({{"recursion", "as_printed"}}),
              HasSubstr("recursion = as_printed: it must be one of"));
  EXPECT_THAT(complaint({{"arrays", "outside"}}), HasSubstr("arrays = outside"));
}

TEST(BadInput, OfGridsThatCannotBeIsSaidInOneSentence) {
  for (const double xmax : {0.1, 0.05}) {
    EXPECT_THAT(complaint({{"xmax", xmax}}), HasSubstr("xmin must be the lower one"));
  }
  EXPECT_THAT(complaint({{"xmin", 1.0}, {"xmax", 1.0001}, {"nx", whole(10'000)}}),
              HasSubstr("coincide in single precision: take fewer"));
  EXPECT_THAT(complaint({{"xmin", 10.0}, {"xmax", 12.0}, {"r", -0.9}, {"w", 0.1}}),
              AllOf(HasSubstr("no feasible choice"), HasSubstr("lower xmin or raise w")));
  EXPECT_THAT(complaint({{"T", whole(100'000)}}), HasSubstr("nx ne T = 2.25e+09: V of all ages"));
}

TEST(BadInput, OfWorkersIsSaidInOneSentence) {
  EXPECT_THAT(complaint({{"threads", whole(0)}}), HasSubstr("threads = 0"));
  EXPECT_THAT(complaint({{"processes", whole(0)}}), HasSubstr("processes = 0"));
  const Parameters twenty_states{{"nx", whole(5)}, {"ne", whole(4)}};
  Parameters shared = twenty_states;
  shared.set("processes", whole(20));
  EXPECT_EQ(complaint(shared), "");
  shared.set("processes", whole(21));
  EXPECT_EQ(complaint(shared), "processes = 21: there are only 20 states to share");

  EXPECT_THAT(complaint({{"block", whole(1025)}}), HasSubstr("block = 1025"));
  const Parameters many{{"nx", whole(20'000)}, {"ne", whole(20)}};
  EXPECT_THAT(complaint(many),
              AllOf(HasSubstr("block = 0 means 1563 threads here"), HasSubstr("give --block")));
  Parameters launched = many;
  launched.set("block", whole(256));
  EXPECT_EQ(complaint(launched), "");
}

TEST(BadInput, OfAnAxisThatASolverHasNotIsRefused) {
  for (const char* axis : {"threads", "processes", "blocks", "block"}) {
    EXPECT_THAT(complaint_of([&] {
                  return Registry::global().make_case("lifecycle/serial", {{axis, std::int64_t{2}}},
                                                      1);
                }),
                HasSubstr(std::string("no parameter '") + axis + "'"));
  }
}

}  // namespace
}  // namespace macrobench
