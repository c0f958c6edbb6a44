#include "harness/records/verdict.hpp"

namespace macrobench {

ExitCode verdict(const Record& record, bool strict) {
  switch (record.status) {
    case Status::failed:
      return ExitCode::failed;
    case Status::timeout:
    case Status::not_run:
      return strict ? ExitCode::failed : ExitCode::ok;
    case Status::invalid:
      return record.expected_invalid && !strict ? ExitCode::ok : ExitCode::invalid;
    default:
      return ExitCode::ok;
  }
}

ExitCode gravest(ExitCode a, ExitCode b) {
  for (const ExitCode code : {ExitCode::failed, ExitCode::invalid, ExitCode::usage,
                              ExitCode::slower, ExitCode::ambiguous}) {
    if (a == code || b == code) return code;
  }
  return ExitCode::ok;
}

}  // namespace macrobench
