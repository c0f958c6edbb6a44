// One document in every format.

#include "harness/text/document.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <regex>
#include <string_view>

#include "harness/text/csv.hpp"
#include "harness/text/document_elements.hpp"
#include "harness/text/json_values.hpp"
#include "harness/text/strings.hpp"
#include "tests/hostile_text.hpp"
#include "tests/matchers.hpp"

namespace macrobench {
namespace {

using enum Column::Kind;
using enum Column::Place;

constexpr const char* hostile = "a <b>&\"'|`*_[x](y)@someone #12 $z$\n\x1b[31m end";

/// Something of everything.
Document example() {
  Grid grid{.caption = "Times",
            .columns = {{"size", words}, {"1"}, {"2"}, {"3"}},
            .groups = {},
            .in_panels = true};
  grid.groups.push_back({.rows = {{.cells = {strong("A"), "1.5", "", Words("3") + mark("°")}},
                                  {.cells = {"  here", "", "5.2e-5"}, .continues = true}}});
  grid.groups.push_back({.label = "Ours", .rows = {{.cells = {"C", "7"}}}});
  return {.title = "A title",
          .about = {Paragraph{"About the page."}},
          .summary = {Paragraph{"The end."}},
          .body = {Heading{"Part"}, Paragraph{Words("See ") + code("this") + "."}, std::move(grid),
                   List{{{mark("°") + " a mark."}}, List::Style::notes},
                   List{{{strong("one"), {"below it"}}, {"two"}}}}};
}

TEST(DocumentText, HasTheSummaryLastAndPanelsOfTheWidth) {
  EXPECT_EQ(to_text(example(), 80),
            "A title\n"
            "\n"
            "Part\n"
            "See this.\n"
            "\n"
            "Times\n"
            "size         1       2       3\n"
            "------------------------------\n"
            "A          1.5              3°\n"
            "  here          5.2e-5\n"
            "Ours\n"
            "C            7\n"
            "\n"
            "° a mark.\n"
            "* one\n"
            "  - below it\n"
            "* two\n"
            "\n"
            "The end.\n");
}

TEST(DocumentText, KeepsAllLinesOfARowThatHasSomethingInAPanel) {
  const std::string text = to_text(example(), 26);
  EXPECT_THAT(text, HasSubstr("size         1       2\n"));
  EXPECT_THAT(text, EndsWith("The end.\n"));
  EXPECT_THAT(text, HasSubstr("\n\nsize         3\n"
                              "--------------\n"
                              "A           3°\n"
                              "  here\n"
                              "Ours\n\n"));
}

TEST(DocumentText, PutsColumnsAboveAndBelowTheirRows) {
  const Grid grid = grid_of(
      {{"where", words, above}, {"number", words}, {"off"}, {"empty"}, {"why", words, below}},
      {{{"p. 1", "A", "1%", "", "because"}}, {{"p. 1", "B", "12%"}}, {{"p. 2", "C", "3%"}}});
  EXPECT_EQ(to_text({.body = {grid}}, 80),
            "  number  off\n"
            "-------------\n"
            "p. 1\n"
            "  A        1%\n"
            "      because\n"
            "  B       12%\n"
            "p. 2\n"
            "  C        3%\n");
}

TEST(DocumentText, NamesAColumnBelowItsRows) {
  const Grid grid =
      grid_of({{"number", words}, {"off"}, {"error", words, below_named}, {"", words, below}},
              {{{"A", "1%", ".04%", "why"}}, {{"B", "2%"}}});
  EXPECT_EQ(to_text({.body = {grid}}, 80),
            "number  off\n"
            "-----------\n"
            "A        1%\n"
            "    error: .04%; why\n"
            "B        2%\n");
}

TEST(DocumentText, BreaksTitlesWhereTheGridIsTooWide) {
  const Grid grid =
      grid_of({{"paper", words}, {"depends on the baseline"}, {"n"}}, {{{"A", "6", "1"}}});
  EXPECT_EQ(to_text({.body = {grid}}, 20),
            "        depends\n"
            "         on the\n"
            "paper  baseline  n\n"
            "------------------\n"
            "A             6  1\n");
}

TEST(Document, ColoursWhatATerminalShowsWithoutMovingIt) {
  const Words doubtful(Span{"2.50", Span::Style::plain, "extrapolated"});
  Document document{
      .body = {
          Grid{.columns = {{"", words}, {"", words}, {"16"}, {"32"}},
               .groups =
                   {{.rows = {{{"A", "published", "1", "2"}, "published"},
                              {{"", "measured", "0.5", doubtful + mark("†")}, "measured", true}}}}},
          List{{{strong("contradicted", "verdict contradicted") + ": it is slower"}}}}};
  const std::string plain = to_text(document, 80);
  const std::string coloured = to_text(document, 80, Colours::ansi);
  EXPECT_EQ(plain.find('\x1b'), std::string::npos);
  EXPECT_THAT(coloured, HasSubstr("\x1b[36m1\x1b[0m"));
  EXPECT_THAT(coloured, HasSubstr("\x1b[32m0.5\x1b[0m"));
  EXPECT_THAT(coloured, HasSubstr("\x1b[33m2.50\x1b[0m†"));
  EXPECT_THAT(coloured, HasSubstr("\x1b[31mcontradicted\x1b[0m: it"));
  EXPECT_EQ(std::regex_replace(coloured, std::regex("\x1b\\[[0-9]*m"), ""), plain);
}

/// The text wherever a document has one.
Document document_with(std::string_view its) {
  const std::string text(its);
  Grid grid{.caption = text,
            .columns = {{text, words}, {text}, {"n"}, {"below", words, below}},
            .groups = {{.label = text, .rows = {{{text, Words(text) + mark("°"), "1", text}}}}},
            .folded = text};
  return {.title = text,
          .about = {Paragraph{text}},
          .summary = {Paragraph{strong(text, text) + " and " + text}},
          .body = {Heading{text}, Paragraph{mark(text)}, std::move(grid),
                   List{{{mark("°") + text}, {text}}, List::Style::notes},
                   List{{{strong(text), {text, Words("see ") + text}}, {text}}},
                   List{{{text}}, List::Style::numbers}}};
}

TEST(Document, HasNothingOfAHostileTextInAnyFormat) {
  const Document tame = document_with(harmless_text);
  for (const std::string_view text : hostile_texts) {
    SCOPED_TRACE(text);
    const Document document = document_with(text);
    const std::string in_text = to_text(document, 80);
    const std::string markdown = to_markdown(document);
    const std::string html = to_html_page(document);
    const std::string latex = to_latex(document);
    for (const std::string& page : {in_text, markdown, html, latex}) {
      EXPECT_EQ(printable(page, "\n"), page);
    }
    EXPECT_EQ(markup_of_markdown(markdown), markup_of_markdown(to_markdown(tame))) << markdown;
    EXPECT_EQ(markup_of_html(html), markup_of_html(to_html_page(tame))) << html;
    EXPECT_EQ(markup_of_latex(latex), markup_of_latex(to_latex(tame))) << latex;
    EXPECT_EQ(std::ranges::count(markdown, '\n'), std::ranges::count(to_markdown(tame), '\n'));
  }
}

TEST(Document, HasCodeThatEndsWithIt) {
  for (const std::string_view text : hostile_texts) {
    const std::string page = to_markdown({.body = {Paragraph{code(std::string(text))}}});
    const bool is_element = text.find_first_of("`|") != std::string_view::npos;
    EXPECT_THAT(page, is_element ? StartsWith("<code>") : StartsWith("`"));
    EXPECT_THAT(page, is_element ? EndsWith("</code>\n") : EndsWith("`\n"));
    EXPECT_EQ(std::ranges::count(is_element ? "" : page.substr(1, page.size() - 3), '`'), 0);
    if (is_element) {
      EXPECT_EQ(markup_of_markdown(page), (Markup{"<code", "</code"}));
    }
  }
}

TEST(DocumentMarkdown, IsAPage) {
  EXPECT_EQ(to_markdown(example()),
            "# A title\n"
            "\n"
            "About the page.\n"
            "\n"
            "The end.\n"
            "\n"
            "## Part\n"
            "\n"
            "See `this`.\n"
            "\n"
            "Times:\n"
            "\n"
            "| size   |   1 |      2 |   3 |\n"
            "|:-------|----:|-------:|----:|\n"
            "| **A**  | 1.5 |        |  3° |\n"
            "|   here |     | 5.2e-5 |     |\n"
            "| *Ours* |     |        |     |\n"
            "| C      |   7 |        |     |\n"
            "\n"
            "° a mark.\n"
            "\n"
            "* **one**\n"
            "  * below it\n"
            "* two\n");
}

TEST(DocumentMarkdown, HasAsManyPanelsAsAPageIsWideEnoughFor) {
  const auto panels_of = [](std::size_t columns) {
    Grid grid{.columns = {{"size", words}}, .groups = {}, .in_panels = true};
    RowGroup group;
    group.rows.push_back({.cells = {"A program"}});
    for (std::size_t n = 0; n < columns; ++n) {
      grid.columns.push_back({std::to_string(n)});
      group.rows.back().cells.emplace_back("12,345.6");
    }
    grid.groups.push_back(std::move(group));
    const std::string page = to_markdown({.body = {grid}});
    std::size_t panels = 0;
    for (std::size_t at = 0; (at = page.find("| size", at)) != std::string::npos; ++at) ++panels;
    return panels;
  };
  EXPECT_EQ(panels_of(8), 1U);
  EXPECT_EQ(panels_of(12), 2U);
  EXPECT_EQ(panels_of(24), 3U);
}

TEST(DocumentMarkdown, HasNoMarkupOfTheText) {
  EXPECT_EQ(to_markdown({.body = {Paragraph{hostile}}}),
            "a \\<b>&\"'\\|\\`\\*\\_[x\\](y)&#64;someone &#35;12 \\$z\\$  [31m end\n");
}

TEST(DocumentMarkdown, FoldsAGridAway) {
  Grid grid = grid_of({{"a", words}}, {{{"x"}}});
  grid.folded = "1 <more>";
  EXPECT_EQ(to_markdown({.body = {grid}}),
            "<details><summary>1 &lt;more&gt;</summary>\n\n| a   |\n|:----|\n| x   |\n\n"
            "</details>\n");
}

TEST(DocumentHtml, HasHeadsOfRowsAndColumns) {
  const std::string html = to_html(example(), 2);
  EXPECT_THAT(html, HasSubstr("<h3>Part</h3>\n<p>See <code>this</code>.</p>\n"));
  EXPECT_THAT(html, HasSubstr("aria-label=\"Times\""));
  EXPECT_THAT(html, HasSubstr("<th scope=\"col\" class=\"words\">size</th>"));
  EXPECT_THAT(html, HasSubstr("<th scope=\"row\" class=\"words\"><strong>A</strong></th>"
                              "<td>1.5</td>"));
  EXPECT_THAT(html, HasSubstr("<td>3<sup>°</sup></td>"));
  EXPECT_THAT(html, HasSubstr("<th scope=\"rowgroup\" class=\"group\" colspan=\"4\">Ours</th>"));
  EXPECT_LT(html.find("The end."), html.find("<h3>Part"));
}

TEST(DocumentHtml, HasNoMarkupOfTheText) {
  const std::string page =
      to_html_page({.title = hostile, .body = {Paragraph{hostile}, Heading{hostile}}});
  EXPECT_THAT(page, Not(HasSubstr("<b>")));
  EXPECT_THAT(page, Not(HasSubstr("\x1b")));
  EXPECT_THAT(page, HasSubstr("<title>a &lt;b&gt;&amp;&quot;&#39;"));
}

TEST(DocumentLatex, IsALongtableWithItsCaption) {
  Grid grid = std::get<Grid>(example().body[2]);
  grid.label = "tab:x";
  const std::string latex = to_latex({.title = "100% of it", .body = {grid}});
  EXPECT_THAT(latex, StartsWith("% 100% of it\n% To be \\input"));
  EXPECT_THAT(latex, HasSubstr("\\caption{Times}\\label{tab:x}\\\\\n"));
  EXPECT_THAT(latex, HasSubstr("3\\rlap{\\textsuperscript{\\textdegree{}}} \\\\*\n"));
  EXPECT_THAT(latex, HasSubstr("$5.2{\\cdot}10^{-5}$"));
  EXPECT_THAT(latex, HasSubstr("\\multicolumn{4}{@{}l}{\\textit{Ours}} \\\\*\n"));
}

TEST(DocumentLatex, HangsTwoMarksBesideEachOther) {
  const Grid grid = grid_of({{"n"}}, {{{Words("3") + mark("°") + mark("b")}}});
  EXPECT_THAT(to_latex({.body = {grid}}), HasSubstr("3\\rlap{\\textsuperscript{\\textdegree{}b}}"));
}

TEST(DocumentLatex, HasNoMarkupOfTheText) {
  EXPECT_THAT(
      to_latex({.body = {Paragraph{hostile}}}),
      HasSubstr("a \\textless{}b\\textgreater{}\\&\"'\\textbar{}`*\\_{[}x](y)@someone \\#12 "
                "\\$z\\$  {[}31m end\\par"));
}

TEST(Csv, HasTheNamedMembersOfEachRow) {
  const auto rows = nlohmann::ordered_json::parse(
      R"([{"b": "x, \"y\"", "a": 1.5, "left": "out"}, {"a": null, "b": true, "c": 7}])");
  EXPECT_EQ(to_csv({"a", "b", "c"}, rows), "a,b,c\n1.5,\"x, \"\"y\"\"\",\n,true,7\n");
}

