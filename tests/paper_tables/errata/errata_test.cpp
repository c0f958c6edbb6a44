// The checker of printed numbers: its arithmetic, each kind of rule, its data, what it writes, and
// what it finds in the papers.

#include "paper_tables/errata/errata.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "harness/text/json_values.hpp"
#include "paper_tables/cells/formula.hpp"
#include "tests/matchers.hpp"
#include "tests/paper_tables/fixture.hpp"

namespace macrobench {
namespace {

using nlohmann::json;
using ::testing::Field;

void expect_bounds(std::optional<Bounds> bounds, double low, double high) {
  ASSERT_TRUE(bounds);
  EXPECT_DOUBLE_EQ(bounds->low, low);
  EXPECT_DOUBLE_EQ(bounds->high, high);
}

TEST(Bounds, APrintedNumberHasHalfAUnitOfItsLastDigit) {
  expect_bounds(printed_bounds("53.20"), 53.195, 53.205);
  expect_bounds(printed_bounds("300"), 299.5, 300.5);
  expect_bounds(printed_bounds("1,114.95"), 1114.945, 1114.955);
  expect_bounds(printed_bounds("-2.12087"), -2.120875, -2.120865);
  expect_bounds(printed_bounds("84†"), 83.5, 84.5);
  expect_bounds(printed_bounds("2,500", 100), 2450, 2550);
  expect_bounds(printed_bounds("143.363 ms"), 0.1433625, 0.1433635);
  expect_bounds(printed_bounds("0"), -0.5, 0.5);
  for (const char* none : {"", "–", "0.0.3125", "Kepler", "1.0/0.9", "†"}) {
    EXPECT_FALSE(printed_bounds(none)) << none;
  }
}

TEST(Bounds, ArithmeticHoldsAllThatItsOperandsCanBe) {
  const Bounds a{1, 2};
  const Bounds b{-3, 4};
  expect_bounds(a + b, -2, 6);
  expect_bounds(a - b, -3, 5);
  expect_bounds(a * b, -6, 8);
  expect_bounds(b / a, -3, 4);
  expect_bounds(a / Bounds{4, 8}, 0.125, 0.5);
  expect_bounds(power({2, 3}, 2), 4, 9);
  expect_bounds(power({2, 4}, -1), 0.25, 0.5);
  expect_bounds(root({-1, 4}), 0, 2);
  EXPECT_EQ((a / b).high, std::numeric_limits<double>::infinity());
}

TEST(Bounds, AreApartIfNoNumberIsInBoth) {
  EXPECT_TRUE(are_apart({1, 2}, {2.1, 3}));
  EXPECT_TRUE(are_apart({2.1, 3}, {1, 2}));
  EXPECT_FALSE(are_apart({1, 2}, {2, 3}));
  EXPECT_FALSE(are_apart({1, 4}, {2, 3}));
  EXPECT_FALSE(are_apart({0, 0.1 + 0.2}, {0.3, 1}));
}

TEST(Bounds, AreShownToTwoDigitsOfTheirWidthAndNeverNarrower) {
  EXPECT_EQ(to_string(Bounds{0.153324, 0.156463}), "0.1533 to 0.1565");
  EXPECT_EQ(to_string(Bounds{25370.4, 25376.6}), "25370.4 to 25376.6");
  EXPECT_EQ(to_string(Bounds{98354.01, 98371.17}), "98354 to 98372");
  EXPECT_EQ(to_string(Bounds{1.2e6, 1.3e6}), "1200000 to 1300000");
  EXPECT_EQ(to_string(Bounds::exactly(33.554431)), "33.554431");
  EXPECT_EQ(to_string(Bounds{-std::numeric_limits<double>::infinity(), 1}), "anything");
}

TEST(RootFit, IsTheLineThroughTheSquareRoots) {
  std::vector<PrintedPoint> points;
  for (const double n : {1., 2., 5.}) {
    points.push_back({n, Bounds::exactly(std::pow(3 + 2 * n, 2))});
  }
  EXPECT_NEAR(root_fit_at(points, 10).low, 529, 1e-9);
  EXPECT_NEAR(root_fit_at(points, 10).high, 529, 1e-9);
  EXPECT_NEAR(adjusted_r2_of_roots(points).low, 1, 1e-12);
  points[2].value = {160, 180};
  const Bounds wide = root_fit_at(points, 10);
  for (const double last : {160., 169., 180.}) {
    points[2].value = Bounds::exactly(last);
    EXPECT_FALSE(are_apart(wide, root_fit_at(points, 10))) << last;
  }
}

TEST(RootFit, BoundsTheR2OfEveryRounding) {
  std::vector<PrintedPoint> points{
      {1, {3.5, 4.5}}, {2, {10.5, 11.5}}, {3, {14.5, 15.5}}, {4, {29.5, 30.5}}};
  const Bounds wide = adjusted_r2_of_roots(points);
  EXPECT_LT(wide.high - wide.low, 0.2);
  for (int corner = 0; corner < 16; ++corner) {
    std::vector<PrintedPoint> exact = points;
    for (std::size_t i = 0; i < exact.size(); ++i) {
      const Bounds& value = points[i].value;
      exact[i].value = Bounds::exactly(((corner >> i) & 1) != 0 ? value.high : value.low);
    }
    const double r2 = adjusted_r2_of_roots(exact).middle();
    EXPECT_GE(r2, wide.low) << corner;
    EXPECT_LE(r2, wide.high) << corner;
  }
}

/// A table in which every number follows from others by the rules below or is a ratio; C is ours.
json clean_definition() {
  json definition = small_definition();
  definition["columns"].erase(4);
  definition["rows"] = json::parse(R"([
    {"label": "A", "implementation": "serial", "quantity": "solution",
     "published": ["16.0", "36.0", "100.0", "324.0"]},
    {"label": "B", "implementation": "serial_tuned", "quantity": "solution",
     "published": ["4.0", "6.0", "10.0", "18.0"]},
    {"label": "Count", "implementation": "serial", "quantity": "iterations",
     "published": ["2", "3", "4", "5"]},
    {"label": "Sum", "implementation": "serial", "quantity": "total",
     "published": ["20.0", "42.0", "110.0", "342.0"]},
    {"label": "Product", "implementation": "serial", "quantity": "total",
     "published": ["8.0", "18.0", "40.0", "90.0"]},
    {"label": "Doubled", "implementation": "serial", "quantity": "solution",
     "published": ["1.0", "2.1", "4.0", "8.3"]},
    {"label": "Fit", "implementation": "serial", "quantity": "solution",
     "published": [null, null, null, "324.1"]},
    {"label": "Unprinted", "implementation": "serial", "quantity": "solution", "published": null},
    {"label": "A to B", "quantity": "ratio", "numerator": "A", "baseline": "B",
     "published": ["4.0", "6.0", "10.0", "18.0"]},
    {"label": "A to unprinted", "quantity": "ratio", "rule": "inferred", "numerator": "A",
     "baseline": "Unprinted", "published": ["2.0", "2.0", "2.5", "3.6"]}])");
  return definition;
}

json clean_rules() {
  return json::parse(R"({"schema": 1, "rules": [
    {"table": "paper/table", "row": "Sum", "rule": "stated", "says": "A + B",
     "follows": {"plus": ["A", "B"]}},
    {"table": "paper/table", "row": "Product", "rule": "inferred", "says": "Count × B",
     "follows": {"times": ["Count", "B"]}},
    {"table": "paper/table", "row": "Unprinted", "rule": "inferred", "says": "Product",
     "follows": {"row": "Product"}},
    {"table": "paper/table", "row": "Doubled", "rule": "inferred", "says": "twice, within a fifth",
     "within": 0.2, "follows": {"times": [2, {"row": "Doubled", "column": "previous"}]}},
    {"table": "paper/table", "row": "Fit", "rule": "stated", "says": "a line through roots",
     "follows": {"root_fit": "A"}},
    {"paper": "paper", "where": "p. 1", "what": "R2", "printed": "1.00", "rule": "stated",
     "says": "of that line", "follows": {"adjusted_r2": {"table": "paper/table", "row": "A"}}},
    {"paper": "paper", "where": "p. 2", "what": "a thousand", "printed": "1,100", "unit": 100,
     "rule": "stated", "says": "2^10 + 75",
     "follows": {"plus": [{"power": [2, 10]}, {"printed": "75"}]}},
    {"paper": "paper", "where": "p. 3", "what": "a difference", "printed": "18", "rule": "stated",
     "says": "Sum - A at 128",
     "follows": {"minus": [{"table": "paper/table", "row": "Sum", "column": "128"},
                           {"table": "paper/table", "row": "A", "column": "128"}]}}]})");
}

