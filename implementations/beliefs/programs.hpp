#pragma once

#include "harness/programs/problem_data.hpp"
#include "harness/programs/result_folder.hpp"
#include "implementations/beliefs/model.hpp"

namespace macrobench::beliefs {

/// All that a program in another language needs to know of a problem; docs/programs.md describes
/// it.
ProblemData program_data(const Problem& problem);

/// Puts a program's result into a poisoned equilibrium. Throws NotAResult.
void take_result(const Problem& problem, const ResultFolder& result, Equilibrium& equilibrium);

/// A problem that takes as long and has another solution: both types are less patient, by 0.05 to
/// 0.25 percent as `by` is from -1 to 1. So no agreement between them changes, but every price
/// does, from the first period on, at any calibration and horizon.
Problem varied_problem(const Problem& problem, double by);

}  // namespace macrobench::beliefs
