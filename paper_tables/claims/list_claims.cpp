// macrobench list claims: what the papers say in words, before it is judged.

#include <nlohmann/json.hpp>

#include "harness/command_line/list_topics.hpp"
#include "paper_tables/claims/claims.hpp"
#include "paper_tables/tables/table_options.hpp"

namespace macrobench {

namespace {

Document claims_listed() {
  Definitions all(definitions_in_use());
  std::vector<Row> rows;
  for (const PaperClaims& paper : read_claims(all.folder(), {}, all)) {
    for (const Claim& claim : paper.claims) {
      rows.push_back({{paper.paper, claim.name, claim.where, claim.says}});
    }
  }
  using enum Column::Kind;
  return {.title = "What the papers say in words",
          .body = {grid_of({{"paper", words, Column::Place::above},
                            {"claim", words},
                            {"where", words},
                            {"", words, Column::Place::below}},
                           std::move(rows)),
                   Paragraph{"macrobench claims judges them by a machine's records."}}};
}

nlohmann::ordered_json claims_as_json() {
  Definitions all(definitions_in_use());
  nlohmann::ordered_json json{{"schema", 1}, {"claims", nlohmann::ordered_json::array()}};
  for (const PaperClaims& paper : read_claims(all.folder(), {}, all)) {
    for (const Claim& claim : paper.claims) {
      json["claims"].push_back({{"paper", paper.paper},
                                {"claim", claim.name},
                                {"where", claim.where},
                                {"says", claim.says}});
    }
  }
  return json;
}

const RegisterListTopic registered{
    {.name = "claims", .summary = "what the papers say in words, and where", .output = [] {
       return Output{.document = claims_listed, .json = claims_as_json};
     }}};

}  // namespace

}  // namespace macrobench