Errata errata_in(const json& definition, const json& rules) {
  const OneDefinition one(definition);
  write_file(one.folder.path() / "errata_rules.json", rules.dump());
  return find_errata(one.folder.path(), {});
}

TEST(Errata, ACleanTableIsSilent) {
  const Errata errata = errata_in(clean_definition(), clean_rules());
  EXPECT_THAT(errata.cells, IsEmpty());
  EXPECT_THAT(errata.slight, IsEmpty());
  // A to B, A to unprinted, Sum, Product: four each; Doubled but its first; Fit; three in the text.
  EXPECT_EQ(errata.checked, 4 * 4 + 3 + 1 + 3);
}

struct Planted {
  std::string row;
  std::size_t column;
  std::string printed;
  double off;
  Basis basis;
};

class ErrataRule : public ::testing::TestWithParam<Planted> {};

TEST_P(ErrataRule, FindsAPlantedErrorInItsCellAndNoOther) {
  const Planted& planted = GetParam();
  json definition = clean_definition();
  for (json& row : definition["rows"]) {
    if (row["label"] == planted.row) row["published"][planted.column] = planted.printed;
  }
  const Errata errata = errata_in(definition, clean_rules());
  ASSERT_THAT(errata.cells, SizeIs(1));
  const Erratum& erratum = errata.cells.front();
  EXPECT_EQ(erratum.table, "paper/table");
  EXPECT_EQ(erratum.where, "p. 1");
  EXPECT_EQ(erratum.row, planted.row);
  EXPECT_EQ(erratum.column, definition["columns"][planted.column]["label"].get<std::string>());
  EXPECT_EQ(erratum.printed, planted.printed);
  EXPECT_EQ(erratum.basis, planted.basis);
  ASSERT_TRUE(erratum.off);
  EXPECT_NEAR(*erratum.off, planted.off, 0.005);
  EXPECT_THAT(errata.slight, IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(EachKind, ErrataRule,
                         ::testing::Values(Planted{"A to B", 1, "6.6", 0.1, Basis::stated},
                                           Planted{"A to unprinted", 3, "6.3", 0.75,
                                                   Basis::inferred},
                                           Planted{"Sum", 0, "20.4", 0.02, Basis::stated},
                                           Planted{"Doubled", 2, "8.0", 0.905, Basis::inferred},
                                           Planted{"Fit", 3, "342.1", 0.0559, Basis::stated}),
                         [](const auto& which) {
                           std::string name = which.param.row;
                           std::erase(name, ' ');
                           return name;
                         });

TEST(Errata, NumbersInTheTextAreFoundToo) {
  json rules = clean_rules();
  rules["rules"][5]["printed"] = "0.90";
  rules["rules"][6]["printed"] = "1,200";
  rules["rules"][7]["printed"] = "19";
  const Errata errata = errata_in(clean_definition(), rules);
  ASSERT_THAT(errata.cells, SizeIs(3));
  EXPECT_EQ(errata.cells[0].row, "R2");
  EXPECT_EQ(errata.cells[1].row, "a thousand");
  EXPECT_EQ(errata.cells[2].row, "a difference");
  EXPECT_EQ(errata.cells[2].where, "p. 3");
  EXPECT_TRUE(errata.cells[2].table.empty());
}

TEST(Errata, WhatIsMadeOfAnErratumMayFollowFromItAsPrintedOrAsItShouldBe) {
  json definition = clean_definition();
  definition["rows"][4]["published"][3] = "190.0";  // Product, by a hundred
  for (const char* follows : {"1.70", "3.6"}) {
    definition["rows"][9]["published"][3] = follows;
    EXPECT_THAT(errata_in(definition, clean_rules()).cells, SizeIs(1)) << follows;
  }
  definition["rows"][9]["published"][3] = "2.40";
  const Errata errata = errata_in(definition, clean_rules());
  ASSERT_THAT(errata.cells, SizeIs(2));
  EXPECT_EQ(errata.cells[0].row, "Product");
  EXPECT_EQ(errata.cells[1].row, "A to unprinted");
  EXPECT_NEAR(errata.cells[1].recomputed.middle(), 3.6, 0.02) << "the nearer one";
  EXPECT_THAT(errata.cells[1].note, HasSubstr("with that as printed, 1.704"));
  EXPECT_EQ(errata.cells[1].basis, Basis::inferred);
  EXPECT_THAT(errata.cells[1].rule, HasSubstr("whose Unprinted is Product"));
}

TEST(Errata, WhatIsMadeOfASuspectFollowsFromItAsPrinted) {
  json definition = clean_definition();
  definition["rows"][5]["published"][2] = "8.0";  // Doubled: 4.2 by a rule of about two
  json rules = clean_rules();
  rules["rules"][7]["follows"] = {{"table", "paper/table"}, {"row", "Doubled"}, {"column", "64"}};
  rules["rules"][7]["printed"] = "8.0";
  const Errata errata = errata_in(definition, rules);
  ASSERT_THAT(errata.cells, SizeIs(1)) << "neither the next of its row nor the text's";
  EXPECT_EQ(errata.cells[0].row, "Doubled");
}

TEST(Errata, SaysWhatANumberInTheTextFollowsFromInstead) {
  json rules = clean_rules();
  rules["rules"][7]["printed"] = "342.0";
  rules["rules"][7]["instead"] = {
      {"says", "Sum at 128"},
      {"follows", {{"table", "paper/table"}, {"row", "Sum"}, {"column", "128"}}}};
  EXPECT_THAT(errata_in(clean_definition(), rules).cells,
              ElementsAre(Field(&Erratum::note, HasSubstr("it follows from Sum at 128: 341.95"))));
  rules["rules"][7]["printed"] = "343.0";
  EXPECT_THAT(errata_in(clean_definition(), rules).cells, ElementsAre(Field(&Erratum::note, "")));
}

TEST(Errata, SlightMissesOfAnInferredRuleAreOneFinding) {
  json definition = clean_definition();
  definition["rows"][4]["published"] = {"8.5", "18.0", "41.0", "91.5"};
  definition["rows"][9]["published"] = {"1.9", "2.0", "2.4", "3.5"};
  const Errata errata = errata_in(definition, clean_rules());
  EXPECT_THAT(errata.cells, IsEmpty());
  ASSERT_THAT(errata.slight, Contains(Field(&Slight::row, "Product")));
  const Slight& slight = *std::ranges::find(errata.slight, std::string("Product"), &Slight::row);
  EXPECT_THAT(slight.cells, SizeIs(3));
  EXPECT_EQ(slight.of, 4);
  EXPECT_NEAR(slight.least, 0.0167, 1e-3);
  EXPECT_NEAR(slight.most, 0.0625, 1e-3);
}

json matrix_definition(const std::vector<std::string>& second) {
  json definition = small_definition();
  definition["rows"] = json::array();
  definition["columns"] = {{{"label", "a"}}, {{"label", "b"}}};
  for (const auto& [label, cells] : std::vector<std::pair<std::string, std::vector<std::string>>>{
           {"a", {"0.25", "0.75"}}, {"b", second}}) {
    definition["rows"].push_back(
        {{"label", label}, {"quantity", "constant"}, {"published", cells}});
  }
  definition.erase("extra");
  return definition;
}

json matrix_rules() {
  return json::parse(R"({"schema": 1, "rules": [
    {"table": "paper/table", "rule": "stated", "says": "rows add up to one", "sums_to": 1}]})");
}

