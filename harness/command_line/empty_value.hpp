#pragma once

namespace macrobench {

/// What is wrong with an option whose value is empty, as in `--results "$FOLDER"` without a FOLDER.
inline constexpr const char* empty_value_is_wrong = "an empty value means nothing; leave it out";

}  // namespace macrobench
