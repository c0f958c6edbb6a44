#include "implementations/krusell_smith/policy.hpp"

#include <fmt/format.h>

#include <map>

#include "harness/error.hpp"

namespace macrobench::krusell_smith {

namespace {

std::map<std::string, RegisterPolicy::Make>& methods() {
  static std::map<std::string, RegisterPolicy::Make> all;
  return all;
}

}  // namespace

RegisterPolicy::RegisterPolicy(const std::string& name, Make make) {
  methods()[name] = make;
}

std::unique_ptr<PolicyMethod> make_policy_method(const Problem& problem) {
  const auto found = methods().find(problem.policy);
  if (found == methods().end()) {
    throw UsageError(fmt::format("policy = {}: this build has no such method", problem.policy));
  }
  return found->second(problem);
}

std::vector<double> first_policy(const Grids& grids) {
  std::vector<double> policy;
  policy.reserve(grids.size());
  for (int line = 0; line < states * grids.n_K; ++line) {
    for (int i = 0; i < grids.n_k; ++i) policy.push_back(0.9 * grids.k(i));
  }
  return policy;
}

}  // namespace macrobench::krusell_smith
