// macrobench list claims: what the papers say in words, before it is judged.

#include <nlohmann/json.hpp>

#include "paper_tables/cells/list_options.hpp"
#include "paper_tables/cells/table_options.hpp"
#include "paper_tables/claims/claims.hpp"

namespace macrobench {

namespace {

nlohmann::ordered_json claims() {
  Definitions all(definitions_in_use());
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const PaperClaims& paper : read_claims(all.folder(), {}, all)) {
    for (const Claim& claim : paper.claims) {
      rows.push_back({{"paper", paper.paper},
                      {"claim", claim.name},
                      {"where", claim.where},
                      {"says", claim.says}});
    }
  }
  return rows;
}

const RegisterListTopic registered{
    {.name = "claims", .summary = "what the papers say in words, and where", .output = [] {
       using enum Column::Kind;
       return listed("claims", claims, "The papers' claims in words",
                     {{"paper", words, Column::Place::above},
                      {"claim", words},
                      {"where", words},
                      {"", words, Column::Place::below}},
                     "macrobench claims judges them by a machine's records.");
     }}};

}  // namespace

}  // namespace macrobench
