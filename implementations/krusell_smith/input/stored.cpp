#include "implementations/krusell_smith/input/stored.hpp"

#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "harness/text/error.hpp"
#include "harness/text/json_values.hpp"
#include "implementations/krusell_smith/input/cache.hpp"
#include "implementations/krusell_smith/policy/policy.hpp"

namespace macrobench::krusell_smith {

namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr std::string_view what_it_is = "macrobench krusell_smith solution";
constexpr int schema = 1;

ordered_json to_json(const Grids& grids) {
  return {{"nk", grids.n_k},      {"nK", grids.n_K},      {"k_max", grids.k_max},
          {"theta", grids.theta}, {"K_min", grids.K_min}, {"K_max", grids.K_max}};
}

[[noreturn]] void refuse(const Problem& problem, std::string_view why) {
  throw UsageError(fmt::format("stored = {}: {}", problem.stored.path, why));
}

json parse(const Problem& problem) {
  std::ifstream stream(problem.stored.path, std::ios::binary);
  if (!stream) refuse(problem, "it cannot be read");
  const std::string text(std::istreambuf_iterator<char>(stream), {});
  const json object = parsed(text);
  if (object.is_discarded()) refuse(problem, "it is not JSON, as --save writes it");
  if (!object.is_object() || object.value("what", json()) != what_it_is) {
    refuse(problem, "it is not a solution of this model written by --save");
  }
  if (object.value("schema", json()) != schema) {
    refuse(problem,
           fmt::format("it is of another version of macrobench; this one reads schema {}", schema));
  }
  return object;
}

void check_grids(const Problem& problem, const json& stored) {
  const ordered_json grids = to_json(problem.grids);
  for (const auto& [name, asked] : grids.items()) {
    const ordered_json held = stored.at(name);
    if (held != asked) {
      refuse(problem, fmt::format("its policy is on a grid of {} = {}, but the case has {} = {}",
                                  name, compact(held), name, compact(asked)));
    }
  }
}

/// The part of a problem on which its policy under a given law depends.
Problem policy_alone(const Problem& problem) {
  Problem only;
  only.stage = problem.stage;
  only.stored = problem.stored;
  only.calibration = problem.calibration;
  only.grids = problem.grids;
  only.policy = "egm";
  only.policy_interpolation = problem.policy_interpolation;
  only.policy_tolerance = problem.policy_tolerance;
  only.damping = problem.damping;
  only.policy_cap = problem.policy_cap;
  return only;
}

Stored read_or_solve(const Problem& problem, int threads) {
  if (!problem.stored.empty()) return read_stored(problem);
  Stored stored{.law = published_law, .policy = {}};
  if (problem.stage != Stage::panel) return stored;
  Problem on_threads = problem;
  on_threads.threads = threads;
  SolvedPolicy solved = solve_policy(on_threads, stored.law, *make_policy_method(on_threads));
  if (!solved.converged) {
    throw Failure(
        fmt::format("the policy under the published law, with which a panel alone begins, did not "
                    "converge within policy_cap = {} iterations",
                    problem.policy_cap));
  }
  stored.policy = std::move(solved.policy);
  return stored;
}

}  // namespace

Stored read_stored(const Problem& problem) {
  const json object = parse(problem);
  try {
    Stored stored;
    for (const int a : {bad, good}) {
      object.at("law").at("b0").at(static_cast<std::size_t>(a)).get_to(stored.law.b0[a]);
      object.at("law").at("b1").at(static_cast<std::size_t>(a)).get_to(stored.law.b1[a]);
    }
    if (problem.stage != Stage::panel) return stored;
    check_grids(problem, object.at("grids"));
    object.at("policy").get_to(stored.policy);
    if (stored.policy.size() != problem.grids.size()) {
      refuse(problem, fmt::format("its policy has {} numbers, but its grids have {} points",
                                  stored.policy.size(), problem.grids.size()));
    }
    return stored;
  } catch (const json::exception&) {
    refuse(problem, "something in the solution is missing or wrong");
  }
}

std::shared_ptr<const Stored> stored_of(const Problem& problem) {
  static Cache<Problem, Stored> cache;
  const Problem key = policy_alone(problem);
  return cache.get(key, [&] { return read_or_solve(key, problem.threads); });
}

std::string text_of(const Problem& problem, const Equilibrium& equilibrium,
                    const std::string& key) {
  // Of a batch, the economy whose calibration and grids are the problem's own.
  if (!equilibrium.economies.empty()) return text_of(problem, equilibrium.economies.front(), key);
  const LawOfMotion& law = equilibrium.law;
  const ordered_json object = {
      {"what", what_it_is},
      {"schema", schema},
      {"key", key},
      {"law", {{"b0", {law.b0[bad], law.b0[good]}}, {"b1", {law.b1[bad], law.b1[good]}}}},
      {"grids", to_json(problem.grids)},
      {"policy", equilibrium.policy}};
  return to_line(object);
}

}  // namespace macrobench::krusell_smith
