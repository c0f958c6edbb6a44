// Every table's cells, one per line, and one small table in every format, against golden text.
// After a change that is meant:
//   MACROBENCH_UPDATE_GOLDEN=1 build/paper_tables_tests --gtest_filter='*Golden*'

#include <fmt/format.h>

#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "paper_tables/cells/definitions.hpp"
#include "paper_tables/cells/table.hpp"
#include "paper_tables/tables/render.hpp"
#include "tests/matchers.hpp"
#include "tests/paper_tables/fixture.hpp"
#include "tests/paper_tables/golden_lines.hpp"

namespace macrobench {
namespace {

using nlohmann::ordered_json;

std::string text_of(const Words& words) {
  std::string text;
  for (const Span& span : words.spans()) text += span.text;
  return text;
}

/// A note without its letter, which depends on the notes before it.
std::string text_of(const ListItem& item, List::Style style) {
  const std::string text = text_of(item.words);
  return style == List::Style::notes ? text.substr(text.find(' ') + 1) : text;
}

/// What the notes begin with, by their marks: "one cold sample". "†" is its own name.
std::map<std::string, std::string> marks_in(const Document& document) {
  std::map<std::string, std::string> marks;
  std::set<std::string> names;
  for (const Block& block : document.body) {
    const auto* list = std::get_if<List>(&block);
    if (list == nullptr || list->style != List::Style::notes) continue;
    for (const ListItem& item : list->items) {
      const std::string symbol = item.words.spans().front().text;
      const std::string text = text_of(item, list->style);
      std::string name =
          symbol == "†" ? symbol : " [" + text.substr(0, text.find_first_of(":;,(."));
      while (!names.insert(name).second) name += "'";
      marks[symbol] = symbol == "†" ? name : name + "]";
    }
  }
  return marks;
}

/// A table's cells as a reader is shown them, and their numbers to four digits: one line per cell,
/// in the table's order, and one per note and remark.
class GoldenLines {
 public:
  explicit GoldenLines(const Table& table)
      : document_(document_of(table)), json_(to_json(table)), marks_(marks_in(document_)) {
    for (ordered_json& row : json_.value("rows", ordered_json::array())) rows_.push_back(row);
    for (ordered_json& group : json_.value("groups", ordered_json::array())) {
      for (ordered_json& row : group["rows"]) {
        row["group"] = group["label"];
        rows_.push_back(row);
      }
    }
  }

  std::string text() {
    std::string head =
        text_of(document_.title) + " | " + in_a_line(json_, {"columns", "rows", "groups"});
    for (const Block& block : document_.body) {
      if (const auto* paragraph = std::get_if<Paragraph>(&block)) {
        head += " | " + text_of(paragraph->words);
      } else if (const auto* grid = std::get_if<Grid>(&block)) {
        add("{}", head);
        add_grid(*grid);
      } else {
        for (const ListItem& item : std::get<List>(block).items) {
          const std::string said = text_of(item, std::get<List>(block).style);
          if (lines_.empty())
            head += " | " + said;
          else
            add("{}", said);
        }
      }
    }
    return lines_;
  }

 private:
  template <class... Arguments>
  void add(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    lines_ += fmt::format(format, std::forward<Arguments>(arguments)...) + "\n";
  }

  void add_grid(const Grid& grid) {
    add("{} | column | published | status | value | as shown | speed-up | from | case",
        grid.columns[0].title);
    for (std::size_t i = 0; i < json_["columns"].size(); ++i) {
      EXPECT_EQ(grid.columns.at(i + 2).title, json_["columns"][i]["label"].get<std::string>());
    }
    auto row = rows_.begin();
    for (const RowGroup& group : grid.groups) {
      if (group.rows.empty()) add("{}", group.label);
      for (auto line = group.rows.begin(); line != group.rows.end(); ++row) {
        ASSERT_NE(row, rows_.end());
        EXPECT_EQ(group.label, row->value("group", ""));
        const auto first = line;
        while (++line != group.rows.end() && line->continues) {
        }
        add_row(*row, {first, line});
      }
    }
    EXPECT_EQ(row, rows_.end());
  }

