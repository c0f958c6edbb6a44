#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/model/parameters.hpp"
#include "harness/model/registry.hpp"
#include "harness/records/record_store.hpp"

namespace macrobench {

/// What a cell asks for. An implementation has not got to be in this build.
struct CellRequest {
  std::string model;
  std::string implementation;
  Parameters parameters;  ///< some the implementation may not take
};

/// The record of a cell, or one clause on why there is none.
struct Finding {
  const Record* record = nullptr;
  Reason why_not;
  bool is_recorded = false;         ///< whether a run left it out and said why
  std::optional<double> work = {};  ///< as the record says, or that of why it was left out
};

using Lookup = std::function<Finding(const CellRequest&)>;

/// The case a cell asks for; none where this build leaves the implementation out.
std::optional<Case> case_of(const CellRequest& request, int cores);

/// Why case_of() found none: one clause.
std::string why_left_out(const CellRequest& request, bool has_gpu);

/// The names of a model's implementations, also of those that this build leaves out, sorted.
std::vector<std::string> implementation_names(const std::string& model);

/// Whether it is CUDA code that is asked for, in this build or not.
bool needs_gpu(const CellRequest& request);

/// Whether a GPU does these stages of a solution, or one of them; any of it where none is named.
bool runs_on_gpu(const CellRequest& request, const std::vector<std::string>& stages);

/// Whether two values are the same number or name, whatever their type: JSON does not tell 2 from
/// 2.0.
bool is_same(const Value& a, const Value& b);

/// Whether the record is one of what is asked for. Each of the record's parameters must have the
/// value requested or, where none is, its axis's default; a requested parameter that the record has
/// not is one that its implementation does not take, or did not take then: its default is meant.
/// `cores` is what "all" stands for.
bool answers(const Record& record, const CellRequest& request, int cores);

/// Looks in a folder's results, made on whatever machine and by whatever build: the newest record
/// that answers, one of the sources this program was built from before any other. Holds a reference
/// to the results.
Lookup lookup_in(const Results& results);

}  // namespace macrobench
