#include "harness/commands/skeletons.hpp"

#include <string_view>
#include <utility>

namespace macrobench {

namespace {

constexpr std::string_view implementation =
    R"(// @NAME@: what it does, and from which paper or program it is.

#include "implementations/@MODEL@/solver.hpp"

namespace macrobench::@MODEL@ {

namespace {

/// The solution is poisoned on entry, and every number of it is to be written. The parts that
/// stages.enter() names are timed one by one.
template <class Real>
void solve(const Problem& /*problem*/, Stages& stages, Solution<Real>& /*solution*/) {
  stages.enter("all");
}

const RegisterSolver registered{{.name = "@NAME@",
                                 .origin = Origin::frontier,
                                 .summary = "what it does, in one line",
                                 .solve_single = solve<float>,
                                 .solve_double = solve<double>,
                                 .source = __FILE__}};

}  // namespace

}  // namespace macrobench::@MODEL@
)";

constexpr std::string_view model_header = R"(#pragma once

// The economics, written once: here the roots of x^2 = i, for i = 1 .. n.

#include <cstddef>
#include <vector>

namespace macrobench::@MODEL@ {

struct Problem {
  int n = 1000;         ///< equations, >= 1
  bool single = false;  ///< precision of x

  [[nodiscard]] std::size_t equations() const { return static_cast<std::size_t>(n); }
};

/// What a solver returns.
template <class Real>
struct Solution {
  std::vector<Real> x;  ///< shape n

  /// Its parts by name, for a file that stores them.
  template <class Self, class Visit>
  static void each_part(Self& self, Visit& visit) {
    visit("x", self.x);
  }
};

}  // namespace macrobench::@MODEL@
)";

constexpr std::string_view parameters_header = R"(#pragma once

#include "harness/model/axis_table.hpp"
#include "implementations/@MODEL@/model.hpp"

namespace macrobench::@MODEL@ {

const AxisTable<Problem>& axes();

}  // namespace macrobench::@MODEL@
)";

constexpr std::string_view parameters = R"(// Every parameter of the model, declared once.

#include "implementations/@MODEL@/parameters.hpp"

namespace macrobench::@MODEL@ {

const AxisTable<Problem>& axes() {
  using Parameter = macrobench::Parameter<Problem>;
  static const AxisTable<Problem> table(
      {Parameter("n", &Problem::n, "equations", from_to(1, 1 << 28)).headline(),
       precision(&Problem::single)});
  return table;
}

}  // namespace macrobench::@MODEL@
)";

constexpr std::string_view solver_header = R"(#pragma once

#include "harness/model/solver.hpp"
#include "implementations/@MODEL@/model.hpp"

namespace macrobench::@MODEL@ {

using Solver = macrobench::Solver<Problem, Solution>;

/// Put one in each implementation's file, at namespace scope: this is all that adds an
/// implementation.
struct RegisterSolver {
  explicit RegisterSolver(const Solver& solver);
};

}  // namespace macrobench::@MODEL@
)";

constexpr std::string_view model = R"(// The model as the harness sees it.

#include <cstdint>
#include <limits>

#include "harness/model/solver_model.hpp"
#include "implementations/@MODEL@/certificate.hpp"
#include "implementations/@MODEL@/parameters.hpp"
#include "implementations/@MODEL@/solver.hpp"

namespace macrobench::@MODEL@ {

namespace {

/// The model, constructed at its first use, because solvers register themselves in any order.
const SolverModel<Problem>& this_model() {
  static const SolverModel<Problem> model = registered<Problem>(
      {.model = {.name = "@MODEL@",
                 .summary = "what it solves, in one line",
                 .size_axis = "n",
                 .figure_units = {{"residual", "1"}}},
       .axes = axes()});
  return model;
}

}  // namespace

template <class Real>
void fill_with_poison(const Problem& problem, Solution<Real>& solution) {
  solution.x.assign(problem.equations(), std::numeric_limits<Real>::quiet_NaN());
}

template <class Real>
std::uint64_t hash_of(const Solution<Real>& solution) {
  return hash_of_bits(solution.x);
}

RegisterSolver::RegisterSolver(const Solver& solver) {
  register_solver(this_model(), solver);
}

}  // namespace macrobench::@MODEL@
)";

