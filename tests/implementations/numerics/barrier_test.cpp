#include "implementations/numerics/parallel/barrier.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <thread>
#include <vector>

namespace macrobench::numerics {
namespace {

/// Each of `size` threads writes its round and reads all others' after the barrier, `rounds` times.
/// Every `pause`-th round, the first comes so late that the others sleep. Returns how many rounds
/// were read that were not the reader's own.
int rounds_not_met(int size, int rounds, int pause) {
  Barrier barrier(size);
  std::vector<int> at(static_cast<std::size_t>(size));  // not atomic: the barrier orders them
  std::vector<int> wrong(at.size());
  {
    std::vector<std::jthread> threads;
    for (int n = 0; n < size; ++n) {
      threads.emplace_back([&, n] {
        for (int round = 1; round <= rounds; ++round) {
          if (n == 0 && round % pause == 0) {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
          }
          at[static_cast<std::size_t>(n)] = round;
          barrier.arrive_and_wait();
          for (const int other : at) wrong[static_cast<std::size_t>(n)] += other != round ? 1 : 0;
          barrier.arrive_and_wait();
        }
      });
    }
  }
  int sum = 0;
  for (const int of_one : wrong) sum += of_one;
  return sum;
}

TEST(Barrier, NobodyGoesOnBeforeAllHaveMet) {
  for (const int size : {1, 2, 3, 8}) EXPECT_EQ(rounds_not_met(size, 2'000, 2'001), 0) << size;
}

TEST(Barrier, WakesThoseWhoWaitedLong) {
  for (const int size : {2, 5}) EXPECT_EQ(rounds_not_met(size, 200, 3), 0) << size;
}

}  // namespace
}  // namespace macrobench::numerics
