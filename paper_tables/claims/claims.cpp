#include "paper_tables/claims/claims.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <set>
#include <system_error>
#include <utility>

#include "harness/files/folder.hpp"
#include "harness/files/json_file.hpp"
#include "harness/model/registry.hpp"
#include "harness/text/each.hpp"
#include "harness/text/error.hpp"
#include "harness/text/nearest.hpp"
#include "paper_tables/cells/definitions.hpp"
#include "paper_tables/cells/find.hpp"
#include "paper_tables/cells/lookup.hpp"
#include "paper_tables/cells/place.hpp"
#include "paper_tables/cells/quantity.hpp"
#include "paper_tables/cells/table_options.hpp"

namespace macrobench {

namespace {

namespace fs = std::filesystem;

/// The numbers of a row's cases that a claim may use instead of the one that the row shows.
constexpr std::array<Quantity, 4> other_quantities{Quantity::start, Quantity::solution,
                                                   Quantity::total, Quantity::iterations};

template <class T>
bool contains(const std::vector<T>& all, const T& one) {
  return std::ranges::find(all, one) != all.end();
}

const TestDescription& read_kind(const Place& place) {
  const auto name = [](const TestDescription& kind) { return std::string(kind.name); };
  return test_descriptions()[find_name(place, "kind of test", each(test_descriptions(), name))];
}

std::string read_words(const Place& place) {
  std::string text = place.text();
  if (text.empty()) place.fail("it must say something");
  return text;
}

/// Another number of the row's cases: {"quantity": "iterations"}, {"figure": NAME}. It may be the
/// one that the row shows, without any replacement.
void read_other_number(const Place& place, const Definition& table, RowDefinition& row) {
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
    const Model& model = table.its_model();
    row.quantity = Quantity::figure;
    row.of = read_figure_name(place.at("figure"), model);
    row.unit = model.unit_of(row.of);
    return;
  }
  const auto name = [](Quantity quantity) { return to_string(quantity); };
  row.quantity =
      other_quantities[find_name(place.at("quantity"), "quantity", each(other_quantities, name))];
  row.unit = description_of(row.quantity).unit;
  if (row.quantity == shown) row.published = published;
}

/// The first list without what the second one lacks.
std::vector<std::string> common(const std::vector<std::string>& labels,
                                const std::vector<std::string>& others) {
  std::vector<std::string> both;
  std::ranges::copy_if(labels, std::back_inserter(both),
                       [&](const std::string& label) { return contains(others, label); });
  return both;
}

/// The labels of the columns where the paper prints a row, or else both rows of its ratio.
std::vector<std::string> printed_columns(const RowPlace& place, Definitions& all) {
  const RowDefinition& row = *place.row;
  std::vector<std::string> labels;
  for (std::size_t i = 0; i < row.published.size(); ++i) {
    if (row.published[i]) labels.push_back(place.table->columns[i].label);
  }
  if (!labels.empty() || row.quantity != Quantity::ratio || !row.numerator || !row.baseline) {
    return labels;
  }
  const auto above = find_row(*row.numerator, {.table = place.table}, all);
  const auto below = find_row(*row.baseline, {.table = place.table}, all);
  if (!above || !below) return labels;
  return common(printed_columns(*above, all), printed_columns(*below, all));
}

/// A row of the table, if it names no other.
ClaimRow read_row(const Place& place, const Definition& table, Definitions& all) {
  const RowReference reference = read_reference(place, {"figure", "quantity"});
  const RowPlace found = find_row(place, reference, {.table = &table}, all);
  ClaimRow row{found.table, *found.row, reference.row};
  row.printed = printed_columns(found, all);
  if (place.is_text()) return row;
  read_other_number(place, *row.table, row.row);
  if (place.has("called")) {
    row.called = read_words(place.at("called"));
  } else if (!reference.group.empty()) {
    row.called = fmt::format("{}: {}", reference.group, row.called);
  }
  return row;
}

ClaimQuantity read_quantity(const Place& place, const Definition& table, Definitions& all) {
  if (place.is_text() || !place.has("numerator")) {
    ClaimRow row = read_row(place, table, all);
    const std::string called = row.called;
    return {std::move(row), std::nullopt, called};
  }
  place.allow({"numerator", "baseline", "called"});
  ClaimQuantity quantity{read_row(place.at("numerator"), table, all),
                         read_row(place.at("baseline"), table, all), place.text_or_empty("called")};
  if (quantity.called.empty()) {
    quantity.called = fmt::format("{} over {}", quantity.row.called, quantity.baseline->called);
  }
  return quantity;
}

/// A list, or one quantity.
std::vector<ClaimQuantity> read_quantities(const Place& place, const Definition& table,
                                           Definitions& all) {
  if (!place.is_list()) return {read_quantity(place, table, all)};
  const auto read = [&](const Place& one) { return read_quantity(one, table, all); };
  std::vector<ClaimQuantity> quantities = place.list_of(read);
  if (quantities.size() < 2) place.fail("a list must hold two quantities or more");
  return quantities;
}

/// A list of labels, put in the table's order.
std::vector<std::string> read_columns(const Place& place, const Definition& table) {
  const std::vector<std::string> known = labels_of(table.columns);
  const auto named =
      place.list_of([&](const Place& column) { return known[find_column(column, table)]; });
  if (named.empty()) place.fail("it must name a column");
  return common(known, named);
}

/// All columns of the table where the paper prints every row of the subject that it prints at all.
std::vector<std::string> all_columns(const Definition& table, const Reading& subject) {
  std::vector<std::string> columns = labels_of(table.columns);
  const auto keep = [&](const ClaimRow& row) {
    if (!row.printed.empty()) columns = common(columns, row.printed);
  };
  for (const ClaimQuantity& quantity : subject.of) {
    keep(quantity.row);
    if (quantity.baseline) keep(*quantity.baseline);
  }
  return columns;
}

/// The columns that count, and by which words fewer or others do than all. Whoever chooses columns
/// may know the result: only the sentence may.
struct ClaimColumns {
  std::vector<std::string> labels;
  std::string why;
};

ClaimColumns read_claim_columns(const Place& claim, const Definition& table,
                                const Reading& subject) {
  const std::vector<std::string> all = all_columns(table, subject);
  if (!claim.has("columns")) {
    if (claim.has("columns_why")) claim.at("columns_why").fail("it goes with the field 'columns'");
    if (all.empty()) claim.fail("in no column does the paper print all that 'of' names");
    return {all, ""};
  }
  std::vector<std::string> labels = read_columns(claim.at("columns"), table);
  if (labels == all) {
    claim.at("columns").fail("it lists all columns that count anyway; leave it out");
  }
  if (!claim.has("columns_why")) {
    claim.at("columns").fail(
        "it needs the field 'columns_why' with the paper's words that limit it; without such words "
        "leave it out, and all columns count");
  }
  const Place why = claim.at("columns_why");
  // Our own readings have no other words than ours.
  if (claim.has("reading") && claim.at("says").text().find(read_words(why)) == std::string::npos) {
    why.fail("it must be words of the field 'says'");
  }
  return {std::move(labels), read_words(why)};
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

/// Which words of the paper say that there is no second bound.
std::optional<OneSided> read_one_sided(const Place& place, const Range& range) {
  if (range.at_least && range.at_most) {
    if (place.has("one_sided")) place.at("one_sided").fail("the range has two sides");
    return std::nullopt;
  }
  if (!place.has("one_sided")) {
    place.fail("a size has two bounds, or the field 'one_sided' with the paper's words for one");
  }
  // "Up to 125 times" also says that 125 is reached.
  if (!range.at_least) place.fail("a size that is only at most so large needs 'at_least' too");
  const Place words = place.at("one_sided");
  words.allow({"words", "where"});
  return OneSided{read_words(words.at("words")), read_words(words.at("where"))};
}

/// The place is the direction or the size of the claim.
ClaimTest read_test(const Place& claim, const char* field, const Definition* table,
                    const ClaimColumns& columns) {
  const Place place = claim.at(field);
  const TestDescription& kind = read_kind(place.at("kind"));
  const bool is_size = field == std::string_view("size");
  ClaimTest test{.kind = kind.kind, .reason = read_words(place.at("reason"))};
  if (kind.kind == TestKind::untestable) {
    place.allow({"kind", "reason"});
    return test;
  }
  std::vector<std::string> fields{"kind", "reason"};
  if (kind.goes_in_steps) {
    if (is_size) place.at("kind").fail("a size is in a range");
    fields.insert(fields.end(), {"slack", "times"});
  } else {
    fields.insert(fields.end(), {"at_least", "at_most"});
    if (is_size) fields.emplace_back("one_sided");
  }
  if (kind.kind == TestKind::growth) fields.emplace_back("over");
  place.allow(fields);
  if (!kind.goes_in_steps) test.range = read_range(place);
  if (is_size) test.one_sided = read_one_sided(place, test.range);
  if (table == nullptr) return test;

  test.columns = columns.labels;
  test.columns_why = columns.why;
  test.need = test.columns.size();
  if (claim.has("need")) {
    const Place need = claim.at("need");
    test.need = need.count();
    if (test.need > test.columns.size()) {
      need.fail(fmt::format("there are {} columns", test.columns.size()));
    }
  }
  if (place.has("slack")) {
    test.slack = place.at("slack").number();
    if (test.slack < 0) place.at("slack").fail("it must not be negative");
  }
  if (place.has("times")) {
    test.times = place.at("times").number();
    if (test.times < 1) place.at("times").fail("it must not be below one");
  }
  if (kind.kind == TestKind::growth) test.over = read_over(place.at("over"), *table);
  return test;
}

/// Checks that every reading's rows have the test's columns, and no more quantities than it allows.
void check_reading(const Place& place, const Reading& reading, const ClaimTest& test) {
  if (test.kind == TestKind::untestable) return;
  if (reading.of.size() > 1 && !description_of(test.kind).goes_in_steps) {
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

/// What the paper says, or nothing if the claim is our reading.
std::string read_quote(const Place& place) {
  if (place.has("quote") == place.has("reading")) {
    place.fail("it needs the field 'quote' with the paper's words, or else \"reading\": \"ours\"");
  }
  if (place.has("quote")) return read_words(place.at("quote"));
  find_name(place.at("reading"), "reading", {"ours"});
  return "";
}

constexpr std::array<std::pair<const char*, std::optional<ClaimTest> Claim::*>, 2> tests_of_claim{
    {{"direction", &Claim::direction}, {"size", &Claim::size}}};

/// Its kind, and the reason if it is vacuous.
void read_class(const Place& place, Claim& claim) {
  if (place.has("kind")) {
    claim.kind = static_cast<ClaimKind>(
        find_name(place.at("kind"), "kind", {claim_kinds.begin(), claim_kinds.end()}));
  }
  if (claim.kind == ClaimKind::vacuous) {
    claim.reason = read_words(place.at("reason"));
  } else if (place.has("reason")) {
    place.at("reason").fail("only of a vacuous claim: the direction and the size have their own");
  }
}

Claim read_claim(const Place& place, Definitions& all) {
  place.allow({"claim", "where", "quote", "reading", "kind", "says", "quantity", "table", "of",
               "like_for_like", "columns", "columns_why", "need", "direction", "size", "cores",
               "reason"});
  Claim claim{.name = read_words(place.at("claim")),
              .where = read_words(place.at("where")),
              .quote = read_quote(place),
              .says = read_words(place.at("says")),
              .quantity = read_words(place.at("quantity"))};
  read_class(place, claim);
  bool is_tested = false;
  for (const auto& [field, test] : tests_of_claim) {
    if (!place.has(field)) continue;
    const TestKind kind = read_kind(place.at(field).at("kind")).kind;
    is_tested = is_tested || kind != TestKind::untestable;
  }
  if (!place.has("direction") && !place.has("size") && claim.kind != ClaimKind::vacuous) {
    place.fail("it needs the field 'direction' or the field 'size'");
  }
  if (place.has("cores")) claim.cores = static_cast<int>(place.at("cores").count());
  const Definition* table = is_tested ? &find_table(place.at("table"), all) : nullptr;
  ClaimColumns columns;
  if (is_tested) {
    claim.readings.push_back({"as published", read_quantities(place.at("of"), *table, all)});
    columns = read_claim_columns(place, *table, claim.readings.front());
  }
  for (const auto& [field, test] : tests_of_claim) {
    if (place.has(field)) claim.*test = read_test(place, field, table, columns);
  }
  if (!is_tested) {
    for (const char* field : {"like_for_like", "columns", "columns_why", "need"}) {
      if (place.has(field)) place.at(field).fail("nothing of a table is tested");
    }
    return claim;
  }
  const auto check = [&](const Place& of) {
    for (const auto& [field, test] : tests_of_claim) {
      if (claim.*test) check_reading(of, claim.readings.back(), *(claim.*test));
    }
  };
  check(place.at("of"));
  if (!place.has("like_for_like")) return claim;
  for (const Place& other : place.at("like_for_like").items()) {
    other.allow({"called", "of"});
    claim.readings.push_back(
        {read_words(other.at("called")), read_quantities(other.at("of"), *table, all)});
    check(other.at("of"));
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

std::vector<std::string> papers_with_claims(const fs::path& folder) {
  std::vector<std::string> papers;
  for (const fs::path& paper : paths_in(folder)) {
    std::error_code unreadable;
    if (fs::exists(paper / claims_file, unreadable)) papers.push_back(paper.filename().string());
  }
  return papers;
}

std::vector<PaperClaims> read_claims(const fs::path& folder, const std::vector<std::string>& papers,
                                     Definitions& all) {
  const std::vector<std::string> known = papers_with_claims(folder);
  if (known.empty()) {
    throw UsageError(
        fmt::format("{}: there is no {} in it or in its folders", folder.string(), claims_file));
  }
  const std::vector<std::string> with_tables = all.papers();
  for (const std::string& paper : papers) {
    const bool has_claims = std::ranges::count(known, paper) > 0;
    if (has_claims || std::ranges::count(with_tables, paper) == 0) continue;
    throw UsageError("{}: the paper has tables and no claims ({})", paper, claims_file);
  }
  std::vector<PaperClaims> claims;
  for (const std::string& paper : chosen_papers(known, papers)) {
    read_or_leave_out(all.leave_out(), paper + "/claims",
                      [&] { claims.push_back(read_paper(folder, paper, all)); });
  }
  return claims;
}

}  // namespace macrobench
