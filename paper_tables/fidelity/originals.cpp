#include "paper_tables/fidelity/originals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <utility>

#include "harness/files/folder.hpp"
#include "harness/files/json_file.hpp"
#include "harness/files/whole_file.hpp"
#include "harness/model/registry.hpp"
#include "harness/records/record_json.hpp"
#include "harness/text/each.hpp"
#include "harness/text/error.hpp"
#include "harness/text/json_values.hpp"
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
using nlohmann::ordered_json;

std::string words_at(const Place& place) {
  std::string text = place.text();
  if (text.empty()) place.fail("it must say something");
  return text;
}

// --- what a person wrote -----------------------------------------------------------------------

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
  const std::string& size = Registry::global().model(of.table->model).size_axis;
  for (std::size_t i = 0; i < of.table->columns.size(); ++i) {
    const Value* at = of.table->columns[i].parameters.find(size);
    const auto above = printed_number(of.row->published[i].value_or(""));
    const auto below = printed_number(over.row->published[i].value_or(""));
    if (at != nullptr && above && below && *below > 0)
      made.printed.push_back({*at, *above / *below});
  }
  if (made.printed.empty()) place.fail("the two rows have no number at the same size");
  return made;
}

// --- what was measured -------------------------------------------------------------------------

std::vector<double> seconds_at(const Place& place, const char* field) {
  if (!place.has(field)) return {};
  return place.at(field).list_of([](const Place& one) {
    const double seconds = one.number();
    if (!(seconds >= 0)) one.fail("it must be seconds");
    return seconds;
  });
}

std::optional<double> number_in(const Place& place, const char* field) {
  if (!place.has(field) || place.at(field).is_null()) return {};
  return place.at(field).number();
}

MeasuredSide side_at(const Place& place) {
  place.allow({"key", "status", "why", "seconds", "solution", "set_up", "iterations", "residual",
               "allowed"});
  MeasuredSide made{.key = place.at("key").text(),
                    .why = reason_from(place.text_or_empty("why")),
                    .seconds = seconds_at(place, "seconds"),
                    .solution = seconds_at(place, "solution"),
                    .set_up = seconds_at(place, "set_up"),
                    .residual = number_in(place, "residual"),
                    .allowed = number_in(place, "allowed")};
  try {
    made.status = status_from(place.at("status").text());
  } catch (const std::invalid_argument& error) {
    place.at("status").fail(error.what());
  }
  if (place.has("iterations")) made.iterations = place.at("iterations").at_least_0();
  return made;
}

MeasuredArray array_at(const Place& place) {
  place.allow({"name", "largest", "theirs", "ours", "points"});
  const auto number = [&](const char* field) {  // null: not a number, or infinite
    const double value = place.at(field).number_or_null();
    return std::isnan(value) ? HUGE_VAL : value;
  };
  MeasuredArray made{.name = words_at(place.at("name")),
                     .largest = number("largest"),
                     .theirs = number("theirs"),
                     .ours = number("ours")};
  if (place.has("points")) made.points = number("points");
  return made;
}

/// The original's own, or what it was when it was measured.
Parameters measured_parameters_at(const Place& place, const Original& original) {
  return parameters_at(place, Registry::global().model(original.model));
}

MeasuredCase case_at(const Place& place, const Original& original) {
  place.allow({"parameters", "original", "counterpart", "variants", "arrays", "not_compared"});
  MeasuredCase made{.parameters = measured_parameters_at(place.at("parameters"), original),
                    .original = side_at(place.at("original")),
                    .counterpart = side_at(place.at("counterpart")),
                    .not_compared = place.text_or_empty("not_compared")};
  if (place.has("variants")) {
    place.at("variants").each_member([&](const std::string& name, const Place& its) {
      made.variants.push_back({name, side_at(its)});
    });
  }
  if (place.has("arrays")) made.arrays = place.at("arrays").list_of(array_at);
  return made;
}

MeasuredFigure measured_figure_at(const Place& place, const Original& original) {
  place.allow({"figure", "parameters", "value", "why"});
  return {.figure = words_at(place.at("figure")),
          .parameters = measured_parameters_at(place.at("parameters"), original),
          .value = number_in(place, "value"),
          .why = place.text_or_empty("why")};
}

