#pragma once

// The household's choice k' = g(k, K, a, e) given a perceived law of motion: what a policy method
// finds. Methods stand beside the panels, and any goes with any.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "implementations/krusell_smith/model.hpp"

namespace macrobench::krusell_smith {

class PolicyMethod {
 public:
  virtual ~PolicyMethod() = default;

  /// Solves for the policy under this law. `policy`, shape 4 x n_K x n_k, is where to begin and
  /// where the answer goes. Returns the iterations: above policy_cap if it did not converge.
  virtual int improve(const LawOfMotion& law, std::vector<double>& policy) = 0;

  /// Whether the last answer is good to policy_tolerance. A method may make do with less while the
  /// law still moves.
  [[nodiscard]] virtual bool is_exact() const { return true; }
};

/// One way to find a policy, as a name in the axis `policy` stands for it.
struct PolicyEntry {
  std::string name;
  std::unique_ptr<PolicyMethod> (*make)(const Problem& problem);
  /// Null, or: empty if it can run on this machine, else why not.
  std::string (*unavailable)() = nullptr;
  /// What is start-up and not solution, as a solver's start(); null where there is none.
  void (*start)() = nullptr;
};

/// Put one in each method's file, at namespace scope.
struct RegisterPolicy {
  explicit RegisterPolicy(const PolicyEntry& entry);
};

/// Empty if the method of this name can run here, else why not.
std::string why_no_policy(const std::string& name);

/// Starts the problem's policy method up; solvers do so in start().
void start_policy(const Problem& problem);

/// The problem's policy method; throws UsageError if it is not in this build.
std::unique_ptr<PolicyMethod> make_policy_method(const Problem& problem);

/// k' = .9 k, where every solution begins.
std::vector<double> first_policy(const Grids& grids);

/// A policy under a law that stays.
struct SolvedPolicy {
  std::vector<double> policy;
  std::int64_t iterations = 0;
  bool converged = false;
};

/// The policy under this law to policy_tolerance, from the first guess.
SolvedPolicy solve_policy(const Problem& problem, const LawOfMotion& law, PolicyMethod& method);

}  // namespace macrobench::krusell_smith
