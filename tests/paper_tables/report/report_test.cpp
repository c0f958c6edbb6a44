// The report: one self-contained HTML page.

#include "paper_tables/report/report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <regex>
#include <set>

#include "paper_tables/definitions/definitions.hpp"
#include "paper_tables/report/plot.hpp"
#include "tests/paper_tables/fixture.hpp"
#include "tests/paths.hpp"

namespace macrobench {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* hostile = "<script>alert('x')</script> \" ]]> & </td>";
constexpr const char* tame =
    "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt; &quot; ]]&gt; &amp; &lt;/td&gt;";

std::string in_quotes(const std::filesystem::path& path) {
  return "'" + path.string() + "'";
}

bool succeeds(const std::string& command) {
  const int status = std::system(("{ " + command + "; } >/dev/null 2>&1").c_str());
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

Plot small_plot() {
  return {.name = "small",
          .title = "A <title> & it's",
          .reading = "",
          .caption = "A caption.",
          .data = {.columns = {"x", "y"}, .words = {}, .rows = {{1.0, 2.0}, {2.0, std::nullopt}}},
          .panels = {{.title = "it's `date`",
                      .x_label = "x",
                      .y_label = "y",
                      .lines = {{.x = 0, .y = 1, .title = "A", .colour = okabe_ito::blue}}}}};
}

Report small_report() {
  Report report;
  report.machine = "folder";
  report.machine_text = hostile;
  report.block = {{"cpu", {{"model", hostile}, {"flags", {"avx", hostile}}}}};
  Grid grid = grid_of({{hostile}, {hostile}}, {{{hostile, hostile + mark(hostile)}}});
  grid.groups.front().label = hostile;
  List marks{.items = {{mark(hostile)}}, .style = List::Style::notes};
  report.tables = {{"paper/table", {.title = hostile, .body = {grid, marks}}}};
  report.figures = {{small_plot(), "", hostile}};
  return report;
}

/// What a page's tags open and close, one inside the other; the tag that does not fit, or "".
std::string unbalanced(const std::string& html) {
  static const std::set<std::string> empty{"meta", "br", "!DOCTYPE"};
  static const std::regex tag(R"(<(/?)([A-Za-z!][A-Za-z0-9]*)((?:[^<>"']|"[^"]*"|'[^']*')*)>)");
  std::vector<std::string> open;
  for (std::sregex_iterator at(html.begin(), html.end(), tag), end; at != end; ++at) {
    const std::string name = (*at)[2];
    if (empty.contains(name) || std::string((*at)[3]).ends_with("/")) continue;
    if ((*at)[1] != "/") {
      open.push_back(name);
    } else if (open.empty() || open.back() != name) {
      return "</" + name + ">";
    } else {
      open.pop_back();
    }
  }
  return open.empty() ? "" : "<" + open.back() + ">";
}

TEST(EscapeHtml, LeavesNothingThatIsMarkup) {
  EXPECT_EQ(escape_html(hostile), tame);
  EXPECT_EQ(escape_html("μ √ ×"), "μ √ ×");
  EXPECT_EQ(escape_html(std::string("a\0b\x1b\n\t", 6)), "a b \n ");
}

TEST(ReportPage, HostileTextOfARecordIsNoMarkup) {
  const std::string html = render_html(small_report());
  EXPECT_THAT(html, Not(HasSubstr("<script")));
  EXPECT_THAT(html, Not(HasSubstr("]]>")));
  // Title, h1; h3, label, group, row, cell, column, machine, mark; 2 of the block.
  EXPECT_GE(count_of(html, tame), 12U);
  EXPECT_EQ(unbalanced(html), "");
}

TEST(ReportPage, AFigureThatIsNotDrawnSaysWhyAndHasItsData) {
  const std::string html = render_html(small_report());
  EXPECT_THAT(html, HasSubstr("<p>" + std::string(tame) + "</p>"));
  EXPECT_THAT(html, HasSubstr("x,y\n1,2\n2,\n"));
}

TEST(ReportPage, TheRooflineIsATableOfCeilingsAndOneOfShares) {
  Report report = small_report();
  report.roofline.ceilings = {{.is_gpu = true,
                               .bytes_a_second = 3e12,
                               .double_operations_a_second = 30e12,
                               .single_operations_a_second = 60e12}};
  report.roofline.cases = {{.key = std::string("rbc/x ") + hostile,
                            .implementation = hostile,
                            .size = "nk=16",
                            .is_gpu = true,
                            .floor = {},
                            .seconds = 4,
                            .floor_seconds = 1}};
  const std::string html = render_html(report);
  EXPECT_EQ(unbalanced(html), "");
  EXPECT_THAT(html, HasSubstr("<td>3.00 TB/s</td><td>30.0 TFLOP/s</td><td>60.0 TFLOP/s</td>"));
  EXPECT_THAT(html, HasSubstr(std::string("<th scope=\"row\" class=\"words\">") + tame +
                              "</th><td class=\"words\">GPU</td><td>1</td><td>25.0%</td>"));
  EXPECT_THAT(html, HasSubstr("A share is of the least time"));
}

TEST(ReportPage, WithoutCeilingsTheRooflineSaysHowTheyAreMeasured) {
  const std::string html = render_html(small_report());
  EXPECT_THAT(html, HasSubstr("macrobench sweep roofline"));
  EXPECT_THAT(html, Not(HasSubstr("A share is of the least time")));
}

TEST(Plot, SeveralPanelsHaveOneKeyAndASinglePanelItsOwn) {
  Plot plot = small_plot();
  EXPECT_THAT(gnuplot_script(plot), Not(HasSubstr("NaN")));
  EXPECT_THAT(gnuplot_script(plot), Not(HasSubstr("unset key")));
  PlotLine untitled = plot.panels[0].lines[0];
  untitled.title.clear();
  plot.panels[0].lines.push_back(untitled);
  plot.panels.push_back(plot.panels[0]);
  const std::string script = gnuplot_script(plot);
  EXPECT_EQ(count_of(script, "unset key"), 1U);
  EXPECT_EQ(count_of(script, "NaN"), 1U);
  EXPECT_EQ(count_of(script, "title 'A'"), 3U) << "of each panel, and of the key";
}

TEST(Plot, NothingInAScriptIsACommandOfTheShell) {
  EXPECT_THAT(gnuplot_script(small_plot()), HasSubstr("set title 'it''s `date`'\n"));
}

TEST(Plot, AnInlineFigureHasItsOwnIdsAndAName) {
  EXPECT_EQ(inline_svg("<?xml version='1.0'?>\n<svg viewBox='0 0 1 1'><circle id='gpDot'/>"
                       "<use xlink:href='#gpDot'/></svg>",
                       small_plot()),
            "<svg role=\"img\" aria-label=\"A &lt;title&gt; &amp; it&#39;s\" viewBox='0 0 1 1'>"
            "<circle id='small-gpDot'/><use xlink:href='#small-gpDot'/></svg>");
}

/// The fixture's report, made once with gnuplot, if it is here, and once without.
class ReportCommand : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder = std::make_unique<ScratchFolder>();
    // An empty PATH has no gnuplot.
    made = succeeds(command("with")) &&
           succeeds("PATH=" + in_quotes(folder->path()) + " " + command("without"));
  }
  // Here and not above: of a suite that could not be set up, CTest says that it was skipped.
  void SetUp() override { ASSERT_TRUE(made); }
  static void TearDownTestSuite() { folder.reset(); }

  static std::string command(const std::string& out) {
    return in_quotes(program_path()) + " report --results " + in_quotes(fixture_folder()) +
           " --out " + in_quotes(folder->path() / out);
  }
  static std::filesystem::path file(const std::string& out) {
    return folder->path() / out / "report.html";
  }
  static inline std::unique_ptr<ScratchFolder> folder;
  static inline bool made = false;
};

