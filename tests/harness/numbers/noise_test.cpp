// How much times change between campaigns, as tools/noise found it.

#include "harness/numbers/noise.hpp"

#include <cmath>

#include "tests/matchers.hpp"

namespace macrobench {
namespace {

TEST(StudentT, IsWhatTablesSay) {
  for (const auto& [degrees, t] : {std::pair{3.0, 3.182},
                                   {4.0, 2.776},
                                   {5.0, 2.571},
                                   {10.0, 2.228},
                                   {30.0, 2.042},
                                   {1e6, 1.960}}) {
    EXPECT_NEAR(student_t(degrees) / t, 1, degrees > 3 ? 1e-3 : 2e-3) << degrees;
  }
}

TEST(NoiseBetweenCampaigns, IsKnownOfEveryClass) {
  EXPECT_THAT(about_noise(), HasSubstr("intel_xeon_16_cores_nvidia_h100"));
  int repeats = 0;
  for (const bool on_gpu : {false, true}) {
    for (const TimedPart part : {TimedPart::start, TimedPart::cold, TimedPart::warm}) {
      for (const double seconds : {1e-9, 5e-4, 1e-3, 0.5, 1.0, 1e4}) {
        const Noise& noise = noise_of(on_gpu, part, seconds);
        EXPECT_GT(noise.variance, 1e-4) << seconds;
        EXPECT_LT(noise.variance, 0.1) << seconds;
        EXPECT_GE(noise.degrees, 4) << seconds << ": Student's t needs three";
      }
      EXPECT_EQ(&noise_of(on_gpu, part, 1e-3), &noise_of(on_gpu, part, 0.5));
      EXPECT_NE(&noise_of(on_gpu, part, 0.5), &noise_of(on_gpu, part, 1));
      for (const double seconds : {5e-4, 0.5, 1e4})
        repeats += noise_of(on_gpu, part, seconds).repeats;
    }
  }
  EXPECT_GE(repeats, 181)
      << "those that the reference folders had before they kept one record a case";
}

TEST(IntervalOfAValue, IsThatOfItsLogarithm) {
  const auto [low, high] = interval_of(2, Noise{.variance = 0.01, .degrees = 4});
  EXPECT_NEAR(high / 2, std::exp(2.776 * 0.1), 1e-3);
  EXPECT_NEAR(low * high, 4, 1e-12);
}

}  // namespace
}  // namespace macrobench
