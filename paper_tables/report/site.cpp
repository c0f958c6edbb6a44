#include "paper_tables/report/site.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "paper_tables/cells/machine_cells.hpp"
#include "paper_tables/figures/titles.hpp"

namespace macrobench {

namespace {

/// To a page, by its path from the site's top; `up` leads there from the page that has the link.
std::string link(const std::string& up, const std::string& path, const std::string& text) {
  return fmt::format("<a href=\"{}{}\">{}</a>", up, href(path), escape_html(text));
}

std::string machine_page(const std::string& machine) {
  return "machines/" + machine + "/index.html";
}

std::string table_page(const std::string& id) {
  return "tables/" + id + ".html";
}

std::string claim_page(const std::string& paper, const std::string& claim) {
  return "claims/" + paper + "/" + claim + ".html";
}

std::string history_page(const std::string& machine) {
  return "history/" + machine + "/index.html";
}

/// A page with the way back to the top.
std::string page(const std::string& up, const std::string& title, const std::string& content) {
  const std::string back =
      up.empty() ? "" : "<p>" + link(up, "index.html", "Macrobench") + "</p>\n";
  return page_with_figures(title, fmt::format("<header>\n{}<h1>{}</h1>\n</header>\n<main>\n{}"
                                              "</main>\n",
                                              back, escape_html(title), content));
}

std::string heading(const std::string& id, const std::string& words) {
  return fmt::format("<h2 id=\"{}\">{}</h2>\n", escape_html(id), escape_html(words));
}

/// A claim as one machine's records judge it.
std::string judged_html(const Report& report, const JudgedPaper& paper, const JudgedClaim& claim) {
  Document document = document_of(ClaimReport{.machine = report.machine,
                                              .machine_text = report.machine_text,
                                              .papers = {{paper.paper, {claim}}}});
  std::erase_if(document.body,
                [](const Block& block) { return std::holds_alternative<Heading>(block); });
  return to_html({.body = std::move(document.body)}, 2);
}

class Site {
 public:
  explicit Site(const std::vector<SiteMachine>& machines) : machines_(machines) {}

  std::map<std::string, std::string> pages() {
    for (const SiteMachine& machine : machines_) add_machine(machine);
    add_tables();
    add_claims();
    add_index();
    return std::move(pages_);
  }

 private:
  void add_machine(const SiteMachine& machine) {
    Report report = machine.report;
    report.home = "../../index.html";
    pages_[machine_page(report.machine)] = render_html(report);
    std::string content;
    for (const History& history : machine.histories) {
      Document document = document_of(std::vector{history});
      document.body.insert(document.body.begin(), Heading{history.key});
      std::erase_if(document.body, [&](const Block& block) {
        return &block != &document.body.front() && std::holds_alternative<Heading>(block);
      });
      content += folded_html(document, 3);
    }
    if (content.empty())
      content = "<p>No case was measured more than once with the same build.</p>\n";
    pages_[history_page(report.machine)] =
        page("../../", "Measured again on " + machine.called, content);
  }

  void add_tables() {
    if (machines_.empty()) return;
    for (const ReportTable& table : machines_.front().report.tables) {
      std::string content = to_html({.body = {Paragraph{table.document.title}}}, 2);
      for (const SiteMachine& machine : machines_) {
        const auto& all = machine.report.tables;
        const auto its = std::ranges::find(all, table.id, &ReportTable::id);
        if (its == all.end()) continue;
        content += heading("machine-" + machine.report.machine, machine.called) + "<p>" +
                   link("../../", machine_page(machine.report.machine), "Its report") + "</p>\n" +
                   to_html(its->document, 3);
      }
      pages_[table_page(table.id)] = page("../../", table.title, content);
    }
  }