TEST(Errata, RowsOfAMatrixAddUp) {
  EXPECT_THAT(errata_in(matrix_definition({"0.333", "0.667"}), matrix_rules()).cells, IsEmpty());
  const Errata errata = errata_in(matrix_definition({"0.333", "0.677"}), matrix_rules());
  ASSERT_THAT(errata.cells, SizeIs(1));
  EXPECT_EQ(errata.cells[0].row, "b");
  EXPECT_EQ(errata.cells[0].printed, "1.01");
  EXPECT_NEAR(*errata.cells[0].off, 0.01, 1e-12);
  EXPECT_EQ(errata.checked, 2);
}

TEST(Errata, ACellThatIsNoNumberIsWhatTheOthersLeave) {
  const Errata errata = errata_in(matrix_definition({"0.333", "0.6.67"}), matrix_rules());
  ASSERT_THAT(errata.cells, SizeIs(1));
  EXPECT_EQ(errata.cells[0].column, "b");
  EXPECT_EQ(errata.cells[0].printed, "0.6.67");
  EXPECT_FALSE(errata.cells[0].off);
  EXPECT_NEAR(errata.cells[0].recomputed.middle(), 0.667, 1e-9);
}

TEST(ErrataRules, ThatAreBadAreSaidInOneSentence) {
  for (const Spoilt& spoilt : std::vector<Spoilt>{
           {"/rules/0", R"({"table": "paper/tabel"})",
            "errata_rules.json at /rules/0/table: unknown table 'paper/tabel'; the nearest is "
            "'paper/table'"},
           {"/rules/0", R"({"row": "Summ"})", "at /rules/0/row: unknown row 'Summ'"},
           {"/rules/0", R"({"group": "G"})", "at /rules/0/group: there is no group 'G'"},
           {"/rules/0", R"({"columns": ["31"]})", "at /rules/0/columns/0: unknown column '31'"},
           {"/rules/0", R"({"rule": "guessed"})", "at /rules/0/rule: unknown kind of rule"},
           {"/rules/0", R"({"follow": 1})", "at /rules/0: unknown field 'follow'"},
           {"/rules/0", R"({"follows": null})", "at /rules/0: the field 'follows' is missing"},
           {"/rules/0/follows", R"({"plus": ["A"]})",
            "at /rules/0/follows/plus: it takes two numbers or more"},
           {"/rules/0/follows", R"({"plus": null, "over": ["A", "B", "A"]})",
            "at /rules/0/follows/over: it takes two numbers"},
           {"/rules/0/follows", R"({"plus": null, "power": ["A", "B"]})",
            "at /rules/0/follows/power/1: an exponent must be a number"},
           {"/rules/0/follows", R"({"plus": ["A", "C"]})", "at /rules/0/follows: unknown row 'C'"},
           {"/rules/0/follows", R"({"plus": ["A", {"printed": "4.4.4"}]})",
            "at /rules/0/follows/plus/1/printed: it must be a number as printed"},
           {"/rules/0/follows", R"({"plus": ["A", {"root": "B"}]})",
            "at /rules/0/follows/plus/1: it must be a row's label"},
           {"/rules/0/follows", R"({"plus": ["A", "Sum"]})", "follows from itself"}}) {
    EXPECT_THAT(
        complaint_of([&] { return errata_in(clean_definition(), spoilt.of(clean_rules())); }),
        AllOf(HasSubstr(spoilt.says), Not(HasSubstr("\n"))));
  }
}

