// The errata that no rule finds: data, each with a test that demonstrates it.

#include <fmt/format.h>

#include <algorithm>

#include "harness/text/nearest.hpp"
#include "paper_tables/definitions/definitions.hpp"
#include "paper_tables/definitions/place.hpp"
#include "paper_tables/errata/errata.hpp"

namespace macrobench {

std::vector<FoundByReading> read_readings(const std::filesystem::path& folder,
                                          const Definitions& definitions) {
  const std::filesystem::path path = folder / "errata_by_reading.json";
  if (!std::filesystem::exists(path)) return {};
  const std::string file = display_path(path);
  const nlohmann::json document = read_json(path, file);
  const Place top(file, document);
  top.allow({"schema", "errata"});
  top.at("schema").check_schema(1);
  std::vector<FoundByReading> readings;
  for (const Place& place : top.at("errata").items()) {
    place.allow({"paper", "where", "printed", "right", "evidence", "tests"});
    FoundByReading reading;
    reading.paper = place.at("paper").text();
    reading.where = place.at("where").text();
    reading.printed = place.at("printed").text();
    reading.right = place.at("right").text();
    reading.evidence = place.at("evidence").text();
    const std::vector<std::string> papers = definitions.papers();
    if (std::ranges::find(papers, reading.paper) == papers.end()) {
      place.at("paper").fail(unknown_name("paper", reading.paper, papers));
    }
    for (const Place& test : place.at("tests").items()) reading.tests.push_back(test.text());
    if (reading.tests.empty()) {
      place.at("tests").fail("an erratum that no test demonstrates is not in the list");
    }
    readings.push_back(std::move(reading));
  }
  return readings;
}

}  // namespace macrobench
