#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "harness/text/document.hpp"
#include "paper_tables/cells/table.hpp"
#include "paper_tables/cells/table_options.hpp"
#include "paper_tables/claims/claims_verdict.hpp"
#include "paper_tables/fidelity/fidelity.hpp"
#include "paper_tables/figures/paper_figures.hpp"
#include "paper_tables/front/front.hpp"
#include "paper_tables/plots/plot.hpp"

namespace macrobench {

struct ReportTable {
  std::string id;     ///< "aldrich_2010/table_3"
  std::string title;  ///< "Aldrich et al. (2010), Table 3"
  Document document;
  bool is_measured = true;  ///< whether this machine has a number in it, or it needs none
};

/// What is known about a machine and the papers, made from its folder of results.
struct Report {
  std::string machine;       ///< the name of its folder
  std::string machine_text;  ///< the same for a reader
  nlohmann::ordered_json block;
  std::size_t records = 0;
  Front front = {};  ///< a row a model
  std::vector<ReportTable> tables;
  Fidelity fidelity;
  ClaimReport claims;
  std::vector<Plot> figures;
};

/// All of it, from the results. The claims are those of the definitions, and must outlive it.
Report make_report(const MachineResults& machine, Definitions& definitions,
                   const std::vector<PaperClaims>& claims);

/// What was written of a report.
struct WrittenReport {
  std::filesystem::path page;
  std::size_t tables = 0, figures = 0;
};

/// Makes the report, and writes it into the folder: report.html, and figures/ as write_plot() does.
/// `definitions` come from the folder that also has the claims. Throws UsageError and Failure.
WrittenReport write_report(const MachineResults& machine, Definitions& definitions,
                           const std::filesystem::path& folder);

/// A self-contained page: no network, and no script but page_script, without which it can be read
/// too. Text from records never becomes markup.
std::string render_html(const Report& report);

/// The contents of page.js, which the build puts into the executable.
extern const std::string_view page_script;

}  // namespace macrobench
