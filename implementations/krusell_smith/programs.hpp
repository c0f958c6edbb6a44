#pragma once

#include "harness/programs/problem_data.hpp"
#include "harness/programs/result_folder.hpp"
#include "implementations/krusell_smith/model.hpp"

namespace macrobench::krusell_smith {

/// All that a program in another language needs to know of a problem; docs/programs.md describes
/// it. Nothing that is drawn is left to the program: it gets the shocks of all households, the
/// first cross-section of their wealth, the first law of motion and the first policy. Throws
/// UsageError if a user's file is not what the case says.
ProblemData program_data(const Problem& problem);

/// Puts a program's result into a poisoned equilibrium. Throws NotAResult.
void take_result(const Problem& problem, const ResultFolder& result, Equilibrium& equilibrium);

/// A problem that takes as long and has another solution: 1 - beta is up to one percent larger or
/// smaller as `by` is from -1 to 1, which moves what the Euler equation asks for at every node
/// where households save. Shocks and first wealth stay.
Problem varied_problem(const Problem& problem, double by);

}  // namespace macrobench::krusell_smith
