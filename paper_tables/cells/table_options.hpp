#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "harness/command_line/options.hpp"
#include "harness/command_line/output_options.hpp"
#include "harness/command_line/sheet_output.hpp"
#include "harness/files/output_folder.hpp"
#include "harness/machine/machine.hpp"
#include "harness/records/record_store.hpp"
#include "paper_tables/cells/definitions.hpp"
#include "paper_tables/cells/machine_cells.hpp"

namespace macrobench {

/// The options that the commands for tables share: which ones, and where their definitions are.
struct TableOptions {
  std::vector<std::string> tables;  ///< empty: all
  std::string definitions;          ///< folder of definitions

  void add_to(Options& app);
};

/// Where macrobench's own definitions are.
std::string default_definitions();

/// The same, unless MACROBENCH_DEFINITIONS names others: for what has no option.
std::string definitions_in_use();

/// The option --definitions; what it names is macrobench's own by default.
void add_definitions_option(Options& app, std::string& folder,
                            const std::string& help = "Folder of the tables' definitions");

/// Warns once of each file that is left out. One that is named ("smith_2030", or
/// "smith_2030/table_1") is not: its reason is thrown, UsageError.
LeaveOut leave_out_except(std::vector<std::string> named);

/// The option --results, for read_machine_results().
void add_results_option(Options& app, std::string& folder);

/// A view in all formats, by document_of(made, more...) and sheets_of(made); `made` must outlive
/// it.
template <class Made, class... More>
Output output_of(const std::string& view, const Made& made, More... more) {
  return output_of_sheets(
      view, [&made, more...] { return document_of(made, more...); },
      [&made] { return sheets_of(made); });
}

/// What a command makes from a machine's records: printed, or written into their folder. The
/// options --format, --json and --write.
class ViewOptions {
 public:
  /// --write writes NAME.json and NAME.md; it cannot be given with those that it excludes.
  void add_to(Options& app, const std::string& name, std::vector<std::string> excludes = {});

  /// True if it is a page, which has room for more than a terminal.
  [[nodiscard]] bool is_page() const { return write_ || output_.format() != "text"; }
  /// True if it is written into the folder of results.
  [[nodiscard]] bool is_written() const { return write_; }

  [[nodiscard]] const std::string& name() const { return name_; }

  void show(const Output& output, const std::filesystem::path& folder) const;

 private:
  std::string name_;
  OutputOptions output_;
  bool write_ = false;
};

/// A machine's folder of results, as the views made from it need it.
struct MachineResults {
  std::filesystem::path folder;
  std::string name;  ///< the folder's, without the path to it
  Machine machine;   ///< of the newest record
  Results results;
};

/// This machine's folder in results/, by its identity: another machine of its name is not this one,
/// nor is a reference machine. Throws UsageError if it has no records.
std::filesystem::path folder_of_this_machine();

/// Reads the folder (part of its name is enough), or this machine's if none is named; warns on
/// standard error about lines that are not records. Throws UsageError if there are none.
MachineResults read_machine_results(const std::string& folder);

/// The options of a command whose view is made of a machine's records alone: --results, those of
/// ViewOptions and, where there are cases to show, --cases.
class RecordsView {
 public:
  /// `cases` is the help of --cases; without it there is none.
  void add_to(Options& app, const std::string& name, const std::string& cases = "");

  /// Shows what `make` makes of a machine's results, as output_of() it, the machine's text and
  /// whether each case is asked for. Returns the machine's folder, and what was made.
  template <class Make>
  auto show(const Make& make) const {
    const MachineResults machine = read_machine_results(results_);
    const auto made = make(machine);
    view_.show(output_of(view_.name(), made, describe(machine.machine), has_cases()),
               machine.folder);
    return std::pair(machine.folder, made);
  }

  [[nodiscard]] bool is_written() const { return view_.is_written(); }

 private:
  /// A page has room for them.
  [[nodiscard]] bool has_cases() const { return cases_ || view_.is_page(); }

  std::string results_;
  ViewOptions view_;
  bool cases_ = false;
};

/// Those of the papers that are named, or all if none is. Throws UsageError for an unknown one.
std::vector<std::string> chosen_papers(std::vector<std::string> papers,
                                       const std::vector<std::string>& named);

/// Where a machine's tables are written, in its folder of results.
OutputFolder tables_folder(const std::filesystem::path& results);

/// The machine of the newest record, which says of how many machines the records are; empty if
/// nothing is known about it.
Machine machine_of(const Results& results);

}  // namespace macrobench