Checkout checkout_at(const Place& place) {
  place.allow({"commit", "changed"});
  return {.commit = place.at("commit").text_or_null(), .changed = place.at("changed").truth()};
}

Measurement measurement_at(const Place& place, const std::vector<Original>& originals) {
  place.allow({"original", "machine", "machine_id", "machine_text", "time", "rounds", "why",
               "theirs", "ours", "cases", "fingerprints"});
  const std::vector<std::string> names = each(originals, &Original::name);
  const Original& original = originals[find_name(place.at("original"), "original", names)];
  Measurement made{.original = original.name,
                   .machine = words_at(place.at("machine")),
                   .machine_id = words_at(place.at("machine_id")),
                   .machine_text = words_at(place.at("machine_text")),
                   .time = words_at(place.at("time")),
                   .rounds = static_cast<int>(place.at("rounds").at_least_0()),
                   .why = place.text_or_empty("why"),
                   .theirs = checkout_at(place.at("theirs")),
                   .ours = checkout_at(place.at("ours"))};
  const auto case_here = [&](const Place& one) { return case_at(one, original); };
  made.cases = place.at("cases").list_of(case_here);
  if (place.has("fingerprints")) {
    made.figures = place.at("fingerprints").list_of([&](const Place& one) {
      return measured_figure_at(one, original);
    });
  }
  return made;
}

PaperOriginals read_document(const fs::path& folder, const std::string& file,
                             const nlohmann::json& document, const std::string& paper) {
  const Place top(file, document);
  top.allow({"schema", "paper", "document", "originals", "ratios", "measured"});
  top.at("schema").check_schema(PaperOriginals::schema);
  if (top.at("paper").text() != paper) {
    top.at("paper").fail("it says {}, and its place says {}", top.at("paper").text(), paper);
  }
  PaperOriginals made{.paper = paper,
                      .document = words_at(top.at("document")),
                      .originals = top.at("originals").list_of(original_at),
                      .ratios = {},
                      .measured = {}};
  refuse_twice(top.at("originals"), made.originals, &Original::name);
  if (top.has("ratios")) {
    Definitions tables(folder);
    made.ratios =
        top.at("ratios").list_of([&](const Place& place) { return ratio_at(place, tables); });
  }
  if (top.has("measured")) {
    made.measured = top.at("measured").list_of([&](const Place& place) {
      return measurement_at(place, made.originals);
    });
  }
  return made;
}

PaperOriginals read_paper(const fs::path& folder, const std::string& paper) {
  const fs::path path = folder / paper / originals_file;
  const std::string file = display_path(path);
  return read_document(folder, file, read_json(path, file), paper);
}

// --- and as JSON -------------------------------------------------------------------------------

ordered_json json_of(const MeasuredSide& side) {
  ordered_json json{{"key", side.key}, {"status", to_string(side.status)}};
  if (!side.why.empty()) json["why"] = to_string(side.why);
  json["seconds"] = side.seconds;
  if (!side.solution.empty()) json["solution"] = side.solution;
  if (!side.set_up.empty()) json["set_up"] = side.set_up;
  if (side.iterations) json["iterations"] = *side.iterations;
  if (side.residual) json["residual"] = *side.residual;
  if (side.allowed) json["allowed"] = *side.allowed;
  return json;
}

ordered_json json_of(const MeasuredArray& array) {
  ordered_json json{{"name", array.name},
                    {"largest", array.largest},
                    {"theirs", array.theirs},
                    {"ours", array.ours}};
  if (array.points) json["points"] = *array.points;
  return json;
}

ordered_json json_of(const MeasuredCase& one) {
  ordered_json json{{"parameters", to_json(one.parameters)},
                    {"original", json_of(one.original)},
                    {"counterpart", json_of(one.counterpart)}};
  for (const MeasuredVariant& variant : one.variants) {
    json["variants"][variant.difference] = json_of(variant.side);
  }
  json["arrays"] = each(one.arrays, [](const MeasuredArray& array) { return json_of(array); });
  if (!one.not_compared.empty()) json["not_compared"] = one.not_compared;
  return json;
}

