#pragma once

// Complaints about a panel: its beginning, its path of K, its end.

#include <string>

#include "implementations/krusell_smith/certificate/panel.hpp"
#include "implementations/krusell_smith/input/stored.hpp"
#include "implementations/krusell_smith/model.hpp"

namespace macrobench::krusell_smith::certificate {

std::string against_path(const Problem& problem, PanelKind kind, const PathErrors& path);

/// The first cross-section is the one computed here, in the panel's precision.
std::string against_start(const Problem& problem, const Equilibrium& e);

std::string against_stored_policy(const Stored& stored, const Equilibrium& e);

}  // namespace macrobench::krusell_smith::certificate
