#include "paper_tables/verify/verification_render.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "harness/text/each.hpp"
#include "harness/text/json_values.hpp"

namespace macrobench {

namespace {

constexpr std::size_t shown_faults = 3;

std::string to_string(Check::Result result) {
  constexpr const char* names[] = {"passed", "unknown", "failed"};
  return names[static_cast<std::size_t>(result)];
}

Grid checks_of(const Verification& one) {
  return grid_of(columns_of({"check", "", "result", "of"}, {}),
                 each(one.checks, [](const Check& its) {
                   return Row{{its.name, its.about, to_string(its.result), its.detail}};
                 }));
}

/// The notes of each check.
List notes_of(const Verification& one) {
  List list;
  for (const Check& check : one.checks) {
    if (check.notes.empty()) continue;
    ListItem item{.words = check.name + ":"};
    for (const std::string& note : check.notes) item.below.emplace_back(note);
    list.items.push_back(std::move(item));
  }
  return list;
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
  const auto check = [](const Check& its) -> nlohmann::ordered_json {
    return {{"check", its.name},
            {"about", its.about},
            {"result", to_string(its.result)},
            {"detail", or_null(its.detail)},
            {"faults", its.faults},
            {"notes", its.notes}};
  };
  const auto folder = [&](const Verification& one) -> nlohmann::ordered_json {
    return {{"folder", one.name},
            {"results", one.results()},
            {"times", one.times()},
            {"failed", or_null(one.failed())},
            {"checks", each(one.checks, check)}};
  };
  return {{"schema", 3}, {"folders", each(all, folder)}};
}

Document document_of(const std::vector<Verification>& all) {
  Document document{.title = "Verification"};
  List verdicts;
  for (const Verification& one : all) {
    const std::string failed = one.failed();
    verdicts.items.push_back({Words(one.name + ": results ") + strong(one.results()) + ", times " +
                              strong(one.times()) +
                              (failed.empty() ? "" : "; these checks failed: " + failed)});
    document.body.emplace_back(Heading{one.name});
    document.body.emplace_back(checks_of(one));
    for (List list : {notes_of(one), faults_of(one)}) {
      if (!list.items.empty()) document.body.emplace_back(std::move(list));
    }
  }
  document.summary.emplace_back(std::move(verdicts));
  return document;
}

}  // namespace macrobench
