// docs/schema has the JSON Schemas that follow from the views' columns.

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/tables/sheet.hpp"
#include "harness/text/json_values.hpp"
#include "paper_tables/claims/claims_verdict.hpp"
#include "paper_tables/compare/comparison.hpp"
#include "paper_tables/fidelity/fidelity.hpp"
#include "paper_tables/front/front.hpp"
#include "paper_tables/replicate/result_screen.hpp"
#include "paper_tables/tables/render.hpp"
#include "paper_tables/times/times.hpp"
#include "paper_tables/verify/verification_render.hpp"
#include "tests/golden.hpp"
#include "tests/json_schema.hpp"
#include "tests/paper_tables/fixture.hpp"

namespace macrobench {
namespace {

void expect_schema(const std::string& file, const std::string& view,
                   const std::vector<Sheet>& sheets) {
  expect_golden(source_dir() / "docs/schema" / (file + ".schema.json"),
                to_text(json_schema_of(view, sheets)));
}

TEST(ViewSchemas, AreThoseInTheDocumentation) {
  std::vector<Sheet> replication = sheets_of(Replication{});
  for (Sheet& sheet : sheets_of(std::vector<Table>())) replication.push_back(std::move(sheet));
  expect_schema("claims", "claims", sheets_of(ClaimReport{}));
  expect_schema("compare", "compare", sheets_of(Comparison{}));
  Fidelity fidelity;
  fidelity.machines.emplace_back();
  expect_schema("fidelity", "fidelity", sheets_of(fidelity));
  expect_schema("replicate", "replicate", replication);
  expect_schema("summary", "summary", sheets_of(Front{}));
  expect_schema("tables", "tables", sheets_of(std::vector<Table>()));
  expect_schema("times", "times", sheets_of(Times{}));
  expect_schema("verify", "verify", sheets_of(std::vector<Verification>()));
}

TEST_F(OfTheFixture, TablesPrintWhatTheirSchemaSays) {
  JsonSchema schema(
      nlohmann::json::parse(content_of(source_dir() / "docs/schema/tables.schema.json")));
  for (const std::string& id : all_.ids()) {
    const Table made =
        make_table(all_.get(id), all_, lookup_, "fixture_cpu_4_cores_fixture_gpu", machine_);
    EXPECT_TRUE(schema.accepts(nlohmann::json(to_json("tables", sheets_of({made}))))) << id;
  }
}

}  // namespace
}  // namespace macrobench
