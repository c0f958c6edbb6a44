#pragma once

#include <string>
#include <vector>

namespace macrobench {

/// The least that a case must move and compute by its algorithm, on any machine. Its time is
/// compared with this, given what the machine can do. It is a lower bound, so a share of it never
/// flatters: what is read or written more than once per pass counts once.
struct Floor {
  double bytes = 0;  ///< between a processor's memory and the processor, read and written
  /// On floating-point numbers of the case's precision: a multiply-add counts as two; a division, a
  /// root, a power, an exponential or a logarithm as one, though they cost more on every machine.
  double operations = 0;
  std::vector<std::string> stages = {};  ///< to which they belong; the whole solution if none
  /// Bytes that each of several devices or processes gets from the others, in the stage `exchange`.
  double exchanged = 0;

  [[nodiscard]] bool is_known() const { return bytes > 0 || operations > 0; }
  bool operator==(const Floor&) const = default;
};

/// The bytes of a floating-point number.
inline double size_of_real(bool single) {
  return single ? sizeof(float) : sizeof(double);
}

/// Of what each of so many has to have in the end, the share that the others compute.
constexpr double share_of_others(int count) {
  return static_cast<double>(count - 1) / count;
}

}  // namespace macrobench
