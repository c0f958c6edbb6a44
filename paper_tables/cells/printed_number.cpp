#include "paper_tables/cells/printed_number.hpp"

#include <initializer_list>
#include <string_view>
#include <utility>

#include "harness/text/strings.hpp"

namespace macrobench {

std::optional<double> printed_number(const std::string& printed) {
  std::string digits = printed;
  std::erase(digits, ',');
  for (const auto& [unit, exponent] :
       std::initializer_list<std::pair<std::string_view, const char*>>{
           {"ms", "e-3"}, {"us", "e-6"}, {"ns", "e-9"}, {"s", ""}}) {
    if (!digits.ends_with(unit)) continue;
    digits.resize(digits.size() - unit.size());
    if (digits.ends_with(' ')) digits.pop_back();
    digits += exponent;
    break;
  }
  return finite_number(digits);
}

}  // namespace macrobench
