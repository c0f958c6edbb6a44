#pragma once

// What mpi.cpp asks of its ranks, which simulate panels; the rest of the outer loop is
// macrobench's.

#include <cstddef>
#include <cstdint>

#include "implementations/krusell_smith/model.hpp"

namespace macrobench::krusell_smith {

enum class Order : std::uint32_t {
  set_up,     ///< follows: aggregate states, shape T; first wealth, shape N; shocks, T x stride
  begin,      ///< the first cross-section is the one of the set-up
  simulate,   ///< follows: the policy. The answer: K, shape T, and Clips
  keep_last,  ///< the next panel begins where this one ended
  hand_over   ///< the answer: wealth at the beginning and at the end of the last panel, 2 x N
};

/// The ranks keep the numbers of the set-up.
struct PanelRequest {
  std::uint64_t layout = sizeof(PanelRequest) + sizeof(Clips);  ///< as in mpi::Request
  Order order = Order::begin;
  Grids grids{};
  int N = 0;
  int T = 0;
  int moves = 0;             ///< of the problem
  std::uint64_t stride = 0;  ///< bytes of shocks per period
};

}  // namespace macrobench::krusell_smith