TEST(Csv, HasNothingThatASpreadsheetWouldCompute) {
  EXPECT_EQ(csv_line({"-1.5", "+1.5", "1e-5", "", "-", "=1+1", " =1", "+cmd", "@SUM(A1)", "-2+3",
                      "\t=1", "\r=1", "a\n=1", "-inf"}),
            "-1.5,+1.5,1e-5,,'-,'=1+1,' =1,'+cmd,'@SUM(A1),'-2+3,' =1,' =1,a =1,'-inf\n");
  for (const std::string_view text : hostile_texts) {
    const std::string line = csv_line({std::string(text), "1"});
    EXPECT_EQ(markup_of_csv(line), Markup{"2 fields"}) << line;
    EXPECT_EQ(printable(line, "\n"), line);
  }
}

TEST(JsonForAReader, HasNothingThatATerminalWouldObey) {
  for (const std::string_view text : hostile_texts) {
    const std::string valid = nlohmann::json::parse(to_line(text)).get<std::string>();
    const std::string written =
        to_text(nlohmann::ordered_json{{valid, nlohmann::ordered_json::array({valid})}});
    EXPECT_EQ(printable(written, "\n"), written);
    EXPECT_EQ(nlohmann::json::parse(written)[valid][0], valid);
  }
}

TEST(Parsed, EndsAtTheTextsEndAndNotAtANul) {
  EXPECT_EQ(parsed("{}"), nlohmann::json::object());
  EXPECT_TRUE(parsed(std::string_view("{}\0", 3)).is_discarded());
  EXPECT_TRUE(parsed(std::string_view("{}\0{", 4)).is_discarded());
}

