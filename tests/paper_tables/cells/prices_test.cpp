// What is known about processors besides their times.

#include "paper_tables/cells/prices.hpp"

#include "tests/matchers.hpp"
#include "tests/paper_tables/fixture.hpp"

namespace macrobench {
namespace {

std::string error_of(const std::string& text) {
  const TemporaryFolder folder;
  write_file(folder.path() / "hardware.json", text);
  return complaint_of([&] { return prices_of(folder.path(), "name", "A GPU"); });
}

TEST(Prices, AreThoseOfTheProcessorNamed) {
  const Prices c2075 = prices_of(definitions_folder(), "published", "c2075");
  EXPECT_GT(c2075.gpu_usd.value(), 0);
  EXPECT_EQ(c2075.cpu_cores, 4);
  EXPECT_FALSE(prices_of(definitions_folder(), "name", "A GPU").gpu_usd);
  EXPECT_FALSE(prices_of("no/such/folder", "name", "A GPU").gpu_usd);
}

TEST(Prices, BadOnesAreNamedWithTheirFileAndPointer) {
  const std::string start = R"({"schema":1,"processors":[{"name":"A GPU",)";
  EXPECT_EQ(error_of(start + R"("price_usd":3,"price_source":"a sheet"}]})"), "");
  EXPECT_THAT(error_of(start + R"("price_usd":3}]})"),
              EndsWith("hardware.json at /processors/0: the field 'price_source' is missing"));
  EXPECT_EQ(error_of(start + R"("usd_per_hour":3,"usd_per_hour_source":"a sheet, 2025"}]})"), "");
  EXPECT_THAT(
      error_of(start + R"("usd_per_hour":3}]})"),
      EndsWith("hardware.json at /processors/0: the field 'usd_per_hour_source' is missing"));
  EXPECT_THAT(error_of(start + R"("price_usd":"3"}]})"),
              EndsWith("hardware.json at /processors/0/price_usd: it must be a number"));
  EXPECT_THAT(error_of(start + R"("cpu_cores":1e300}]})"),
              EndsWith("/cpu_cores: it must be a whole number from 1 to a million"));
  EXPECT_THAT(error_of("{}"), EndsWith("hardware.json at /: the field 'schema' is missing"));
  EXPECT_THAT(error_of("{"), EndsWith("hardware.json: it is not JSON from line 1 on"));
}

}  // namespace
}  // namespace macrobench