TEST(ErrataRules, OfTheTextNeedTablesAndColumns) {
  for (const auto& [follows, says] : std::vector<std::pair<json, std::string>>{
           {"A", "the row 'A' needs its table"},
           {{{"table", "paper/table"}, {"row", "A"}}, "the row 'A' needs a column"},
           {{{"root_fit", {{"table", "paper/table"}, {"row", "A"}}}}, "needs a size"}}) {
    json rules = clean_rules();
    rules["rules"][7]["follows"] = follows;
    EXPECT_THAT(complaint_of([&] { return errata_in(clean_definition(), rules); }),
                AllOf(HasSubstr("at /rules/7/follows"), HasSubstr(says)));
  }
}

TEST(ErrataRules, OfTheTextNeedWhatIsPrinted) {
  json definition = clean_definition();
  definition["rows"][1]["published"][0] = nullptr;  // B
  json rules = clean_rules();
  rules["rules"][7]["follows"] = {{"table", "paper/table"}, {"row", "B"}, {"column", "16"}};
  const auto complaint = [&] { return complaint_of([&] { return errata_in(definition, rules); }); };
  EXPECT_THAT(complaint(),
              HasSubstr("the rule of 'a difference' needs a number that paper does not print"));
  rules["rules"][7]["follows"] = {{"adjusted_r2", {{"table", "paper/table"}, {"row", "Fit"}}}};
  EXPECT_THAT(complaint(), HasSubstr("a fit needs three numbers of 'Fit'"));
}