  void add_claims() {
    if (machines_.empty()) return;
    std::string all;
    for (std::size_t p = 0; p < machines_.front().report.claims.papers.size(); ++p) {
      const JudgedPaper& paper = machines_.front().report.claims.papers[p];
      all += heading("paper-" + paper.paper->paper, paper.paper->document) + "<ul>\n";
      for (std::size_t c = 0; c < paper.claims.size(); ++c) {
        const Claim& claim = *paper.claims[c].claim;
        std::string content;
        std::map<std::string, std::vector<std::string>> verdicts;
        for (const SiteMachine& machine : machines_) {
          const JudgedPaper& its = machine.report.claims.papers[p];
          content += heading("machine-" + machine.report.machine, machine.called) +
                     judged_html(machine.report, its, its.claims[c]);
          verdicts[verdict_of(its.claims[c])].push_back(escape_html(machine.called));
        }
        const std::string path = claim_page(paper.paper->paper, claim.name);
        pages_[path] = page("../../", claim.says, content);
        all += "<li>" + link("../", path, claim.says);
        for (const auto& [verdict, names] : verdicts) {
          all += fmt::format("<br>\n<strong>{}</strong>: {}", escape_html(verdict),
                             fmt::join(names, ", "));
        }
        all += "</li>\n";
      }
      all += "</ul>\n";
    }
    pages_["claims/index.html"] = page("../", "What the papers say in words", all);
  }

  void add_index() {
    std::vector<MachineStories> stories;
    std::string fronts;
    std::string list;
    for (const SiteMachine& machine : machines_) {
      const Report& report = machine.report;
      stories.push_back({machine.called, stories_of(report.figures)});
      fronts += "<h3>" + link("", machine_page(report.machine), machine.called) + "</h3>\n" +
                front_table(stories.back().stories);
      list +=
          fmt::format("<li>{}: {} records; {}</li>\n",
                      link("", machine_page(report.machine), report.machine_text), report.records,
                      link("", history_page(report.machine), "cases that were measured again"));
    }
    const std::string picture = picture_of(stories, false);
    std::string content =
        "<p>The papers that brought GPUs to macroeconomics: what they print, what their programs "
        "take on each machine, and what today’s best take.</p>\n";
    if (!picture.empty()) content += "<figure>\n" + picture + "</figure>\n";
    content += heading("machines", "Machines") + "<ul>\n" + list + "</ul>\n" + fronts;
    content += heading("tables", "Tables") + "<ul>\n";
    for (const ReportTable& table : all_tables()) {
      content += "<li>" + link("", table_page(table.id), table.title) + "</li>\n";
    }
    content +=
        "</ul>\n" + heading("claims", "Claims") + "<p>" +
        link("", "claims/index.html", "What the papers say in words, judged on each machine") +
        "</p>\n";
    pages_["index.html"] = page("", "Macrobench", content);
  }

  [[nodiscard]] std::vector<ReportTable> all_tables() const {
    return machines_.empty() ? std::vector<ReportTable>{} : machines_.front().report.tables;
  }

  const std::vector<SiteMachine>& machines_;
  std::map<std::string, std::string> pages_;
};

}  // namespace

std::vector<History> histories_of(const Results& results) {
  std::set<std::string> keys;
  std::vector<History> all;
  for (const Record& record : results.records) {
    if (record.status == Status::not_run || !keys.insert(record.key).second) continue;
    add_history(all, results, record.key);
  }
  std::erase_if(all, [](const History& history) {
    return std::ranges::count_if(history.steps,
                                 [](const HistoryStep& step) { return !step.seconds.empty(); }) < 2;
  });
  std::ranges::stable_sort(all, {}, &History::key);
  for (History& history : all) compare_steps(history, {});
  return all;
}

std::string called(const Machine& machine) {
  const std::string gpu = gpu_name(machine);
  return gpu.empty() ? describe_processor(machine) : gpu;
}

std::map<std::string, std::string> site_pages(const std::vector<SiteMachine>& machines) {
  return Site(machines).pages();
}

}  // namespace macrobench
