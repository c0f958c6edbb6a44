#pragma once

// The laws of motion of a batch of economies, sought side by side.

#include <cmath>
#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "harness/model/stages.hpp"
#include "implementations/krusell_smith/input/economies.hpp"
#include "implementations/krusell_smith/model.hpp"
#include "implementations/krusell_smith/panel/panel_method.hpp"
#include "implementations/krusell_smith/policy/policy.hpp"
#include "implementations/krusell_smith/regression.hpp"
#include "implementations/numerics/batch/for_each_economy.hpp"

namespace macrobench::krusell_smith {

/// The search for one economy's law of motion.
class Search {
 public:
  Search(const Problem& problem, int economy, Equilibrium& equilibrium)
      : trial{.economy = economy,
              .policy = first_policy(problem.grids),
              .K = std::vector<double>(static_cast<std::size_t>(problem.T))},
        problem_(problem),
        equilibrium_(equilibrium) {
    equilibrium.K_fifth.clear();
  }

  Trial trial;  ///< the last one, and then the next

  [[nodiscard]] const Problem& problem() const { return problem_; }
  [[nodiscard]] const Equilibrium& so_far() const { return equilibrium_; }

  /// Every trial's policy counts.
  void count(const Trial& tried) {
    if (equilibrium_.policy_iterations == 0) {
      equilibrium_.first_policy_iterations = tried.policy_iterations;
    }
    equilibrium_.policy_iterations += tried.policy_iterations;
  }

  [[nodiscard]] Regression regressed(const Shocks& shocks, const Trial& tried) const {
    return regress(shocks, problem_.burn_in, tried.K);
  }

  /// A trial with all agents is a turn, and becomes the equilibrium so far.
  void take(const Shocks& shocks) {
    const Regression regression = regressed(shocks, trial);
    equilibrium_.law = trial.law;
    equilibrium_.estimated = regression.law;
    equilibrium_.R2[bad] = regression.R2[bad];
    equilibrium_.R2[good] = regression.R2[good];
    equilibrium_.distance = distance(regression.law, trial.law);
    equilibrium_.clips = trial.clips;
    if (++equilibrium_.outer_iterations == 5) equilibrium_.K_fifth = trial.K;
  }

  /// Whether the turn just taken is the last: it is near enough, or there may be no more. After
  /// outer_cap turns the tolerance is relaxed.
  bool is_done(bool policy_is_exact) {
    const int n = equilibrium_.outer_iterations;
    const double tolerance = problem_.tolerance * (equilibrium_.relaxed ? 10 : 1);
    equilibrium_.converged = equilibrium_.distance < tolerance &&
                             trial.policy_iterations <= problem_.policy_cap && policy_is_exact;
    if (equilibrium_.converged || !std::isfinite(equilibrium_.distance)) return true;
    if (n == problem_.outer_cap) equilibrium_.relaxed = true;
    return n == 2 * problem_.outer_cap;
  }

  void finish() {
    if (equilibrium_.K_fifth.empty()) equilibrium_.K_fifth = trial.K;
    equilibrium_.policy = std::move(trial.policy);
    equilibrium_.K = std::move(trial.K);
  }

 private:
  const Problem& problem_;
  Equilibrium& equilibrium_;
};

/// Policies, panels and regressions in turn, of all economies whose law is still sought.
class Batch {
 public:
  Batch(const Problem& problem, Equilibrium& equilibrium) : threads_(1) {
    const bool many = problem.economies > 1;
    if (many) threads_ = problem.threads;
    for (int e = 0; e < problem.economies; ++e) problems_.push_back(economy_of(problem, e));
    for (int e = 0; e < problem.economies; ++e) {
      const auto place = static_cast<std::size_t>(e);
      searches_.emplace_back(problems_[place], e,
                             many ? equilibrium.economies[place] : equilibrium);
    }
    for (Search& search : searches_) running_.push_back(&search);
    policies_ = make_policies(problems_, threads_);
  }

  [[nodiscard]] std::vector<Search>& searches() { return searches_; }
  [[nodiscard]] const std::vector<Search*>& running() const { return running_; }
  [[nodiscard]] Policies& policies() { return *policies_; }

  /// The policy of each trial.
  void improve(std::span<Trial* const> trials) {
    policies_->improve(trials);
    for (const Trial* trial : trials) {
      searches_[static_cast<std::size_t>(trial->economy)].count(*trial);
    }
  }
  /// And its panel.
  void evaluate(std::span<Trial* const> trials, PanelMethod& panel) {
    improve(trials);
    panel.simulate_each(trials);
  }

  /// A turn of all that still run. Those for which it is the last no longer do; false if none is
  /// left.
  bool take_turn(PanelMethod& panel, const Shocks& shocks, Stages& stages) {
    std::vector<Trial*> trials;
    for (Search* search : running_) trials.push_back(&search->trial);
    stages.enter("policy");
    improve(trials);
    stages.enter("panel");
    panel.simulate_each(trials);
    stages.enter("regression");
    each(running_, [&](Search* search) { search->take(shocks); });
    std::erase_if(running_, [&](Search* search) {
      const bool is_done = search->is_done(policies_->is_exact(search->trial.economy));
      if (is_done) search->finish();
      return is_done;
    });
    return !running_.empty();
  }

  /// Calls work(item) for each of them, side by side.
  template <class Items, class Work>
  void each(Items& items, const Work& work) const {
    numerics::for_each_of(items.size(), threads_, [&](std::size_t n) { work(items[n]); });
  }

 private:
  int threads_;
  std::vector<Problem> problems_;
  std::vector<Search> searches_;  ///< by economy
  std::vector<Search*> running_;
  std::unique_ptr<Policies> policies_;
};

}  // namespace macrobench::krusell_smith
