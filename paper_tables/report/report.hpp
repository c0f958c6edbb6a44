#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/text/document.hpp"
#include "paper_tables/claims/claims_verdict.hpp"
#include "paper_tables/compare/comparison.hpp"
#include "paper_tables/errata/errata.hpp"
#include "paper_tables/report/plot.hpp"
#include "paper_tables/roofline/roofline.hpp"

namespace macrobench {

struct ReportTable {
  std::string id;  ///< "aldrich_2010/table_3"
  Document document;
};

/// What is known about a machine and the papers, made from its folder of results.
struct Report {
  std::string machine;       ///< the name of its folder
  std::string machine_text;  ///< the same for a reader
  nlohmann::ordered_json block;
  std::size_t records = 0;
  std::vector<ReportTable> tables;
  std::vector<Comparison> comparisons;  ///< of each published machine with this one
  Roofline roofline;
  ClaimReport claims;
  Errata errata;
  std::vector<DrawnPlot> figures;
};

/// One self-contained HTML page: no network, no script. Text from records never becomes markup.
std::string render_html(const Report& report);

}  // namespace macrobench
