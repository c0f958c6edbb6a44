// Ratios, shares and verdicts on ratios are the same in whatever unit all times are.

#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "paper_tables/claims/claims_verdict.hpp"
#include "paper_tables/tables/render.hpp"
#include "tests/paper_tables/fixture.hpp"
#include "tests/sheet_rows.hpp"

namespace macrobench {
namespace {

using nlohmann::json;

/// All seconds times this.
Results slower(Results results, double times) {
  for (Record& record : results.records) {
    for (Sample& sample : record.samples) {
      sample.start *= times;
      sample.first_solution *= times;
      for (double& seconds : sample.solutions) seconds *= times;
      for (auto& [stage, all] : sample.stages) {
        for (double& seconds : all) seconds *= times;
      }
    }
  }
  return results;
}

class InAnyUnit : public OfTheFixture {
 protected:
  const Results others_ = slower(results_, 1000);
};

TEST_F(InAnyUnit, RatiosAreTheSame) {
  int ratios = 0;
  for (const std::string& id : all_.ids()) {
    const auto rows = [&](const Results& results) {
      const Table table =
          make_table(all_.get(id), all_, quiet_lookup_in(results), "a machine", machine_);
      return rows_of(sheets_of({table}), "cells");
    };
    const json here = rows(results_);
    const json there = rows(others_);
    ASSERT_EQ(here.size(), there.size());
    for (std::size_t i = 0; i < here.size(); ++i) {
      const bool is_ratio = here[i]["quantity"] == "ratio" && here[i]["here_unit"] == "1";
      if (!is_ratio || !here[i]["here"].is_number()) continue;
      const double ratio = here[i]["here"];
      EXPECT_NEAR(there[i]["here"].get<double>() / ratio, 1, 1e-9) << here[i];
      if (here[i]["here_low"].is_number()) {
        EXPECT_NEAR(there[i]["here_low"].get<double>() / here[i]["here_low"].get<double>(), 1,
                    1e-6);
      }
      ++ratios;
    }
  }
  EXPECT_GT(ratios, 150);
}

TEST_F(InAnyUnit, VerdictsOnRatiosAreTheSame) {
  const std::vector<PaperClaims> claims = read_claims(definitions_folder(), {}, all_);
  using Part = std::tuple<std::string, std::string, std::string>;
  const auto verdicts = [&](const Results& results) {
    const ClaimReport report{"a machine", "a machine",
                             judge_claims(claims, all_, quiet_lookup_in(results), machine_)};
    const std::vector<Sheet> sheets = sheets_of(report);
    const auto named_by = [](const json& row) {
      return Part(row["paper"].get<std::string>(), row["claim"].get<std::string>(),
                  row["part"].get<std::string>());
    };
    std::set<Part> in_seconds;
    for (const json& figure : rows_of(sheets, "figures")) {
      if (figure["value_unit"] != "1") in_seconds.insert(named_by(figure));
    }
    std::map<Part, std::string> found;
    for (const json& row : rows_of(sheets, "claims")) {
      if (row["part"].is_null()) continue;
      const Part part = named_by(row);
      if (!in_seconds.contains(part)) found[part] = row["verdict"];
    }
    return found;
  };
  const std::map<Part, std::string> here = verdicts(results_);
  EXPECT_GT(here.size(), 50U);
  EXPECT_EQ(verdicts(others_), here);
}

}  // namespace
}  // namespace macrobench
