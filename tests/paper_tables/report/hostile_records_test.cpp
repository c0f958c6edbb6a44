// Records whose keys, reasons, notes and machines are hostile texts: nothing of them is live in any
// view, in any format. A view has the same markup as with harmless texts in their places.

#include <cstddef>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "harness/text/json_values.hpp"
#include "harness/text/strings.hpp"
#include "paper_tables/cells/machine_cells.hpp"
#include "paper_tables/claims/claims_verdict.hpp"
#include "paper_tables/compare/comparison.hpp"
#include "paper_tables/report/report.hpp"
#include "paper_tables/report/speed_up_figure.hpp"
#include "paper_tables/roofline/roofline.hpp"
#include "paper_tables/tables/render.hpp"
#include "paper_tables/times/times.hpp"
#include "paper_tables/verify/verification_render.hpp"
#include "tests/hostile_text.hpp"
#include "tests/matchers.hpp"
#include "tests/paper_tables/fixture.hpp"

namespace macrobench {
namespace {

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

/// Every view of them, by its name; a document in every format.
class Views {
 public:
  explicit Views(const Text& text) : results_(results_with(text)), machine_(machine_of(results_)) {
    const Lookup lookup = lookup_in(results_);
    const std::string about = describe(machine_);
    Report report;
    report.machine = text(0);
    report.machine_text = about;
    report.block = machine_.block;
    report.records = results_.records.size();
    report.roofline = roofline_of(results_);
    report.claims.machine = text(0);
    report.claims.machine_text = about;
    report.claims.papers = judge_claims(claims_, all_, lookup, machine_);
    for (const Definition* definition : all_.get_all({})) {
      const Table table = make_table(*definition, all_, lookup, text(0), machine_);
      add("table " + definition->id(), document_of(table));
      pages["csv"][definition->id()] = to_csv(table);
      pages["json"][definition->id()] = to_text(to_json(table));
      report.tables.push_back({definition->id(), text(1), document_of(table)});
    }
    add("claims", document_of(report.claims));
    pages["csv"]["claims"] = to_csv(report.claims);
    pages["json"]["claims"] = to_text(to_json(report.claims));
    add("roofline", document_of(report.roofline, about, true));
    pages["csv"]["roofline"] = to_csv(report.roofline);
    pages["json"]["roofline"] = to_text(to_json(report.roofline));
    const Times times = times_of(results_);
    add("times", document_of(times, about, true));
    pages["csv"]["times"] = to_csv(times);
    pages["json"]["times"] = to_text(to_json(times));
    const std::vector<Verification> verified{
        {.name = text(0), .checks = {check_lines(results_), check_records(results_)}}};
    add("verify", document_of(verified));
    pages["json"]["verify"] = to_text(to_json(verified));
    add_comparison(text, report);
    report.figures = paper_plots(all_, lookup, machine_);
    report.figures.push_back(speed_up_plot(report.comparisons, all_));
    for (const Plot& plot : report.figures) pages["html"][plot.name] = to_svg_file(plot);
    pages["html"]["report"] = render_html(report);
    pages["html"]["picture"] = picture_of({{text(0), stories_of(report.figures)}}, true);
  }

  std::map<std::string, std::map<std::string, std::string>> pages;  ///< by format and view

 private:
  void add(const std::string& name, const Document& document) {
    pages["text"][name] = to_text(document, 100);
    pages["md"][name] = to_markdown(document);
    pages["html"][name] = to_html_page(document);
    pages["tex"][name] = to_latex(document);
  }

  void add_comparison(const Text& text, Report& report) {
    ComparedSide here = side_of(fixture_folder().string(), all_);
    here.name = text(0);
    here.text = describe(machine_);
    here.results = results_;
    Comparison comparison = compare({side_of("published/c2075", all_), std::move(here)},
                                    all_.get_all({}), {.against = "", .force = true});
    add("compare", document_of(comparison, true));
    pages["csv"]["compare"] = to_csv(comparison);
    pages["json"]["compare"] = to_text(to_json(comparison));
    report.comparisons.push_back(std::move(comparison));
  }

  Definitions all_{definitions_folder()};
  std::vector<PaperClaims> claims_ = read_claims(definitions_folder(), {}, all_);
  Results results_;
  Machine machine_;
};

TEST(HostileRecords, HaveNothingLiveInAnyView) {
  const std::map<std::string, Markup (*)(std::string_view)> markups{{"md", markup_of_markdown},
                                                                    {"html", markup_of_html},
                                                                    {"tex", markup_of_latex},
                                                                    {"csv", markup_of_csv}};
  const Views tame{harmless};
  const Views views{hostile};
  std::size_t shown = 0;
  for (const auto& [format, pages] : views.pages) {
    for (const auto& [name, page] : pages) {
      SCOPED_TRACE(name + " as " + format);
      const std::string& other = tame.pages.at(format).at(name);
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
