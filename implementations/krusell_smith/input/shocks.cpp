#include "implementations/krusell_smith/input/shocks.hpp"

#include <algorithm>
#include <array>
#include <tuple>

#include "implementations/krusell_smith/input/cache.hpp"
#include "implementations/krusell_smith/input/user_files.hpp"
#include "implementations/numerics/methods/philox.hpp"

namespace macrobench::krusell_smith {

namespace {

/// A probability in units of 2^-64, rounded down; 1 becomes one unit less.
std::uint64_t fixed_point(double p) {
  constexpr double one = 18446744073709551616.0;
  return p >= 1 ? ~std::uint64_t{0} : static_cast<std::uint64_t>(std::max(0.0, p) * one);
}

void write(const numerics::Random128& bits, std::uint8_t* to) {
  for (const std::uint32_t word : bits.word) {
    for (const int shift : {24, 16, 8, 0}) *to++ = static_cast<std::uint8_t>(word >> shift);
  }
}

std::vector<std::uint8_t> draw_states(const Economy& economy, int T, std::uint64_t seed) {
  std::vector<std::uint8_t> states(static_cast<std::size_t>(T), bad);
  for (std::size_t t = 1; t < states.size(); ++t) {
    const numerics::Random128 draw =
        numerics::philox({{0, static_cast<std::uint32_t>(t), 0, aggregate_shocks}}, seed);
    const std::uint64_t uniform = std::uint64_t{draw.word[0]} << 32 | draw.word[1];
    states[t] = uniform < fixed_point(economy.chance(states[t - 1], good)) ? good : bad;
  }
  return states;
}

/// Draws the bits for the states.
void draw_employment(const Problem& problem, Shocks& shocks) {
  const std::vector<UnemploymentChances> chances = chances_of_unemployment(problem, shocks);
  const auto seed = static_cast<std::uint64_t>(problem.seed);
  shocks.bits.resize(shocks.stride * static_cast<std::size_t>(problem.T));

  // Neighbouring groups share cache lines, so they are drawn together, period by period.
  constexpr int together = 64;
  const int groups = static_cast<int>(shocks.stride / 16);
#pragma omp parallel for schedule(static)
  for (int first = 0; first < groups; first += together) {
    std::array<Employment, together> now{};
    for (int t = 0; t < problem.T; ++t) {
      for (int group = first; group < std::min(first + together, groups); ++group) {
        Employment& working = now[static_cast<std::size_t>(group - first)];
        working = draw_employment(
            working, chances[static_cast<std::size_t>(t)],
            static_cast<std::uint32_t>(group) * static_cast<std::uint32_t>(problem.group_stride),
            static_cast<std::uint32_t>(t), problem.N - agents_in_group * group, seed);
        write(working, shocks.bits.data() + static_cast<std::size_t>(t) * shocks.stride +
                           static_cast<std::size_t>(group) * 16);
      }
    }
  }
}

Shocks without_employment(const Problem& problem) {
  Shocks shocks;
  shocks.N = problem.N;
  shocks.T = problem.T;
  shocks.stride = shock_stride(problem.N);
  shocks.states = problem.aggregate.empty() ? draw_states(Economy(problem.calibration), problem.T,
                                                          static_cast<std::uint64_t>(problem.seed))
                                            : read_aggregate(problem);
  return shocks;
}

Shocks read_or_draw(const Problem& problem) {
  Shocks shocks = without_employment(problem);
  if (problem.shocks.empty()) {
    draw_employment(problem, shocks);
  } else {
    shocks.bits = read_shocks(problem, shocks.stride);
  }
  return shocks;
}

}  // namespace

Shocks draw_shocks(const Problem& problem) {
  Problem drawn = problem;
  drawn.shocks = drawn.aggregate = {};
  return read_or_draw(drawn);
}

std::vector<UnemploymentChances> chances_of_unemployment(const Problem& problem,
                                                         const Shocks& shocks) {
  const Economy economy(problem.calibration);
  std::vector<UnemploymentChances> all;
  for (int t = 0; t < shocks.T; ++t) {
    const int now = shocks.a(t);
    double if_unemployed = 1 - economy.L[now];
    double if_employed = if_unemployed;
    if (t > 0) {
      if_unemployed = economy.chance_of_unemployment(unemployed, shocks.a(t - 1), now);
      if_employed = economy.chance_of_unemployment(employed, shocks.a(t - 1), now);
    }
    all.push_back({fixed_point(if_unemployed), fixed_point(if_employed)});
  }
  return all;
}

Shocks first_agents(const Shocks& all, int n, int T) {
  Shocks few{.N = n, .T = T, .stride = shock_stride(n), .bits = {}, .states = all.states};
  few.states.resize(static_cast<std::size_t>(T));
  if (all.bits.empty()) return few;
  few.bits.reserve(few.stride * few.states.size());
  for (int t = 0; t < T; ++t) few.bits.insert(few.bits.end(), all.row(t), all.row(t) + few.stride);
  return few;
}

namespace {

/// What decides a problem's shocks.
using Key = std::tuple<int, int, int, std::int64_t, std::array<double, 16>, double, double,
                       InputFile, InputFile, bool, bool>;

Key key_of(const Problem& problem) {
  const Calibration& c = problem.calibration;
  return {problem.N,
          problem.group_stride,
          problem.T,
          problem.seed,
          c.P,
          c.u_bad,
          c.u_good,
          problem.shocks,
          problem.aggregate,
          problem.lowest_bit_first,
          problem.lower_is_good};
}

}  // namespace

std::shared_ptr<const Shocks> shocks_of(const Problem& problem) {
  static Cache<Key, Shocks> cache;
  return cache.get(key_of(problem), [&] { return read_or_draw(problem); });
}

std::shared_ptr<const Shocks> aggregate_of(const Problem& problem) {
  static Cache<Key, Shocks> cache;
  return cache.get(key_of(problem), [&] { return without_employment(problem); });
}

}  // namespace macrobench::krusell_smith
