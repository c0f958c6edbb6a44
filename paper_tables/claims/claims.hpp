#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "paper_tables/cells/definitions.hpp"
#include "paper_tables/claims/test_kinds.hpp"

namespace macrobench {

/// A row of a table, or another number of the same cases: a figure of the outcome, the iterations.
struct ClaimRow {
  const Definition* table = nullptr;
  RowDefinition row;
  std::string called;  ///< its name for a reader
  /// Labels of the columns where the paper prints the row, or both parts of its ratio; none if it
  /// does so nowhere.
  std::vector<std::string> printed = {};
};

/// The subject of a claim, column by column: a row, or one over another.
struct ClaimQuantity {
  ClaimRow row;
  std::optional<ClaimRow> baseline;
  std::string called;
};

/// One of the baselines with which a claim can be read, and its subject then; several if a test
/// takes a list.
struct Reading {
  std::string called;  ///< "as published", "against tuned C++"
  std::vector<ClaimQuantity> of;
};

enum class ClaimKind {
  law,      ///< holds on every machine, or does not
  fact,     ///< about the authors' own machine alone: no other can contradict it
  erratum,  ///< the paper's own numbers contradict it, so that no other machine need
  vacuous   ///< nothing that is measured could turn it: arithmetic, a wish, a word without a number
};

inline constexpr std::array<const char*, 4> claim_kinds{"law", "fact", "erratum", "vacuous"};

/// A sentence of a paper that a measurement can support or contradict.
struct Claim {
  std::string name;   ///< "gpu_time_is_linear", no two alike in a paper
  std::string where;  ///< "section 4, p. 8"
  std::string quote;  ///< the paper's own words; empty if the claim is our reading of its numbers
  std::string says;   ///< in our words
  std::string quantity;  ///< in words: what is tested
  ClaimKind kind = ClaimKind::law;
  std::optional<ClaimTest> direction = {};  ///< of the sentence without its number
  std::optional<ClaimTest> size = {};       ///< of its number, within the sentence's own words
  std::optional<int> cores = {};            ///< how many a machine must have, or more
  std::string reason = {};                  ///< why it is vacuous
  std::vector<Reading> readings = {};       ///< the paper's, then like for like; none if untestable

  [[nodiscard]] bool is_ours() const { return quote.empty(); }
  [[nodiscard]] bool is_law() const { return kind == ClaimKind::law; }
};

struct PaperClaims {
  static constexpr int schema = 3;

  std::string paper;     ///< "aldrich_2010"
  std::string document;  ///< the paper's title
  std::vector<Claim> claims;
};

/// The names of the folders of papers that have claims.
std::vector<std::string> papers_with_claims(const std::filesystem::path& folder);

/// The claims of the papers named, DIR/<paper>/claims.json, or of all if none is. Throws
/// UsageError: an unknown paper with the nearest one, or one sentence about what is wrong, with the
/// file and the JSON pointer. The claims refer to the definitions.
std::vector<PaperClaims> read_claims(const std::filesystem::path& folder,
                                     const std::vector<std::string>& papers, Definitions& all);

}  // namespace macrobench
