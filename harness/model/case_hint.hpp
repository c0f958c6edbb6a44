#pragma once

#include <optional>

namespace macrobench {

/// What a plan of tables knows about a case.
struct CaseHint {
  double seconds = 0;  ///< of a solution elsewhere (as published); 0 if that is not known
  bool extra = false;  ///< only rows of ours need it
  std::optional<int> group = {};  ///< cases of one group are compared: they run one after another
};

}  // namespace macrobench
