#pragma once

#include <string>
#include <vector>

namespace macrobench {

struct Results;

/// One sentence about the only record of `one`, for the end of `macrobench run`; empty if there is
/// nothing to say.
using RunRemark = std::string (*)(const Results& one);

/// Registers a remark: an object at namespace scope, in the file that defines the remark.
class RegisterRunRemark {
 public:
  explicit RegisterRunRemark(RunRemark remark);
};

}  // namespace macrobench
