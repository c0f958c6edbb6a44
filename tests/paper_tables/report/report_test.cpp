// The report: one self-contained HTML page.

#include "paper_tables/report/report.hpp"

#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <regex>
#include <set>

#include "harness/files/digest.hpp"
#include "harness/text/strings.hpp"
#include "paper_tables/cells/definitions.hpp"
#include "paper_tables/plots/plot.hpp"
#include "tests/matchers.hpp"
#include "tests/paper_tables/fixture.hpp"
#include "tests/paths.hpp"

namespace macrobench {
namespace {

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

std::size_t count_of(const std::string& text, const std::string& piece) {
  std::size_t count = 0;
  for (std::size_t at = text.find(piece); at != std::string::npos; at = text.find(piece, at + 1)) {
    ++count;
  }
  return count;
}

/// The lines of Chromium's log of its network that ask for something on behalf of a page in a file:
/// a whole Chromium also asks its own servers for the time, updates and dictionaries.
std::vector<std::string> requests_of_the_page(const std::filesystem::path& log) {
  std::vector<std::string> found;
  const std::string text = content_of(log);
  for (const std::string_view line : split(text, '\n')) {
    const auto has = [&](const char* piece) { return line.find(piece) != std::string_view::npos; };
    if (has(R"("url":"http)") && has("{site=file://")) found.emplace_back(line);
  }
  return found;
}

Plot small_plot() {
  return {.name = "small",
          .title = "A <title> & it's",
          .reading = "",
          .caption = "A caption.",
          .data = {.columns = {"x", "y"}, .rows = {{1.0, 2.0}, {2.0, std::nullopt}}},
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
  report.tables = {{"paper/table", hostile, {.title = hostile, .body = {grid, marks}}}};
  report.figures = {small_plot()};
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
  EXPECT_EQ(count_of(html, "<script"), 1U) << "the page's own";
  EXPECT_THAT(html, Not(HasSubstr("]]>")));
  // Title, h1; h3, label, group, row, cell, column, machine, mark; 2 of the block.
  EXPECT_GE(count_of(html, tame), 12U);
  EXPECT_EQ(unbalanced(html), "");
}

TEST(ReportPage, AFigureHasItsData) {
  EXPECT_THAT(render_html(small_report()), HasSubstr("x,y\n1,2\n2,\n"));
}

TEST(ReportPage, NothingRunsInItButItsOwnScript) {
  const std::string html = render_html(small_report());
  EXPECT_THAT(html, HasSubstr("content=\"default-src 'none'; style-src 'unsafe-inline'; script-src "
                              "'sha256-" +
                              sha256_in_base64(page_script) + "'\""));
  EXPECT_THAT(html, HasSubstr("<script>" + std::string(page_script) + "</script>"));
}

TEST(ReportPage, TablesWithoutANumberFromHereAreFoldedTogether) {
  Report report = small_report();
  report.tables.push_back({"paper/other", "Nobody (1999), Table 1", {}, false});
  const std::string html = render_html(report);
  EXPECT_THAT(html, HasSubstr("1 tables of which nothing was measured"));
  EXPECT_LT(html.find("<details id=\"unmeasured\""),
            html.find("<details id=\"table-paper-other\""));
  EXPECT_LT(html.find("<details id=\"table-paper-table\""),
            html.find("<details id=\"unmeasured\""));
  EXPECT_EQ(unbalanced(html), "");
}

TEST(Plot, AFigureFollowsItsPageAndEscapesItsText) {
  Plot plot = small_plot();
  plot.panels[0].lines[0].marker = 1;
  const std::string svg = to_svg(plot);
  EXPECT_EQ(unbalanced(svg), "");
  EXPECT_THAT(svg, HasSubstr("aria-label=\"A &lt;title&gt; &amp; it&#39;s\""));
  EXPECT_THAT(svg, HasSubstr("style=\"--c:var(--blue)\""));
  EXPECT_THAT(svg, Not(HasSubstr("<style>"))) << "that is the page's";
  EXPECT_THAT(svg, Not(HasSubstr("<rect"))) << "it has no ground of its own";
  const std::string file = to_svg_file(plot);
  EXPECT_THAT(file, HasSubstr("prefers-color-scheme: dark"));
  EXPECT_THAT(file, HasSubstr(">A &lt;title&gt; &amp; it&#39;s</text>"));
}

TEST(Plot, WithoutARowThereIsNothingToDraw) {
  Plot plot = small_plot();
  plot.data.rows.clear();
  EXPECT_EQ(to_svg(plot), "");
  plot.data.rows = {{1.0, std::nullopt}};
  EXPECT_THAT(to_svg(plot), HasSubstr("Nothing of it was measured."));
}

/// The fixture's report, made once.
class ReportCommand : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder = std::make_unique<TemporaryFolder>();
    made = succeeds(in_quotes(executable_path()) + " report --results " +
                    in_quotes(fixture_folder()) + " --out " + in_quotes(folder->path() / "with"));
  }
  // Here and not above: of a suite that could not be set up, CTest says that it was skipped.
  void SetUp() override { ASSERT_TRUE(made); }
  static void TearDownTestSuite() { folder.reset(); }

  static std::filesystem::path file() { return folder->path() / "with/report.html"; }
  static inline std::unique_ptr<TemporaryFolder> folder;
  static inline bool made = false;
};

TEST_F(ReportCommand, IsAWholePage) {
  Definitions all(definitions_folder());
  const std::string html = content_of(file());
  EXPECT_EQ(unbalanced(html), "");
  for (const std::string& id : all.ids()) {
    std::string anchor = id;
    std::ranges::replace(anchor, '/', '-');
    EXPECT_THAT(html, HasSubstr("<details id=\"table-" + anchor + "\">"));
    EXPECT_THAT(html, Not(HasSubstr(">" + id + "<"))) << "a title, not an id";
  }
  std::vector<std::string> figures;
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
    EXPECT_THAT(html, HasSubstr("<figure id=\"figure-" + figure + "\""));
  }
  for (const auto& [first, then] : {std::pair{"id=\"front\"", "<figure"},
                                    {"<figure", "id=\"claims\""},
                                    {"id=\"claims\"", "<nav"},
                                    {"<nav", "<details id=\"table-"}}) {
    EXPECT_LT(html.find(first), html.find(then)) << first << " before " << then;
  }

  EXPECT_EQ(count_of(html, "<script"), 1U);
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
}

TEST_F(ReportCommand, IsShownByTheDesktop) {
  const std::filesystem::path out = folder->path() / "opened";
  write_file(folder->path() / "bin/xdg-open",
             "#!/bin/sh\nprintf %s \"$1\" >" + in_quotes(out / "seen.part") + " && mv " +
                 in_quotes(out / "seen.part") + " " + in_quotes(out / "seen") + "\n");
  std::filesystem::permissions(folder->path() / "bin/xdg-open", std::filesystem::perms::owner_all);
  ASSERT_TRUE(succeeds("DISPLAY=:7 PATH=" + in_quotes(folder->path() / "bin") + ":\"$PATH\" " +
                       in_quotes(executable_path()) + " report --open --results " +
                       in_quotes(fixture_folder()) + " --out " + in_quotes(out)));
  ASSERT_TRUE(succeeds("for i in $(seq 100); do test -e " + in_quotes(out / "seen") +
                       " && exit; sleep 0.1; done; exit 1"));
  EXPECT_EQ(content_of(out / "seen"), (out / "report.html").string());
}

TEST_F(ReportCommand, OpensInABrowser) {
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
  const auto opens = [&](const std::filesystem::path& page, const std::string& at = "") {
    return succeeds("timeout 120 " + browser +
                    " --headless --no-sandbox --disable-gpu --disable-background-networking"
                    " --user-data-dir=" +
                    in_quotes(folder->path() / "profile") + " --log-net-log=" + in_quotes(log) +
                    " --dump-dom " + in_quotes("file://" + page.string() + at) + " >" +
                    in_quotes(dom) + " 2>" + in_quotes(folder->path() / "browser.log") +
                    " && test -s " + in_quotes(dom));
  };

  const std::string page = content_of(file());
  EXPECT_THAT(page, HasSubstr("<details id=\"machine\">"));
  ASSERT_TRUE(opens(file(), "#machine"));
  const std::string seen = content_of(dom);
  EXPECT_THAT(seen, HasSubstr("<details id=\"machine\" open")) << "the script ran";
  for (const char* piece : {"<table", "<figure", "<svg", "<th scope=", "<details"}) {
    EXPECT_GT(count_of(seen, piece), 0U) << piece;
    EXPECT_EQ(count_of(seen, piece), count_of(page, piece)) << piece;
  }
  EXPECT_THAT(requests_of_the_page(log), IsEmpty());

  const std::filesystem::path other = folder->path() / "other.html";  // without the page's policy
  std::ofstream(other) << "<img src=\"http://picture.invalid/\">";
  ASSERT_TRUE(opens(other));
  EXPECT_THAT(requests_of_the_page(log), Contains(HasSubstr("picture.invalid")));
}

}  // namespace
}  // namespace macrobench
