#include "paper_tables/claims/claims.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <utility>

#include "harness/text/error.hpp"
#include "harness/text/nearest.hpp"
#include "paper_tables/definitions/definitions.hpp"
#include "paper_tables/definitions/find.hpp"
#include "paper_tables/definitions/place.hpp"

namespace macrobench {

namespace {

namespace fs = std::filesystem;

constexpr std::array<std::pair<std::string_view, TestKind>, 9> kinds{
    {{"within", TestKind::within},
     {"usually", TestKind::usually},
     {"reaches", TestKind::reaches},
     {"rising", TestKind::rising},
     {"falling", TestKind::falling},
     {"crosses", TestKind::crosses},
     {"growth", TestKind::growth},
     {"spread", TestKind::spread},
     {"untestable", TestKind::untestable}}};

/// The numbers of a row's cases that a claim may use instead of the one that the row shows.
constexpr std::array<Quantity, 4> other_quantities{Quantity::start, Quantity::solution,
                                                   Quantity::total, Quantity::iterations};

template <class T>
bool contains(const std::vector<T>& all, const T& one) {
  return std::ranges::find(all, one) != all.end();
}

TestKind read_kind(const Place& place) {
  const std::string text = place.text();
  std::vector<std::string> names;
  for (const auto& [name, kind] : kinds) {
    if (name == text) return kind;
    names.emplace_back(name);
  }
  place.fail(unknown_name("kind of test", text, names));
}

std::string read_words(const Place& place) {
  std::string text = place.text();
  if (text.empty()) place.fail("it must say something");
  return text;
}

/// Another number of the row's cases: {"quantity": "iterations"}, {"figure": NAME}. It may be the
/// one that the row shows, without any replacement.
void read_other_number(const Place& place, RowDefinition& row) {
  if (!place.has("figure") && !place.has("quantity")) return;
  if (row.implementation.empty()) {
    place.fail(fmt::format("the row '{}' is not one that runs anything", row.label));
  }
  const std::vector<std::optional<std::string>> published =
      std::exchange(row.published, {row.published.size(), std::nullopt});
  const Quantity shown = row.quantity;
  row.stages.clear();
  row.per_iteration = false;
  row.continues.reset();
  row.otherwise.clear();
  if (place.has("figure")) {
    row.quantity = Quantity::figure;
    row.of = place.at("figure").text();
    return;
  }
  const std::string text = place.at("quantity").text();
  std::vector<std::string> names;
  for (const Quantity quantity : other_quantities) {
    names.push_back(to_string(quantity));
    if (names.back() == text) row.quantity = quantity;
  }
  if (!contains(names, text)) place.at("quantity").fail(unknown_name("quantity", text, names));
  if (row.quantity == shown) row.published = published;
}

PriceOf read_price(const Place& place) {
  const std::string text = place.text();
  if (text == "cpu") return PriceOf::cpu;
  if (text == "gpu") return PriceOf::gpu;
  place.fail(unknown_name("processor", text, {"cpu", "gpu"}));
}

/// Reads one claim; a row without a table belongs to `table`.
class ClaimReader {
 public:
  ClaimReader(Definitions& all, const Definition* table) : all_(all), table_(table) {}

  /// A list, or one quantity.
  [[nodiscard]] std::vector<ClaimQuantity> read_quantities(const Place& place) const {
    if (!place.is_list()) return {read_quantity(place)};
    std::vector<ClaimQuantity> all;
    for (const Place& one : place.items()) all.push_back(read_quantity(one));
    if (all.size() < 2) place.fail("a list must hold two quantities or more");
    return all;
  }

 private:
  [[nodiscard]] ClaimQuantity read_quantity(const Place& place) const {
    if (place.is_text() || !place.has("numerator")) {
      ClaimRow row = read_row(place);
      const std::string called = row.called;
      return {std::move(row), std::nullopt, called};
    }
    place.allow({"numerator", "baseline", "called"});
    ClaimQuantity quantity{read_row(place.at("numerator")), read_row(place.at("baseline")),
                           place.text_or_empty("called")};
    if (quantity.called.empty()) {
      quantity.called = fmt::format("{} over {}", quantity.row.called, quantity.baseline->called);
    }
    return quantity;
  }

