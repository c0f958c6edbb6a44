// The life cycle in O(nx ne (ne + log nx)) operations per age.
//
// The expectation of a choice depends on the shock, not on savings: it is computed once per age.
// The best choice rises with savings, whatever the expectation looks like, because utility is
// concave: a state's choice is between those of its neighbours. So the states of a shock are solved
// from the middle outwards, each between two that are known, and one level of halving costs one
// walk along the grid. Both are also true of the published recursion, whose expectation is a
// running sum.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "implementations/lifecycle/economies.hpp"
#include "implementations/lifecycle/solver.hpp"
#include "implementations/numerics/batch/for_each_economy.hpp"
#include "implementations/numerics/parallel/widest_vectors.hpp"

namespace macrobench::lifecycle {

namespace {

constexpr int tile = 16;  ///< choices whose expectations are summed together, in registers

/// Choices next to each other, as many as a vector of the processor has: wider ones would go
/// through memory.
struct Four {
  static constexpr int lanes = 4;
  using Numbers = double __attribute__((vector_size(lanes * sizeof(double))));
  using Places = std::int64_t __attribute__((vector_size(lanes * sizeof(std::int64_t))));
};
struct Eight {
  static constexpr int lanes = 8;
  using Numbers = double __attribute__((vector_size(lanes * sizeof(double))));
  using Places = std::int64_t __attribute__((vector_size(lanes * sizeof(std::int64_t))));
};

template <class Numbers>
MACROBENCH_ALWAYS_INLINE inline void load(Numbers& values, const double* from) {
  std::memcpy(&values, from, sizeof values);
}

/// Calls body() with the vectors of this processor.
template <class Body>
MACROBENCH_ALWAYS_INLINE inline void with_vectors(const Body& body) {
  if (numerics::widest_vector_bits() == 512) {
    body(Eight{});
  } else {
    body(Four{});
  }
}

std::size_t index(int i) {
  return static_cast<std::size_t>(i);
}

/// Replaces consumption by utility, for one choice or several.
struct InPlace {
  const Utility<double>& utility;

  void operator()(double& c) const { c = utility(c); }
  template <class Several>
  void operator()(Several& c) const {
    for (std::size_t l = 0; l < sizeof c / sizeof c[0]; ++l) c[l] = utility(c[l]);
  }
};

/// The states of an age: what each thread needs for itself.
class Age {
 public:
  template <class Number>
  Age(const Problem& problem, const Grids<Number>& grids)
      : problem_(problem),
        utility_(problem.calibration.sigma),
        reciprocal_(problem.calibration.sigma == 2),
        x_(grids.x.begin(), grids.x.end()),
        capital_(x_),
        beta_P_(grids.P.begin(), grids.P.end()),
        choice_(index(problem.nx)) {
    for (const Number e : grids.e) {
      wage_.push_back(resources(Number(0), e, 0, problem.calibration.w));
    }
    for (double& probability : beta_P_) probability *= problem.calibration.beta;
    for (double& x : capital_) x *= 1 + problem.calibration.r;
  }

  /// Tiles of the savings grid, each for expect().
  [[nodiscard]] int tiles() const { return (problem_.nx + tile - 1) / tile; }

  /// beta times the expectation of a tile's choices at every shock. `next` is V of the next age;
  /// both have shape ne x nx.
  void expect(int t, const double* next, double* expected) const {
    numerics::with_widest_vectors([&]() MACROBENCH_ALWAYS_INLINE {
      const int first = t * tile;
      // The last tile begins early enough to be whole, if there are that many choices.
      if (problem_.nx >= tile) {
        with_vectors([&](auto vectors) MACROBENCH_ALWAYS_INLINE {
          expect_tile<decltype(vectors)>(std::min(first, problem_.nx - tile), next, expected);
        });
      } else {
        expect_few(next, expected);
      }
    });
  }

  /// V of one shock, shape nx, from the expectations of its choices, shape nx, which the published
  /// recursion adds up.
  void solve(int ie, double* expected, double* V) {
    if (problem_.recursion == Recursion::as_published) {
      for (int j = 1; j < problem_.nx; ++j) expected[j] += expected[j - 1];
    }
    numerics::with_widest_vectors([&]() MACROBENCH_ALWAYS_INLINE {
      with_vectors([&](auto vectors) MACROBENCH_ALWAYS_INLINE {
        if (reciprocal_) {
          search<decltype(vectors)>(ie, expected, V,
                                    [](auto& c) MACROBENCH_ALWAYS_INLINE { c = -1 / c; });
        } else {
          search<decltype(vectors)>(ie, expected, V, InPlace{utility_});
        }
      });
    });
  }

 private:
  /// Two shocks at a time share what they load of V.
  template <class Vectors>
  MACROBENCH_ALWAYS_INLINE void expect_tile(int first, const double* next, double* expected) const {
    using Numbers = typename Vectors::Numbers;
    constexpr int count = tile / Vectors::lanes;
    const std::size_t nx = index(problem_.nx);
    const int ne = problem_.ne;
    for (int ie = 0; ie < ne; ie += 2) {
      const double* row = beta_P_.data() + index(ie) * index(ne);
      const double* other = ie + 1 < ne ? row + ne : row;
      std::array<Numbers, count> a{};
      std::array<Numbers, count> b{};
      const double* V = next + first;
      for (int je = 0; je < ne; ++je, V += nx) {
#pragma GCC unroll 8
        for (int n = 0; n < count; ++n) {
          Numbers values;
          load(values, V + n * Vectors::lanes);
          a[index(n)] += row[je] * values;
          b[index(n)] += other[je] * values;
        }
      }
      double* to = expected + index(ie) * nx + first;
      std::memcpy(to, a.data(), sizeof a);
      if (ie + 1 < ne) std::memcpy(to + nx, b.data(), sizeof b);
    }
  }

