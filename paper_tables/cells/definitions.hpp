#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "paper_tables/cells/definition.hpp"

namespace macrobench {

/// What a paper says in words, and what it plots, lie beside its tables, and are none of them.
inline constexpr std::string_view claims_file = "claims.json";
inline constexpr std::string_view figures_file = "figures.json";
inline constexpr std::string_view originals_file = "originals.json";

/// The folder of definitions: DIR/<paper>/<table>.json, each read and checked when it is requested.
class Definitions final : public Tables {
 public:
  /// Throws UsageError if the folder has no table.
  explicit Definitions(std::filesystem::path folder);

  [[nodiscard]] const std::vector<std::string>& ids() const override { return ids_; }
  /// Every paper that has a table, sorted.
  [[nodiscard]] std::vector<std::string> papers() const;

  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }

  const Definition& get(std::string_view id) override;

  /// Those named ("aldrich_2010/table_3", or "aldrich_2010" for all of a paper), or all if none
  /// is named.
  std::vector<const Definition*> get_all(const std::vector<std::string>& names);

 private:
  std::filesystem::path folder_;
  std::vector<std::string> ids_;
  std::map<std::string, std::unique_ptr<Definition>, std::less<>> loaded_;
};

}  // namespace macrobench
