#include "implementations/numerics/parallel/devices.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/run/stage_clock.hpp"
#include "implementations/numerics/parallel/share.hpp"
#include "tests/implementations/host_devices.hpp"

namespace macrobench::numerics {
namespace {

TEST(Shares, CoverEveryPlaceOnceAndEvenly) {
  for (const std::size_t shares : {1UL, 2UL, 3UL, 8UL}) {
    for (const std::size_t count : {0UL, 1UL, 7UL, 1000UL, (1UL << 62) + 5}) {
      EXPECT_EQ(begin_of_share(count, shares, 0), 0U);
      EXPECT_EQ(begin_of_share(count, shares, shares), count);
      for (std::size_t n = 0; n < shares; ++n) {
        const std::size_t size =
            begin_of_share(count, shares, n + 1) - begin_of_share(count, shares, n);
        EXPECT_GE(size, count / shares);
        EXPECT_LE(size, count / shares + 1);
      }
    }
  }
}

TEST(ADevice, HasAllIfItIsAloneAndExchangesNothing) {
  Device device(0, 1);
  EXPECT_TRUE(device.is_first());
  EXPECT_EQ(device.begin(7), 0U);
  EXPECT_EQ(device.end(7), 7U);
  EXPECT_EQ(device.largest(2.5), 2.5);
  std::vector<double> numbers{1, 2, 3, 4};
  const std::vector<double> before = numbers;
  const DividedMatrix matrix = device.divide(numbers.data(), 2, 2, sizeof(double));
  device.exchange(matrix);
  device.wait("nothing");
  EXPECT_EQ(numbers, before);
  int calls = 0;
  device.together([&] { ++calls; });
  EXPECT_EQ(calls, 1);
  EXPECT_FALSE(HostDevices(1).take_exchange_seconds());
}

class Exchanging final : public Devices {
 public:
  [[nodiscard]] std::size_t count() const override { return 1; }
  void each(const std::function<void(Device&)>& /*function*/) override {}
  std::optional<double> take_exchange_seconds() override { return 0.25; }
};

TEST(TellExchange, TakesItOutOfTheStage) {
  StageClock clock;
  clock.enter("pass");
  Exchanging devices;
  tell_exchange(devices, clock);
  tell_exchange(devices, clock);
  clock.finish();
  ASSERT_EQ(clock.stages().size(), 2U);
  EXPECT_EQ(clock.stages()[1], std::pair(std::string("exchange"), 0.5));
  EXPECT_NEAR(clock.stages()[0].second, clock.seconds() - 0.5, 1e-2);
}

}  // namespace
}  // namespace macrobench::numerics
