#include "implementations/krusell_smith/policy/policy.hpp"

#include <fmt/format.h>

#include <map>

#include "harness/text/error.hpp"

namespace macrobench::krusell_smith {

namespace {

std::map<std::string, PolicyEntry>& methods() {
  static std::map<std::string, PolicyEntry> all;
  return all;
}

const PolicyEntry& method(const std::string& name) {
  const auto found = methods().find(name);
  if (found == methods().end()) throw UsageError(why_no_policy(name));
  return found->second;
}

}  // namespace

RegisterPolicy::RegisterPolicy(const PolicyEntry& entry) {
  methods()[entry.name] = entry;
}

std::string why_no_policy(const std::string& name) {
  const auto found = methods().find(name);
  if (found == methods().end()) {
    return fmt::format("policy = {} is not in this build, which has no CUDA: make build CUDA=on",
                       name);
  }
  return found->second.unavailable == nullptr ? std::string() : found->second.unavailable();
}

void start_policy(const Problem& problem) {
  if (const auto start = method(problem.policy).start; start != nullptr) start();
}

std::unique_ptr<PolicyMethod> make_policy_method(const Problem& problem) {
  return method(problem.policy).make(problem);
}

std::vector<double> first_policy(const Grids& grids) {
  std::vector<double> policy;
  policy.reserve(grids.size());
  for (int line = 0; line < states * grids.n_K; ++line) {
    for (int i = 0; i < grids.n_k; ++i) policy.push_back(0.9 * grids.k(i));
  }
  return policy;
}

SolvedPolicy solve_policy(const Problem& problem, const LawOfMotion& law, PolicyMethod& method) {
  SolvedPolicy solved{.policy = first_policy(problem.grids)};
  do {
    const int iterations = method.improve(law, solved.policy);
    solved.iterations += iterations;
    if (iterations > problem.policy_cap) return solved;
  } while (!method.is_exact());
  solved.converged = true;
  return solved;
}

}  // namespace macrobench::krusell_smith
