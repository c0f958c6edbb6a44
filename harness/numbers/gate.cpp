#include "harness/numbers/gate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "harness/model/registry.hpp"

namespace macrobench {

namespace {

std::string to_string(Scope scope) {
  constexpr std::array<const char*, 6> names{"no time",    "start-up", "a first solution",
                                             "a solution", "a total",  "a stage"};
  return names.at(static_cast<std::size_t>(scope));
}

/// True if numbers with such a difference do not meet.
bool is_refused(Aspect aspect) {
  using enum Aspect;
  return aspect == model || aspect == problem || aspect == size || aspect == scope ||
         aspect == stage || aspect == tolerance;
}

/// True if both have values there, and not the same ones.
bool differ_in(const Cell& one, const Cell& other, std::string Provenance::* member) {
  const auto values = [&](const Cell& cell) {
    std::set<std::string> all;
    for (const Provenance& origin : cell.from) all.insert(origin.*member);
    all.erase("");
    return all;
  };
  const std::set<std::string> here = values(one);
  const std::set<std::string> there = values(other);
  return !here.empty() && !there.empty() && here != there;
}

/// True if both are known, and more than three times apart. Below the least all are alike.
bool are_apart(std::optional<double> one, std::optional<double> other) {
  constexpr double far = 3;
  constexpr double least = 1e-9;
  return one && other && std::max(*one, *other) > far * std::max(least, std::min(*one, *other));
}

/// Errors differ if sizes, tolerances, precisions or economies are meant to.
bool is_meant(Aspect aspect, const Aspects& about) {
  using enum Aspect;
  const auto has = [&](Aspect one) { return about.contains(one); };
  return has(aspect) ||
         (aspect == error && (has(size) || has(tolerance) || has(precision) || has(problem)));
}

/// The names of the axes in which the solved cases differ.
void add_axes(const Model& model, const Parameters& here, const Parameters& there,
              std::vector<Difference>& found) {
  const Value* const its_real = here.find("real");
  const Value* const others_real = there.find("real");
  const bool is_of_one_precision =
      its_real == nullptr || others_real == nullptr || is_same(*its_real, *others_real);
  for (const Axis& axis : model.axes) {
    const Value* its = here.find(axis.name);
    const Value* others = there.find(axis.name);
    if (its == nullptr || others == nullptr || is_same(*its, *others)) continue;
    const Aspect aspect = aspect_of(role_of(axis, model));
    // Each precision has a tolerance of its own.
    if (aspect == Aspect::tolerance && !is_of_one_precision) continue;
    found.push_back({aspect, fmt::format("{}={} and {}", axis.name, macrobench::to_string(*its),
                                         macrobench::to_string(*others))});
  }
}

}  // namespace

Aspect aspect_of(Role role) {
  switch (role) {
    case Role::size:
      return Aspect::size;
    case Role::method:
      return Aspect::method;
    case Role::precision:
      return Aspect::precision;
    case Role::tolerance:
      return Aspect::tolerance;
    case Role::resources:
      return Aspect::resources;
    default:
      return Aspect::problem;
  }
}

Aspects of_machines() {
  using enum Aspect;
  return {machine, host, compiler, source, sitting, resources};
}

Aspects of_programs() {
  return {Aspect::implementation, Aspect::method, Aspect::resources};
}

std::vector<Difference> differences_of(const Cell& one, const Cell& other) {
  std::vector<Difference> found;
  const auto add = [&](bool is_other, Aspect aspect, std::string how) {
    if (is_other) found.push_back({aspect, std::move(how)});
  };
  const auto both = [](const std::string& here, const std::string& there) {
    return fmt::format("{} and {}", here, there);
  };
  add(one.scope != other.scope, Aspect::scope, both(to_string(one.scope), to_string(other.scope)));
  add(one.stage != other.stage, Aspect::stage, both(one.stage, other.stage));
  const SolvedProblem& here = one.problem;
  const SolvedProblem& there = other.problem;
  if (!here.model.empty() && !there.model.empty()) {
    add(here.model != there.model, Aspect::model, both(here.model, there.model));
    add(here.implementation != there.implementation, Aspect::implementation,
        both(here.implementation, there.implementation));
  }
  const Model* model =
      here.model == there.model ? Registry::global().find_model(here.model) : nullptr;
  if (model != nullptr) add_axes(*model, here.parameters, there.parameters, found);
  add(one.is_relaxed != other.is_relaxed, Aspect::tolerance, "one met only a relaxed tolerance");
  if (are_apart(one.error, other.error)) {
    add(true, Aspect::error,
        fmt::format("errors of {}% and {}%", error_text(*one.error, *one.error),
                    error_text(*other.error, *other.error)));
  }
  const bool is_of_one_program = here.implementation == there.implementation;
  add(is_of_one_program && differ_in(one, other, &Provenance::source), Aspect::source,
      "two versions of the program");
  add(differ_in(one, other, &Provenance::machine), Aspect::machine, "two kinds of machine");
  add(differ_in(one, other, &Provenance::host), Aspect::host, "two machines");
  add(differ_in(one, other, &Provenance::compiler), Aspect::compiler, "two compilers");
  add(differ_in(one, other, &Provenance::sitting), Aspect::sitting, "two sittings");
  return found;
}

Meeting meet(const Cell& one, const Cell& other, const Aspects& about) {
  Meeting meeting;
  for (const Cell* cell : {&one, &other}) {
    if (cell->value && !is_doubted(cell->status)) continue;
    meeting.is_refused = true;
    meeting.status = cell->status;
    meeting.why = cell->why;
    return meeting;
  }
  for (const Cell* cell : {&one, &other})
    meeting.marks.insert(cell->marks.begin(), cell->marks.end());
  for (auto& [aspect, how] : differences_of(one, other)) {
    if (is_meant(aspect, about)) continue;
    if (is_refused(aspect)) {
      meeting.is_refused = true;
      meeting.why = Reason(Reason::Kind::not_divided, std::move(how));
      return meeting;
    }
    const bool is_of_language = aspect == Aspect::precision;
    meeting.marks.insert({is_of_language ? Sign::language : Sign::unlike, std::move(how)});
  }
  return meeting;
}

}  // namespace macrobench
