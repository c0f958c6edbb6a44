// Every file of tables, claims and hardware against the JSON Schema that it names, and wrong ones.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/json_schema.hpp"
#include "tests/paths.hpp"

namespace macrobench {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

fs::path papers() {
  return fs::path(source_folder()) / "paper_tables/papers";
}

json read(const fs::path& path) {
  std::ifstream file(path);
  return json::parse(file);
}

/// The schema that a file names, for editors, by its path from there.
fs::path schema_named_in(const fs::path& file) {
  return (file.parent_path() / read(file).at("$schema").get<std::string>()).lexically_normal();
}

TEST(DefinitionSchema, AcceptsEveryFileThatNamesIt) {
  std::map<std::string, int> files;
  for (const auto& entry : fs::recursive_directory_iterator(papers())) {
    const fs::path& path = entry.path();
    const std::string name = path.filename().string();
    const bool has_none = path.extension() != ".json" || name == "figures.json" ||
                          name == "front.json" || name.starts_with("errata");
    if (has_none) continue;
    const fs::path schema = schema_named_in(path);
    EXPECT_TRUE(JsonSchema(read(schema)).accepts(read(path))) << path;
    ++files[schema.filename().string()];
  }
  EXPECT_GE(files["table.schema.json"], 21);
  EXPECT_GE(files["claims.schema.json"], 5);
  EXPECT_GE(files["originals.schema.json"], 6);
}

class Wrong {
 public:
  explicit Wrong(const char* file)
      : good_(read(papers() / file)), schema_(read(schema_named_in(papers() / file))) {
    EXPECT_TRUE(schema_.accepts(good_));
  }
  void rejects(const char* pointer, const json& value) {
    json wrong = good_;
    wrong[json::json_pointer(pointer)] = value;
    EXPECT_FALSE(schema_.accepts(wrong)) << pointer << " = " << value;
  }
  void rejects_without(const std::string& parent, const char* member) {
    json wrong = good_;
    ASSERT_EQ(wrong.at(json::json_pointer(parent)).erase(member), 1U) << parent << " " << member;
    EXPECT_FALSE(schema_.accepts(wrong)) << parent << " without " << member;
  }

 private:
  json good_;
  JsonSchema schema_;
};

TEST(DefinitionSchema, RejectsWrongTables) {
  Wrong table("aldrich_2014/table_2.json");
  for (const char* member :
       {"schema", "paper", "table", "title", "caption", "source", "hardware", "columns", "rows"}) {
    table.rejects_without("", member);
  }
  table.rejects("/schema", 2);
  table.rejects("/modle", "rbc");
  table.rejects("/columns", json::array());
  table.rejects("/columns/0/lable", "1");
  table.rejects("/columns/0/parameters/nk", json::array());
  table.rejects("/groups", json::array());
  table.rejects("/rows/0/quantity", "ratoi");
  table.rejects("/rows/0/quantity", "stage");
  table.rejects("/rows/0/quantity", "ratio");
  table.rejects("/rows/0/published/0", 1.5);
  table.rejects("/rows/0/otherwise", {{"of", json::array()}});
  table.rejects("/rows/0/left_out", {{"columns", {"a"}}});
  table.rejects_without("/rows/0", "label");
  table.rejects_without("/rows/0", "published");
}

TEST(DefinitionSchema, RejectsWrongClaims) {
  Wrong claims("aldrich_2014/claims.json");
  for (const char* member :
       {"claim", "where", "says", "quantity", "quote", "table", "of", "direction"}) {
    claims.rejects_without("/claims/0", member);
  }
  for (const char* member : {"kind", "reason"}) {
    claims.rejects_without("/claims/0/direction", member);
  }
  claims.rejects_without("/claims/1/size", "at_least");
  claims.rejects_without("/claims/1/size", "at_most");
  claims.rejects("/claims/1/size/kind", "rising");
  claims.rejects("/claims/0/reading", "ours");
  claims.rejects("/claims/0/kind", "vacuous");
  claims.rejects("/claims/0/direction/kind", "raising");
  claims.rejects("/claims/0/columns", "most");
  claims.rejects("/claims/0/direction/slack", -1);
  claims.rejects("/claims/0/like_for_like/0/of", {{"numerator", "a"}});
  claims.rejects("/claims/0/reason", "So it is.");
}

TEST(DefinitionSchema, RejectsWrongOriginals) {
  Wrong originals("aldrich_2014/originals.json");
  for (const char* member :
       {"name", "source", "commit", "program", "counterpart", "cases", "arrays", "differences"}) {
    originals.rejects_without("/originals/0", member);
  }
  originals.rejects_without("/originals/0/counterpart", "implementation");
  originals.rejects_without("/originals/1/differences/0", "says");
  originals.rejects("/originals/0/source", nullptr);
  originals.rejects("/originals/0/cases", json::array());
  originals.rejects("/originals/0/program", "vfi_cpp");
  originals.rejects("/originals/0/fingerprints",
                    {{{"printed", "about 3"}, {"where", "p. 1"}, {"figure", "V"}}});
  originals.rejects("/measured", json::array());
}

}  // namespace
}  // namespace macrobench
