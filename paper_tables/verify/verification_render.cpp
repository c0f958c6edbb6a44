#include "paper_tables/verify/verification_render.hpp"

#include <fmt/format.h>

#include "harness/text/each.hpp"

namespace macrobench {

namespace {

constexpr std::size_t shown_faults = 3;

std::string to_string(Check::Result result) {
  constexpr const char* names[] = {"passed", "unknown", "failed"};
  return names[static_cast<std::size_t>(result)];
}

struct FolderCheck {
  std::string folder;
  Check check;
};

Sheet checks_of(const std::vector<Verification>& all) {
  using One = FolderCheck;
  using enum Column::Kind;
  std::vector<One> rows;
  for (const Verification& folder : all) {
    for (const Check& check : folder.checks) rows.push_back({folder.name, check});
  }
  return SheetOf<One>("checks", {"folder", "check"})
      .data("folder", &One::folder)
      .column("check", {"check", words}, [](const One& one) { return one.check.name; })
      .column("about", {"", words}, [](const One& one) { return one.check.about; })
      .column("result", {"result", words},
              [](const One& one) { return to_string(one.check.result); })
      .column("detail", {"of", words}, [](const One& one) { return one.check.detail; })
      .of(rows);
}

/// A fault or a note of a check.
struct Finding {
  std::string folder, check;
  const char* kind;
  std::string says;
};

Sheet findings_of(const std::vector<Verification>& all) {
  std::vector<Finding> rows;
  for (const Verification& folder : all) {
    for (const Check& check : folder.checks) {
      for (const std::string& fault : check.faults) {
        rows.push_back({folder.name, check.name, "fault", fault});
      }
      for (const std::string& note : check.notes) {
        rows.push_back({folder.name, check.name, "note", note});
      }
    }
  }
  return SheetOf<Finding>("findings", {"folder", "check", "kind", "says"})
      .data("folder", &Finding::folder)
      .data("check", &Finding::check)
      .data("kind", &Finding::kind)
      .data("says", &Finding::says)
      .of(rows);
}

Sheet folders_of(const std::vector<Verification>& all) {
  return SheetOf<Verification>("folders", {"folder"})
      .data("folder", &Verification::name)
      .data("results", &Verification::results)
      .data("times", &Verification::times)
      .data("failed", &Verification::failed)
      .of(all);
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

std::vector<Sheet> sheets_of(const std::vector<Verification>& all) {
  return {checks_of(all), findings_of(all), folders_of(all)};
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
    append(document.body, blocks_of(checks_of({one})));
    for (List list : {notes_of(one), faults_of(one)}) {
      if (!list.items.empty()) document.body.emplace_back(std::move(list));
    }
  }
  document.summary.emplace_back(std::move(verdicts));
  return document;
}

}  // namespace macrobench
