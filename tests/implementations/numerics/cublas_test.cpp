#include "implementations/numerics/parallel/cublas.hpp"

#include <stdexcept>

#include "tests/matchers.hpp"

namespace macrobench::numerics {
namespace {

using ::testing::ThrowsMessage;

TEST(Cublas, ThatIsNotInstalledIsNoFailure) {
  const Cublas missing({"libno_such_cublas.so.13"});
  EXPECT_EQ(missing.why_not(), "cuBLAS is not installed: there is no libno_such_cublas.so.13");
}

TEST(Cublas, IsNotAnyOtherLibrary) {
  const Cublas other({"libno_such_cublas.so.13", "libc.so.6"});
  EXPECT_EQ(other.why_not(), "libc.so.6 is not cuBLAS of CUDA 12 or later");
}

TEST(Cublas, SaysInItsOwnWordsWhatFailed) {
  const Cublas& cublas = Cublas::installed();
  if (!cublas.why_not().empty()) GTEST_SKIP() << cublas.why_not();
  cublas.check(0, "cublasCreate");
  EXPECT_THAT([&] { cublas.check(3, "cublasDaxpy"); },
              ThrowsMessage<std::runtime_error>(
                  "cuBLAS failed in cublasDaxpy: the resource allocation failed"));
}

}  // namespace
}  // namespace macrobench::numerics
