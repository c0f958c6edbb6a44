#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "harness/regress/regression.hpp"
#include "harness/text/document.hpp"

namespace macrobench {

// The views of a regression check; each is a projection of the same Regression. None shows a ratio
// beside a wrong result.

/// The worst first, and what to do; on a page, as of a pull request, the quiet cases are folded.
Document document_of(const Regression& regression);

/// JUnit's XML: one test per case. Slower and invalid are failures, failed is an error, ambiguous,
/// new and left out are skipped.
std::string render_junit(const Regression& regression);

/// Schema 1: the terms, the summary, and each case with its pairs.
nlohmann::ordered_json to_json(const Regression& regression, ExitCode code);

/// Google Benchmark's JSON: each case that could be compared as "base/KEY" and "head/KEY",
/// with one repetition per pair. Its compare.py reads it as `compare.py filters FILE base/ head/`.
nlohmann::ordered_json to_google_benchmark(const Regression& regression);

}  // namespace macrobench
