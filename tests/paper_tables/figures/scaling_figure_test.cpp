#include "paper_tables/figures/scaling_figure.hpp"

#include <optional>
#include <string>
#include <vector>

#include "paper_tables/plots/plot_axis.hpp"
#include "tests/matchers.hpp"

namespace macrobench {
namespace {

StrongScaling of_size(const std::string& size, double seconds) {
  StrongScaling strong{
      .implementation = "rbc/mpi",
      .problem = size,
      .axis = "ranks",
      .points = {{.count = 1, .seconds = seconds, .size = size},
                 {.count = 2, .seconds = 0.6 * seconds, .exchange = 0.06 * seconds, .size = size}}};
  strong.one = seconds;
  strong.model = fit(strong.points);
  strong.predictions = {{.count = 4, .predicted = strong.model->seconds(4)}};
  return strong;
}

TEST(ScalingPlot, HasWhatIsMeasuredWhatIsIdealAndTheModel) {
  const Plot plot = scaling_plot({.strong = {of_size("nk=64", 8)}, .weak = {}});
  ASSERT_EQ(plot.panels.size(), 1U);
  EXPECT_TRUE(plot.panels[0].log_x && plot.panels[0].log_y);
  ASSERT_EQ(plot.data.columns.size(), 4U);
  ASSERT_EQ(plot.data.rows.size(), 3U);
  using Row = std::vector<std::optional<double>>;
  const auto at = [&](std::size_t row) -> const Row& { return plot.data.rows[row]; };
  EXPECT_EQ(Row(at(1).begin(), at(1).begin() + 3), Row({2.0, 4.8, 4.0}));
  EXPECT_EQ(at(2)[1], std::nullopt) << "nobody measured four";
  EXPECT_EQ(at(2)[2], 2.0);
  EXPECT_TRUE(at(2)[3]);
  EXPECT_THAT(plot.data.notes.at({1, 1}), HasSubstr("10% in the exchange"));
  EXPECT_THAT(to_svg_file(plot), HasSubstr("the model"));
}

TEST(ScalingPlot, ShowsTheLargestProblemOfEachProgram) {
  const Plot plot =
      scaling_plot({.strong = {of_size("nk=64", 8), of_size("nk=128", 16)}, .weak = {}});
  ASSERT_EQ(plot.panels.size(), 1U);
  EXPECT_THAT(plot.panels[0].title, HasSubstr("nk=128"));
}

TEST(ScalingPlot, AnotherProgramsCountsAreNoGapInItsCurves) {
  StrongScaling other = of_size("nx=150", 1);
  other.implementation = "lifecycle/processes";
  other.points = {{.count = 3, .seconds = 1, .size = "nx=150"}};
  other.predictions = {};
  const Plot plot = scaling_plot({.strong = {of_size("nk=64", 8), other}, .weak = {}});
  ASSERT_EQ(plot.panels.size(), 2U);
  EXPECT_EQ(plot.data.rows.size(), 4U) << "1, 2, 3 and 4";
  EXPECT_THAT(rows_of(plot.data, plot.panels[0]), ElementsAre(0, 1, 3));
  EXPECT_THAT(rows_of(plot.data, plot.panels[1]), ElementsAre(2));
  PlotPanel with_gaps = plot.panels[0];
  with_gaps.has_own_rows = false;
  EXPECT_THAT(rows_of(plot.data, with_gaps), ElementsAre(0, 1, 2, 3));
}

TEST(PlotAxis, ATickSaysItsNumber) {
  EXPECT_EQ(tick_text(0.002, false), "0.002");
  EXPECT_EQ(tick_text(0.001, false), "0.001");
  EXPECT_EQ(tick_text(0.0005, false), "5·10⁻⁴");
  EXPECT_EQ(tick_text(1e-4, false), "10⁻⁴");
  EXPECT_EQ(tick_text(-2e-12, false), "-2·10⁻¹²");
  EXPECT_EQ(tick_text(2e6, false), "2·10⁶");
  EXPECT_EQ(tick_text(1e6, false), "10⁶");
  EXPECT_EQ(tick_text(2e6, true), "2M");
  EXPECT_EQ(tick_text(0, false), "0");
}

TEST(ScalingPlot, OfNothingIsEmpty) {
  EXPECT_THAT(to_svg_file(scaling_plot({})), IsEmpty());
  EXPECT_THAT(to_svg_file(scaling_plot({.strong = {of_size("nk=1", 1)}, .weak = {}})),
              Not(IsEmpty()));
}

}  // namespace
}  // namespace macrobench
