#pragma once

#include <optional>

#include "implementations/krusell_smith/model.hpp"

namespace macrobench::krusell_smith {

/// The law of motion of aggregate capital if the households shared all their risks, as one
/// household would with the mean wealth and the mean income. It solves the Euler equation
///
///   C^-gamma = beta E[ (1 + r' - delta) C'^-gamma ]
///
/// at two points of K around the steady state, in both aggregate states. Krusell and Smith (1998)
/// find that their economy's law hardly differs from it. Empty if no such law is found.
std::optional<LawOfMotion> representative_law(const Economy& economy);

}  // namespace macrobench::krusell_smith
