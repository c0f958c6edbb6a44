#include "paper_tables/fidelity/originals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include "harness/files/folder.hpp"
#include "harness/files/json_file.hpp"
#include "harness/model/registry.hpp"
#include "harness/numbers/ratio.hpp"
#include "harness/text/each.hpp"
#include "harness/text/error.hpp"
#include "harness/text/nearest.hpp"
#include "harness/text/strings.hpp"
#include "paper_tables/cells/definitions.hpp"
#include "paper_tables/cells/find.hpp"
#include "paper_tables/cells/lookup.hpp"
#include "paper_tables/cells/place.hpp"
#include "paper_tables/cells/printed_number.hpp"

namespace macrobench {

namespace {

namespace fs = std::filesystem;

std::string words_at(const Place& place) {
  std::string text = place.text();
  if (text.empty()) place.fail("it must say something");
  return text;
}

Parameters parameters_in(const Place& place, const char* field, const Model& model) {
  return place.has(field) ? parameters_at(place.at(field), model) : Parameters();
}

/// The counterpart, or a variant, which has its implementation where it names none.
OurProgram our_program_at(const Place& place, const Model& model,
                          const std::optional<std::string>& otherwise = {}) {
  place.allow({"implementation", "parameters"});
  OurProgram made;
  if (place.has("implementation") || !otherwise) {
    made.implementation =
        name_at(place.at("implementation"), "implementation", implementation_names(model.name));
  } else {
    made.implementation = *otherwise;
  }
  made.parameters = parameters_in(place, "parameters", model);
  return made;
}

KnownDifference difference_at(const Place& place, const Model& model, const Original& original) {
  place.allow({"name", "says", "variant"});
  KnownDifference made{.name = words_at(place.at("name")), .says = words_at(place.at("says"))};
  if (place.has("variant")) {
    made.variant = our_program_at(place.at("variant"), model, original.counterpart.implementation);
    if (*made.variant == original.counterpart) {
      place.at("variant").fail("it is the counterpart itself, whose time shows nothing");
    }
  }
  return made;
}

PrintedFigure figure_at(const Place& place, const Model& model) {
  place.allow({"printed", "where", "figure", "parameters"});
  PrintedFigure made{.printed = words_at(place.at("printed")),
                     .where = words_at(place.at("where")),
                     .figure = words_at(place.at("figure")),
                     .parameters = parameters_in(place, "parameters", model)};
  if (!finite_number(made.printed)) place.at("printed").fail("it must be a number's digits");
  return made;
}

template <class One>
void refuse_twice(const Place& list, const std::vector<One>& all, std::string One::* name) {
  std::set<std::string> names;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (names.insert(all[i].*name).second) continue;
    list.items()[i].at("name").fail("there is another '{}'", all[i].*name);
  }
}

Original original_at(const Place& place) {
  place.allow({"name", "summary", "source", "commit", "model", "program", "counterpart",
               "parameters", "cases", "arrays", "differences", "fingerprints"});
  Original made{.name = words_at(place.at("name")),
                .summary = words_at(place.at("summary")),
                .source = place.at("source").is_null() ? "" : words_at(place.at("source")),
                .commit = {},
                .model = words_at(place.at("model")),
                .program = {},
                .counterpart = {},
                .parameters = {},
                .cases = {},
                .arrays = {},
                .differences = {},
                .fingerprints = {}};
  const Model& model = found_at(
      place.at("model"), [&]() -> const Model& { return Registry::global().model(made.model); });
  made.counterpart = our_program_at(place.at("counterpart"), model);
  if (!made.is_public()) {
    place.allow({"name", "summary", "source", "model", "counterpart"});
    return made;
  }
  made.commit = words_at(place.at("commit"));
  made.program = words_at(place.at("program"));
  if (!made.program.starts_with(made.model + "/")) {
    place.at("program").fail("it must be {}/NAME", made.model);
  }
  made.parameters = parameters_in(place, "parameters", model);
  const Place cases = place.at("cases");
  made.cases = cases.list_of([&](const Place& one) { return parameters_at(one, model); });
  if (made.cases.empty()) cases.fail("it must have a case");
  for (std::size_t i = 0; i < made.cases.size(); ++i) {
    if (std::ranges::find(made.cases, made.cases[i]) !=
        made.cases.begin() + static_cast<std::ptrdiff_t>(i)) {
      cases.items()[i].fail("it is there twice");
    }
  }
  made.arrays = place.at("arrays").list_of(words_at);
  if (made.arrays.empty()) place.at("arrays").fail("it must name an array");
  const auto difference = [&](const Place& one) { return difference_at(one, model, made); };
  made.differences = place.at("differences").list_of(difference);
  refuse_twice(place.at("differences"), made.differences, &KnownDifference::name);
  if (place.has("fingerprints")) {
    made.fingerprints =
        place.at("fingerprints").list_of([&](const Place& one) { return figure_at(one, model); });
  }
  return made;
}

/// Where both rows have a number. An original is looked for when all papers have been read.
PrintedRatio ratio_at(const Place& place, Tables& tables) {
  place.allow({"name", "of", "over"});
  PrintedRatio made{.name = words_at(place.at("name")),
                    .where = {},
                    .of = words_at(place.at("of").at("original")),
                    .over = words_at(place.at("over").at("original")),
                    .printed = {}};
  const auto row_at = [&](const Place& side) {
    words_at(side.at("table"));
    return find_row(side, read_reference(side, {"original"}), {.published_only = true}, tables);
  };
  const RowPlace of = row_at(place.at("of"));
  const RowPlace over = row_at(place.at("over"));
  if (of.table != over.table) place.fail("both rows must belong to one table");
  made.where = of.table->title;
  const std::string& size = of.table->its_model().size_axis;
  for (std::size_t i = 0; i < of.table->columns.size(); ++i) {
    const Value* at = of.table->columns[i].parameters.find(size);
    const Ratio printed(printed_cell(*of.row, i, {}), printed_cell(*over.row, i, {}), {});
    if (at != nullptr && !printed.is_refused()) made.printed.push_back({*at, printed.cell()});
  }
  if (made.printed.empty()) place.fail("the two rows have no number at the same size");
  return made;
}

PaperOriginals read_paper(const fs::path& folder, const std::string& paper,
                          const LeaveOut& leave_out) {
  const fs::path path = folder / paper / originals_file;
  const std::string file = display_path(path);
  const nlohmann::json document = read_json(path, file);
  const Place top(file, document);
  top.allow({"schema", "paper", "document", "originals", "ratios"});
  top.at("schema").check_schema(PaperOriginals::schema);
  if (top.at("paper").text() != paper) {
    top.at("paper").fail("it says {}, and its place says {}", top.at("paper").text(), paper);
  }
  PaperOriginals made{.paper = paper,
                      .document = words_at(top.at("document")),
                      .originals = top.at("originals").list_of(original_at)};
  refuse_twice(top.at("originals"), made.originals, &Original::name);
  if (top.has("ratios")) {
    Definitions tables(folder, leave_out);
    made.ratios =
        top.at("ratios").list_of([&](const Place& place) { return ratio_at(place, tables); });
  }
  return made;
}

}  // namespace