TEST_F(ReportCommand, IsAWholePageWithAndWithoutGnuplot) {
  Definitions all(definitions_folder());
  for (const char* out : {"with", "without"}) {
    const std::string html = content_of(file(out));
    EXPECT_EQ(unbalanced(html), "") << out;
    for (const std::string& id : all.ids()) {
      std::string anchor = id;
      std::ranges::replace(anchor, '/', '-');
      EXPECT_THAT(html, HasSubstr("<section id=\"table-" + anchor + "\">")) << out;
    }
    std::vector<std::string> figures{"speed_up"};
    for (const std::string& paper : all.papers()) {
      const std::filesystem::path its = definitions_folder() / paper / figures_file;
      if (!std::filesystem::exists(its)) continue;
      const nlohmann::json file = nlohmann::json::parse(content_of(its));
      for (const nlohmann::json& figure : file["figures"]) {
        figures.push_back(paper + "_" + figure["figure"].get<std::string>());
      }
    }
    EXPECT_GT(figures.size(), 1U);
    for (const std::string& figure : figures) {
      EXPECT_THAT(html, HasSubstr("<figure id=\"figure-" + figure + "\"")) << out;
    }
  }

  const std::string html = content_of(file("with"));
  EXPECT_THAT(html, Not(HasSubstr("<script")));
  EXPECT_THAT(html, Not(HasSubstr("<link")));
  EXPECT_THAT(html, Not(HasSubstr("src=")));
  EXPECT_THAT(html, Not(HasSubstr("url(http")));
  EXPECT_THAT(html, Not(HasSubstr("@import")));
  EXPECT_THAT(html, Not(HasSubstr("href=\"http")));

  static const std::regex id(R"(\sid=["']([^"']*)["'])");
  std::set<std::string> seen;
  for (std::sregex_iterator at(html.begin(), html.end(), id), end; at != end; ++at) {
    EXPECT_TRUE(seen.insert((*at)[1]).second) << (*at)[1];
  }

  const std::string without = content_of(file("without"));
  EXPECT_THAT(without, HasSubstr("gnuplot is not installed here"));
  EXPECT_THAT(without, Not(HasSubstr("<svg")));
  EXPECT_THAT(without, HasSubstr("Nk,&quot;Serial CPP, published&quot;"));
}

