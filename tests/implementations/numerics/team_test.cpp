#include "implementations/numerics/parallel/team.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace macrobench::numerics {
namespace {

TEST(Team, TheFirstIsTheCallersThread) {
  std::vector<std::thread::id> ids(3);
  Team(3).each([&](const Team::Member& member) {
    ids[static_cast<std::size_t>(member.index())] = std::this_thread::get_id();
  });
  EXPECT_EQ(ids[0], std::this_thread::get_id());
  EXPECT_NE(ids[1], ids[0]);
  EXPECT_NE(ids[2], ids[0]);
  EXPECT_NE(ids[2], ids[1]);
}

TEST(Team, NobodyGoesOnBeforeAllHaveMet) {
  constexpr int rounds = 2'000;
  std::vector<std::atomic<int>> at(3);
  int told = 0;
  Team(3).each([&](Team::Member& member) {
    for (int round = 1; round <= rounds; ++round) {
      at[static_cast<std::size_t>(member.index())] = round;
      member.together([&] {
        for (const auto& one : at) EXPECT_EQ(one, round);
        told = round;
      });
      EXPECT_EQ(told, round);
    }
  });
  EXPECT_EQ(told, rounds);
}

TEST(Team, ThrowsWhatFailedAndNotWhatFollowedFromIt) {
  for (const int failing : {0, 1, 2}) {
    Team team(3);
    std::atomic<int> abandoned = 0;
    const auto run = [&] {
      team.each([&](Team::Member& member) {
        if (member.index() == failing) throw std::runtime_error("no memory");
        try {
          member.together([] { FAIL() << "one of them never came"; });
        } catch (const Abandoned&) {
          ++abandoned;
          throw;
        }
      });
    };
    try {
      run();
      FAIL() << "nothing was thrown";
    } catch (const std::runtime_error& error) {
      EXPECT_EQ(error.what(), std::string("no memory"));
    }
    EXPECT_EQ(abandoned, 2);

    // And it can work again.
    std::atomic<int> done = 0;
    team.each([&](Team::Member& member) { member.together([&] { done = member.index() + 1; }); });
    EXPECT_EQ(done, 1);
  }
}

}  // namespace
}  // namespace macrobench::numerics