TEST(JsonForAReader, HasWhatFitsOnALine) {
  const nlohmann::ordered_json json{{"short", {1, 2}},
                                    {"long", std::vector<std::string>(3, std::string(60, 'x'))},
                                    {"not UTF-8", "\xff"}};
  const std::string text = to_text(json);
  EXPECT_THAT(text, HasSubstr("{\n \"short\": [1,2],\n \"long\": [\n  \"xxx"));
  EXPECT_THAT(text, HasSubstr("\"not UTF-8\": \"\uFFFD\"\n}\n"));
}

TEST(Panels, AreAsEvenAsCanBe) {
  EXPECT_THAT(panels(13, 7), ElementsAre(Pair(0, 7), Pair(7, 13)));
  EXPECT_THAT(panels(10, 10), ElementsAre(Pair(0, 10)));
  EXPECT_THAT(panels(10, 4), ElementsAre(Pair(0, 4), Pair(4, 7), Pair(7, 10)));
  EXPECT_THAT(panels(2, 7), ElementsAre(Pair(0, 2)));
}

TEST(Html, APageRunsAndLoadsNothing) {
  EXPECT_THAT(to_html_page(example()), HasSubstr("<meta http-equiv=\"Content-Security-Policy\" "
                                                 "content=\"default-src 'none'; "
                                                 "style-src 'unsafe-inline'\">"));
}

}  // namespace
}  // namespace macrobench