TEST(ErrataRules, OfWhatIsNotPrintedMayNotGoInACircle) {
  json rules = clean_rules();
  rules["rules"][2]["follows"] = {{"times", {2, "Unprinted"}}};
  EXPECT_THAT(complaint_of([&] { return errata_in(clean_definition(), rules); }),
              HasSubstr("follows from itself"));
}

TEST(ErrataRules, OfADefinitionAreOfRatios) {
  json definition = clean_definition();
  definition["rows"][0]["rule"] = "inferred";
  EXPECT_THROW(errata_in(definition, clean_rules()), UsageError);
  definition = clean_definition();
  definition["rows"][8]["rule"] = "guessed";
  EXPECT_THROW(errata_in(definition, clean_rules()), UsageError);
}

TEST(Readings, ThatAreBadAreSaidInOneSentence) {
  const json good = json::parse(R"({"schema": 1, "errata": [{"paper": "paper", "where": "p. 1",
    "printed": "1", "right": "2", "evidence": "It is.", "tests": ["A.B"]}]})");
  const auto read = [&](const json& readings) {
    const OneDefinition one(clean_definition());
    write_file(one.folder.path() / "errata_by_reading.json", readings.dump());
    return find_errata(one.folder.path(), {}).readings;
  };
  EXPECT_THAT(read(good), SizeIs(1));
  for (const auto& [change, says] : std::vector<std::pair<json, std::string>>{
           {{{"paper", "papre"}}, "at /errata/0/paper: unknown paper 'papre'"},
           {{{"tests", json::array()}}, "at /errata/0/tests: an erratum that no test"},
           {{{"kind", "cod"}}, "at /errata/0/kind: unknown kind 'cod'; the nearest is 'code'"},
           {{{"also", {{"paper", "papre"}}}}, "at /errata/0/also/paper: unknown paper 'papre'"},
           {{{"explains", {{"table", "paper/table"}, {"row", "A"}}}},
            ": no rule finds the row 'A' of paper/table, which one of them explains"},
           {{{"evidence", nullptr}}, "at /errata/0: the field 'evidence' is missing"}}) {
    json bad = good;
    bad["errata"][0].merge_patch(change);
    EXPECT_THAT(complaint_of([&] { return read(bad); }),
                AllOf(HasSubstr("errata_by_reading.json"), HasSubstr(says)));
  }
}

