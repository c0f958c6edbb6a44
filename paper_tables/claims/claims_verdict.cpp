#include "paper_tables/claims/claims_verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <numeric>
#include <set>
#include <utility>

#include "harness/model/registry.hpp"
#include "harness/numbers/ratio.hpp"
#include "harness/text/each.hpp"
#include "harness/text/known_value.hpp"
#include "paper_tables/cells/find.hpp"
#include "paper_tables/cells/machine_cells.hpp"
#include "paper_tables/cells/plan.hpp"
#include "paper_tables/cells/printed_number.hpp"
#include "paper_tables/cells/table.hpp"

namespace macrobench {

namespace {

/// True of what a run of ours found, and not how long it took, that met only a relaxed tolerance.
bool is_relaxed_result(const Cell& cell) {
  return cell.is_relaxed && cell.scope == Scope::no_time && cell.kind != Kind::printed;
}

/// A constant is what the model derives from parameters alone: the same on every machine.
bool is_evidence(const Cell& cell) {
  return cell.value && !is_doubted(cell.status) && cell.kind < Kind::extrapolated &&
         !is_relaxed_result(cell);
}

/// What the cell's number replaces its own case with, if it does.
Reason stand_in(const Cell& cell) {
  return cell.kind == Kind::computed ? cell.why : Reason();
}

/// A sentence compares what it likes, but not two economies.
Aspects of_a_sentence() {
  return {Aspect::size,    Aspect::scope,     Aspect::stage,     Aspect::implementation,
          Aspect::method,  Aspect::precision, Aspect::tolerance, Aspect::resources,
          Aspect::machine, Aspect::host,      Aspect::compiler,  Aspect::source,
          Aspect::sitting};
}

/// Of a ratio none.
std::string unit_of(const ClaimQuantity& quantity) {
  if (quantity.baseline) return "1";
  return quantity.row.row.unit;
}

/// The numbers that round to a published one: "12,499.2". A paper's own extrapolation is not
/// evidence.
Cell cell_in_print(const RowDefinition& row, std::size_t column) {
  if (row.published_by_extrapolation) {
    return {.kind = Kind::extrapolated, .why = "by the paper"};
  }
  if (row.published[column].value_or("").find("†") != std::string::npos) {
    return {.why = "the paper marks it with †"};
  }
  Cell cell = printed_cell(row, column, {});
  if (!cell.value || !cell.interval) return cell;
  // A count is exact. The ends themselves may round to the next number, so they are left out.
  const double half = (1 - 1e-9) * (cell.interval->high - *cell.value);
  cell.interval = {*cell.value - half, *cell.value + half};
  if (row.quantity == Quantity::iterations) cell.interval.reset();
  return cell;
}

/// Another row's, in the column that is like the one given.
Cell cell_in_print(const RowReference& reference, const Definition& table,
                   const ColumnDefinition& column, Definitions& all) {
  const std::optional<RowPlace> its = find_row(reference, {.table = &table}, all);
  const std::optional<std::size_t> there = its ? find_like(*its->table, column) : std::nullopt;
  return there ? cell_in_print(*its->row, *there) : Cell{.why = "not printed"};
}

/// Judges by the cells of a machine's records and by those in print.
class ClaimJudge {
 public:
  ClaimJudge(Definitions& all, const Lookup& lookup, const Machine& machine)
      : all_(all),
        lookup_(lookup),
        machine_(machine),
        cores_(machine.block.contains("cpu") ? machine.cores() : 0) {}

  JudgedClaim judge(const Claim& claim) {
    JudgedClaim judged{.claim = &claim};
    if (claim.direction) judged.direction = judge(claim, *claim.direction);
    if (claim.size) judged.size = judge(claim, *claim.size);
    return judged;
  }

