#include "paper_tables/claims/claims_verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "harness/model/registry.hpp"
#include "paper_tables/definitions/bounds.hpp"
#include "paper_tables/definitions/find.hpp"
#include "paper_tables/definitions/machine_cells.hpp"
#include "paper_tables/definitions/plan.hpp"
#include "paper_tables/definitions/prices.hpp"
#include "paper_tables/tables/table.hpp"

namespace macrobench {

namespace {

/// A constant is what the model derives from parameters alone: the same on every machine.
bool is_evidence(const Cell& cell) {
  return cell.value && (cell.status == Status::measured || cell.status == Status::computed ||
                        cell.status == Status::constant);
}

/// What the cell's number replaces its own case with, if it does.
Reason stand_in(const Cell& cell) {
  return cell.status == Status::computed ? cell.why : Reason();
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
    } else {
      cell = {.status = Status::not_run,
              .why = fmt::format("the price of the {} is not known",
                                 price == PriceOf::gpu ? "GPU" : "CPU")};
    }
  }
  return cells;
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
    if (claim.readings.empty()) return judged;
    for (const Reading& reading : claim.readings) {
      if (claim.cores.value_or(cores_) == cores_) {
        judged.answers.push_back(answer(claim.test, reading, &ClaimJudge::measured));
      } else {
        judged.answers.push_back(
            {.called = reading.called, .evidence = {fmt::format("{} cores here", cores_)}});
      }
    }
    Answer in_print = answer(claim.test, claim.readings.front(), &ClaimJudge::printed);
    in_print.called = "in print";
    if (in_print.holds) judged.printed = std::move(in_print);
    const std::optional<bool> published = judged.answers.front().holds;
    if (!published) return judged;
    const bool differs = std::ranges::any_of(judged.answers, [&](const Answer& other) {
      return other.holds && *other.holds != *published;
    });
    judged.verdict = differs      ? ClaimVerdict::depends_on_the_baseline
                     : *published ? ClaimVerdict::reproduced
                                  : ClaimVerdict::contradicted;
    return judged;
  }

 private:
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

  Answer answer(const ClaimTest& test, const Reading& reading, CellsOf cells) {
    std::vector<Series> all;
    for (const ClaimQuantity& quantity : reading.of) {
      all.push_back(series_of(test, quantity, cells));
    }
    auto [holds, evidence] = put_to_the_test(test, all);
    Answer made{.called = reading.called, .holds = holds, .evidence = std::move(evidence)};
    for (const Series& series : all) {
      std::ranges::copy(known_in(series), std::back_inserter(made.figures));
    }
    return made;
  }

  Series series_of(const ClaimTest& test, const ClaimQuantity& quantity, CellsOf cells) {
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
                      .size = size_of(quantity.row, quantity.row.table->columns[i], test.over)});
      if (!is_evidence(cell) || !is_evidence(other)) {
        const bool is_above = !is_evidence(cell) || !quantity.baseline;
        const Cell& lacking = is_above ? cell : other;
        point.of = (is_above ? quantity.row : *quantity.baseline).called;
        point.status = lacking.status;
        point.why = lacking.why;
        continue;
      }
      point.value = cell.value.value_or(0) / other.value.value_or(0);
      point.is_known = std::isfinite(point.value);
      point.why = stand_in(stand_in(cell).empty() ? other : cell);
      if (!point.is_known) point.why = "not a finite number";
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

VerdictCounts count_verdicts(const std::vector<JudgedPaper>& papers) {
  VerdictCounts counts{};
  for (const JudgedPaper& paper : papers) {
    for (const JudgedClaim& judged : paper.claims) {
      ++counts[static_cast<std::size_t>(judged.verdict)];
    }
  }
  return counts;
}

}  // namespace macrobench
