// The papers' calibrations, on a page beside their tables, and the models' defaults.

#include <cmath>
#include <filesystem>
#include <regex>
#include <set>

#include "harness/model/registry.hpp"
#include "paper_tables/cells/printed_number.hpp"
#include "tests/matchers.hpp"
#include "tests/paper_tables/fixture.hpp"

namespace macrobench {
namespace {

TEST(Assumptions, HaveTheModelsDefaultsBesideWhatIsPrinted) {
  // Printed in each other's place, and a misprint: the pages say so.
  const std::set<std::string> mended{"alpha_h", "alpha_l", "p44"};
  const std::regex line(R"(\| ([^|]*) \| `(\w+) --(\w+)` \| ([^|]*) \|)");
  std::set<std::string> differ;
  for (const char* paper : {"aldrich_2010", "aldrich_2014", "hatcher_scheffel_2014"}) {
    const std::string page = content_of(definitions_folder() / paper / "ASSUMPTIONS.md");
    int found = 0;
    for (std::sregex_iterator its(page.begin(), page.end(), line), end; its != end;
         ++its, ++found) {
      const std::string axis = (*its)[3];
      const Model& model = Registry::global().model((*its)[2].str());
      const std::string by_default = to_string(find_axis(model.axes, axis).default_value);
      EXPECT_EQ((*its)[4].str(), by_default) << paper << ": " << axis;
      const std::optional<double> printed = printed_number((*its)[1].str());
      if (!printed) continue;
      if (std::abs(*printed / std::stod(by_default) - 1) > 1e-3) differ.insert(axis);
    }
    EXPECT_GE(found, 6) << paper;
  }
  EXPECT_EQ(differ, mended);
}

}  // namespace
}  // namespace macrobench