 private:
  JudgedTest judge(const Claim& claim, const ClaimTest& test) {
    JudgedTest judged{.test = &test};
    if (test.kind != TestKind::untestable) {
      for (const Reading& reading : claim.readings) {
        judged.answers.push_back(
            claim.cores.value_or(0) <= cores_
                ? answer(test, reading, &ClaimJudge::measured)
                : Answer{.called = reading.called, .evidence = {fmt::format("{} cores", cores_)}});
      }
      judged.printed = answer(test, claim.readings.front(), &ClaimJudge::printed);
      judged.printed->called = "in print";
      if (judged.printed->decision() == Decision::absent) judged.printed.reset();
    }
    if (!claim.is_law()) {
      for (Answer& answer : judged.answers) answer.holds.reset();
    }
    judged.verdict = claim.is_law() ? verdict_on(decisions_of(judged)) : verdict_by(claim.kind);
    return judged;
  }

  /// The cells of a row, one per column of its table.
  using CellsOf = std::vector<Cell> (ClaimJudge::*)(const ClaimRow&);

  /// This machine's cells.
  std::vector<Cell> measured(const ClaimRow& row) {
    return make_row(*row.table, row.row, all_, lookup_, machine_).cells;
  }

  /// The paper's own, as printed; a ratio that is not printed is computed from its printed parts.
  std::vector<Cell> printed(const ClaimRow& row) {
    std::vector<Cell> cells;
    for (std::size_t i = 0; i < row.table->columns.size(); ++i) {
      cells.push_back(cell_in_print(row.row, i));
      if (row.row.quantity != Quantity::ratio || !row.row.numerator || !row.row.baseline) continue;
      const ColumnDefinition& column = row.table->columns[i];
      const Cell above = cell_in_print(*row.row.numerator, *row.table, column, all_);
      const Cell below = cell_in_print(*row.row.baseline, *row.table, column, all_);
      Cell& cell = cells.back();
      if (above.kind == Kind::extrapolated || below.kind == Kind::extrapolated) {
        cell = above.kind == Kind::extrapolated ? above : below;
      } else if (!cell.value) {
        cell = Ratio(above, below, of_a_sentence()).cell();
      }
    }
    return cells;
  }

  Answer answer(const ClaimTest& test, const Reading& reading, CellsOf cells) {
    std::vector<Series> all;
    for (const ClaimQuantity& quantity : reading.of) {
      all.push_back(series_of(test, quantity, cells));
    }
    auto [holds, evidence, is_within_noise] = put_to_the_test(test, all);
    Answer made{.called = reading.called,
                .holds = holds,
                .is_within_noise = is_within_noise,
                .evidence = std::move(evidence)};
    for (const Series& series : all) {
      std::ranges::copy(known_in(series), std::back_inserter(made.figures));
    }
    return made;
  }

  Series series_of(const ClaimTest& test, const ClaimQuantity& quantity, CellsOf cells) {
    const std::vector<Cell> above = (this->*cells)(quantity.row);
    const std::vector<Cell> below =
        quantity.baseline ? (this->*cells)(*quantity.baseline) : std::vector<Cell>{};

    // The reader has seen that each table has the column.
    const auto position = [](const ClaimRow& row, const std::string& label) {
      return find_column(*row.table, label).value_or(0);
    };
    Series series;
    for (const std::string& label : test.columns) {
      const std::size_t i = position(quantity.row, label);
      const Cell& cell = above[i];
      const Cell other =
          quantity.baseline ? below[position(*quantity.baseline, label)] : constant(1);
      SeriesPoint& point = series.emplace_back(
          SeriesPoint{.of = quantity.called,
                      .column = label,
                      .size = size_of(quantity.row, quantity.row.table->columns[i], test.over)});
      if (!is_evidence(cell) || !is_evidence(other)) {
        const bool is_above = !is_evidence(cell) || !quantity.baseline;
        const Cell& lacking = is_above ? cell : other;
        point.of = (is_above ? quantity.row : *quantity.baseline).called;
        if (is_relaxed_result(lacking)) {
          point.why = "met only a relaxed tolerance";
          continue;
        }
        point.kind = lacking.kind;
        point.status = lacking.status;
        if (lacking.kind != Kind::extrapolated) point.why = lacking.why;
        continue;
      }
      Aspects about = of_a_sentence();
      if (quantity.baseline) {
        const ClaimRow& baseline = *quantity.baseline;
        about.merge(meant_differences({.table = quantity.row.table, .row = &quantity.row.row}, i,
                                      {.table = baseline.table, .row = &baseline.row},
                                      position(baseline, label)));
      }
      const Cell tested = quantity.baseline ? Ratio(cell, other, about).cell() : cell;
      if (!tested.value) {
        point.status = tested.status;
        point.why = tested.why;
        continue;
      }
      point.value = *tested.value;
      point.interval = interval_of(tested);
      point.cell = tested;
      point.cell.unit = unit_of(quantity);
      point.is_known = true;
      const Cell& replaced = stand_in(cell).empty() ? other : cell;
      point.kind = replaced.kind;
      point.status = replaced.status;
      point.why = stand_in(replaced);
    }
    return series;
  }

