#pragma once

// A policy alone, and a panel alone.

#include <string>

#include "harness/model/outcome.hpp"
#include "harness/model/scrutiny.hpp"
#include "implementations/krusell_smith/model.hpp"

namespace macrobench::krusell_smith::certificate {

Outcome conclude(Outcome outcome, std::string why);

Outcome judge_policy(const Problem& problem, const Equilibrium& e, const Scrutiny& scrutiny);

Outcome judge_panel(const Problem& problem, const Equilibrium& e, const Scrutiny& scrutiny);

}  // namespace macrobench::krusell_smith::certificate
