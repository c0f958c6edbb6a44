// Speed-ups, efficiencies and the model that is fitted to them.

#include "paper_tables/floors/scaling.hpp"

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "harness/records/record_store.hpp"
#include "harness/text/document.hpp"
#include "paper_tables/scaling/scaling_render.hpp"
#include "tests/executable.hpp"
#include "tests/matchers.hpp"
#include "tests/paper_tables/fixture.hpp"
#include "tests/paths.hpp"

namespace macrobench {
namespace {

using ::testing::ContainsRegex;
using ::testing::UnorderedElementsAre;

/// So many ranks or GPUs of this problem, which take `seconds`, of which some in the exchange.
Record made(const std::string& implementation, const char* axis, std::int64_t count,
            std::int64_t nk, double seconds, double exchange) {
  Record record = record_of(implementation, {{"nk", nk}, {"nz", 4}, {"real", "double"}},
                            {seconds, seconds, seconds}, 0);
  if (axis != nullptr) record.parameters.set(axis, count);
  record.key = "rbc/" + implementation + " nk=" + std::to_string(nk) + (axis ? axis : "") +
               std::to_string(count);
  record.work = static_cast<double>(nk);
  record.on_gpu = axis != nullptr && std::string(axis) == "gpus";
  record.outcome = Outcome{};
  record.outcome->valid = true;
  if (axis != nullptr) {
    for (Sample& sample : record.samples) {
      sample.stages[exchange_stage] = {exchange, exchange, exchange, exchange};
    }
  }
  return record;
}

Results holding(std::vector<Record> records) {
  Results results;
  results.records = std::move(records);
  return results;
}

constexpr AlphaBeta known{.serial = 0.5, .divided = 8, .alpha = 0.01, .beta = 0.2};

/// What the known model says of so many.
Record by_the_model(const char* axis, int count) {
  const double exchange =
      count == 1 ? 0 : known.seconds(count) - known.serial - known.divided / count;
  return made("mpi", axis, count, 1024, known.seconds(count), exchange);
}

TEST(AlphaBetaFit, FindsWhatItsPointsWereMadeOf) {
  const Scaling scaling = scaling_of(holding({by_the_model("ranks", 1), by_the_model("ranks", 2),
                                              by_the_model("ranks", 4), by_the_model("ranks", 8)}));
  ASSERT_EQ(scaling.strong.size(), 1U);
  const StrongScaling& strong = scaling.strong.front();
  ASSERT_TRUE(strong.model);
  EXPECT_NEAR(strong.model->serial, known.serial, 1e-9);
  EXPECT_NEAR(strong.model->divided, known.divided, 1e-9);
  EXPECT_NEAR(strong.model->alpha, known.alpha, 1e-9);
  EXPECT_NEAR(strong.model->beta, known.beta, 1e-9);
  ASSERT_EQ(strong.predictions.size(), 3U) << "16, 32 and 64";
  EXPECT_EQ(strong.predictions.front().count, 16);
  EXPECT_NEAR(*strong.predictions.back().predicted, known.seconds(64), 1e-9);
}

TEST(AlphaBetaFit, HasNoNegativeTerms) {
  // More than twice as fast on two, as caches may make it: nothing is left for a serial share.
  const std::optional<AlphaBeta> model =
      fit({{.count = 1, .seconds = 10}, {.count = 2, .seconds = 4.5}, {.count = 4, .seconds = 2}});
  ASSERT_TRUE(model);
  EXPECT_EQ(model->serial, 0);
  EXPECT_GT(model->divided, 0);
  EXPECT_EQ(model->alpha, 0);
}

TEST(AlphaBetaFit, NeedsTwoCountsThatHadTheirOwnCores) {
  EXPECT_FALSE(fit({{.count = 1, .seconds = 10}}));
  EXPECT_FALSE(fit({{.count = 1, .seconds = 10}, {.count = 2, .seconds = 10, .is_crowded = true}}));
}

TEST(StrongScalingOf, HasBothBaselines) {
  const Scaling scaling = scaling_of(
      holding({made("serial_tuned", nullptr, 0, 1024, 3, 0),
               made("serial", nullptr, 0, 1024, 20, 0), made("frontier", nullptr, 0, 4096, 1, 0),
               made("mpi", "ranks", 1, 1024, 8, 0), made("mpi", "ranks", 2, 1024, 4, 1)}));
  ASSERT_EQ(scaling.strong.size(), 1U);
  const StrongScaling& strong = scaling.strong.front();
  EXPECT_EQ(strong.implementation, "rbc/mpi");
  EXPECT_EQ(strong.axis, "ranks");
  EXPECT_EQ(strong.one, 8);
  EXPECT_EQ(strong.best, "serial_tuned") << "of the same size, and of one process";
  EXPECT_EQ(strong.best_seconds, 3);
  EXPECT_EQ(strong.points.back().exchange_share(), 0.25);
  const std::string text = to_text(document_of(scaling, "here"), 200);
  EXPECT_THAT(text, HasSubstr("over serial_tuned"));
  EXPECT_THAT(text, HasSubstr("100%"));
  EXPECT_THAT(text, HasSubstr("the model's word"));
}

TEST(StrongScalingOf, HasNoSpeedUpOverAOneThatWasNotMeasured) {
  const Scaling scaling = scaling_of(
      holding({made("mpi", "ranks", 2, 1024, 4, 1), made("mpi", "ranks", 4, 1024, 2, 1)}));
  ASSERT_EQ(scaling.strong.size(), 1U);
  EXPECT_FALSE(scaling.strong.front().one);
  EXPECT_THAT(to_text(document_of(scaling, "here"), 200), ContainsRegex(" 2 +4 s +25%"));
}

TEST(StrongScalingOf, GpusIsTheSame) {
  const Scaling scaling = scaling_of(holding({by_the_model("gpus", 1), by_the_model("gpus", 2),
                                              made("serial_tuned", nullptr, 0, 1024, 3, 0)}));
  ASSERT_EQ(scaling.strong.size(), 1U);
  EXPECT_EQ(scaling.strong.front().axis, "gpus");
  EXPECT_EQ(scaling.strong.front().best, "mpi") << "no program of a CPU";
}

TEST(ScalingOf, TheOneOfAnImplementationOfSeveralIsThatWhichItDividesUnlessItHasItsOwn) {
  std::vector<Record> records{made("cuda_c_coalesced", nullptr, 1, 1024, 8, 0),
                              made("cuda_c_gpus", "gpus", 2, 1024, 5, 0.5),
                              made("cuda_c_gpus", "gpus", 2, 2048, 9, 0.5),
                              made("cuda_c", nullptr, 1, 1024, 12, 0)};
  records[0].on_gpu = true;
  const Scaling borrowed = scaling_of(holding(records));
  ASSERT_EQ(borrowed.strong.size(), 1U);
  EXPECT_EQ(borrowed.strong.front().implementation, "rbc/cuda_c_gpus");
  EXPECT_EQ(borrowed.strong.front().axis, "gpus");
  EXPECT_EQ(borrowed.strong.front().one, 8);
  EXPECT_EQ(borrowed.strong.front().best, "cuda_c_coalesced");
  ASSERT_EQ(borrowed.weak.size(), 1U);
  EXPECT_EQ(borrowed.weak.front().points.front().seconds, 8);
  records.push_back(made("cuda_c_gpus", "gpus", 1, 1024, 7, 0));
  const Scaling own = scaling_of(holding(records));
  ASSERT_EQ(own.strong.size(), 1U);
  EXPECT_EQ(own.strong.front().one, 7);
  ASSERT_EQ(own.weak.size(), 1U);
  EXPECT_EQ(own.weak.front().points.front().seconds, 7);
}

TEST(ScalingOf, RecordsUnderFormerNamesAreThoseOfThePresentOnes) {
  const Results results =
      read_results(std::filesystem::path(source_folder()) /
                   "results/reference/intel_xeon_32_cores_nvidia_h100_80gb_hbm3");
  const Scaling scaling = scaling_of(results);
  std::set<std::string> on_gpus;
  for (const StrongScaling& strong : scaling.strong) {
    if (strong.axis != "gpus") continue;
    on_gpus.insert(strong.implementation);
    ASSERT_EQ(strong.points.size(), 2U) << strong.implementation << " " << strong.problem;
    EXPECT_EQ(strong.points[0].count, 1);
    EXPECT_EQ(strong.points[1].count, 2);
    EXPECT_EQ(strong.one, strong.points[0].seconds);
  }
  EXPECT_THAT(on_gpus, UnorderedElementsAre("beliefs/cuda_c_gpus", "beliefs/thrust_cuda_gpus",
                                            "krusell_smith/frontier_cuda", "newton/cuda_c_gpus",
                                            "newton/thrust_cuda_gpus", "rbc/cuda_c_gpus"));
  for (const Record& record : results.records) {
    if (record.implementation.ends_with("_gpus") || record.implementation == "mpi") {
      EXPECT_EQ(record.origin, "frontier") << record.key;
    }
  }
}

TEST(StrongScalingOf, HasTheBytesPerSecondOfItsExchangesAndOfTheLink) {
  std::vector<Record> records{made("cuda_c_gpus", "gpus", 1, 1024, 8, 0),
                              made("cuda_c_gpus", "gpus", 2, 1024, 5, 0.5)};
  records[1].floor = Floor{.exchanged = 100e9};
  Record link = made("cuda", "gpus", 2, 1024, 1, 0.25);
  link.model = "roofline";
  link.key = "roofline/cuda";
  link.floor = Floor{.stages = {exchange_stage}, .exchanged = 100e9};
  records.push_back(link);
  const Scaling scaling = scaling_of(holding(records));
  ASSERT_EQ(scaling.strong.size(), 1U);
  const std::vector<ScalingPoint>& points = scaling.strong.front().points;
  EXPECT_FALSE(points[0].bus);
  EXPECT_EQ(points[1].bus, 200e9);
  EXPECT_EQ(points[1].of_link, 0.5);
  const std::string text = to_text(document_of(scaling, "here"), 200);
  EXPECT_THAT(text, HasSubstr("200 GB/s"));
  EXPECT_THAT(text, HasSubstr("50%"));
}

TEST(WeakScalingOf, JoinsSizesOfTheSameWorkPerRank) {
  const Scaling scaling = scaling_of(
      holding({made("mpi", "ranks", 1, 1024, 1, 0), made("mpi", "ranks", 2, 1024, 0.6, 0.1),
               made("mpi", "ranks", 2, 2048, 1.25, 0.1), made("mpi", "ranks", 4, 4000, 1.5, 0.1)}));
  ASSERT_EQ(scaling.weak.size(), 1U);
  const WeakScaling& weak = scaling.weak.front();
  ASSERT_EQ(weak.points.size(), 3U);
  EXPECT_EQ(weak.points[1].size, "nk=2048");
  EXPECT_THAT(weak.efficiency(weak.points[1]), DoubleNear(0.8, 1e-12));
  EXPECT_THAT(weak.efficiency(weak.points[2]), DoubleNear(4000 / 1.5 / 4096, 1e-12));
}

TEST(ScalingOf, IsOfMeasuredTimesAlone) {
  Record invalid = made("mpi", "ranks", 2, 1024, 0.1, 0);
  invalid.status = Status::invalid;
  const Scaling scaling = scaling_of(holding({made("mpi", "ranks", 1, 1024, 1, 0), invalid}));
  EXPECT_TRUE(scaling.strong.empty());
  EXPECT_THAT(to_text(document_of(scaling, "here"), 200), HasSubstr("macrobench sweep"));
}

TEST(ScalingOf, InJsonAModelsWordIsMarked) {
  const nlohmann::ordered_json json =
      to_json(scaling_of(holding({by_the_model("ranks", 1), by_the_model("ranks", 2)})));
  const auto& points = json["strong"][0]["points"];
  EXPECT_EQ(points[1]["status"], "measured");
  EXPECT_EQ(points[2]["status"], "extrapolated");
  EXPECT_TRUE(points[2]["seconds"].is_null());
  EXPECT_THAT(to_csv(scaling_of(holding({by_the_model("ranks", 1), by_the_model("ranks", 2)}))),
              HasSubstr("rbc/mpi"));
}

}  // namespace
}  // namespace macrobench
