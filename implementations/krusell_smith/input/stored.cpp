#include "implementations/krusell_smith/input/stored.hpp"

#include <fmt/format.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "harness/model/solution_file.hpp"
#include "harness/model/solution_folder.hpp"
#include "harness/text/error.hpp"
#include "harness/text/json_values.hpp"
#include "implementations/krusell_smith/input/cache.hpp"
#include "implementations/krusell_smith/policy/policy.hpp"

namespace macrobench::krusell_smith {

namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr std::string_view older_file = "macrobench krusell_smith solution";
constexpr std::string_view not_of_this_model =
    "it is not a solution.json of this model, as --out writes it";

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
  if (object.is_discarded()) refuse(problem, "it is not JSON, as a solution.json is");
  if (!object.is_object()) refuse(problem, not_of_this_model);
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

void copy_bytes(std::string_view bytes, void* to, std::size_t size) {
  if (bytes.size() != size) throw UsageError("one of its arrays is cut off");
  if (size > 0) std::memcpy(to, bytes.data(), size);
}

/// Of a batch, the first economy, whose calibration and grids are the problem's own.
Stored first_of(const std::string& text) {
  Stored first;
  for (const StoredArray& array : arrays_of_stored(text)) {
    if (array.name == "law") copy_bytes(array.bytes, &first.law, sizeof first.law);
    if (array.name != "policy" || array.bytes.empty()) continue;
    first.policy.resize(array.bytes.size() / sizeof(double));
    copy_bytes(array.bytes, first.policy.data(), first.policy.size() * sizeof(double));
    return first;
  }
  return first;
}

/// Of the one file that older versions wrote.
Stored from_older(const Problem& problem, const json& object) {
  if (object.value("schema", json()) != 1) {
    refuse(problem, "it is of another version of macrobench; this one reads schemas 1 and 2");
  }
  Stored stored;
  for (const int a : {bad, good}) {
    object.at("law").at("b0").at(static_cast<std::size_t>(a)).get_to(stored.law.b0[a]);
    object.at("law").at("b1").at(static_cast<std::size_t>(a)).get_to(stored.law.b1[a]);
  }
  if (problem.stage == Stage::panel) object.at("policy").get_to(stored.policy);
  return stored;
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
    const bool is_older = object.value("what", json()) == older_file;
    const bool is_ours = is_older || object.at("case").at("model") == "krusell_smith";
    if (!is_ours) refuse(problem, not_of_this_model);
    Stored stored =
        is_older ? from_older(problem, object) : first_of(read_solution(problem.stored.path));
    if (problem.stage != Stage::panel) return {.law = stored.law, .policy = {}};
    check_grids(problem, is_older ? object.at("grids") : object.at("case").at("parameters"));
    if (stored.policy.size() != problem.grids.size()) {
      refuse(problem, fmt::format("its policy has {} numbers, but its grids have {} points",
                                  stored.policy.size(), problem.grids.size()));
    }
    return stored;
  } catch (const json::exception&) {
    refuse(problem, "something in the solution is missing or wrong");
  } catch (const std::system_error& error) {
    refuse(problem, error.code().message());
  } catch (const UsageError& error) {
    const std::string_view why = error.what();
    if (why.starts_with("stored = ")) throw;
    refuse(problem, why);
  }
}

std::shared_ptr<const Stored> stored_of(const Problem& problem) {
  static Cache<Problem, Stored> cache;
  const Problem key = policy_alone(problem);
  return cache.get(key, [&] { return read_or_solve(key, problem.threads); });
}

}  // namespace macrobench::krusell_smith
