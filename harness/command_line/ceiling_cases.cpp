#include "harness/command_line/ceiling_cases.hpp"

#include <set>
#include <string>
#include <utility>

#include "harness/command_line/axis_options.hpp"
#include "harness/records/record_facts.hpp"

namespace macrobench {

std::vector<Case> ceiling_cases(int cores) {
  std::vector<Case> cases;
  std::set<std::string> keys;
  for (const Implementation* implementation : implementations_of(ceilings_model)) {
    if (!implementation->unavailable().empty()) continue;
    for (const std::string ceiling : {"copy", "multiply_add"}) {
      for (const std::string real : {"double", "single"}) {
        for (const Value& threads : {Value(std::int64_t{1}), Value(std::string("all"))}) {
          const Parameters given = only_taken(
              *implementation, {{"ceiling", ceiling}, {"real", real}, {"threads", threads}});
          Case which = Registry::global().make_case(implementation->id(), given, cores);
          if (keys.insert(which.key()).second) cases.push_back(std::move(which));
        }
      }
    }
  }
  return cases;
}

}  // namespace macrobench
