#pragma once

#include <string>
#include <vector>

namespace macrobench {

/// The least that a case has to move and to compute by its algorithm, whatever it runs on: what its
/// time is held to, given what the machine can do. It is a bound from below, so that a share of it
/// is never flattering: what is read or written more than once a pass counts once.
struct Floor {
  double bytes = 0;  ///< between a processor's memory and the processor, read and written
  /// On floating-point numbers of the case's precision: a multiply-add counts as two; a division, a
  /// root, a power, an exponential or a logarithm as one, though no machine has them at that price.
  double operations = 0;
  std::vector<std::string> stages = {};  ///< that they are of; the whole solution if none

  [[nodiscard]] bool is_known() const { return bytes > 0 || operations > 0; }
};

/// The bytes of a floating-point number.
inline double size_of_real(bool single) {
  return single ? sizeof(float) : sizeof(double);
}

}  // namespace macrobench