constexpr std::string_view certificate_header = R"(#pragma once

#include "harness/model/outcome.hpp"
#include "implementations/@MODEL@/model.hpp"

namespace macrobench::@MODEL@ {

/// Judges a solution by other code than any solver's: valid if |x^2 - i| <= 4 eps i for every i,
/// where eps is the distance from 1 to the next number of `Real`. The residual is the largest
/// |x^2 - i| / i.
template <class Real>
Outcome judge(const Problem& problem, const Solution<Real>& solution, bool thorough);

}  // namespace macrobench::@MODEL@
)";

constexpr std::string_view certificate = R"(#include "implementations/@MODEL@/certificate.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace macrobench::@MODEL@ {

template <class Real>
Outcome judge(const Problem& problem, const Solution<Real>& solution, bool /*thorough*/) {
  Outcome outcome;
  if (solution.x.size() != problem.equations()) {
    outcome.why = fmt::format("the solution has the wrong size: {} numbers, where {} are asked for",
                              solution.x.size(), problem.n);
    return outcome;
  }
  outcome.iterations = 1;
  outcome.checked_states = problem.n;
  outcome.exhaustive = true;
  outcome.allowed = 4 * static_cast<double>(std::numeric_limits<Real>::epsilon());
  for (std::size_t i = 0; i < solution.x.size(); ++i) {
    const auto x = static_cast<double>(solution.x[i]);
    const auto right = static_cast<double>(i + 1);
    const double residual = std::abs(x * x - right) / right;
    if (!(residual <= outcome.residual)) outcome.residual = residual;
    if (residual <= outcome.allowed) continue;
    outcome.why = fmt::format("x[{}] is {:.17g}, whose square is not {}", i, x, i + 1);
    return outcome;
  }
  outcome.valid = true;
  return outcome;
}

template Outcome judge<float>(const Problem&, const Solution<float>&, bool);
template Outcome judge<double>(const Problem&, const Solution<double>&, bool);

}  // namespace macrobench::@MODEL@
)";

constexpr std::string_view serial = R"(// One equation after another.

#include <cmath>

#include "implementations/@MODEL@/solver.hpp"

namespace macrobench::@MODEL@ {

namespace {

template <class Real>
void solve(const Problem& problem, Stages& stages, Solution<Real>& solution) {
  stages.enter("roots");
  for (std::size_t i = 0; i < problem.equations(); ++i) {
    solution.x[i] = std::sqrt(static_cast<Real>(i + 1));
  }
}

const RegisterSolver registered{{.name = "serial",
                                 .origin = Origin::published,
                                 .summary = "C++, one equation after another",
                                 .solve_single = solve<float>,
                                 .solve_double = solve<double>,
                                 .source = __FILE__}};

}  // namespace

}  // namespace macrobench::@MODEL@
)";

constexpr std::string_view model_rules =
    R"(macrobench_shared(certificate.cpp @MODEL@.cpp parameters.cpp LIBRARIES fmt::fmt)

macrobench_implementation(serial serial.cpp)
)";

constexpr std::string_view model_readme = R"(# @MODEL@: what it solves

The problem, the algorithm and the papers; then every deviation from them, by its name.

| name | file | origin |
| --- | --- | --- |
| `serial` | [serial.cpp](serial.cpp) | published |
)";

constexpr std::string_view model_test =
    R"(// Every implementation in the registry: a new one is tested as soon as it is registered.

#include <gtest/gtest.h>

#include <cstdint>

#include "@FIXTURE@"

