#include "implementations/krusell_smith/policy/policy.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <map>
#include <utility>

#include "harness/text/error.hpp"
#include "implementations/numerics/batch/for_each_economy.hpp"

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

/// Economies whose method knows only one.
class Apart final : public Policies {
 public:
  Apart(std::span<const Problem> economies, int threads) : threads_(threads) {
    for (const Problem& one : economies) methods_.push_back(make_policy_method(one));
  }

  void improve(std::span<Trial* const> trials) override {
    std::vector<std::vector<Trial*>> by_economy(methods_.size());
    for (Trial* trial : trials) by_economy[place(trial->economy)].push_back(trial);
    numerics::for_each_of(methods_.size(), threads_, [&](std::size_t economy) {
      for (Trial* trial : by_economy[economy]) {
        trial->policy_iterations = methods_[economy]->improve(trial->law, trial->policy);
      }
    });
  }

  void settle_for(int economy, double accuracy, int most_iterations) override {
    methods_[place(economy)]->settle_for(accuracy, most_iterations);
  }
  [[nodiscard]] bool is_exact(int economy) const override {
    return methods_[place(economy)]->is_exact();
  }

 private:
  static std::size_t place(int economy) { return static_cast<std::size_t>(economy); }

  std::vector<std::unique_ptr<PolicyMethod>> methods_;
  int threads_;
};

/// The only economy of a batch.
class OnlyOne final : public PolicyMethod {
 public:
  OnlyOne(const Problem& problem, std::unique_ptr<Policies> batch)
      : PolicyMethod(problem), batch_(std::move(batch)) {}

  int improve(const LawOfMotion& law, std::vector<double>& policy) override {
    batch_->settle_for(0, settled_for(), cap());
    Trial trial{.law = law};
    trial.policy.swap(policy);
    Trial* only = &trial;
    batch_->improve({&only, 1});
    trial.policy.swap(policy);
    return trial.policy_iterations;
  }

  [[nodiscard]] bool is_exact() const override { return batch_->is_exact(0); }

 private:
  std::unique_ptr<Policies> batch_;
};

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
  const PolicyEntry& entry = method(problem.policy);
  if (entry.make != nullptr) return entry.make(problem);
  return std::make_unique<OnlyOne>(problem, entry.make_batch({&problem, 1}, 1));
}

std::unique_ptr<Policies> make_policies(std::span<const Problem> economies, int threads) {
  const PolicyEntry& entry = method(economies.front().policy);
  if (entry.make_batch != nullptr) return entry.make_batch(economies, threads);
  return std::make_unique<Apart>(economies, threads);
}

std::vector<double> first_policy(const Grids& grids) {
  std::vector<double> line = k_points(grids);
  for (double& k : line) k *= 0.9;
  std::vector<double> policy;
  policy.reserve(grids.size());
  for (int n = 0; n < states * grids.n_K; ++n) {
    policy.insert(policy.end(), line.begin(), line.end());
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
