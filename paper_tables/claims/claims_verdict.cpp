#include "paper_tables/claims/claims_verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <numeric>
#include <utility>

#include "harness/model/registry.hpp"
#include "harness/text/known_value.hpp"
#include "paper_tables/cells/cell.hpp"
#include "paper_tables/cells/find.hpp"
#include "paper_tables/cells/machine_cells.hpp"
#include "paper_tables/cells/plan.hpp"
#include "paper_tables/cells/prices.hpp"
#include "paper_tables/cells/printed_number.hpp"
#include "paper_tables/cells/table.hpp"

namespace macrobench {

namespace {

/// A constant is what the model derives from parameters alone: the same on every machine.
bool is_evidence(const Cell& cell) {
  return cell.value && (cell.status == Status::measured || cell.status == Status::computed ||
                        cell.status == Status::constant);
}

/// True if a cell is evidence only for a claim that admits it.
bool is_near_extrapolation(const Cell& cell) {
  return cell.value && cell.status == Status::extrapolated &&
         cell.reach.value_or(HUGE_VAL) <= longest_reach;
}

/// What the cell's number replaces its own case with, if it does.
Reason stand_in(const Cell& cell) {
  if (cell.status == Status::extrapolated) return to_string(cell.status);
  return cell.status == Status::computed ? cell.why : Reason();
}

/// Where the ratio of two cells may be.
ConfidenceInterval interval_of(const Cell& cell, const Cell& other) {
  const auto [least, most] = interval_of(cell);
  const auto [low, high] = interval_of(other);
  // A figure may be below zero.
  const auto [from, to] = std::minmax({least / low, least / high, most / low, most / high});
  return {from, to};
}

/// Of a ratio none.
std::string unit_of(const ClaimQuantity& quantity) {
  if (quantity.baseline) return "1";
  const std::string& unit = quantity.row.row.unit;
  return quantity.row.price == PriceOf::nothing ? unit : unit + " × dollars";
}

/// "12,499.2", "84†".
std::optional<double> number_in_print(const RowDefinition& row, std::size_t column) {
  std::string printed = row.published[column].value_or("");
  if (const std::size_t mark = printed.find("†"); mark != std::string::npos) printed.erase(mark);
  return printed_number(printed);
}

/// Of another row, in the column that is like the one given.
std::optional<double> number_in_print(const RowReference& reference, const Definition& table,
                                      const ColumnDefinition& column, Definitions& all) {
  const std::optional<RowPlace> its = find_row(reference, {.table = &table}, all);
  if (!its) return std::nullopt;
  const std::optional<std::size_t> there = find_like(*its->table, column);
  return there ? number_in_print(*its->row, *there) : std::nullopt;
}

/// Multiplies times by dollars; without a known price they are no evidence.
std::vector<Cell> priced(std::vector<Cell> cells, PriceOf price, const Prices& prices) {
  if (price == PriceOf::nothing) return cells;
  const std::optional<double> usd = price == PriceOf::gpu ? prices.gpu_usd : prices.cpu_usd;
  for (Cell& cell : cells) {
    if (!cell.value) continue;
    if (usd) {
      *cell.value *= *usd;
      if (cell.interval) cell.interval = {cell.interval->low * *usd, cell.interval->high * *usd};
    } else {
      cell = {.status = Status::not_run,
              .why = fmt::format("the price of the {} is not known",
                                 price == PriceOf::gpu ? "GPU" : "CPU")};
    }
  }
  return cells;
}

/// By the answers of one machine or of several, in any order.
ClaimVerdict verdict_over(const Claim& claim, const std::vector<MachineAnswers>& machines) {
  if (claim.kind == ClaimKind::fact) return ClaimVerdict::fact;
  if (claim.kind == ClaimKind::vacuous) return ClaimVerdict::vacuous;
  std::vector<std::array<bool, 2>> found;  // by reading: whether it fails somewhere, or holds
  bool is_within_noise = false;
  for (const MachineAnswers& machine : machines) {
    if (machine.answers.empty()) continue;
    is_within_noise = is_within_noise || machine.answers.front().is_within_noise;
    if (!machine.answers.front().holds) continue;
    found.resize(machine.answers.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (const std::optional<bool> holds = machine.answers[i].holds)
        found[i][*holds ? 1 : 0] = true;
    }
  }
  if (found.empty()) {
    return is_within_noise ? ClaimVerdict::undecided : ClaimVerdict::not_testable;
  }
  const auto differs = [](const std::array<bool, 2>& its) { return its[0] && its[1]; };
  if (std::ranges::any_of(found, differs)) return ClaimVerdict::differs_by_machine;
  const bool holds = found.front()[1];
  const auto is_other = [&](const std::array<bool, 2>& its) { return its[holds ? 0 : 1]; };
  if (std::ranges::any_of(found, is_other)) return ClaimVerdict::depends_on_the_baseline;
  return holds ? ClaimVerdict::holds : ClaimVerdict::does_not_hold;
}

/// Judges by the cells of a machine's records and by those in print.
class ClaimJudge {
 public:
  ClaimJudge(Definitions& all, const Lookup& lookup, const Machine& machine)
      : all_(all),
        lookup_(lookup),
        machine_(machine),
        prices_(prices_of(all.folder(), "name", gpu_name(machine))),
        cores_(machine.block.contains("cpu") ? machine.cores() : 0) {}

