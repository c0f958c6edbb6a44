// macrobench list claims: what the papers say in words, before it is judged.

#include <string>
#include <vector>

#include "harness/command_line/list_topics.hpp"
#include "harness/command_line/sheet_output.hpp"
#include "paper_tables/cells/table_options.hpp"
#include "paper_tables/claims/claims.hpp"

namespace macrobench {

namespace {

using enum Column::Kind;

struct ListedClaim {
  std::string paper;
  Claim claim;
};

Sheet claims() {
  using One = ListedClaim;
  Definitions all(definitions_in_use(), leave_out_except({}));
  std::vector<One> rows;
  for (const PaperClaims& paper : read_claims(all.folder(), {}, all)) {
    for (const Claim& claim : paper.claims) rows.push_back({paper.paper, claim});
  }
  return SheetOf<One>("claims", {"paper", "claim"})
      .column("paper", {"paper", words, Column::Place::above}, &One::paper)
      .column("claim", {"claim", words}, [](const One& one) { return one.claim.name; })
      .column("where", {"where", words}, [](const One& one) { return one.claim.where; })
      .column("says", {"", words, Column::Place::below},
              [](const One& one) { return one.claim.says; })
      .of(rows);
}

const RegisterListTopic registered{
    {.name = "claims", .summary = "what the papers say in words, and where", .output = [] {
       return listed(claims, "The papers' claims in words",
                     "macrobench claims judges them by a machine's records.");
     }}};

}  // namespace

}  // namespace macrobench