std::vector<std::string> papers_with_originals(const fs::path& folder) {
  std::vector<std::string> papers;
  for (const fs::path& paper : paths_in(folder)) {
    std::error_code unreadable;
    if (fs::exists(paper / originals_file, unreadable)) {
      papers.push_back(paper.filename().string());
    }
  }
  return papers;
}

std::vector<PaperOriginals> read_originals(const fs::path& folder, const LeaveOut& leave_out) {
  std::vector<PaperOriginals> papers;
  const auto name_of = [](const std::string& paper) { return paper + "/originals"; };
  for (const std::string& paper : papers_with_originals(folder)) {
    read_or_leave_out(leave_out, name_of(paper),
                      [&] { papers.push_back(read_paper(folder, paper, leave_out)); });
  }
  std::vector<std::string> known;
  for (const PaperOriginals& paper : papers) {
    for (const Original& its : paper.originals) known.push_back(paper.paper + "/" + its.name);
  }
  for (PaperOriginals& paper : papers) {
    std::vector<PrintedRatio> ratios = std::exchange(paper.ratios, {});
    read_or_leave_out(leave_out, name_of(paper.paper), [&] {
      for (const PrintedRatio& ratio : ratios) {
        for (const std::string& program : {ratio.of, ratio.over}) {
          if (std::ranges::find(known, program) != known.end()) continue;
          throw UsageError("{}, '{}': {}", display_path(folder / paper.paper / originals_file),
                           ratio.name, unknown_name("original", program, known));
        }
      }
      paper.ratios = std::move(ratios);
    });
  }
  return papers;
}

}  // namespace macrobench