TEST(Readings, OfSeveralPapersAreCountedOnceAndShownInEach) {
  Errata errata;
  errata.documents = {{"one", "One"}, {"two", "Two"}};
  errata.readings = {{.places = {{"one", "p. 1"}, {"two", "p. 2"}},
                      .explains = {},
                      .printed = "1",
                      .right = "2",
                      .evidence = "It is.",
                      .tests = {"A.B"}},
                     {.places = {{"two", "p. 3"}},
                      .is_of_code = true,
                      .explains = {},
                      .printed = "3",
                      .right = "does 4",
                      .evidence = "It is.",
                      .tests = {"A.B"}}};
  const std::string page = to_markdown(document_of(errata));
  EXPECT_THAT(page, AllOf(HasSubstr("and 1 errata were found by reading. In 1 places the authors'"),
                          HasSubstr("**p. 1**: 1. Right: 2. It is. The same is in two, p. 2."),
                          HasSubstr("**p. 2**: 1. Right: 2. It is. The same is in one, p. 1.")));
  EXPECT_THAT(page, HasSubstr("differs from the text:\n\n* **p. 3**: 3. The code: does 4. It is."));
  const json made = json::parse(to_text(to_json(errata)));
  EXPECT_EQ(made["by_reading"].size(), 2U);
  EXPECT_EQ(made["by_reading"][0]["also"][0]["paper"], "two");
  EXPECT_EQ(made["by_reading"][1]["kind"], "code");
}

Errata hostile_errata() {
  Errata errata;
  errata.checked = 3;
  errata.documents["paper"] = "A | *Paper*";
  errata.cells.push_back({.paper = "paper",
                          .table = "paper/table",
                          .where = "p. 1",
                          .row = "a|b_c, \"quoted\"",
                          .column = "16",
                          .printed = "2.0",
                          .recomputed = {0.99, 1.01},
                          .off = 1.0,
                          .basis = Basis::stated,
                          .rule = "A / B",
                          .note = {}});
  return errata;
}

