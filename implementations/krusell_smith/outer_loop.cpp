#include "implementations/krusell_smith/outer_loop.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "implementations/krusell_smith/input/economies.hpp"
#include "implementations/krusell_smith/input/stored.hpp"
#include "implementations/krusell_smith/policy/policy.hpp"
#include "implementations/numerics/batch/for_each_economy.hpp"
#include "implementations/numerics/methods/quasi_newton.hpp"

namespace macrobench::krusell_smith {

Regression regress(const Shocks& shocks, int burn_in, const std::vector<double>& K) {
  Regression result{};
  const auto first = static_cast<std::size_t>(burn_in);
  std::vector<double> logarithm(K.size());
  for (std::size_t t = first; t < K.size(); ++t) logarithm[t] = std::log(K[t]);
  for (const int a : {bad, good}) {
    double count = 0;
    double mean_x = 0;
    double mean_y = 0;
    const auto for_each = [&](const auto& use) {
      for (std::size_t t = first; t + 1 < K.size(); ++t) {
        if (shocks.states[t] == a) use(logarithm[t], logarithm[t + 1]);
      }
    };
    for_each([&](double x, double y) {
      ++count;
      mean_x += x;
      mean_y += y;
    });
    mean_x /= count;
    mean_y /= count;
    double xx = 0;
    double xy = 0;
    double yy = 0;
    for_each([&](double x, double y) {
      xx += (x - mean_x) * (x - mean_x);
      xy += (x - mean_x) * (y - mean_y);
      yy += (y - mean_y) * (y - mean_y);
    });
    result.law.b1[a] = xy / xx;
    result.law.b0[a] = mean_y - result.law.b1[a] * mean_x;
    result.R2[a] = xy * xy / (xx * yy);
  }
  return result;
}

namespace {

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

  /// The policy of each trial, and its panel.
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
    numerics::for_each_economy(static_cast<int>(items.size()), threads_, [&] {
      return [&](int n) { work(items[static_cast<std::size_t>(n)]); };
    });
  }

 private:
  void improve(std::span<Trial* const> trials) {
    policies_->improve(trials);
    for (const Trial* trial : trials) {
      searches_[static_cast<std::size_t>(trial->economy)].count(*trial);
    }
  }

  int threads_;
  std::vector<Problem> problems_;
  std::vector<Search> searches_;  ///< by economy
  std::vector<Search*> running_;
  std::unique_ptr<Policies> policies_;
};

/// A law as the four unknowns of a Newton method. Its lines are given by their height in the middle
/// of the grid of K, because an intercept at K = 1 hardly moves without its slope.
class Unknowns {
 public:
  explicit Unknowns(const Grids& grids) : middle_(std::log((grids.K_min + grids.K_max) / 2)) {}

  [[nodiscard]] std::vector<double> of(const LawOfMotion& law) const {
    return {law.b0[bad] + law.b1[bad] * middle_, law.b1[bad], law.b0[good] + law.b1[good] * middle_,
            law.b1[good]};
  }
  [[nodiscard]] LawOfMotion law(const std::vector<double>& x) const {
    return {{x[0] - x[1] * middle_, x[2] - x[3] * middle_}, {x[1], x[3]}};
  }

 private:
  double middle_;
};

/// Whether the last cross-section starts the next panel.
bool is_reused(const Problem& problem, double distance) {
  return problem.reuse_tolerance < 1 && distance > problem.reuse_tolerance;
}

double largest(const std::vector<double>& values) {
  double result = 0;
  for (const double value : values) result = std::max(result, std::abs(value));
  return result;
}

std::vector<double> difference(const std::vector<double>& left, const std::vector<double>& right) {
  std::vector<double> result(left.size());
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = left[i] - right[i];
  return result;
}

/// One economy's quasi-Newton method: F(x) is what a law x lacks to the one that its households
/// produce.
class Newton {
 public:
  explicit Newton(Search& its_search)
      : search(its_search), unknowns_(its_search.problem().grids), x_(unknowns_.of({})) {
    search.trial.law = law();
  }

  Search& search;

  /// This economy's trial at x, or at another point near it.
  [[nodiscard]] Trial trial_at(std::size_t unknown, double shift) const {
    std::vector<double> shifted = x_;
    shifted[unknown] += shift;
    Trial trial = search.trial;
    trial.law = unknowns_.law(shifted);
    return trial;
  }

