// One description of columns in every format.

#include "harness/tables/sheet.hpp"

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/text/json_values.hpp"
#include "harness/text/strings.hpp"
#include "tests/json_schema.hpp"
#include "tests/matchers.hpp"
#include "tests/sheet_rows.hpp"

namespace macrobench {
namespace {

using nlohmann::json;
using enum Column::Kind;

struct Timed {
  std::string name;
  std::string machine;
  bool is_gpu = false;
  std::optional<int> runs = {};
  Cell time = {};
  Parameters parameters = {};
};

Cell seconds(double value, Marks marks = {}) {
  Cell cell{.value = value, .kind = Kind::measured, .status = Status::measured, .unit = "s"};
  cell.interval = ConfidenceInterval{0.9 * value, 1.1 * value};
  cell.samples = 3;
  cell.from = {{.machine = "a", .compiler = "GNU 12"}};
  cell.marks = std::move(marks);
  return cell;
}

Cell without(const char* why) {
  return {.status = Status::invalid, .why = why};
}

std::vector<Timed> rows() {
  return {{"first", "a", true, 7, seconds(2, {{Sign::unlike, "two versions"}}), {{"nk", 16}}},
          {"second", "a", false, {}, seconds(4, {{Sign::unlike, "two versions"}}), {}},
          {"third", "b", false, 0, without("not converged"), {{"real", "single"}}}};
}

SheetOf<Timed> described() {
  SheetOf<Timed> sheet("times", {"name"}, "The times");
  sheet.column("name", {"case", words}, &Timed::name)
      .data("machine", &Timed::machine)
      .column("gpu", {"on", words}, &Timed::is_gpu,
              [](const Timed& one) { return one.is_gpu ? "GPU" : "CPU"; })
      .column("runs", {"runs"}, &Timed::runs)
      .column("time", {"time"}, &Timed::time)
      .reader({"remark", words}, [](const Timed& one) { return one.name + "!"; });
  return sheet;
}

const Value* parameter_of(const Timed& one, const std::string& name) {
  return one.parameters.find(name);
}

TEST(Sheets, HaveARowForEachFactInData) {
  const json all = rows_of({described().of(rows())}, "times");
  ASSERT_EQ(all.size(), 3U);
  const json& first = all[0];
  EXPECT_EQ(first["name"], "first");
  EXPECT_EQ(first["gpu"], true);
  EXPECT_EQ(first["runs"], 7);
  EXPECT_EQ(first["time"], 2);
  EXPECT_NEAR(first["time_low"].get<double>(), 1.8, 1e-12);
  EXPECT_EQ(first["time_unit"], "s");
  EXPECT_EQ(first["time_kind"], "measured");
  EXPECT_EQ(first["time_n"], 3);
  EXPECT_EQ(first["time_compiler"], "GNU 12");
  EXPECT_EQ(first["time_marks"], "≠ two versions");
  EXPECT_TRUE(first["time_why"].is_null());
  EXPECT_TRUE(all[1]["runs"].is_null());
  EXPECT_EQ(all[2]["runs"], 0);
  EXPECT_TRUE(all[2]["time"].is_null());
  EXPECT_EQ(all[2]["time_kind"], "invalid");
  EXPECT_EQ(all[2]["time_why"], "not converged");
  EXPECT_FALSE(first.contains("remark")) << "it is for a reader alone";
  for (const auto& [name, value] : first.items()) EXPECT_FALSE(value.is_structured()) << name;
}

TEST(Sheets, HaveTheSameNamesInCsv) {
  const Sheet sheet = described().of(rows());
  const std::string csv = to_csv(sheet);
  std::string names;
  for (const std::string& name : member_names(sheet)) names += (names.empty() ? "" : ",") + name;
  EXPECT_TRUE(csv.starts_with(names + "\n")) << csv;
  const json first = rows_of({sheet}, "times")[0];
  EXPECT_EQ(first.size(), member_names(sheet).size());
  EXPECT_THAT(csv, HasSubstr("\nfirst,a,true,7,2,1.8,2.2,s,measured,3,a,GNU 12,≠ two versions,"));
}

TEST(Sheets, ShowAReaderTheColumnsThatHaveATitleInEveryFormat) {
  const Document document{.title = "A view", .body = blocks_of(described().of(rows()))};
  for (const std::string& text : {to_text(document, 100), to_markdown(document),
                                  to_html_page(document), to_latex(document)}) {
    for (const char* shown : {"The times", "first", "GPU", "4", "second!", "not converged"}) {
      EXPECT_THAT(text, HasSubstr(shown));
    }
    EXPECT_THAT(text, Not(HasSubstr("GNU 12"))) << "it is in data alone";
    const std::size_t note = text.find("two versions");
    ASSERT_NE(note, std::string::npos) << text;
    EXPECT_EQ(text.find("two versions", note + 1), std::string::npos) << "one line for both";
  }
}

TEST(Sheets, ExplainEachSignOnceBelowTheirGrid) {
  Notes notes;
  const Marks marks{{Sign::extrapolated, "by a law from 3 cells"}, {Sign::own, "noisy"}};
  const Marks like{{Sign::extrapolated, "by a law from 4 cells"}};
  std::vector<Timed> all{{"one", "a", false, {}, seconds(2, marks), {}},
                         {"two", "a", false, {}, seconds(3, like), {}},
                         {"three", "a", false, {}, without("not converged"), {}}};
  const std::string text = to_text({.body = blocks_of(described().of(all), notes)}, 100);
  for (const char* shown : {"≈2 s!", "≈3 s", "≈ by a law from 3 cells, and the like.", "! noisy.",
                            "No number: not converged."}) {
    EXPECT_THAT(text, HasSubstr(shown));
  }
  all.resize(2);
  all.erase(all.begin());
  EXPECT_THAT(to_text({.body = blocks_of(described().of(all), notes)}, 100),
              AllOf(Not(HasSubstr("noisy")), Not(HasSubstr("No number"))));
}

TEST(Sheets, HaveNoGridWithoutARow) {
  EXPECT_TRUE(blocks_of(described().of(std::vector<Timed>{})).empty());
}

TEST(Sheets, HaveTheParametersOfModelsAsColumns) {
  const Sheet sheet = described().axes({"nk", "real"}, parameter_of).of(rows());
  const json all = rows_of({sheet}, "times");
  EXPECT_EQ(all[0]["nk"], 16);
  EXPECT_TRUE(all[0]["real"].is_null());
  EXPECT_EQ(all[2]["real"], "single");
}

TEST(Schemas, AcceptWhatTheirSheetsPrintAndNothingElse) {
  const Sheet plain = described().of(rows());
  const Sheet with_axes = described().axes({"nk"}, parameter_of).of(rows());
  for (const Sheet& sheet : {plain, with_axes}) {
    JsonSchema schema(json_schema_of("view", {sheet}));
    const json good = to_json("view", {sheet});
    EXPECT_TRUE(schema.accepts(good));
    EXPECT_FALSE(schema.accepts(to_json("another", {sheet})));
    json bad = good;
    bad["schema"] = 1;
    EXPECT_FALSE(schema.accepts(bad));
    bad = good;
    bad["tables"]["times"]["rows"][0]["time"] = "soon";
    EXPECT_FALSE(schema.accepts(bad));
    bad = good;
    bad["tables"]["times"]["rows"][0].erase("time_marks");
    EXPECT_FALSE(schema.accepts(bad));
    bad = good;
    bad["tables"]["times"]["rows"][0]["nested"] = json::array();
    EXPECT_FALSE(schema.accepts(bad));
  }
  json more = to_json("view", {plain});
  more["tables"]["times"]["rows"][0]["nk"] = 16;
  EXPECT_FALSE(JsonSchema(json_schema_of("view", {plain})).accepts(more));
}

}  // namespace
}  // namespace macrobench
