#pragma once

// The household's choice k' = g(k, K, a, e) given a perceived law of motion, which a policy
// method finds. Any policy method works with any panel.

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "implementations/krusell_smith/model.hpp"

namespace macrobench::krusell_smith {

class PolicyMethod {
 public:
  static constexpr int no_limit = std::numeric_limits<int>::max();

  explicit PolicyMethod(const Problem& problem) : problem_(problem) {}
  virtual ~PolicyMethod() = default;

  /// Solves for the policy under this law. `policy`, shape 4 x n_K x n_k, is the start and
  /// receives the answer. Returns the iterations: above policy_cap, or what it settles for, if it
  /// did not converge.
  virtual int improve(const LawOfMotion& law, std::vector<double>& policy) = 0;

  /// From now on answers good to this, on max |dk'|, are good enough. They need not be better than
  /// policy_tolerance. What so many iterations do not find is given up even below policy_cap.
  void settle_for(double accuracy, int most_iterations = no_limit) {
    settled_for_ = accuracy;
    most_iterations_ = most_iterations;
  }

  /// Whether the last answer is good to policy_tolerance. A method may be less accurate while the
  /// law still moves.
  [[nodiscard]] virtual bool is_exact() const { return accuracy() <= problem_.policy_tolerance; }

 protected:
  [[nodiscard]] const Problem& problem() const { return problem_; }
  [[nodiscard]] double settled_for() const { return settled_for_; }
  /// Iterations after which to give up.
  [[nodiscard]] int cap() const { return std::min(most_iterations_, problem_.policy_cap); }
  /// How good an answer must be.
  [[nodiscard]] double accuracy() const {
    return std::max(settled_for_, problem_.policy_tolerance);
  }

 private:
  Problem problem_;
  double settled_for_ = 0;
  int most_iterations_ = no_limit;
};

/// The policies of a batch of economies, each by the same method.
class Policies {
 public:
  virtual ~Policies() = default;

  /// PolicyMethod::improve() for each trial. Several trials can be of one economy.
  virtual void improve(std::span<Trial* const> trials) = 0;
  /// As PolicyMethod's, of one economy.
  virtual void settle_for(int economy, double accuracy,
                          int most_iterations = PolicyMethod::no_limit) = 0;
  [[nodiscard]] virtual bool is_exact(int economy) const = 0;
};

/// One way to find a policy, by its name in the parameter `policy`.
struct PolicyEntry {
  std::string name;
  /// For one economy; null if it is always for a batch.
  std::unique_ptr<PolicyMethod> (*make)(const Problem& problem) = nullptr;
  /// For a batch, whose grids have as many points everywhere, on `threads` threads of the
  /// processor; null if economies are apart.
  std::unique_ptr<Policies> (*make_batch)(std::span<const Problem> economies,
                                          int threads) = nullptr;
  /// Null, or: empty if it can run on this machine, else the reason.
  std::string (*unavailable)() = nullptr;
  /// Start-up, like a solver's start(); null if there is none.
  void (*start)() = nullptr;
};

/// Put one in each method's file, at namespace scope.
struct RegisterPolicy {
  explicit RegisterPolicy(const PolicyEntry& entry);
};

/// Empty if the method of this name can run here, else the reason.
std::string why_no_policy(const std::string& name);

/// Starts up the problem's policy method; solvers call this in start().
void start_policy(const Problem& problem);

/// The problem's policy method; throws UsageError if it is not in this build.
std::unique_ptr<PolicyMethod> make_policy_method(const Problem& problem);

/// The same for a batch, which all have the same method and grid of k. A method that knows only one
/// economy solves as many at a time as there are threads.
std::unique_ptr<Policies> make_policies(std::span<const Problem> economies, int threads);

/// k' = .9 k, the start of every solution.
std::vector<double> first_policy(const Grids& grids);

/// A policy under a fixed law.
struct SolvedPolicy {
  std::vector<double> policy;
  std::int64_t iterations = 0;
  bool converged = false;
};

/// The policy under this law to policy_tolerance, from the first guess.
SolvedPolicy solve_policy(const Problem& problem, const LawOfMotion& law, PolicyMethod& method);

}  // namespace macrobench::krusell_smith