  /// F was evaluated at x.
  void set_F(const LawOfMotion& produced) {
    std::vector<double> F = difference(unknowns_.of(produced), x_);
    if (!dx_.empty()) newton_.update(dx_, difference(F, F_));
    F_ = std::move(F);
  }
  /// And there.
  void set_derivative(std::size_t unknown, double shift, const Trial& there,
                      const LawOfMotion& produced) {
    const std::vector<double> F = difference(unknowns_.of(produced), unknowns_.of(there.law));
    newton_.set_derivative(unknown, shift, difference(F, F_));
  }

  /// The next x. False if there is none.
  bool step() {
    dx_ = newton_.step(F_);
    if (dx_.empty()) return false;
    move();
    return true;
  }
  /// The next x by the published loop, with this weight.
  void relax(double weight) {
    dx_ = F_;
    for (double& entry : dx_) entry *= weight;
    move();
  }
  /// What follows is not comparable with what came before.
  void forget_step() { dx_.clear(); }

  [[nodiscard]] double largest_of_F() const { return largest(F_); }

 private:
  [[nodiscard]] LawOfMotion law() const { return unknowns_.law(x_); }
  void move() {
    for (std::size_t i = 0; i < x_.size(); ++i) x_[i] += dx_[i];
    search.trial.law = law();
  }

  Unknowns unknowns_;
  numerics::QuasiNewton newton_{4};
  std::vector<double> x_, F_;
  std::vector<double> dx_;  ///< from the last x to this one; empty if F was not evaluated alike
};

/// Leads each economy near the law that few agents produce under it, and takes the derivatives
/// there. Nothing but a start, so its policies are not exact either; but each later step is only as
/// good as the derivatives, and these only as good as the policies that they are differences of.
void begin_with_few(Batch& batch, std::vector<Newton>& economies, PanelMethod& few,
                    const Shocks& shocks) {
  constexpr double accuracy_on_the_way = 1e-3;
  constexpr double accuracy_of_derivatives = 1e-5;
  constexpr double near = 1e-2;  // one step from here is within what few agents can tell
  constexpr int steps = 12;
  constexpr int policy_cap = 2'500;  // under a law far off there may be no policy
  constexpr std::array<double, trials_of_one - 1> shifts = {1e-3, -1e-2, 1e-3, -1e-2};

  const auto settle_for = [&](double accuracy) {
    for (const Newton& newton : economies) {
      batch.policies().settle_for(newton.search.trial.economy, accuracy, policy_cap);
    }
  };
  const auto set_F = [&](Newton& newton) {
    newton.set_F(newton.search.regressed(shocks, newton.search.trial).law);
  };
  const auto evaluate = [&](std::span<Newton* const> some) {
    std::vector<Trial*> trials;
    for (Newton* newton : some) trials.push_back(&newton->search.trial);
    batch.evaluate(trials, few);
    batch.each(some, [&](Newton* newton) { set_F(*newton); });
  };
  const auto differentiate = [&] {
    std::vector<Trial> shifted;
    for (const Newton& newton : economies) {
      for (std::size_t j = 0; j < shifts.size(); ++j) {
        shifted.push_back(newton.trial_at(j, shifts[j]));
      }
    }
    const auto first_of = [&](const Newton& newton) {
      return static_cast<std::size_t>(newton.search.trial.economy) * shifts.size();
    };
    std::vector<Trial*> trials;
    for (Newton& newton : economies) {
      trials.push_back(&newton.search.trial);
      for (std::size_t j = 0; j < shifts.size(); ++j) {
        trials.push_back(&shifted[first_of(newton) + j]);
      }
    }
    batch.evaluate(trials, few);
    batch.each(economies, [&](Newton& newton) {
      set_F(newton);
      for (std::size_t j = 0; j < shifts.size(); ++j) {
        const Trial& there = shifted[first_of(newton) + j];
        newton.set_derivative(j, shifts[j], there, newton.search.regressed(shocks, there).law);
      }
    });
  };

  std::vector<Newton*> running;
  for (Newton& newton : economies) running.push_back(&newton);
  settle_for(accuracy_on_the_way);
  evaluate(running);
  differentiate();
  for (int n = 0; n < steps && !running.empty(); ++n) {
    std::erase_if(running, [](Newton* newton) { return !newton->step(); });
    evaluate(running);
    std::erase_if(running, [](const Newton* newton) { return !(newton->largest_of_F() > near); });
  }
  for (Newton& newton : economies) newton.step();
  settle_for(accuracy_of_derivatives);
  differentiate();
}

}  // namespace

