#pragma once

// The shocks of a panel.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "implementations/krusell_smith/input/employment.hpp"
#include "implementations/krusell_smith/model.hpp"

namespace macrobench::krusell_smith {

/// Who is employed when: one bit per agent and period, the most significant first. A period's bits
/// begin on a 16-byte boundary of `bits`; those after the last agent are 0.
struct Shocks {
  int N = 0;
  int T = 0;
  std::size_t stride = 0;            ///< bytes per period
  std::vector<std::uint8_t> bits;    ///< 1 if employed, shape T x stride
  std::vector<std::uint8_t> states;  ///< the aggregate state, bad or good, shape T

  [[nodiscard]] const std::uint8_t* row(int t) const {
    return bits.data() + static_cast<std::size_t>(t) * stride;
  }
  [[nodiscard]] int employment(int i, int t) const { return (row(t)[i / 8] >> (7 - i % 8)) & 1; }
  [[nodiscard]] int a(int t) const { return states[static_cast<std::size_t>(t)]; }
};

/// Bytes per period: N bits, whole groups of 128 agents.
inline std::size_t shock_stride(std::int64_t N) {
  return (static_cast<std::size_t>(N) + 127) / 128 * 16;
}

/// The shocks of the problem's seed, drawn from its transition matrix to 2^-64. The first period is
/// bad. They are the same on any machine, with any number of threads; the first agents and periods
/// are the same for any N and T.
Shocks draw_shocks(const Problem& problem);

/// The chances by which employment is drawn, of every period.
std::vector<UnemploymentChances> chances_of_unemployment(const Problem& problem,
                                                         const Shocks& shocks);

/// Those of the first n agents in the first T periods; no bits of none. n is all, or a multiple of
/// 128.
Shocks first_agents(const Shocks& all, int n, int T);

/// The shocks of the problem: drawn, or read from its files, at the first call, and kept until
/// another problem's are requested. Solvers request them in start(). If only the aggregate states
/// come from a file, employment is drawn for them. Throws UsageError.
std::shared_ptr<const Shocks> shocks_of(const Problem& problem);

using ShocksOf = std::shared_ptr<const Shocks> (*)(const Problem& problem);

/// The aggregate states alone, without bits: for a panel that draws employment while it needs it.
std::shared_ptr<const Shocks> aggregate_of(const Problem& problem);

}  // namespace macrobench::krusell_smith