  void add_row(const ordered_json& row, const std::vector<Row>& shown) {
    EXPECT_EQ(text_of(shown[0].cells[0]), row["label"].get<std::string>());
    std::string name = row.value("group", "");
    name += (name.empty() ? "" : ": ") + row["label"].get<std::string>();
    if (shown.size() > 1) name += " " + text_of(shown[1].cells[0]);
    for (std::size_t i = 0; i < json_["columns"].size(); ++i) {
      std::map<std::string, std::string> texts;
      for (const Row& line : shown) texts[text_of(line.cells[1])] = text_of_cell(line, i);
      const ordered_json& cell = row["measured"][i];
      ordered_json made = row;
      made.update(json_["columns"][i], true);
      EXPECT_EQ(texts["published"], in_a_line(row["published"][i]));
      add("{:<38} | {:>8} | {:>9} | {:<12} | {:>9} | {:<8} | {:<6} | {} | {}", name,
          in_a_line(made["label"]), texts["published"], in_a_line(cell["status"]),
          in_a_line(cell["value"]), texts["measured"] + texts["value"], texts["speed-up"],
          in_a_line(cell, {"status", "value"}),
          in_a_line(made, {"group", "label", "published", "measured", "speed_up"}));
    }
  }

  /// "19.4 [one cold sample]", "12,850†".
  std::string text_of_cell(const Row& line, std::size_t column) const {
    std::string text;
    for (const Span& span : line.cells.at(column + 2).spans()) {
      text += span.style == Span::Style::mark ? marks_.at(span.text) : span.text;
    }
    return text;
  }