void find_equilibrium(const Problem& problem, const Shocks& shocks, Stages& stages,
                      PanelMethod& panel, Equilibrium& equilibrium) {
  Batch batch(problem, equilibrium);
  while (batch.take_turn(panel, shocks, stages)) {
    for (Search* search : batch.running()) {
      const Equilibrium& last = search->so_far();
      if (is_reused(problem, last.distance)) panel.keep_last_of(search->trial.economy);
      LawOfMotion& law = search->trial.law;
      for (const int a : {bad, good}) {
        const double weight = problem.relaxation;
        law.b0[a] = weight * last.estimated.b0[a] + (1 - weight) * law.b0[a];
        law.b1[a] = weight * last.estimated.b1[a] + (1 - weight) * law.b1[a];
      }
    }
  }
}

void find_equilibrium_by_newton(const Problem& problem, const Shocks& few_shocks, PanelMethod& few,
                                const Shocks& shocks, PanelMethod& panel, Stages& stages,
                                Equilibrium& equilibrium) {
  // A policy's error, summed over many periods, must not be what the method takes for the law's.
  constexpr double accuracy_of_distance = 1e-5;

  Batch batch(problem, equilibrium);
  std::vector<Newton> economies(batch.searches().begin(), batch.searches().end());
  stages.enter("few agents");
  begin_with_few(batch, economies, few, few_shocks);

  // A step that does not lead near enough is followed by one of the published loop's, from which
  // the derivatives learn too.
  std::vector<double> to_halve(economies.size(), std::numeric_limits<double>::infinity());
  for (Newton& newton : economies) newton.forget_step();
  while (batch.take_turn(panel, shocks, stages)) {
    for (const Search* search : batch.running()) {
      const int economy = search->trial.economy;
      const auto place = static_cast<std::size_t>(economy);
      Newton& newton = economies[place];
      const Equilibrium& last = search->so_far();
      newton.set_F(last.estimated);
      if (last.distance <= to_halve[place] / 2 && newton.step()) {
        to_halve[place] = last.distance;
      } else {
        newton.relax(problem.relaxation);
        to_halve[place] = std::numeric_limits<double>::infinity();
      }
      if (last.outer_iterations == 1 && is_reused(problem, last.distance)) {
        panel.keep_last_of(economy);
        newton.forget_step();
        to_halve[place] = std::numeric_limits<double>::infinity();
      }
      batch.policies().settle_for(economy, accuracy_of_distance * last.distance);
    }
  }
}

Problem with_few_agents(const Problem& problem) {
  constexpr int fewest = 1'024;
  constexpr int most = 10'240;
  constexpr int together = 128;  // their shocks are whole words
  Problem few = problem;
  few.wealth = {};
  few.threads = few.gpus = 1;
  if (problem.N > 2 * fewest)
    few.N = std::clamp(problem.N / 10 / together * together, fewest, most);
  return few;
}

void find_policy(const Problem& problem, Stages& stages, Equilibrium& equilibrium) {
  const std::unique_ptr<PolicyMethod> method = make_policy_method(problem);
  equilibrium.law = stored_of(problem)->law;

  stages.enter("policy");
  SolvedPolicy solved = solve_policy(problem, equilibrium.law, *method);
  stages.finish();

  equilibrium.policy = std::move(solved.policy);
  equilibrium.policy_iterations = solved.iterations;
  equilibrium.converged = solved.converged;
}

void simulate_panel(const Problem& problem, Stages& stages, PanelMethod& panel,
                    Equilibrium& equilibrium) {
  const std::shared_ptr<const Stored> stored = stored_of(problem);
  stages.enter("panel");
  equilibrium.clips = panel.simulate(stored->policy, equilibrium.K);
  stages.finish();

  equilibrium.law = stored->law;
  equilibrium.policy = stored->policy;
  equilibrium.K_fifth = equilibrium.K;
  equilibrium.outer_iterations = 1;
}

}  // namespace macrobench::krusell_smith
