#pragma once

#include <optional>
#include <string>

namespace macrobench {

/// What a plan of tables knows about a case.
struct CaseHint {
  double seconds = 0;     ///< of a solution elsewhere (as published); 0 if that is not known
  bool extra = false;     ///< only rows of ours need it
  bool headline = false;  ///< within a budget, the first minute is for such cases
  /// Cases of one group are compared: they run one after another. It is named by its first key.
  std::optional<std::string> group = {};
};

}  // namespace macrobench