  Document document_;
  ordered_json json_;
  std::map<std::string, std::string> marks_;
  std::vector<ordered_json> rows_;
  std::string lines_;
};

TEST_F(OfTheFixture, GoldenCellsAreAsBefore) {
  const std::filesystem::path folder = source_dir() / "tests/paper_tables/golden";
  std::string all;
  for (const std::string& id : all_.ids()) {
    const Table made = make_table(all_.get(id), all_, lookup_, "fixture", machine_);
    const std::string text = GoldenLines(made).text();
    expect_golden(folder / (id + ".txt"), text);
    all += text;
  }
  for (const Status status :
       {Status::measured, Status::computed, Status::extrapolated, Status::constant, Status::not_run,
        Status::invalid, Status::failed, Status::timeout}) {
    EXPECT_THAT(all, HasSubstr("| " + to_string(status) + " "));
  }
  for (const auto& file : std::filesystem::recursive_directory_iterator(folder)) {
    const auto id = std::filesystem::relative(file.path(), folder).replace_extension();
    if (file.is_directory() || !id.has_parent_path()) continue;
    EXPECT_THAT(all_.ids(), Contains(id.string())) << file.path() << " is of no table: remove it";
  }
}

/// Its text is what each format must escape.
Definition definition_of_every_kind() {
  Definition definition = OneDefinition(nlohmann::json::parse(R"({
    "schema": 1, "paper": "paper", "table": "table", "title": "Table 9",
    "caption": "Every <kind> of *cell*.",
    "source": {"document": "Author & others (2020), \"A | Paper\"", "where": "p. 1"},
    "hardware": {"id": "old", "text": "an *old* machine"},
    "model": "rbc", "parameters": {"nz": 4, "maximizer": "bisection"}, "axis": "N_k",
    "columns": [{"label": "16", "parameters": {"nk": 16}},
                {"label": "32 | $x^2$", "parameters": {"nk": 32}},
                {"label": "64", "parameters": {"nk": 64}}],
    "groups": [
      {"label": "One <group>", "rows": [
        {"label": "CPU & <co>", "implementation": "serial", "quantity": "solution",
         "published": ["1.5", null, "1,024.50"], "note": "The *first* row's note."},
        {"label": "Stage", "implementation": "serial", "quantity": "stage", "stage": "maximize",
         "per": "iteration", "published": [null, null, null]}]},
      {"label": "Another | group", "rows": [
        {"label": "Doubted", "implementation": "serial_tuned", "quantity": "total",
         "published": ["1", "2", "3"]},
        {"label": "Ended badly", "implementation": "serial_tuned", "quantity": "start",
         "published": ["1", "2", "3"]},
        {"label": "Not run", "implementation": "serial_tuned", "quantity": "first_solution",
         "published": ["1", "2", "3"]}]}],
    "extra": [
      {"label": "Ratio", "quantity": "ratio", "numerator": "Doubted", "baseline": "CPU & <co>"},
      {"label": "Value", "implementation": "serial", "quantity": "figure", "figure": "V_last",
       "unit": "% of <V>", "published": ["39.1", null, null]},
      {"label": "Published only", "quantity": "constant", "unit": "GiB",
       "published": ["1", "2_000", "1 1/2"]}],
    "notes": ["Of the table: 100% <b>plain</b>."]
  })"))
                              .get();
  RowDefinition program = definition.groups[0].rows[0];
  program.label = "numpy";
  program.published = std::vector<std::optional<std::string>>(3);
  program.extra = true;
  program.note = "";
  definition.groups.push_back(
      {std::string(programs_label), {program}, true, "They use all cores."});
  return definition;
}

Cell cell_of(Status status, double value, int samples = 6, bool is_cold = false,
             std::string drift = "") {
  Cell cell{.value = value, .status = status};
  cell.samples = samples;
  cell.spread = 0.0123456;
  cell.samples_of = is_cold ? "cold solutions" : "warm solutions";
  cell.is_cold = is_cold;
  cell.drift = std::move(drift);
  return cell;
}

/// Computed, extrapolated or constant.
Cell made_cell(Status status, double value, Reason why = {}, std::optional<double> reach = {}) {
  Cell cell{.value = value, .status = status, .why = std::move(why)};
  cell.reach = reach;
  return cell;
}

Cell doubted_cell(Status status, const char* why) {
  Cell cell = cell_of(status, 2);
  cell.why = why;
  return cell;
}

Cell no_number(Status status, Reason why = {}, std::string text = "") {
  return {.value = {}, .text = std::move(text), .status = status, .why = std::move(why)};
}

/// The index-th of the rows.
auto& row_at(auto rows, std::ptrdiff_t index) {
  for (auto& row : rows) {
    if (index-- == 0) return row;
  }
  throw std::out_of_range("there is no such row");
}

/// A table with every kind of cell, mark, note and name.
class EveryKind {
 public:
  EveryKind() {
    using enum Status;
    const std::string drift = "joins two campaigns; between them the machine changed by -2.9%";
    Cell too_far = made_cell(extrapolated, 3e-4, "CPU is extrapolated", 32);
    too_far.text = "2.00 s over 184,200† s";
    std::vector<std::vector<Cell>> cells{
        {cell_of(measured, 0.44504), cell_of(measured, 1.1249, 1),
         made_cell(extrapolated, 12345.6)},
        {cell_of(measured, 5.2e-5, 1, true), cell_of(measured, 0.092, 3, true),
         cell_of(measured, 7, 6, false, drift)},
        {doubted_cell(noisy, "others used the cores"), doubted_cell(throttled, "the GPU was hot"),
         doubted_cell(implausible, "no machine can do it")},
        {no_number(invalid, "not converged: 3e-05 exceeds 1e-06"),
         no_number(failed, {"killed (signal 9) | <b>", "at K[0]"}),
         no_number(timeout, {"over its deadline", "15 min"})},
        {no_number(not_run, {"over the budget", "predicted 2 h"}),
         no_number(not_run, {"over the budget", "predicted 3 h"}), no_number(not_run, "no record")},
        {made_cell(computed, 0.0295123), made_cell(extrapolated, 0.0041234, {}, 4), too_far},
        {made_cell(computed, 39.123456, "to B's value"), made_cell(constant, 2),
         no_number(constant, {}, "GNU_12 & <co>")},
        std::vector<Cell>(3, no_number(constant)),
        std::vector<Cell>(3, cell_of(measured, 1.5))};
    cells[8][0].as_before = "moves=all_but_last";
    auto its = cells.begin();
    for (const GroupDefinition& group : definition.groups) {
      TableGroup& made = table.groups.emplace_back(TableGroup{group.label});
      for (const RowDefinition& row : group.rows) {
        made.rows.push_back({&row, row.implementation, row.parameters, "", *its++});
      }
    }
    row(0).law = {{.name = "a + bN", .a = 1, .b = 2, .error = 0.0039}, 8};
    row(5).baseline = "CPU & <co>";
    row(5).implementation = "serial_tuned";
  }
  EveryKind(const EveryKind&) = delete;

  TableRow& row(std::ptrdiff_t index) { return row_at(rows_of(table), index); }
  Cell& cell(std::ptrdiff_t index, std::size_t column) { return row(index).cells[column]; }
  RowDefinition& named(std::ptrdiff_t index) { return row_at(rows_of(definition), index); }