  JudgedClaim judge(const Claim& claim) {
    JudgedClaim judged{.claim = &claim};
    if (claim.direction) judged.direction = judge(claim, *claim.direction);
    if (claim.size) judged.size = judge(claim, *claim.size);
    return judged;
  }

 private:
  JudgedTest judge(const Claim& claim, const ClaimTest& test) {
    JudgedTest judged{.test = &test, .machines = {{}}};
    MachineAnswers& here = judged.machines.front();
    if (test.kind != TestKind::untestable) {
      for (const Reading& reading : claim.readings) {
        here.answers.push_back(
            claim.cores.value_or(0) <= cores_
                ? answer(claim, test, reading, &ClaimJudge::measured)
                : Answer{.called = reading.called, .evidence = {fmt::format("{} cores", cores_)}});
      }
      judged.printed = answer(claim, test, claim.readings.front(), &ClaimJudge::printed);
      judged.printed->called = "in print";
      if (!judged.printed->holds) judged.printed.reset();
    }
    if (!claim.is_law()) {
      for (Answer& answer : here.answers) answer.holds.reset();
    }
    here.verdict = judged.verdict = verdict_over(claim, judged.machines);
    return judged;
  }

  /// The cells of a row, one per column of its table.
  using CellsOf = std::vector<Cell> (ClaimJudge::*)(const ClaimRow&);

  /// This machine's cells.
  std::vector<Cell> measured(const ClaimRow& row) {
    return priced(make_row(*row.table, row.row, all_, lookup_, machine_).cells, row.price, prices_);
  }

  /// The paper's own, as printed; a ratio that is not printed is computed from its printed parts.
  std::vector<Cell> printed(const ClaimRow& row) {
    std::vector<Cell> cells;
    for (std::size_t i = 0; i < row.table->columns.size(); ++i) {
      std::optional<double> value = number_in_print(row.row, i);
      if (!value && row.row.quantity == Quantity::ratio && row.row.numerator && row.row.baseline) {
        const ColumnDefinition& column = row.table->columns[i];
        const auto above = number_in_print(*row.row.numerator, *row.table, column, all_);
        const auto below = number_in_print(*row.row.baseline, *row.table, column, all_);
        if (above && below && *below != 0) value = *above / *below;
      }
      cells.push_back(value ? Cell{.value = value, .status = Status::measured}
                            : Cell{.status = Status::not_run, .why = "not printed"});
    }
    return priced(std::move(cells), row.price,
                  prices_of(all_.folder(), "published", row.table->hardware));
  }

  Answer answer(const Claim& claim, const ClaimTest& test, const Reading& reading, CellsOf cells) {
    std::vector<Series> all;
    Origins origins;
    for (const ClaimQuantity& quantity : reading.of) {
      all.push_back(series_of(claim, test, quantity, cells, origins));
    }
    auto [holds, evidence, is_within_noise] = put_to_the_test(test, all);
    Answer made{.called = reading.called,
                .holds = holds,
                .is_within_noise = is_within_noise,
                .evidence = std::move(evidence),
                .drift = drift_of(origins)};
    for (const Series& series : all) {
      std::ranges::copy(known_in(series), std::back_inserter(made.figures));
    }
    return made;
  }

