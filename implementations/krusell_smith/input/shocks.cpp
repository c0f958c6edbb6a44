#include "implementations/krusell_smith/input/shocks.hpp"

#include <algorithm>
#include <array>
#include <tuple>

#include "implementations/krusell_smith/input/cache.hpp"
#include "implementations/krusell_smith/input/user_files.hpp"
#include "implementations/numerics/philox.hpp"

namespace macrobench::krusell_smith {

namespace {

constexpr int agents_in_group = 128;
enum Purpose : std::uint32_t { employment_shocks, aggregate_shocks };

/// A probability in units of 2^-64, rounded down; 1 becomes one unit less.
std::uint64_t fixed_point(double p) {
  constexpr double one = 18446744073709551616.0;
  return p >= 1 ? ~std::uint64_t{0} : static_cast<std::uint64_t>(std::max(0.0, p) * one);
}

/// Which of 128 agents are unemployed, if an agent's probability depends on its last employment.
/// All agents' uniform numbers grow by one bit at a time, each until it differs from its
/// probability: about eight draws of 128 bits in all, instead of 128 numbers.
numerics::Random128 draw_unemployed(const numerics::Random128& employed_before,
                                    std::uint64_t chance_if_unemployed,
                                    std::uint64_t chance_if_employed, std::uint32_t group,
                                    std::uint32_t period, std::uint64_t seed) {
  numerics::Random128 unemployed{};
  numerics::Random128 open{{~0U, ~0U, ~0U, ~0U}};
  for (std::uint32_t bit = 0; bit < 64; ++bit) {
    const std::uint32_t if_unemployed = (chance_if_unemployed >> (63 - bit) & 1) != 0 ? ~0U : 0U;
    const std::uint32_t if_employed = (chance_if_employed >> (63 - bit) & 1) != 0 ? ~0U : 0U;
    const numerics::Random128 uniform =
        numerics::philox({{group, period, bit, employment_shocks}}, seed);
    std::uint32_t any = 0;
    for (int w = 0; w < 4; ++w) {
      const std::uint32_t before = employed_before.word[w];
      const std::uint32_t chance = (before & if_employed) | (~before & if_unemployed);
      unemployed.word[w] |= open.word[w] & chance & ~uniform.word[w];
      open.word[w] &= ~(chance ^ uniform.word[w]);
      any |= open.word[w];
    }
    if (any == 0) break;
  }
  return unemployed;
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
  const Economy economy(problem.calibration);
  const auto seed = static_cast<std::uint64_t>(problem.seed);
  shocks.bits.resize(shocks.stride * static_cast<std::size_t>(problem.T));

  // Neighbouring groups share cache lines, so they are drawn together, period by period.
  constexpr int together = 64;
  const int groups = static_cast<int>(shocks.stride / 16);
#pragma omp parallel for schedule(static)
  for (int first = 0; first < groups; first += together) {
    std::array<numerics::Random128, together> employed_before{};
    for (int t = 0; t < problem.T; ++t) {
      const int now = shocks.a(t);
      double if_unemployed = 1 - economy.L[now];
      double if_employed = if_unemployed;
      if (t > 0) {
        if_unemployed = economy.chance_of_unemployment(unemployed, shocks.a(t - 1), now);
        if_employed = economy.chance_of_unemployment(employed, shocks.a(t - 1), now);
      }
      for (int group = first; group < std::min(first + together, groups); ++group) {
        numerics::Random128& status = employed_before[static_cast<std::size_t>(group - first)];
        status =
            draw_unemployed(status, fixed_point(if_unemployed), fixed_point(if_employed),
                            static_cast<std::uint32_t>(group), static_cast<std::uint32_t>(t), seed);
        for (int w = 0; w < 4; ++w) {
          const int agents = std::clamp(problem.N - agents_in_group * group - 32 * w, 0, 32);
          status.word[w] = ~status.word[w] & (agents == 0 ? 0U : ~0U << (32 - agents));
        }
        write(status, shocks.bits.data() + static_cast<std::size_t>(t) * shocks.stride +
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
  return shocks;
}

Shocks read_or_draw(const Problem& problem) {
  if (problem.aggregate.empty()) return draw_shocks(problem);
  Shocks shocks = without_employment(problem);
  shocks.states = read_aggregate(problem);
  if (problem.shocks.empty()) {
    draw_employment(problem, shocks);
  } else {
    shocks.bits = read_shocks(problem, shocks.stride);
  }
  return shocks;
}

}  // namespace

Shocks draw_shocks(const Problem& problem) {
  Shocks shocks = without_employment(problem);
  shocks.states = draw_states(Economy(problem.calibration), problem.T,
                              static_cast<std::uint64_t>(problem.seed));
  draw_employment(problem, shocks);
  return shocks;
}

Shocks first_agents(const Shocks& all, int n) {
  Shocks few{.N = n, .T = all.T, .stride = shock_stride(n), .bits = {}, .states = all.states};
  few.bits.reserve(few.stride * all.states.size());
  for (int t = 0; t < all.T; ++t)
    few.bits.insert(few.bits.end(), all.row(t), all.row(t) + few.stride);
  return few;
}

std::shared_ptr<const Shocks> shocks_of(const Problem& problem) {
  using Key = std::tuple<int, int, std::int64_t, std::array<double, 16>, double, double, InputFile,
                         InputFile>;
  static Cache<Key, Shocks> cache;
  const Calibration& c = problem.calibration;
  return cache.get({problem.N, problem.T, problem.seed, c.P, c.u_bad, c.u_good, problem.shocks,
                    problem.aggregate},
                   [&] { return read_or_draw(problem); });
}

}  // namespace macrobench::krusell_smith