  /// Of a column's case along an axis. Its work is what its record says, and what this build knows
  /// where there is none.
  double size_of(const ClaimRow& row, const ColumnDefinition& column, const std::string& over) {
    if (over.empty()) return 0;
    if (over != "work") {
      const Value* value = column.parameters.find(over);
      return value == nullptr ? 0 : printed_number(to_string(*value)).value_or(0);
    }
    const CellRequest request = request_of(*row.table, row.row, column);
    if (const std::optional<double> recorded = lookup_(request).work) return *recorded;
    return Registry::global()
        .model(request.model)
        .work_of(request.implementation, request.parameters);
  }

  Definitions& all_;
  const Lookup& lookup_;
  const Machine& machine_;
  int cores_;
};

}  // namespace

Decision Answer::decision() const {
  if (is_within_noise) return Decision::open;
  if (!holds) return Decision::absent;
  return *holds ? Decision::holds : Decision::fails;
}

ClaimVerdict verdict_by(ClaimKind kind) {
  return static_cast<ClaimVerdict>(counted_verdicts - 1 + static_cast<std::size_t>(kind));
}

std::vector<Decision> decisions_of(const JudgedTest& judged) {
  const bool is_law = judged.verdict <= ClaimVerdict::not_testable;
  return is_law ? each(judged.answers, &Answer::decision) : std::vector<Decision>();
}

DecisionCounts count_decisions(const std::vector<Decision>& decisions) {
  DecisionCounts counts{};
  for (const Decision decision : decisions) ++counts.at(static_cast<std::size_t>(decision));
  return counts;
}

ClaimVerdict verdict_on(const std::vector<Decision>& decisions) {
  const auto [holding, failing, open, absent] = count_decisions(decisions);
  if (holding + failing + open == 0) return ClaimVerdict::not_testable;
  if (decisions.front() == Decision::absent) return ClaimVerdict::undecided;
  if (holding > 0 && failing > 0) return ClaimVerdict::depends_on_the_baseline;
  if (open + absent > 0) return ClaimVerdict::undecided;
  return holding > 0 ? ClaimVerdict::holds : ClaimVerdict::does_not_hold;
}

std::vector<JudgedPaper> judge_claims(const std::vector<PaperClaims>& papers, Definitions& all,
                                      const Lookup& lookup, const Machine& machine) {
  ClaimJudge judge(all, lookup, machine);
  std::vector<JudgedPaper> judged;
  for (const PaperClaims& paper : papers) {
    judged.push_back({&paper, {}});
    for (const Claim& claim : paper.claims) judged.back().claims.push_back(judge.judge(claim));
  }
  return judged;
}

int total(const VerdictCounts& counts) {
  return std::accumulate(counts.begin(), counts.end(), 0);
}

ClaimCounts count_verdicts(const std::vector<JudgedPaper>& papers, bool ours) {
  ClaimCounts counts;
  for (const JudgedPaper& paper : papers) {
    for (const JudgedClaim& judged : paper.claims) {
      if (judged.claim->is_ours() != ours) continue;
      ++counts.claims;
      ++counts.kinds.at(static_cast<std::size_t>(judged.claim->kind));
      if (!judged.claim->is_law()) continue;
      const auto count = [](VerdictCounts& in, const std::optional<JudgedTest>& test) {
        if (test) ++in.at(static_cast<std::size_t>(test->verdict));
      };
      count(counts.directions, judged.direction);
      count(counts.sizes, judged.size);
    }
  }
  return counts;
}

}  // namespace macrobench
