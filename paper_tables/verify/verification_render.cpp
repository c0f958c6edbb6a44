#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "harness/text/json_values.hpp"
#include "paper_tables/verify/verification.hpp"

namespace macrobench {

namespace {

constexpr std::size_t shown_faults = 3;

std::string to_string(Check::Result result) {
  switch (result) {
    case Check::Result::passed:
      return "passed";
    case Check::Result::failed:
      return "failed";
    case Check::Result::unknown:
      break;
  }
  return "unknown";
}

Grid checks_of(const Verification& one) {
  std::vector<Row> rows;
  for (const Check& check : one.checks) {
    rows.push_back({{check.name, check.about, to_string(check.result), check.detail}});
  }
  using enum Column::Kind;
  return grid_of({{"check", words}, {"", words}, {"result", words}, {"of", words}},
                 std::move(rows));
}

/// The first faults of each check.
List faults_of(const Verification& one) {
  List list;
  for (const Check& check : one.checks) {
    if (check.faults.empty()) continue;
    ListItem item{.words = check.name + ":"};
    for (std::size_t i = 0; i < check.faults.size() && i < shown_faults; ++i) {
      item.below.emplace_back(check.faults[i]);
    }
    if (check.faults.size() > shown_faults) {
      item.below.emplace_back(fmt::format("and {} more", check.faults.size() - shown_faults));
    }
    list.items.push_back(std::move(item));
  }
  return list;
}

}  // namespace

nlohmann::ordered_json to_json(const std::vector<Verification>& all) {
  nlohmann::ordered_json folders = nlohmann::ordered_json::array();
  for (const Verification& one : all) {
    nlohmann::ordered_json checks = nlohmann::ordered_json::array();
    for (const Check& check : one.checks) {
      checks.push_back({{"check", check.name},
                        {"about", check.about},
                        {"result", to_string(check.result)},
                        {"detail", or_null(check.detail)},
                        {"faults", check.faults}});
    }
    folders.push_back({{"folder", one.name},
                       {"verdict", to_string(one.verdict())},
                       {"why", or_null(one.why())},
                       {"checks", std::move(checks)}});
  }
  return {{"schema", 1}, {"folders", std::move(folders)}};
}

Document document_of(const std::vector<Verification>& all) {
  Document document{.title = "Verification"};
  List verdicts;
  for (const Verification& one : all) {
    const std::string why = one.why();
    verdicts.items.push_back({Words(one.name + ": ") + strong(to_string(one.verdict())) +
                              (why.empty() ? "" : "; " + why)});
    document.body.emplace_back(Heading{one.name});
    document.body.emplace_back(checks_of(one));
    List faults = faults_of(one);
    if (!faults.items.empty()) document.body.emplace_back(std::move(faults));
  }
  document.summary.emplace_back(std::move(verdicts));
  return document;
}

}  // namespace macrobench