namespace macrobench {
namespace {

class Every_@MODEL@ : public EveryImplementation {
 protected:
  Every_@MODEL@() : EveryImplementation("@MODEL@") {}
};

TEST_P(Every_@MODEL@, IsRight) {
  for (const std::int64_t n : {1, 2, 1000}) {
    for (const std::string& real : choices(*implementation_, "real")) {
      const Case which = make(*implementation_, {{"n", n}, {"real", real}});
      const Outcome outcome = solve(which);
      EXPECT_TRUE(outcome.valid) << which.key() << ": " << outcome.why;
      EXPECT_EQ(outcome.checked_states, n);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Cpu, Every_@MODEL@, ::testing::ValuesIn(names_of("@MODEL@", false)),
                         [](const auto& tested) { return tested.param; });
INSTANTIATE_TEST_SUITE_P(Gpu, Every_@MODEL@, ::testing::ValuesIn(names_of("@MODEL@", true)),
                         [](const auto& tested) { return tested.param; });
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Every_@MODEL@);

}  // namespace
}  // namespace macrobench
)";

constexpr std::string_view table = R"({
  "$schema": "../../cells/table.schema.json",
  "schema": 1,
  "paper": "@PAPER@",
  "table": "@TABLE@",
  "title": "Table 1",
  "caption": "The caption, as printed.",
  "source": {"document": "Author (year), \"Title\", journal", "where": "Table 1, section 1"},
  "hardware": {"id": "none", "text": "the machine of the published numbers"},
  "model": "@MODEL@",
  "axis": "",
  "columns": [
    {"label": "the first column, as printed", "parameters": {}}
  ],
  "rows": [
    {"label": "the first row, as printed", "implementation": "@NAME@", "quantity": "solution",
     "published": [null]}
  ]
}
)";

using Words = std::vector<std::pair<std::string, std::string>>;

/// The text with each word, between at signs, replaced.
std::string filled(std::string_view skeleton, const Words& words) {
  std::string text(skeleton);
  for (const auto& [word, by] : words) {
    const std::string mark = "@" + word + "@";
    for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark)) {
      text.replace(at, mark.size(), by);
    }
  }
  return text;
}

}  // namespace

Skeletons skeletons_of_an_implementation(const std::string& model_name, const std::string& name) {
  const std::string folder = "implementations/" + model_name + "/";
  return {.files = {{folder + name + ".cpp",
                     filled(implementation, {{"NAME", name}, {"MODEL", model_name}})}},
          .lines = {{folder + "CMakeLists.txt", "macrobench_",
                     "macrobench_implementation(" + name + " " + name + ".cpp)\n"}},
          .next = "Write its solve(), then: make test"};
}

Skeletons skeletons_of_a_model(const std::string& name) {
  const std::string folder = "implementations/" + name + "/";
  const Words words{{"MODEL", name}};
  Skeletons made{.files = {},
                 .lines = {{"implementations/CMakeLists.txt", "add_subdirectory(",
                            "add_subdirectory(" + name + ")\n"}},
                 .next =
                     "It builds and passes `make test` as it is; replace its equation by your "
                     "economics, beginning with model.hpp and certificate.hpp."};
  for (const auto& [file, skeleton] :
       {std::pair("model.hpp", model_header), std::pair("parameters.hpp", parameters_header),
        std::pair("parameters.cpp", parameters), std::pair("solver.hpp", solver_header),
        std::pair("certificate.hpp", certificate_header), std::pair("certificate.cpp", certificate),
        std::pair("serial.cpp", serial), std::pair("CMakeLists.txt", model_rules),
        std::pair("README.md", model_readme)}) {
    made.files.push_back({folder + file, filled(skeleton, words)});
  }
  made.files.push_back({folder + name + ".cpp", filled(model, words)});
  const std::string tests = "tests/implementations/";
  made.files.push_back(
      {tests + name + "/implementations_test.cpp",
       filled(model_test, {{"MODEL", name}, {"FIXTURE", tests + "every_implementation.hpp"}})});
  return made;
}

Skeletons skeletons_of_a_table(const std::string& paper, const std::string& table_name,
                               const std::string& model_name, const std::string& name) {
  const std::string id = paper + "/" + table_name;
  return {.files = {{"paper_tables/papers/" + id + ".json", filled(table, {{"PAPER", paper},
                                                                           {"TABLE", table_name},
                                                                           {"MODEL", model_name},
                                                                           {"NAME", name}})}},
          .lines = {},
          .next =
              "Fill it in (paper_tables/README.md has its fields), then look at it: macrobench "
              "replicate --dry-run " +
              id};
}

}  // namespace macrobench
