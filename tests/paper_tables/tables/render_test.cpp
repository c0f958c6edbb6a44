// What holds of every table in each format. golden_test.cpp has what they say.

#include "paper_tables/tables/render.hpp"

#include <algorithm>
#include <sstream>
#include <string>

#include "harness/text/error.hpp"
#include "harness/text/format.hpp"
#include "harness/text/json_values.hpp"
#include "harness/text/strings.hpp"
#include "paper_tables/cells/definitions.hpp"
#include "paper_tables/cells/table_options.hpp"
#include "tests/matchers.hpp"
#include "tests/paper_tables/fixture.hpp"
#include "tests/sheet_rows.hpp"

namespace macrobench {
namespace {

using nlohmann::json;

class Rendered : public OfTheFixture {
 protected:
  Table table(const std::string& id) {
    return make_table(all_.get(id), all_, lookup_, "fixture_cpu_4_cores_fixture_gpu", machine_);
  }
};

TEST_F(Rendered, LatexHasNoLetterThatLatexHasNot) {
  for (const std::string& id : all_.ids()) {
    const std::string text = render(table(id), "tex");
    // In UTF-8 what follows the Latin letters, up to U+017F, begins with a byte of 0xC6 or more.
    const auto unknown =
        std::ranges::find_if(text, [](char c) { return static_cast<unsigned char>(c) >= 0xC6; });
    EXPECT_EQ(unknown, text.end()) << id << ": " << std::string(unknown, text.end()).substr(0, 60);
  }
}

TEST_F(Rendered, RowsAreFlatAndNoneIsBlankWithoutAReason) {
  for (const std::string& id : all_.ids()) {
    SCOPED_TRACE(id);
    const Table made = table(id);
    const json rows = rows_of(sheets_of({made}), "cells");
    ASSERT_FALSE(rows.empty());
    std::size_t cells = 0;
    for (const TableGroup& group : made.groups) {
      for (const TableRow& row : group.rows) cells += row.cells.size();
    }
    EXPECT_EQ(rows.size(), cells);
    bool ours = false;
    for (const json& row : rows) {
      for (const auto& [name, value] : row.items()) EXPECT_FALSE(value.is_structured()) << name;
      EXPECT_EQ(row["paper"].get<std::string>() + "/" + row["table"].get<std::string>(), id);
      const bool is_comparison = row["quantity"] == "ratio" || row["quantity"] == "deviation";
      EXPECT_EQ(row["baseline"].is_string(), is_comparison);
      EXPECT_FALSE(ours && row["is_ours"] == false) << "the paper's rows come first";
      ours = row["is_ours"];
      const std::string kind = row["here_kind"];
      const bool is_doubted = kind == "noisy" || kind == "throttled" || kind == "implausible";
      if (kind != "constant" && !is_doubted) {
        const bool has_value = kind == "measured" || kind == "computed" || kind == "extrapolated";
        EXPECT_EQ(row["here"].is_number(), has_value) << row;
      }
      EXPECT_TRUE(!row["here"].is_null() || row["here_why"].is_string())
          << "never blank, and it says why: " << row;
    }
  }
}

/// The fields of each line.
std::vector<std::vector<std::string>> parsed_csv(const std::string& text) {
  std::vector<std::vector<std::string>> lines{{""}};
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"') {
      if (quoted && i + 1 < text.size() && text[i + 1] == '"') {
        lines.back().back() += text[++i];
      } else {
        quoted = !quoted;
      }
    } else if (!quoted && c == ',') {
      lines.back().emplace_back();
    } else if (!quoted && c == '\n') {
      lines.push_back({""});
    } else {
      lines.back().back() += c;
    }
  }
  lines.pop_back();
  return lines;
}

TEST_F(Rendered, CsvHasOneCellALine) {
  for (const std::string& id : all_.ids()) {
    SCOPED_TRACE(id);
    const Table made = table(id);
    const auto lines = parsed_csv(render(made, "csv"));
    std::size_t cells = 0;
    for (const TableGroup& group : made.groups) {
      cells += group.rows.size() * made.definition->columns.size();
    }
    EXPECT_EQ(lines.size(), cells + 1);
    for (const auto& line : lines) EXPECT_EQ(line.size(), lines.front().size());
  }
}