  /// Adds the origins of what is known.
  Series series_of(const Claim& claim, const ClaimTest& test, const ClaimQuantity& quantity,
                   CellsOf cells, Origins& origins) {
    const auto is_evidence = [&](const Cell& cell) {
      return macrobench::is_evidence(cell) ||
             (claim.admits_extrapolated && is_near_extrapolation(cell));
    };
    const std::vector<Cell> above = (this->*cells)(quantity.row);
    const std::vector<Cell> below =
        quantity.baseline ? (this->*cells)(*quantity.baseline) : std::vector<Cell>{};
    const Cell one{.value = 1, .status = Status::constant};
    // The reader has seen that each table has the column.
    const auto position = [](const ClaimRow& row, const std::string& label) {
      return find_column(*row.table, label).value_or(0);
    };
    Series series;
    for (const std::string& label : test.columns) {
      const std::size_t i = position(quantity.row, label);
      const Cell& cell = above[i];
      const Cell& other = quantity.baseline ? below[position(*quantity.baseline, label)] : one;
      SeriesPoint& point = series.emplace_back(
          SeriesPoint{.of = quantity.called,
                      .column = label,
                      .size = size_of(quantity.row, quantity.row.table->columns[i], test.over),
                      .unit = unit_of(quantity)});
      if (!is_evidence(cell) || !is_evidence(other)) {
        const bool is_above = !is_evidence(cell) || !quantity.baseline;
        const Cell& lacking = is_above ? cell : other;
        point.of = (is_above ? quantity.row : *quantity.baseline).called;
        point.status = lacking.status;
        point.why = lacking.why;
        if (lacking.status == Status::extrapolated) {
          point.why = claim.admits_extrapolated && lacking.reach
                          ? fmt::format("to {:.3g} times what was measured", *lacking.reach)
                          : "";
        }
        continue;
      }
      origins.insert(cell.origins.begin(), cell.origins.end());
      origins.insert(other.origins.begin(), other.origins.end());
      point.value = cell.value.value_or(0) / other.value.value_or(0);
      point.interval = interval_of(cell, other);
      point.is_known = std::isfinite(point.value);
      if (!point.is_known) {
        point.why = "not a finite number";
        continue;
      }
      const Cell& replaced = stand_in(cell).empty() ? other : cell;
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
  Prices prices_;
  int cores_;
};

/// How good a machine's evidence of a verdict is: whether it alone comes to it and decides, how the
/// worst of its numbers was found, and how many there are for the paper's own reading and for all.
std::array<std::size_t, 5> weight_of(const MachineAnswers& its, ClaimVerdict verdict) {
  if (its.answers.empty()) return {};
  const auto rank = [](const SeriesPoint& point) -> std::size_t {
    if (point.status == Status::extrapolated) return 0;
    return point.status == Status::computed ? 1 : 2;
  };
  const Answer& answer = its.answers.front();
  const auto& figures = answer.figures;
  std::size_t all = 0;
  for (const Answer& other : its.answers) all += other.figures.size();
  return {its.verdict == verdict ? 1U : 0U,
          answer.holds             ? 2U
          : answer.is_within_noise ? 1U
                                   : 0U,
          figures.empty() ? 0 : rank(*std::ranges::min_element(figures, {}, rank)), figures.size(),
          all};
}

}  // namespace

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
      counts.facts += judged.claim->kind == ClaimKind::fact ? 1 : 0;
      counts.vacuous += judged.claim->kind == ClaimKind::vacuous ? 1 : 0;
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

ClaimReport over_machines(std::vector<ClaimReport> reports) {
  if (reports.size() == 1) return std::move(reports.front());
  std::ranges::sort(reports, {}, &ClaimReport::machine);
  ClaimReport whole = reports.front();
  for (std::size_t i = 1; i < reports.size(); ++i) {
    whole.machine += ", " + reports[i].machine;
    whole.machine_text += "; " + reports[i].machine_text;
  }
  const auto join = [&](std::size_t paper, std::size_t claim,
                        std::optional<JudgedTest> JudgedClaim::* part) {
    JudgedClaim& judged = whole.papers[paper].claims[claim];
    if (!(judged.*part)) return;
    JudgedTest& test = *(judged.*part);
    test.machines.clear();
    for (const ClaimReport& report : reports) {
      test.machines.push_back(
          known_value(report.papers[paper].claims[claim].*part).machines.front());
      test.machines.back().machine = report.machine;
    }
    test.verdict = verdict_over(*judged.claim, test.machines);
    // Among equals the machine's name decides, by which they are sorted.
    std::ranges::stable_sort(test.machines, std::greater{}, [&](const MachineAnswers& its) {
      return weight_of(its, test.verdict);
    });
  };
  for (std::size_t paper = 0; paper < whole.papers.size(); ++paper) {
    for (std::size_t claim = 0; claim < whole.papers[paper].claims.size(); ++claim) {
      join(paper, claim, &JudgedClaim::direction);
      join(paper, claim, &JudgedClaim::size);
    }
  }
  return whole;
}

}  // namespace macrobench