TEST_F(ReportCommand, IsDrawnAndOpensInABrowser) {
  if (!succeeds("gnuplot --version")) GTEST_SKIP() << "gnuplot is not installed";
  const std::string svg = content_of(folder->path() / "with/figures/aldrich_2014_figure_4.svg");
  EXPECT_THAT(svg, HasSubstr("Square root of solution times"));
  EXPECT_THAT(content_of(file("with")), HasSubstr("<svg role=\"img\" aria-label=\"Square root"));
  if (succeeds("xmllint --version")) {
    for (const auto& entry : std::filesystem::directory_iterator(folder->path() / "with/figures")) {
      if (entry.path().extension() != ".svg") continue;
      EXPECT_TRUE(succeeds("xmllint --noout " + in_quotes(entry.path()))) << entry.path();
    }
  }

  std::string browser;
  for (const char* name : {"chromium-headless-shell", "chromium", "google-chrome"}) {
    if (browser.empty() && succeeds(std::string("command -v ") + name)) browser = name;
  }
  if (browser.empty()) GTEST_SKIP() << "no chromium-headless-shell, chromium or google-chrome";
  const std::filesystem::path dom = folder->path() / "dom.html";
  const std::filesystem::path log = folder->path() / "net.json";
  ASSERT_TRUE(succeeds("timeout 120 " + browser +
                       " --headless --no-sandbox --disable-gpu --disable-background-networking"
                       " --user-data-dir=" +
                       in_quotes(folder->path() / "profile") + " --log-net-log=" + in_quotes(log) +
                       " --dump-dom " + in_quotes("file://" + file("with").string()) + " >" +
                       in_quotes(dom) + " 2>" + in_quotes(folder->path() / "browser.log") +
                       " && test -s " + in_quotes(dom)));
  const std::string page = content_of(file("with"));
  const std::string seen = content_of(dom);
  for (const char* part : {"<table", "<figure", "<svg", "<th scope=", "<details"}) {
    EXPECT_GT(count_of(seen, part), 0U) << part;
    EXPECT_EQ(count_of(seen, part), count_of(page, part)) << part;
  }
  EXPECT_THAT(content_of(log), Not(HasSubstr("\"url\":\"http")));
}

}  // namespace
}  // namespace macrobench