TEST_F(Rendered, MarkdownIsAlignedInItsSource) {
  for (const std::string& id : all_.ids()) {
    std::istringstream lines(render(table(id), "md"));
    std::size_t width = 0;
    for (std::string line; std::getline(lines, line);) {
      if (!line.starts_with('|')) {
        width = 0;
        continue;
      }
      if (width > 0) {
        EXPECT_EQ(display_width(line), width) << line;
      }
      width = display_width(line);
    }
  }
}

TEST_F(Rendered, MarksAreExplainedOnceBelow) {
  const std::string text = render(table("aldrich_vfi_page/binary_search"), "md");
  for (const char* said : {"\n≈ by a law", ": killed (signal 9)", "invalid: not converged"}) {
    const std::size_t first = text.find(said);
    ASSERT_NE(first, std::string::npos) << said;
    EXPECT_EQ(text.find(said, first + 1), std::string::npos) << said;
  }
}

TEST_F(Rendered, SaysOnceWhereThePublishedProgramIsInAnotherLanguage) {
  for (const auto& [id, says] :
       {std::pair("oswald_tutorial/timings", "; the published program is in Julia, ours is not"),
        {"aldrich_2014/table_2", " the published program is in Matlab, ours is not."}}) {
    const std::string text = render(table(id), "md");
    const std::size_t first = text.find(says);
    ASSERT_NE(first, std::string::npos) << id;
    EXPECT_EQ(text.find(says, first + 1), std::string::npos) << id << ": in the head or in a note";
    int marked = 0;
    for (const json& row : rows_of(sheets_of({table(id)}), "cells")) {
      const std::string marks = row["published_marks"].is_null() ? "" : row["published_marks"];
      marked += marks.find("ours is not") != std::string::npos ? 1 : 0;
    }
    EXPECT_GT(marked, 5) << id;
  }
}

TEST_F(Rendered, TextKeepsToTheTerminalsWidth) {
  for (const std::size_t width : {80U, 100U, 200U}) {
    std::istringstream lines(to_text(document_of(table("aldrich_2010/table_3")), width));
    for (std::string line; std::getline(lines, line);) EXPECT_LE(display_width(line), width);
  }
  EXPECT_NO_THROW(to_text(document_of(table("aldrich_2010/table_3")), 1));
}

TEST_F(Rendered, OurRowsAreInAShortGridBelowThePapers) {
  for (const std::string& id : all_.ids()) {
    const Table made = table(id);
    const Document page = document_of(made);
    std::vector<std::size_t> grids;
    for (const Block& block : page.body) {
      if (const Grid* grid = std::get_if<Grid>(&block)) grids.push_back(rows_in(*grid));
    }
    const bool has_ours = std::ranges::any_of(
        rows_of(made), [](const TableRow& row) { return row.definition->extra; });
    ASSERT_THAT(grids, SizeIs(has_ours ? 2 : 1)) << id;
    // A row whose cells are printed too, or have a ratio, has up to three lines.
    if (has_ours) {
      EXPECT_LE(grids[1], 3 * most_extra_rows) << id;
    }
  }
}

TEST_F(Rendered, UnknownFormatIsAnError) {
  EXPECT_THROW(render(table("aldrich_2010/table_3"), "pdf"), UsageError);
}

TEST_F(Rendered, IsWrittenWholeOrNotAtAll) {
  const TemporaryFolder folder;
  write_table(table("aldrich_2010/table_3"), OutputFolder(folder.path()));
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path() / "aldrich_2010")) {
    names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  EXPECT_THAT(names, ElementsAre("table_3.csv", "table_3.json", "table_3.md", "table_3.tex"));

  write_file(folder.path() / "file", "");
  EXPECT_THROW(OutputFolder(folder.path() / "file"), Failure);
  // A folder in the way of one of the four.
  std::filesystem::create_directories(folder.path() / "blocked/aldrich_2010/table_3.json/full");
  EXPECT_THROW(write_table(table("aldrich_2010/table_3"), OutputFolder(folder.path() / "blocked")),
               Failure);
  for (const auto& entry :
       std::filesystem::directory_iterator(folder.path() / "blocked/aldrich_2010")) {
    EXPECT_THAT(entry.path().string(), Not(HasSubstr("unfinished")));
  }
}

}  // namespace
}  // namespace macrobench
