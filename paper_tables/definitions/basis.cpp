#include "paper_tables/definitions/basis.hpp"

#include "harness/text/nearest.hpp"

namespace macrobench {

std::string to_string(Basis basis) {
  return basis == Basis::stated ? "stated" : "inferred";
}

Basis read_basis(const Place& place) {
  const std::string name = place.text();
  if (name == to_string(Basis::stated)) return Basis::stated;
  if (name == to_string(Basis::inferred)) return Basis::inferred;
  place.fail(unknown_name("kind of rule", name, {"stated", "inferred"}));
}

}  // namespace macrobench
