#include "implementations/mpi/gpu_placement.hpp"

#include <stdexcept>
#include <string>
#include <vector>

#include "tests/matchers.hpp"

namespace macrobench::mpi {
namespace {

std::string refusal(const std::vector<SeenGpus>& ranks) {
  return complaint_of<std::runtime_error>([&] { return gpus_of_ranks(ranks); });
}

TEST(GpusOfRanks, AreOnesOwnWhereAllSeeAll) {
  EXPECT_THAT(gpus_of_ranks({{"a", {"GPU-1", "GPU-2"}}, {"a", {"GPU-1", "GPU-2"}}}),
              ElementsAre(0, 1));
}

TEST(GpusOfRanks, AreTheOnlyOnesWhereALauncherGivesEachItsOwn) {
  EXPECT_THAT(gpus_of_ranks({{"a", {"GPU-1"}}, {"a", {"GPU-2"}}, {"a", {"GPU-3"}}}),
              ElementsAre(0, 0, 0));
}

TEST(GpusOfRanks, AreCountedOnEachHost) {
  const std::vector<std::string> both{"GPU-1", "GPU-2"};
  // Ranks that mpirun deals out to the hosts in turn.
  EXPECT_THAT(gpus_of_ranks({{"a", both}, {"b", both}, {"a", both}, {"b", both}}),
              ElementsAre(0, 0, 1, 1))
      << "two hosts may not have GPUs of one UUID, but a test may";
}

TEST(GpusOfRanks, AreNeverShared) {
  EXPECT_THAT(refusal({{"a", {"GPU-1"}}, {"a", {"GPU-1"}}}),
              AllOf(HasSubstr("the 2 ranks on a see 1 GPU,"), HasSubstr("each must have its own")));
  EXPECT_THAT(refusal({{"a", {"GPU-1", "GPU-2"}}, {"b", {"GPU-3"}}, {"b", {"GPU-3"}}}),
              HasSubstr("the 2 ranks on b see 1 GPU,"));
  const std::vector<std::string> two{"GPU-1", "GPU-2"};
  EXPECT_THAT(refusal({{"a", two}, {"a", two}, {"a", two}}),
              HasSubstr("the 3 ranks on a see 2 GPUs,"));
}

TEST(GpusOfRanks, AreRefusedToARankThatSeesNone) {
  EXPECT_THAT(refusal({{"a", {"GPU-1"}}, {"b", {}}}), HasSubstr("the 1 rank on b sees 0 GPUs,"));
}

}  // namespace
}  // namespace macrobench::mpi