  void expect_few(const double* next, double* expected) const {
    const std::size_t nx = index(problem_.nx);
    const std::size_t ne = index(problem_.ne);
    for (std::size_t ie = 0; ie < ne; ++ie) {
      for (std::size_t j = 0; j < nx; ++j) {
        double sum = 0;
        for (std::size_t je = 0; je < ne; ++je) sum += beta_P_[ie * ne + je] * next[je * nx + j];
        expected[ie * nx + j] = sum;
      }
    }
  }

  /// First the two ends, then every state halfway between two that are known.
  template <class Vectors, class U>
  MACROBENCH_ALWAYS_INLINE void search(int ie, const double* expected, double* V,
                                       const U& utility) {
    const int nx = problem_.nx;
    const double wage = wage_[index(ie)];
    const auto solve_state = [&](int ix, int first, int last) MACROBENCH_ALWAYS_INLINE {
      best<Vectors>(capital_[index(ix)] + wage, expected, first, last, utility, V[ix],
                    choice_[index(ix)]);
    };
    solve_state(0, 0, nx - 1);
    solve_state(nx - 1, choice_[0], nx - 1);
    int step = 1;
    while (step < nx - 1) step *= 2;
    for (step /= 2; step >= 1; step /= 2) {
      for (int ix = step; ix < nx - 1; ix += 2 * step) {
        const int above = std::min(ix + step, nx - 1);
        solve_state(ix, choice_[index(ix - step)], choice_[index(above)]);
      }
    }
  }

  /// The best of the choices first .. last, the highest of equals.
  template <class Vectors, class U>
  MACROBENCH_ALWAYS_INLINE void best(double available, const double* expected, int first, int last,
                                     const U& utility, double& V, int& choice) const {
    using Numbers = typename Vectors::Numbers;
    using Places = typename Vectors::Places;
    constexpr int lanes = Vectors::lanes;
    const double* x = x_.data();
    // What can be afforded comes first in the grid.
    while (last > first && !(available - x[last] > 0)) --last;
    double value = -std::numeric_limits<double>::infinity();
    int at = first;
    int j = first;
    if (last - first >= 2 * lanes) {
      Numbers values = value - Numbers{};
      Places places{};
      for (; j + lanes <= last + 1; j += lanes) {
        Numbers choices;
        Numbers candidates;
        load(choices, x + j);
        load(candidates, expected + j);
        choices = available - choices;
        utility(choices);
        candidates += choices;
        const Places better = candidates >= values;
        values = better ? candidates : values;
        places = better ? Places{} + j : places;
      }
      for (int l = 0; l < lanes; ++l) {
        const int place = static_cast<int>(places[l]) + l;
        if (values[l] > value || (values[l] == value && place > at)) {
          value = values[l];
          at = place;
        }
      }
    }
    for (; j <= last; ++j) {
      double candidate = available - x[j];
      utility(candidate);
      candidate += expected[j];
      if (candidate >= value) {
        value = candidate;
        at = j;
      }
    }
    V = value;
    choice = at;
  }

  const Problem& problem_;
  Utility<double> utility_;
  bool reciprocal_;  ///< sigma = 2: utility is -1/c
  std::vector<double> x_, capital_, beta_P_;
  std::vector<double> wage_;  ///< by shock
  std::vector<int> choice_;
};

template <class Real, class Number>
void solve_on(const Grids<Number>& grids, const Problem& problem, Solution<Real>& solution) {
  const std::size_t states = problem.states();
  std::vector<double> V(states);
  std::vector<double> expected(states);
#pragma omp parallel num_threads(problem.threads)
  {
    Age of_age(problem, grids);
    for (int age = problem.T; age >= 1; --age) {
      if (age < problem.T) {
#pragma omp for schedule(static)
        for (int t = 0; t < of_age.tiles(); ++t) of_age.expect(t, V.data(), expected.data());
      }
      Real* const result = solution.V.data() + index(age - 1) * states;
#pragma omp for schedule(static)
      for (int ie = 0; ie < problem.ne; ++ie) {
        const std::size_t first = index(ie) * index(problem.nx);
        of_age.solve(ie, expected.data() + first, V.data() + first);
        for (std::size_t s = first; s < first + index(problem.nx); ++s) {
          result[s] = static_cast<Real>(V[s]);
        }
      }
    }
  }
}

template <class Real>
void solve_one(const Problem& problem, Solution<Real>& solution) {
  with_grids<Real>(problem, [&](const auto& grids) { solve_on(grids, problem, solution); });
}

/// Of a batch, each economy by itself on one thread.
template <class Real>
void solve(const Problem& problem, Stages& stages, Solution<Real>& solution) {
  if (problem.economies == 1) {
    solve_one(problem, solution);
  } else {
    numerics::for_each_economy(problem.economies, problem.threads, [&] {
      Solution<Real> one;
      fill_with_poison(economy_of(problem, 0), one);
      return [&problem, &solution, one](int economy) mutable {
        solve_one(economy_of(problem, economy), one);
        keep(problem, economy, one, solution);
      };
    });
  }
  stages.finish();
}

double work(const Problem& problem) {
  return work_with(problem, problem.ne + std::log2(problem.nx));
}

const RegisterSolver registered{
    {.name = "frontier",
     .origin = Origin::frontier,
     .summary = "the expectation once per age, each choice between its neighbours'; in double, V "
                "rounded at the end",
     .axes = {{"threads"}, {"economies"}, {"draw"}, {"calibrations"}},
     .solve_single = solve<float>,
     .solve_double = solve<double>,
     .hooks = {.work = work, .floor = floor_of_one_choice},
     .source = __FILE__}};

}  // namespace

}  // namespace macrobench::lifecycle
