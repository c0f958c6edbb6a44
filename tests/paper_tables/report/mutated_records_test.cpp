// Results files that anything may have happened to: no view falls over them, no record whose line
// is whole is lost, and no text in them is live in any view.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <sstream>
#include <utility>
#include <vector>

#include "harness/records/contradiction.hpp"
#include "harness/records/record_facts.hpp"
#include "harness/records/record_json.hpp"
#include "harness/run/job.hpp"
#include "harness/text/error.hpp"
#include "harness/text/json_values.hpp"
#include "harness/text/strings.hpp"
#include "paper_tables/cells/definitions.hpp"
#include "paper_tables/cells/machine_cells.hpp"
#include "paper_tables/claims/claims_verdict.hpp"
#include "paper_tables/compare/comparison.hpp"
#include "paper_tables/figures/paper_figures.hpp"
#include "paper_tables/report/report.hpp"
#include "paper_tables/tables/render.hpp"
#include "paper_tables/times/times.hpp"
#include "paper_tables/verify/verification_render.hpp"
#include "tests/hostile_text.hpp"
#include "tests/matchers.hpp"
#include "tests/paper_tables/fixture.hpp"

namespace macrobench {
namespace {

using nlohmann::ordered_json;

/// A number that the environment may set.
std::uint64_t setting(const char* name, std::uint64_t usual) {
  const char* given = std::getenv(name);
  return given == nullptr ? usual : std::stoull(given);
}

std::uint64_t mutations() {
  return setting("MACROBENCH_MUTATIONS", 2'500);
}

std::uint64_t seed() {
  return setting("MACROBENCH_MUTATIONS_SEED", 20101);
}

std::vector<std::string> lines_in(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

/// What happens to files: to their bytes, their lines, and the fields and numbers in them.
class Mutator {
 public:
  explicit Mutator(std::uint64_t seed) : random_(seed) {}

  std::string mutated(std::string text) {
    using Kind = std::string (Mutator::*)(std::string);
    constexpr std::array<Kind, 14> kinds{
        &Mutator::change_bytes,   &Mutator::insert,        &Mutator::cut_off,
        &Mutator::cut_out,        &Mutator::repeat_line,   &Mutator::swap_lines,
        &Mutator::splice_lines,   &Mutator::join_lines,    &Mutator::end_lines_otherwise,
        &Mutator::begin_with_bom, &Mutator::change_number, &Mutator::remove_field,
        &Mutator::rename_field,   &Mutator::retype_field};
    const std::size_t count = 1 + below(3);
    for (std::size_t i = 0; i < count; ++i) text = (this->*kinds[below(kinds.size())])(text);
    return text;
  }

 private:
  std::size_t below(std::size_t count) { return count == 0 ? 0 : random_() % count; }

  template <class List>
  auto& one_of(List& list) {
    return list[below(std::size(list))];
  }

  std::string change_bytes(std::string text) {
    for (std::size_t i = 0; i < 4 && !text.empty(); ++i) {
      one_of(text) = static_cast<char>(below(256));
    }
    return text;
  }

  std::string insert(std::string text) {
    using namespace std::string_literals;
    static const std::array<std::string, 12> odd{
        "\0\0\0"s, "\xff\xfe", "\xef\xbb\xbf",       "\r", "\n", "\n\n", "\"", "\\", "}",
        "\\ud800", "\x1b",     std::string(100, '[')};
    return text.insert(below(text.size() + 1), one_of(odd));
  }

  std::string cut_off(std::string text) { return text.substr(0, below(text.size() + 1)); }

  std::string cut_out(std::string text) {
    return text.erase(below(text.size() + 1), 1 + below(200));
  }

  std::string repeat_line(std::string text) {
    std::vector<std::string> lines = lines_in(text);
    if (lines.empty()) return text;
    const std::string line = one_of(lines);
    lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(below(lines.size() + 1)), line);
    return joined(lines);
  }

  std::string swap_lines(std::string text) {
    std::vector<std::string> lines = lines_in(text);
    if (lines.empty()) return text;
    std::swap(one_of(lines), one_of(lines));
    return joined(lines);
  }

  /// The beginning of one line before the end of another.
  std::string splice_lines(std::string text) {
    std::vector<std::string> lines = lines_in(text);
    if (lines.empty()) return text;
    const std::string& end = one_of(lines);
    const std::string rest = end.substr(below(end.size() + 1));
    std::string& line = one_of(lines);
    line = line.substr(0, below(line.size() + 1)) + rest;
    return joined(lines);
  }

  std::string join_lines(std::string text) {
    const std::size_t end = text.find('\n', below(text.size() + 1));
    return end == std::string::npos ? text : text.erase(end, 1);
  }

  std::string end_lines_otherwise(std::string text) {
    std::string changed;
    for (const std::string& line : lines_in(text)) changed += line + "\r\n";
    return changed;
  }

  std::string begin_with_bom(std::string text) { return "\xef\xbb\xbf" + text; }

  std::string change_number(std::string text) {
    constexpr std::string_view digits = "-+.eE0123456789";
    const std::size_t first = text.find_first_of("0123456789", below(text.size() + 1));
    if (first == std::string::npos) return text;
    const std::size_t end = text.find_first_not_of(digits, first);
    static const std::array<std::string, 12> numbers{"1e999",  "-1e999",
                                                     "-0",     "1e308",
                                                     "5e-324", "9223372036854775808",
                                                     "-1",     "1e300",
                                                     "0",      "18446744073709551615",
                                                     "\"12\"", "0.5"};
    return text.replace(first, std::min(end, text.size()) - first, one_of(numbers));
  }

  /// Changes one object or list of one line.
  std::string change_field(const std::string& text,
                           const std::function<void(ordered_json& in, std::size_t at)>& change) {
    std::vector<std::string> lines = lines_in(text);
    if (lines.empty()) return text;
    std::string& line = one_of(lines);
    ordered_json document = ordered_json::parse(line, nullptr, false);
    std::vector<ordered_json*> places;
    collect(document, places);
    if (places.empty()) return text;
    ordered_json& place = *one_of(places);
    change(place, below(place.size()));
    line = document.dump();
    return joined(lines);
  }

  static void collect(ordered_json& value, std::vector<ordered_json*>& places) {
    if (!value.is_structured() || value.empty()) return;
    places.push_back(&value);
    for (ordered_json& each : value) collect(each, places);
  }

  static auto member(ordered_json& in, std::size_t at) {
    return std::next(in.begin(), static_cast<std::ptrdiff_t>(at));
  }

  std::string remove_field(std::string text) {
    return change_field(text, [](ordered_json& in, std::size_t at) { in.erase(member(in, at)); });
  }

  std::string rename_field(std::string text) {
    return change_field(text, [](ordered_json& in, std::size_t at) {
      if (!in.is_object()) return;
      const std::string name = member(in, at).key();
      const ordered_json value = in[name];
      in.erase(name);
      in[name + "_"] = value;
    });
  }

  std::string retype_field(std::string text) {
    static const std::array<ordered_json, 10> values{nullptr,
                                                     true,
                                                     -1,
                                                     1.5,
                                                     1e308,
                                                     std::uint64_t{1} << 63,
                                                     "",
                                                     "text",
                                                     ordered_json::array(),
                                                     ordered_json::object()};
    return change_field(
        text, [&](ordered_json& in, std::size_t at) { *member(in, at) = one_of(values); });
  }

  std::mt19937_64 random_;
};

/// A dozen records of the fixture, every status among them, two ceilings, and a machine.
struct Original {
  std::vector<std::string> records;
  std::string machines = content_of(fixture_folder() / "machines.jsonl");
  std::map<std::string, std::pair<Record, Reason>> meaning;  ///< of a line

  Original() {
    std::set<std::string> statuses;
    const std::vector<std::string> all = lines_in(content_of(fixture_folder() / "records.jsonl"));
    for (std::size_t i = 0; i < all.size(); ++i) {
      const json line = json::parse(all[i]);
      if (!statuses.insert(line["status"]).second && i % (all.size() / 8) != 0) continue;
      add(all[i]);
    }
    for (const char* ceiling : {"copy", "multiply_add"}) {
      Record record = record_of("cpu", {{"ceiling", std::string(ceiling)}}, {0.1});
      const Record& other = meaning.begin()->second.first;
      record.model = "roofline";
      record.origin = other.origin;
      record.machine = other.machine;
      record.source = other.source;
      record.time = other.time;
      record.key = fmt::format("roofline/cpu ceiling={}", ceiling);
      record.samples.front().stages[ceiling] = {0.1, 0.1};
      record.seconds = 1;
      record.outcome = Outcome{};
      record.outcome->valid = true;
      std::string line = to_line(to_json(record));
      line.pop_back();
      add(line);
    }
  }

 private:
  using json = nlohmann::json;

  void add(const std::string& line) {
    records.push_back(line);
    Record record = record_from_json(json::parse(line));
    Reason why = against_case(record);
    add_facts(record);
    meaning[line] = {std::move(record), std::move(why)};
  }
};

/// What a record says once it is read in these results.
std::string read_meaning(const std::pair<Record, Reason>& read, const Results& results) {
  std::vector<Record> one{read.first};
  static_cast<void>(judge_records(one, results.machines, results.campaigns, {read.second}));
  return to_line(to_json(one.front()));
}

/// What the lines of the text say that are still as they were, of machines that may have changed;
/// other ends of lines and a byte-order mark are nothing to JSON. A record that is repeated
/// counts once.
std::vector<std::string> meanings_left(std::string text, const Original& original,
                                       const Results& results) {
  if (text.starts_with("\xef\xbb\xbf")) text.erase(0, 3);
  std::vector<std::string> left;
  std::set<std::string> seen;
  for (std::string line : lines_in(text)) {
    if (line.ends_with('\r')) line.pop_back();
    const auto known = original.meaning.find(line);
    if (known == original.meaning.end() || !seen.insert(line).second) continue;
    left.push_back(read_meaning(known->second, results));
  }
  return left;
}

std::size_t lines_with_words(const std::string& text) {
  const std::vector<std::string> lines = lines_in(text);
  return static_cast<std::size_t>(std::ranges::count_if(lines, [](const std::string& line) {
    return line.find_first_not_of(" \t\r") != std::string::npos;
  }));
}

/// In any order: records are read in that of their times, which may have been mutated.
bool are_among(std::vector<std::string> meanings, const Results& results) {
  std::vector<std::string> all;
  for (const Record& record : results.records) all.push_back(to_line(to_json(record)));
  std::ranges::sort(all);
  std::ranges::sort(meanings);
  return std::ranges::includes(all, meanings);
}

/// A folder to which things happen.
class MutatedResults {
 public:
  [[nodiscard]] const std::filesystem::path& path() const { return folder_.path(); }
  [[nodiscard]] std::string records() const { return content_of(path() / "records.jsonl"); }

  void mutate(const Original& original, std::uint64_t seed) {
    Mutator mutator(seed);
    const std::string records = joined(original.records);
    const bool spares_records = seed % 4 == 0;
    write_file(path() / "records.jsonl", spares_records ? records : mutator.mutated(records));
    write_file(path() / "machines.jsonl",
               seed % 4 < 2 ? mutator.mutated(original.machines) : original.machines);
  }

 private:
  TemporaryFolder folder_;
};

/// None where a line says that it has another schema: then all of the folder is refused.
std::optional<Results> results_in(const std::filesystem::path& folder) {
  try {
    return read_results(folder);
  } catch (const Failure& failure) {
    EXPECT_THAT(failure.what(), AnyOf(HasSubstr("comes from a later version of macrobench"),
                                      HasSubstr("and this version of macrobench reads 3")));
    return std::nullopt;
  }
}

/// The views of a folder of results, as the commands make them, by format and name.
class Views {
 public:
  std::map<std::string, std::map<std::string, std::string>> pages;
  std::set<std::string> formats{"text", "md", "html", "tex", "csv", "json"};  ///< that are made

  Views(std::string path, const Results& results, Machine machine, std::string name = "folder",
        std::string about = "a machine")
      : path_(std::move(path)),
        results_(results),
        machine_(std::move(machine)),
        name_(std::move(name)),
        about_(std::move(about)) {}

  void add_table(const Definition& definition) {
    const Table table = table_of(definition);
    const std::string name = "table " + definition.id();
    add(name, document_of(table), sheets_of({table}));
    if (formats.contains("text")) pages["text"][name] = to_text(document_of(table), 80);
    if (formats.contains("tex")) pages["tex"][name] = render(table, "tex");
  }
  void add_claims() {
    const ClaimReport report = claims();
    add("claims", document_of(report), sheets_of(report));
  }
  void add_times() {
    const Times times = times_of(results_);
    add("times", document_of(times, about_, true), sheets_of(times));
  }
  void add_comparison(const std::string& published, const std::vector<const Definition*>& tables) {
    const Comparison comparison = compared(published, tables);
    add("compare", document_of(comparison, true), sheets_of(comparison));
  }
  void add_verification() {
    const std::vector<Verification> verified{
        {.name = name_, .checks = {check_lines(results_), check_records(results_)}}};
    add("verify", document_of(verified), sheets_of(verified));
  }
  void add_report() {
    Report report{.machine = name_,
                  .machine_text = describe(machine_),
                  .block = machine_.block,
                  .records = results_.records.size(),
                  .tables = {},
                  .fidelity = {},
                  .claims = claims(),
                  .figures = paper_plots(definitions(), lookup_, machine_)};
    for (const Definition* definition : definitions().get_all({})) {
      report.tables.push_back({definition->id(), name_, document_of(table_of(*definition))});
    }
    // Some figures are data alone, and a picture needs a time.
    const auto add_drawing = [this](const std::string& name, const std::string& drawing) {
      if (!drawing.empty()) pages["html"][name] = drawing;
    };
    for (const Plot& plot : report.figures) add_drawing(plot.name, to_svg_file(plot));
    report.front = make_front(read_front(definitions(), definitions().get_all({})), definitions(),
                              lookup_, results_, machine_);
    add_drawing("picture", picture_of(report.front));
    pages["html"]["report"] = render_html(report);
  }

  static Definitions& definitions() {
    static Definitions all{definitions_folder()};
    return all;
  }

 private:
  void add(const std::string& name, const Document& document) {
    if (formats.contains("text")) pages["text"][name] = to_text(document, 100);
    if (formats.contains("md")) pages["md"][name] = to_markdown(document);
    if (formats.contains("html")) pages["html"][name] = to_html_page(document);
    if (formats.contains("tex")) pages["tex"][name] = to_latex(document);
  }
  void add(const std::string& name, const Document& document, const std::vector<Sheet>& sheets) {
    add(name, document);
    if (formats.contains("csv")) {
      for (const Sheet& sheet : sheets) pages["csv"][name + sheet.name] = to_csv(sheet);
    }
    if (formats.contains("json")) pages["json"][name] = to_text(to_json(name, sheets));
  }

  Table table_of(const Definition& definition) {
    return make_table(definition, definitions(), lookup_, name_, machine_);
  }
  ClaimReport claims() {
    static const std::vector<PaperClaims> all =
        read_claims(definitions_folder(), {}, definitions());
    return {.machine = name_,
            .machine_text = describe(machine_),
            .papers = judge_claims(all, definitions(), lookup_, machine_)};
  }
  Comparison compared(const std::string& published, const std::vector<const Definition*>& tables) {
    ComparedSide here = side_of(path_, definitions());
    here.name = name_;
    here.text = describe(machine_);
    here.results = results_;
    return compare({side_of("published/" + published, definitions()), std::move(here)}, tables);
  }

  std::string path_;
  const Results& results_;
  Machine machine_;
  std::string name_, about_;
  Lookup lookup_ = lookup_in(results_);
};

/// The dearer a view is, the seldomer it is made.
void check_views(const std::filesystem::path& folder, const Results& results, std::size_t turn) {
  const std::vector<const Definition*> all = Views::definitions().get_all({});
  const auto is_short = [](const Definition* definition) {
    std::size_t rows = 0;
    for (const GroupDefinition& group : definition->groups) rows += group.rows.size();
    return rows <= 12;
  };
  std::vector<const Definition*> short_ones;
  std::ranges::copy_if(all, std::back_inserter(short_ones), is_short);
  const std::vector<std::string> published = published_machines(Views::definitions());
  Machine machine;
  if (!results.records.empty()) {
    const auto newest = results.machines.find(results.records.back().machine);
    if (newest != results.machines.end()) machine = newest->second;
  }
  Views views(folder.string(), results, machine);
  const std::vector<std::string> formats(views.formats.begin(), views.formats.end());
  views.formats = {formats[turn / 10 % formats.size()]};
  views.add_table(*short_ones[turn % short_ones.size()]);
  if (turn % 50 == 7) views.add_table(*all[turn / 50 % all.size()]);
  if (turn % 10 == 5) views.add_times();
  if (turn % 50 == 8) views.add_claims();
  if (turn % 50 == 9) {
    views.add_comparison(published[turn / 50 % published.size()], {all[turn / 50 % all.size()]});
  }
  if (turn == 1) views.add_report();
  for (const auto& [format, pages] : views.pages) {
    for (const auto& [name, page] : pages) EXPECT_NE(page, "") << name << " as " << format;
  }
}

/// The views of all mutations take long: each slice of them is a test, for CTest to run side by
/// side.
constexpr std::uint64_t slices = 8;
class SliceOfMutations : public testing::TestWithParam<std::uint64_t> {};

TEST_P(SliceOfMutations, NoneLosesARecordOrFellsAView) {
  const Original original;
  MutatedResults mutated;
  const std::uint64_t first = mutations() * GetParam() / slices;
  const std::uint64_t end = mutations() * (GetParam() + 1) / slices;
  std::uint64_t damaged = 0;
  for (std::uint64_t i = first; i < end; ++i) {
    SCOPED_TRACE(fmt::format("MACROBENCH_MUTATIONS_SEED={}, the first mutation", seed() + i));
    mutated.mutate(original, seed() + i);
    const std::optional<Results> results = results_in(mutated.path());
    if (!results) continue;
    ASSERT_TRUE(are_among(meanings_left(mutated.records(), original, *results), *results));
    const auto warned = std::ranges::count_if(results->warnings, [](const std::string& warning) {
      return warning.find("records.jsonl, line ") != std::string::npos;
    });
    const std::size_t told = results->records.size() + static_cast<std::size_t>(warned);
    ASSERT_LE(told, lines_in(mutated.records()).size());
    if (results->repeated.empty()) {
      ASSERT_GE(told, lines_with_words(mutated.records())) << "a line is a record or is warned of";
    }
    damaged += warned > 0 ? 1 : 0;
    ASSERT_NO_THROW(check_views(mutated.path(), *results, i));
    ASSERT_FALSE(HasFailure());
  }
  EXPECT_GE(damaged, (end - first) / 4);
}

INSTANTIATE_TEST_SUITE_P(Mutations, SliceOfMutations, testing::Range<std::uint64_t>(0, slices));

TEST(Mutations, WhatIsAppendedAfterOneIsThereAndSoIsTheRest) {
  const Original original;
  Record record = record_from_json(nlohmann::json::parse(original.records.front()));
  record.seconds += 1;  // a repeated record counts once
  Reason why = against_case(record);
  add_facts(record);
  const Machine machine = machine_from_json(ordered_json::parse(original.machines).at("machine"));
  MutatedResults mutated;
  for (std::uint64_t i = 0; i < mutations(); i += 50) {
    SCOPED_TRACE(fmt::format("MACROBENCH_MUTATIONS_SEED={}, the first mutation", seed() + i));
    mutated.mutate(original, seed() + i);
    const std::string before = mutated.records();
    if (!results_in(mutated.path())) {
      ASSERT_THROW(RecordStore store(mutated.path()), Failure);
      ASSERT_EQ(mutated.records(), before) << "what a later version wrote is not touched";
      continue;
    }
    RecordStore(mutated.path()).append(record, machine);
    const Results results = read_results(mutated.path());
    std::vector<std::string> expected = meanings_left(before, original, results);
    expected.push_back(read_meaning({record, why}, results));
    ASSERT_TRUE(are_among(expected, results));
    ASSERT_TRUE(results.machines.contains(machine.id()));
  }
}

// Records whose keys, reasons, notes and machines are hostile texts: nothing of them is live in any
// view, in any format. A view has the same markup as with harmless texts in their places.

/// The i-th text, valid UTF-8, as all text in JSON is.
std::string hostile(std::size_t i) {
  const std::string_view text = hostile_texts[i % hostile_texts.size()];
  return nlohmann::json::parse(to_line(text)).get<std::string>();
}

std::string harmless(std::size_t i) {
  return std::string(harmless_text) + static_cast<char>('a' + i % hostile_texts.size());
}

using Text = std::function<std::string(std::size_t)>;

/// The fixture's results with such texts wherever a record or a machine has text of its own.
Results results_with(const Text& text) {
  Results results = read_results(fixture_folder());
  for (std::size_t i = 0; i < results.records.size(); ++i) {
    Record& record = results.records[i];
    record.key += " note=" + text(i);
    record.time += text(i);
    record.origin += text(i);
    if (!record.why.empty()) record.why = {text(i), text(i + 1)};
    if (!record.outcome) continue;
    if (!record.outcome->why.empty()) record.outcome->why = text(i);
    record.outcome->notes[text(i)] = text(i + 1);
  }
  std::string all;
  for (std::size_t i = 0; i < hostile_texts.size(); ++i) {
    all += text(i) + " ";
    results.warnings.push_back(text(i));
  }
  for (auto& [id, machine] : results.machines) {
    machine.block["cpu"]["model"] = all;
    machine.block["gpu"]["name"] = all;
    machine.block["compiler"]["name"] = all;
    machine.block["os"] = all;
    machine.block["source"]["commit"] = all;
    machine.block[text(0)] = {{text(1), text(2)}};
  }
  for (Campaign& campaign : results.campaigns) {
    for (Sitting& sitting : campaign.sittings) sitting.asked = all;
  }
  return results;
}

/// Every view of them, in every format.
auto pages_with(const Text& text) {
  const Results results = results_with(text);
  const Machine machine = machine_of(results);
  Views views(fixture_folder().string(), results, machine, text(0), describe(machine));
  const std::vector<const Definition*> all = Views::definitions().get_all({});
  for (const Definition* definition : all) views.add_table(*definition);
  views.add_claims();
  views.add_times();
  views.add_verification();
  views.add_comparison("c2075", all);
  views.add_report();
  return std::move(views.pages);
}

TEST(HostileRecords, HaveNothingLiveInAnyView) {
  const std::map<std::string, Markup (*)(std::string_view)> markups{{"md", markup_of_markdown},
                                                                    {"html", markup_of_html},
                                                                    {"tex", markup_of_latex},
                                                                    {"csv", markup_of_csv}};
  const auto tame = pages_with(harmless);
  const auto live = pages_with(hostile);
  std::size_t shown = 0;
  for (const auto& [format, pages] : live) {
    for (const auto& [name, page] : pages) {
      SCOPED_TRACE(name + " as " + format);
      const std::string& other = tame.at(format).at(name);
      EXPECT_EQ(printable(page, "\n"), page);
      if (other.find(harmless_text) != std::string::npos) ++shown;
      if (const auto markup = markups.find(format); markup != markups.end()) {
        EXPECT_EQ(markup->second(page), markup->second(other));
      }
      EXPECT_TRUE(format != "json" || nlohmann::json::accept(page));
    }
  }
  EXPECT_GE(shown, 40u) << "the texts are in few of the views: is a field no longer shown?";
}

}  // namespace
}  // namespace macrobench