  [[nodiscard]] ClaimRow read_row(const Place& place) const {
    const bool is_label = place.is_text();
    if (table_ == nullptr && (is_label || !place.has("table"))) {
      place.fail("no table is named, here or for the claim");
    }
    const RowReference reference = read_reference(place, {"price", "figure", "quantity"});
    const RowPlace found = find_row(place, reference, {.table = table_}, all_);
    ClaimRow row{found.table, *found.row, reference.row};
    if (is_label) return row;
    if (place.has("price")) row.price = read_price(place.at("price"));
    read_other_number(place, row.row);
    if (place.has("called")) {
      row.called = read_words(place.at("called"));
    } else if (!reference.group.empty()) {
      row.called = fmt::format("{}: {}", reference.group, row.called);
    }
    return row;
  }

  Definitions& all_;
  const Definition* table_;
};

/// "all", or a list of labels, put in the table's order.
std::vector<std::string> read_columns(const Place& place, const Definition& table) {
  std::vector<std::string> known = labels_of(table.columns);
  if (place.is_text() && place.text() == "all") return known;
  std::vector<std::string> named;
  for (const Place& column : place.items()) {
    named.push_back(known[find_column(column, table)]);
  }
  if (named.empty()) place.fail("it must name a column");
  std::vector<std::string> columns;
  std::ranges::copy_if(known, std::back_inserter(columns),
                       [&](const std::string& label) { return contains(named, label); });
  return columns;
}

Range read_range(const Place& place) {
  Range range;
  if (place.has("at_least")) range.at_least = place.at("at_least").number();
  if (place.has("at_most")) range.at_most = place.at("at_most").number();
  if (!range.at_least && !range.at_most) {
    place.fail("a range needs the field 'at_least' or the field 'at_most'");
  }
  if (range.at_least && range.at_most && *range.at_least > *range.at_most) {
    place.fail("'at_least' is above 'at_most'");
  }
  return range;
}

/// What a cost grows with: an axis that all columns have, or the work.
std::string read_over(const Place& place, const Definition& table) {
  std::string axis = place.text();
  if (axis == "work") return axis;
  for (const ColumnDefinition& column : table.columns) {
    if (column.parameters.find(axis) == nullptr) {
      place.fail(
          fmt::format("'{}' is neither \"work\" nor an axis of column '{}'", axis, column.label));
    }
  }
  return axis;
}

ClaimTest read_test(const Place& place, const Definition& table) {
  ClaimTest test{.kind = read_kind(place.at("kind")),
                 .columns = {},
                 .need = 0,
                 .range = {},
                 .slack = 0,
                 .times = 1,
                 .first = {},
                 .over = {}};
  const bool has_slack = test.kind == TestKind::rising || test.kind == TestKind::falling;
  std::vector<std::string> fields{"kind", "of", "columns", "need"};
  if (has_slack) {
    fields.insert(fields.end(), {"slack", "times"});
  } else {
    fields.insert(fields.end(), {"at_least", "at_most"});
  }
  if (test.kind == TestKind::crosses) fields.emplace_back("first");
  if (test.kind == TestKind::growth) fields.emplace_back("over");
  place.allow(fields);

  test.columns = read_columns(place.at("columns"), table);
  test.need = test.columns.size();
  if (place.has("need")) {
    if (takes_what_is_known(test.kind))
      place.at("need").fail("this kind of test takes no number of columns");
    test.need = place.at("need").count();
    if (test.need > test.columns.size()) {
      place.at("need").fail(fmt::format("there are {} columns", test.columns.size()));
    }
  }
  if (!has_slack) test.range = read_range(place);
  if (place.has("slack")) {
    test.slack = place.at("slack").number();
    if (test.slack < 0) place.at("slack").fail("it must not be negative");
  }
  if (place.has("times")) {
    test.times = place.at("times").number();
    if (test.times < 1) place.at("times").fail("it must not be below one");
  }
  if (test.kind == TestKind::crosses) {
    test.first = read_columns(place.at("first"), table);
    for (const std::string& column : test.first) {
      if (!contains(test.columns, column)) {
        place.at("first").fail(fmt::format("'{}' is not one of the columns", column));
      }
    }
  }
  if (test.kind == TestKind::growth) test.over = read_over(place.at("over"), table);
  return test;
}

/// Checks that every reading's rows have the test's columns, and no more quantities than it allows.
void check_reading(const Place& place, const Reading& reading, const ClaimTest& test) {
  const bool takes_list = test.kind == TestKind::rising || test.kind == TestKind::falling;
  if (reading.of.size() > 1 && !takes_list) {
    place.fail("only tests of kind rising or falling take a list");
  }
  const auto check = [&](const ClaimRow& row) {
    const std::vector<std::string> known = labels_of(row.table->columns);
    for (const std::string& column : test.columns) {
      if (!contains(known, column)) {
        place.fail(fmt::format("{} has no column '{}'", row.table->id(), column));
      }
    }
  };
  for (const ClaimQuantity& quantity : reading.of) {
    check(quantity.row);
    if (quantity.baseline) check(*quantity.baseline);
  }
}

Claim read_claim(const Place& place, Definitions& all) {
  place.allow(
      {"claim", "where", "says", "quantity", "table", "test", "cores", "like_for_like", "reason"});
  Claim claim{.name = read_words(place.at("claim")),
              .where = read_words(place.at("where")),
              .says = read_words(place.at("says")),
              .quantity = read_words(place.at("quantity")),
              .test = {},
              .cores = {},
              .reason = read_words(place.at("reason")),
              .readings = {}};
  if (read_kind(place.at("test").at("kind")) == TestKind::untestable) {
    place.at("test").allow({"kind"});
    if (place.has("like_for_like")) place.at("like_for_like").fail("nothing is tested");
    return claim;
  }
  const Definition& table = find_table(place.at("table"), all);
  const ClaimReader reader(all, &table);
  claim.test = read_test(place.at("test"), table);
  const Place of = place.at("test").at("of");
  claim.readings.push_back({"as published", reader.read_quantities(of)});
  check_reading(of, claim.readings.back(), claim.test);
  if (place.has("cores")) claim.cores = static_cast<int>(place.at("cores").count());
  if (!place.has("like_for_like")) return claim;
  for (const Place& other : place.at("like_for_like").items()) {
    other.allow({"called", "of"});
    claim.readings.push_back(
        {read_words(other.at("called")), reader.read_quantities(other.at("of"))});
    check_reading(other.at("of"), claim.readings.back(), claim.test);
  }
  return claim;
}

PaperClaims read_paper(const fs::path& folder, const std::string& paper, Definitions& all) {
  const fs::path path = folder / paper / claims_file;
  const std::string file = display_path(path);
  const nlohmann::json document = read_json(path, file);
  const Place top(file, document);
  top.allow({"schema", "paper", "document", "claims"});
  top.at("schema").check_schema(PaperClaims::schema);
  if (top.at("paper").text() != paper) {
    top.at("paper").fail(
        fmt::format("it says {}, and its place says {}", top.at("paper").text(), paper));
  }
  PaperClaims claims{paper, read_words(top.at("document")), {}};
  std::set<std::string> names;
  for (const Place& place : top.at("claims").items()) {
    claims.claims.push_back(read_claim(place, all));
    if (!names.insert(claims.claims.back().name).second) {
      place.at("claim").fail(fmt::format("there is another claim '{}'", claims.claims.back().name));
    }
  }
  return claims;
}

}  // namespace

std::string to_string(const Range& range) {
  if (range.at_least && range.at_most) {
    return fmt::format("{:.10g} to {:.10g}", *range.at_least, *range.at_most);
  }
  return range.at_least ? fmt::format("at least {:.10g}", *range.at_least)
                        : fmt::format("at most {:.10g}", range.at_most.value_or(0));
}

bool takes_what_is_known(TestKind kind) {
  return kind == TestKind::usually || kind == TestKind::reaches || kind == TestKind::crosses;
}

std::string to_string(TestKind kind) {
  const auto* const found =
      std::ranges::find_if(kinds, [&](const auto& pair) { return pair.second == kind; });
  return std::string(found->first);
}

std::vector<PaperClaims> read_claims(const fs::path& folder, const std::vector<std::string>& papers,
                                     Definitions& all) {
  std::vector<std::string> known;
  std::error_code failed;
  for (fs::directory_iterator paper(folder, failed), end; paper != end; ++paper) {
    if (fs::exists(paper->path() / claims_file)) {
      known.push_back(paper->path().filename().string());
    }
  }
  std::ranges::sort(known);
  if (known.empty()) {
    throw UsageError(
        fmt::format("{}: there is no {} in it or in its folders", folder.string(), claims_file));
  }
  for (const std::string& paper : papers) {
    if (!contains(known, paper)) throw UsageError(unknown_name("paper", paper, known));
  }
  std::vector<PaperClaims> claims;
  for (const std::string& paper : known) {
    if (papers.empty() || contains(papers, paper)) {
      claims.push_back(read_paper(folder, paper, all));
    }
  }
  return claims;
}

}  // namespace macrobench
