#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/model/parameters.hpp"
#include "harness/model/registry.hpp"
#include "harness/numbers/folder_times.hpp"
#include "harness/records/record_store.hpp"

namespace macrobench {

/// What a cell requests. The implementation need not be in this build.
struct CellRequest {
  std::string model;
  std::string implementation;
  Parameters parameters;  ///< the implementation may lack some of them

  [[nodiscard]] std::string id() const { return model + "/" + implementation; }
  /// As a case's key, of these parameters alone.
  [[nodiscard]] std::string key() const;
};

/// The record of a cell or, without a record, one clause that says why: Reason::Kind::no_record if
/// nothing is known of the cell.
struct Finding {
  const Record* record = nullptr;
  Reason why_not = {};
  std::optional<double> work = {};  ///< as the record says, or the reason why it was left out
  std::shared_ptr<const FolderTimes> times = {};  ///< of its folder
  /// What it has instead of a default, "moves=all_but_last": it was made when that was the default,
  /// and nothing newer answers. Empty if it has what was requested.
  std::string as_before = {};
};

/// One record by itself.
Finding finding_of(const Record& record, std::shared_ptr<const FolderTimes> times);

using Lookup = std::function<Finding(const CellRequest&)>;

/// The case that a cell requests; none if this build leaves the implementation out.
std::optional<Case> case_of(const CellRequest& request, int cores);

/// Why case_of() found none: one clause.
std::string why_left_out(const CellRequest& request, bool has_gpu);

/// The names of a model's implementations, including those that this build leaves out, sorted.
std::vector<std::string> implementation_names(const std::string& model);

/// Whether CUDA code is requested, in this build or not.
bool needs_gpu(const CellRequest& request);

/// Whether a GPU does one of these stages of a solution, or any of it if none is named.
bool runs_on_gpu(const CellRequest& request, const std::vector<std::string>& stages);

/// True if the record answers the request. Each of the record's parameters must have the requested
/// value or, if none is requested, its axis's default. A requested parameter that the record lacks
/// is one that its implementation does not have, or did not have then: its default is meant.
/// `cores` is the meaning of "all".
bool answers(const Record& record, const CellRequest& request, int cores);

/// The parameters that decide which problem a record solves, "nz=4 real=double": its model's
/// headlines, and what is not at its default, except those axes that are left out. What its
/// implementation lacks is at the default: then it solves the same problem.
std::string problem_of(
    const Record& record,
    const std::function<bool(const Axis& axis, const Model& model)>& is_left_out);

/// Looks in a folder's results, from any machine and any build, for the record that answers and is
/// shown (shown_of()). If none answers, one that has what an axis was before it had its default
/// (Axis::lacking) does. An implementation that is not in this build has the parameters that its
/// records here have. Keeps a reference to the results.
Lookup lookup_in(const Results& results);
/// The same, with the times of these results.
Lookup lookup_in(const Results& results, std::shared_ptr<const FolderTimes> times);

}  // namespace macrobench