TEST(RenderErrata, EscapesWhatEachFormatTakesForItsOwn) {
  const Errata errata = hostile_errata();
  EXPECT_THAT(to_markdown(document_of(errata)), HasSubstr("a\\|b_c"));
  EXPECT_THAT(to_csv(errata), HasSubstr("\"a|b_c, \"\"quoted\"\"\",16,2.0,0.99"));
  const json made = json::parse(to_text(to_json(errata)));
  EXPECT_EQ(made["cells"][0]["row"], errata.cells[0].row);
  EXPECT_EQ(made["cells"][0]["off"], 1.0);
  EXPECT_THAT(to_text(document_of(errata), 100),
              AllOf(HasSubstr("0.990 to 1.010"), HasSubstr("+100%")));
}

/// What is wrong in the papers, by name: the page in step says the rest.
TEST(ErrataOfThePapers, AreWhatTheyAre) {
  const Errata errata = find_errata(definitions_folder(), {});
  const auto off = [&](const std::string& row, const std::string& column) {
    for (const Erratum& erratum : errata.cells) {
      if (erratum.row == row && erratum.column == column) return erratum.off.value_or(NAN);
    }
    return 0.0;
  };
  EXPECT_NEAR(off("Ratio (solution)", "512"), -0.258, 1e-3);
  EXPECT_NEAR(off("500,000 agents, 1 thread: Total Time", "250(50)"), 0.394, 1e-3);
  EXPECT_EQ(off("1 + Δ_a, 1", "the sum of its cells"), 0) << "found by reading which cell it is";
  EXPECT_EQ(off("1 - Δ_a, 0", "1 + Δ_a, 0"), 0) << "0.0.3125 is the scan's";
  EXPECT_EQ(off("Thrust/OpenMP (4-core)", "256"), 0) << "an outlier of timing is no misprint";
  EXPECT_EQ(off("GB of the shocks if they were not stored as bits", ""), 0) << "of 10^9 bytes";
  EXPECT_NEAR(off("adjusted R2 of the GPU's regression", ""), 0.052, 1e-3);
  EXPECT_EQ(off("adjusted R2 of the CPU's regression", ""), 0) << "cut off, and not rounded";
  EXPECT_EQ(off("how many times slower the CPU is at T = 30", ""), 0) << "as 7021 is printed";
  EXPECT_EQ(off("million nodes of the state tree at T = 24", ""), 0) << "it is a rough number";
  EXPECT_THAT(errata.cells,
              Contains(AllOf(Field(&Erratum::printed, "208"),
                             Field(&Erratum::note, HasSubstr("GPU Total in place of")))));
  EXPECT_EQ(std::ranges::count_if(
                errata.cells,
                [](const Erratum& erratum) { return erratum.row.ends_with("Total Speedup"); }),
            4);
  EXPECT_THAT(
      errata.slight,
      Contains(AllOf(Field(&Slight::row, "Total Speedup"), Field(&Slight::cells, SizeIs(19)),
                     Field(&Slight::of, 27), Field(&Slight::most, DoubleNear(0.066, 1e-3)))));
  for (const Erratum& erratum : errata.cells) {
    EXPECT_NE(erratum.table, "aldrich_vfi_page/binary_search") << "all of it follows";
  }
  EXPECT_GT(errata.checked, 350);
}

TEST(ErrataOfThePapers, OfOnePaperAreThoseOfIt) {
  const Errata all = find_errata(definitions_folder(), {});
  const Errata one = find_errata(definitions_folder(), {"oswald_tutorial"});
  EXPECT_LT(one.checked, all.checked);
  EXPECT_THAT(one.cells, IsEmpty());
  for (const FoundByReading& reading : one.readings) {
    EXPECT_NE(reading.place_in("oswald_tutorial"), nullptr);
  }
  EXPECT_THROW(find_errata(definitions_folder(), {"oswald"}), UsageError);
}

/// `macrobench errata --format md` makes ERRATA.md (tools/readme rewrites it).
TEST(ErrataOfThePapers, PageIsInStep) {
  EXPECT_EQ(to_markdown(document_of(find_errata(definitions_folder(), {}))),
            content_of(source_dir() / "paper_tables/ERRATA.md"));
}

}  // namespace
}  // namespace macrobench
