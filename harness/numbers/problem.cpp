#include "harness/numbers/problem.hpp"

#include <optional>

#include "harness/model/registry.hpp"
#include "harness/records/record.hpp"
#include "harness/records/record_facts.hpp"

namespace macrobench {

SolvedProblem problem_of(const Record& record) {
  SolvedProblem problem{.model = record.model, .implementation = record.implementation};
  const Model* model = Registry::global().find_model(record.model);
  if (model == nullptr) return problem;
  const bool is_program = is_of_a_program(record);
  for (const Axis& axis : model->axes) {
    const Value* held = record.parameters.find(axis.name);
    const Value& lacking = is_program || !axis.of_ours ? axis.if_lacking() : axis.of_ours.value();
    problem.parameters.set(axis.name, held == nullptr ? lacking : *held);
  }
  return problem;
}

std::optional<double> number_of(const Value* value) {
  if (value == nullptr) return std::nullopt;
  if (const auto* whole = std::get_if<std::int64_t>(value)) return static_cast<double>(*whole);
  const auto* real = std::get_if<double>(value);
  return real == nullptr ? std::nullopt : std::optional(*real);
}

bool is_same(const Value& a, const Value& b) {
  const std::optional<double> x = number_of(&a);
  return x ? x == number_of(&b) : a == b;
}

}  // namespace macrobench
