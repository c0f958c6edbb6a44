#include "implementations/numerics/parallel/nccl.hpp"

#include <cstdlib>
#include <string>

#include "tests/matchers.hpp"

namespace macrobench::numerics {
namespace {

using ::testing::MatchesRegex;

TEST(Nccl, ThatIsNotInstalledIsNoFailure) {
  const Nccl missing({"libno_such_nccl.so.2"});
  EXPECT_EQ(missing.why_not(), "NCCL is not installed: there is no libno_such_nccl.so.2");
  EXPECT_THAT(missing.version(), IsEmpty());
}

TEST(Nccl, IsNotAnyOtherLibrary) {
  const Nccl other({"libc.so.6"});
  EXPECT_EQ(other.why_not(), "libc.so.6 is not NCCL 2");
}

TEST(Nccl, TakesTheFirstOfThoseThatAreThere) {
  EXPECT_EQ(Nccl({"libno_such_nccl.so.2", "libc.so.6"}).why_not(), "libc.so.6 is not NCCL 2");
}

TEST(Nccl, SaysItsVersionAndKeepsMulticastOff) {
  const Nccl& nccl = Nccl::installed();
  ASSERT_NE(std::getenv("NCCL_NVLS_ENABLE"), nullptr);
  EXPECT_EQ(std::string(std::getenv("NCCL_NVLS_ENABLE")), "0");
  if (!nccl.why_not().empty()) GTEST_SKIP() << nccl.why_not();
  EXPECT_THAT(nccl.version(), MatchesRegex("NCCL [0-9]+\\.[0-9]+\\.[0-9]+"));
}

}  // namespace
}  // namespace macrobench::numerics
