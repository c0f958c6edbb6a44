#pragma once

#include <string>

#include "harness/model/parameters.hpp"
#include "harness/model/registry.hpp"

namespace macrobench {

/// A case of the model `fake`, which the tests and their child process both register. Its axes:
/// `size`; `rounds`, which its work counts as well; `pace`, the seconds a solution takes for each
/// unit of size; `behaviour`, how it misbehaves; `input`, a file. Its implementations: `plain`;
/// `doubling`, whose work the model says doubles with each unit of size; `starter`, which has a
/// start-up; `absent`, which can run nowhere; `spinner`, which computes, and which the environment
/// can make slower or wrong; `device`, which says that a GPU does it;
/// `foreign`, which says that other processes do. "silent/plain" is one of a
/// model that says nothing of its work.
Case fake_case(const std::string& name, const Parameters& parameters);

}  // namespace macrobench