  Definition definition = definition_of_every_kind();
  Table table{&definition, "a_machine", "A <machine>, 4 cores", {}, {"julia"}};
};

TEST(EveryKindOfCell, GoldenIsAsBeforeInEveryFormat) {
  const EveryKind all;
  const std::filesystem::path path = source_dir() / "tests/paper_tables/golden/every_kind";
  for (const std::string& format : table_formats()) {
    expect_golden(path.string() + "." + format, render(all.table, format));
  }
  expect_golden(path.string() + ".txt", to_text(document_of(all.table, true), 100));
  expect_golden(path.string() + ".html", to_html(document_of(all.table), 2));
  const std::string csv = to_csv(all.table);
  for (int status = 0; status <= static_cast<int>(Status::timeout); ++status) {
    EXPECT_THAT(csv, HasSubstr("," + to_string(static_cast<Status>(status)) + ","));
  }
}

TEST(EveryKindOfCell, GoldenLinesChangeWithWhateverChanges) {
  using Change = std::function<void(EveryKind&)>;
  const std::string before = GoldenLines(EveryKind().table).text();
  for (const auto& [what, change] : std::vector<std::pair<const char*, Change>>{
           {"a value's fourth digit", [](auto& it) { it.cell(0, 0).value = 0.4451; }},
           {"a value to look up", [](auto& it) { it.cell(0, 1).value = {}; }},
           {"a text", [](auto& it) { it.cell(5, 2).text += "s"; }},
           {"a status", [](auto& it) { it.cell(2, 0).status = Status::throttled; }},
           {"a reason", [](auto& it) { it.cell(3, 1).why.clause += "?"; }},
           {"a reason's detail", [](auto& it) { it.cell(3, 2).why.detail = "16 min"; }},
           {"samples", [](auto& it) { it.cell(0, 0).samples = 7; }},
           {"a spread", [](auto& it) { it.cell(0, 0).spread = 0.02; }},
           {"what was sampled", [](auto& it) { it.cell(0, 0).samples_of = "processes"; }},
           {"cold", [](auto& it) { it.cell(0, 0).is_cold = true; }},
           {"a drift", [](auto& it) { it.cell(0, 0).drift = "joins two campaigns"; }},
           {"a default before", [](auto& it) { it.cell(0, 0).as_before = "moves=all_but_last"; }},
           {"another drift", [](auto& it) { it.cell(1, 2).drift += "!"; }},
           {"a reach", [](auto& it) { it.cell(0, 2).reach = 9; }},
           {"a law", [](auto& it) { it.row(0).law->law.error = 0.2; }},
           {"a baseline", [](auto& it) { it.row(5).baseline = "GPU"; }},
           {"an implementation", [](auto& it) { it.row(1).implementation = "cuda_c"; }},
           {"a parameter", [](auto& it) { it.row(0).parameters.set("nz", std::int64_t{5}); }},
           {"a column's", [](auto& it) { it.definition.columns[0].parameters.set("nk", 1.0); }},
           {"a column's name", [](auto& it) { it.definition.columns[2].label = "128"; }},
           {"a published number", [](auto& it) { it.named(0).published[2] = "1,024.5"; }},
           {"none", [](auto& it) { it.named(0).published[0] = {}; }},
           {"a row's name", [](auto& it) { it.named(7).label = "Published"; }},
           {"a unit", [](auto& it) { it.named(6).unit = "$"; }},
           {"a row's note", [](auto& it) { it.named(0).note = ""; }},
           {"a stage", [](auto& it) { it.named(1).stages = {"expect"}; }},
           {"what is divided", [](auto& it) { it.named(1).per_iteration = false; }},
           {"a figure", [](auto& it) { it.named(6).of = "V_first"; }},
           {"the rows' order", [](auto& it) { std::swap(it.row(2), it.row(3)); }},
           {"the cells' order", [](auto& it) { std::swap(it.cell(4, 0), it.cell(4, 1)); }},
           {"a row fewer", [](auto& it) { it.table.groups[1].rows.pop_back(); }},
           {"a group's name", [](auto& it) { it.table.groups[1].label = "A group"; }},
           {"a program", [](auto& it) { it.table.programs_without_record = {}; }},
           {"a note", [](auto& it) { it.definition.notes[0] += "!"; }},
           {"the caption", [](auto& it) { it.definition.caption = "Times."; }},
           {"the title", [](auto& it) { it.definition.title = "Table 8"; }},
           {"the place", [](auto& it) { it.definition.where = "p. 2"; }},
           {"the axis", [](auto& it) { it.definition.axis = "N"; }},
           {"their machine", [](auto& it) { it.definition.hardware_text = "a new one"; }},
           {"this machine", [](auto& it) { it.table.machine_text = "another"; }}}) {
    EveryKind changed;
    change(changed);
    EXPECT_NE(GoldenLines(changed.table).text(), before) << what;
  }
}

}  // namespace
}  // namespace macrobench
