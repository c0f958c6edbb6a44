// Work after an answer is not mistaken for noise, nor noise for work.

#include "harness/programs/late_work.hpp"

#include <gtest/gtest.h>

#include <random>

#include "tests/matchers.hpp"

namespace macrobench {
namespace {

/// What a program of `work` seconds after each answer looks like, where other processes make any
/// step up to `noise` seconds longer.
struct Program {
  double solution = 1e-3;
  double after = 0;     ///< of work that its first write waits for
  double in_write = 0;  ///< of work in each write
  double bytes = 4096;
  double noise = 0.05;
  int spinning = 0;  ///< idle threads that spin all the time

  [[nodiscard]] std::string judged(unsigned seed, bool is_on_gpu = false) const {
    std::mt19937 random(seed);
    std::exponential_distribution<double> late(4 / noise);
    LateWork work(is_on_gpu);
    while (work.wants_more()) {
      const auto write = [&](double cpu) {
        const double seconds = cpu + late(random);
        return WriteUse{seconds, cpu + spinning * seconds, bytes};
      };
      const WriteUse first = write(1e-3 + after + in_write);
      work.add(solution + late(random), first, write(1e-3 + in_write));
    }
    return work.why();
  }
};

TEST(LateWork, IsNeverNoise) {
  for (unsigned seed = 0; seed < 3000; ++seed) {
    for (const int spinning : {0, 1, 15}) {
      EXPECT_EQ((Program{.spinning = spinning}.judged(seed)), "") << seed;
    }
    EXPECT_EQ((Program{.noise = 1e-3}.judged(seed, true)), "") << seed;
  }
}

TEST(LateWork, IsSeenBehindNoise) {
  int seen = 0;
  for (unsigned seed = 0; seed < 100; ++seed) {
    const Program works{.after = 0.016, .noise = 0.01};
    const Program writes{.in_write = 0.016, .noise = 0.01};
    seen += works.judged(seed).empty() ? 0 : 1;
    seen += writes.judged(seed).empty() ? 0 : 1;
    seen += (Program{.after = 0.016, .noise = 1e-3}.judged(seed, true)).empty() ? 0 : 1;
  }
  EXPECT_GT(seen, 290);
}

TEST(LateWork, MayBeWhatItsBytesNeed) {
  // 65,536 points of four states as text, and from a GPU.
  EXPECT_EQ((Program{.in_write = 0.5, .bytes = 5e6}.judged(1)), "");
  EXPECT_EQ((Program{.after = 0.01, .bytes = 4e6, .noise = 1e-3}.judged(1, true)), "");
}

TEST(LateWork, OfALongSolutionNeedsNoRepetition) {
  LateWork work(false);
  work.add(6, {1.01, 1.01, 4096}, {0.01, 0.01, 4096});
  EXPECT_THAT(work.why(), HasSubstr("it works on after its answer: a write takes 1.01 s beside "
                                    "solutions of 6 s, and the same write again 999 ms less"));
}

}  // namespace
}  // namespace macrobench
