#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "harness/text/error.hpp"
#include "paper_tables/cells/definition.hpp"

namespace macrobench {

/// What a paper says in words, and what it plots, lie beside its tables, and are none of them.
inline constexpr std::string_view claims_file = "claims.json";
inline constexpr std::string_view figures_file = "figures.json";
inline constexpr std::string_view originals_file = "originals.json";

/// What to do without a file of a paper that is wrong: its name ("smith_2030/table_1"), and why.
using LeaveOut = std::function<void(const std::string& name, const std::string& reason)>;

/// Calls read(). If its file is wrong, calls leave_out; without one, throws what read() does.
template <class Read>
void read_or_leave_out(const LeaveOut& leave_out, const std::string& name, const Read& read) {
  if (!leave_out) return read();
  try {
    read();
  } catch (const UsageError& error) {
    leave_out(name, error.what());
  }
}

/// The folder of definitions: DIR/<paper>/<table>.json, each read and checked when it is requested.
class Definitions final : public Tables {
 public:
  /// With leave_out, reads all, and those that are wrong are not among them. Throws UsageError if
  /// no table is left.
  explicit Definitions(std::filesystem::path folder, LeaveOut leave_out = {});

  [[nodiscard]] const std::vector<std::string>& ids() const override { return ids_; }
  [[nodiscard]] const LeaveOut& leave_out() const { return leave_out_; }
  /// Every paper that has a table, sorted.
  [[nodiscard]] std::vector<std::string> papers() const;

  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }

  const Definition& get(std::string_view id) override;

  /// Those named ("aldrich_2010/table_3", or "aldrich_2010" for all of a paper), or all if none
  /// is named.
  std::vector<const Definition*> get_all(const std::vector<std::string>& names);

 private:
  void leave_out_wrong_ones();

  std::filesystem::path folder_;
  LeaveOut leave_out_;
  std::map<std::string, std::string, std::less<>> wrong_;  ///< why each that is left out is
  std::vector<std::string> ids_;
  std::map<std::string, std::unique_ptr<Definition>, std::less<>> loaded_;
};

}  // namespace macrobench