ordered_json json_of(const MeasuredFigure& one) {
  ordered_json json{{"figure", one.figure},
                    {"parameters", to_json(one.parameters)},
                    {"value", or_null(one.value)}};
  if (!one.why.empty()) json["why"] = one.why;
  return json;
}

ordered_json json_of(const Checkout& checkout) {
  return {{"commit", or_null(checkout.commit)}, {"changed", checkout.changed}};
}

/// With `measured` instead of what is behind its name in the text, which stays as it is up to
/// there. A text has that name, its quotes and its colon nowhere else: in a string they are
/// escaped, and no other member has it.
std::string with_measured(std::string text, const ordered_json& measured) {
  constexpr std::string_view name = "\"measured\":";
  if (const std::size_t at = text.find(name); at != std::string::npos) {
    text.resize(at + name.size());
  } else {
    text.resize(text.find_last_not_of(" \n\r\t", text.find_last_of('}') - 1) + 1);
    text += fmt::format(",\n  {}", name);
  }
  std::string value(trim(to_text(measured)));
  replace_all(value, "\n", "\n  ");
  return text + " " + value + "\n}\n";
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

std::vector<PaperOriginals> read_originals(const fs::path& folder) {
  const auto papers = each(papers_with_originals(folder),
                           [&](const std::string& paper) { return read_paper(folder, paper); });
  std::vector<std::string> known;
  for (const PaperOriginals& paper : papers) {
    for (const Original& its : paper.originals) known.push_back(paper.paper + "/" + its.name);
  }
  for (const PaperOriginals& paper : papers) {
    for (const PrintedRatio& ratio : paper.ratios) {
      for (const std::string& program : {ratio.of, ratio.over}) {
        if (std::ranges::find(known, program) != known.end()) continue;
        throw UsageError("{}, '{}': {}", display_path(folder / paper.paper / originals_file),
                         ratio.name, unknown_name("original", program, known));
      }
    }
  }
  return papers;
}

ordered_json to_json(const Measurement& its) {
  ordered_json json{
      {"original", its.original},         {"machine", its.machine}, {"machine_id", its.machine_id},
      {"machine_text", its.machine_text}, {"time", its.time},       {"rounds", its.rounds}};
  if (!its.why.empty()) json["why"] = its.why;
  json["theirs"] = json_of(its.theirs);
  json["ours"] = json_of(its.ours);
  json["cases"] = each(its.cases, [](const MeasuredCase& one) { return json_of(one); });
  if (!its.figures.empty()) {
    json["fingerprints"] =
        each(its.figures, [](const MeasuredFigure& one) { return json_of(one); });
  }
  return json;
}

void write_measured(const fs::path& folder, const std::string& paper,
                    const std::vector<Measurement>& fresh) {
  const fs::path path = folder / paper / originals_file;
  const std::string file = display_path(path);
  static_cast<void>(read_paper(folder, paper));
  const std::string text = read_whole(path);
  const ordered_json before = ordered_json::parse(text);
  ordered_json measured = before.value("measured", ordered_json::array());
  for (const Measurement& one : fresh) {
    const auto is_replaced = [&](const ordered_json& its) {
      return its.at("original") == one.original && its.at("machine") == one.machine;
    };
    const auto earlier = std::ranges::find_if(measured, is_replaced);
    if (earlier != measured.end()) {
      *earlier = to_json(one);
    } else {
      measured.push_back(to_json(one));
    }
  }
  const std::string written = with_measured(text, measured);
  ordered_json expected = before;
  expected["measured"] = measured;
  const auto after = nlohmann::json::parse(written, nullptr, false);
  if (after != nlohmann::json(nlohmann::json::parse(expected.dump()))) {
    throw Failure("{}: `measured` must be its last member: it is not written", file);
  }
  static_cast<void>(read_document(folder, file, after, paper));
  write_whole(path, written);
}

}  // namespace macrobench
