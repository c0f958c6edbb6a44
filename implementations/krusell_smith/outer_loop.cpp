#include "implementations/krusell_smith/outer_loop.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

#include "implementations/krusell_smith/input/stored.hpp"
#include "implementations/krusell_smith/policy/policy.hpp"
#include "implementations/numerics/quasi_newton.hpp"

namespace macrobench::krusell_smith {

Regression regress(const Shocks& shocks, int burn_in, const std::vector<double>& K) {
  Regression result{};
  const auto first = static_cast<std::size_t>(burn_in);
  for (const int a : {bad, good}) {
    double count = 0;
    double mean_x = 0;
    double mean_y = 0;
    const auto for_each = [&](const auto& use) {
      for (std::size_t t = first; t + 1 < K.size(); ++t) {
        if (shocks.states[t] == a) use(std::log(K[t]), std::log(K[t + 1]));
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

/// Policy, panel and regression in turn, under one law after the other.
class Turns {
 public:
  Turns(const Problem& problem, Equilibrium& equilibrium)
      : method_(make_policy_method(problem)),
        policy_(first_policy(problem.grids)),
        K_(static_cast<std::size_t>(problem.T)),
        problem_(problem),
        equilibrium_(equilibrium) {
    equilibrium.K_fifth.clear();
  }

  void improve_policy(const LawOfMotion& law) {
    iterations_ = method_->improve(law, policy_);
    if (equilibrium_.policy_iterations == 0) equilibrium_.first_policy_iterations = iterations_;
    equilibrium_.policy_iterations += iterations_;
  }

  void settle_for(double accuracy) { method_->settle_for(accuracy); }

  void simulate(PanelMethod& panel) { equilibrium_.clips = panel.simulate(policy_, K_); }

  [[nodiscard]] Regression regressed(const Shocks& shocks) const {
    return regress(shocks, problem_.burn_in, K_);
  }

  /// A turn with all agents: it counts, and becomes the equilibrium so far.
  void take(const LawOfMotion& law, const Shocks& shocks, PanelMethod& panel, Stages& stages) {
    stages.enter("policy");
    improve_policy(law);
    stages.enter("panel");
    simulate(panel);
    stages.enter("regression");
    const Regression regression = regressed(shocks);
    equilibrium_.law = law;
    equilibrium_.estimated = regression.law;
    equilibrium_.R2[bad] = regression.R2[bad];
    equilibrium_.R2[good] = regression.R2[good];
    equilibrium_.distance = distance(regression.law, law);
    if (++equilibrium_.outer_iterations == 5) equilibrium_.K_fifth = K_;
  }

  /// Whether the turn just taken is the last: it is near enough, or there may be no more. After
  /// outer_cap turns the tolerance is relaxed.
  bool is_done() {
    const int n = equilibrium_.outer_iterations;
    const double tolerance = problem_.tolerance * (equilibrium_.relaxed ? 10 : 1);
    equilibrium_.converged = equilibrium_.distance < tolerance &&
                             iterations_ <= problem_.policy_cap && method_->is_exact();
    if (equilibrium_.converged || !std::isfinite(equilibrium_.distance)) return true;
    if (n == problem_.outer_cap) equilibrium_.relaxed = true;
    return n == 2 * problem_.outer_cap;
  }

  void finish() {
    if (equilibrium_.K_fifth.empty()) equilibrium_.K_fifth = K_;
    equilibrium_.policy = std::move(policy_);
    equilibrium_.K = std::move(K_);
  }

 private:
  std::unique_ptr<PolicyMethod> method_;
  std::vector<double> policy_;
  std::vector<double> K_;
  int iterations_ = 0;  ///< of the last policy
  const Problem& problem_;
  Equilibrium& equilibrium_;
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

void add(std::vector<double>& x, const std::vector<double>& dx) {
  for (std::size_t i = 0; i < x.size(); ++i) x[i] += dx[i];
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

/// The law that few agents produce under it, within `near`; `newton` then has the derivatives
/// there. Nothing but a start, so its policies are not exact either.
std::vector<double> law_of_few(const Unknowns& unknowns, const Shocks& shocks, PanelMethod& few,
                               Turns& turns, numerics::QuasiNewton& newton) {
  constexpr double accuracy = 1e-4;
  constexpr double near = 1e-3;  // all agents' law is no nearer to it
  constexpr int steps = 12;
  constexpr std::array<double, 4> shifts = {1e-3, -1e-2, 1e-3, -1e-2};

  turns.settle_for(accuracy);
  const auto F_at = [&](const std::vector<double>& x) {
    turns.improve_policy(unknowns.law(x));
    turns.simulate(few);
    return difference(unknowns.of(turns.regressed(shocks).law), x);
  };
  std::vector<double> x = unknowns.of(LawOfMotion{});
  std::vector<double> F = F_at(x);
  const auto differentiate = [&] {
    for (std::size_t j = 0; j < shifts.size(); ++j) {
      std::vector<double> shifted = x;
      shifted[j] += shifts[j];
      newton.set_derivative(j, shifts[j], difference(F_at(shifted), F));
    }
  };
  differentiate();
  for (int n = 0; n < steps; ++n) {
    const std::vector<double> dx = newton.step(F);
    if (dx.empty()) break;
    add(x, dx);
    const std::vector<double> last = std::exchange(F, F_at(x));
    newton.update(dx, difference(F, last));
    if (!(largest(F) > near)) break;
  }
  differentiate();
  return x;
}

}  // namespace

void find_equilibrium(const Problem& problem, const Shocks& shocks, Stages& stages,
                      PanelMethod& panel, Equilibrium& equilibrium) {
  Turns turns(problem, equilibrium);
  LawOfMotion law;
  for (turns.take(law, shocks, panel, stages); !turns.is_done();
       turns.take(law, shocks, panel, stages)) {
    if (equilibrium.distance > problem.reuse_tolerance) panel.keep_last();
    for (const int a : {bad, good}) {
      const double weight = problem.relaxation;
      law.b0[a] = weight * equilibrium.estimated.b0[a] + (1 - weight) * law.b0[a];
      law.b1[a] = weight * equilibrium.estimated.b1[a] + (1 - weight) * law.b1[a];
    }
  }
  turns.finish();
}

void find_equilibrium_by_newton(const Problem& problem, const Shocks& few_shocks, PanelMethod& few,
                                const Shocks& shocks, PanelMethod& panel, Stages& stages,
                                Equilibrium& equilibrium) {
  // A policy's error, summed over many periods, must not be what the method takes for the law's.
  constexpr double accuracy_of_distance = 1e-4;

  Turns turns(problem, equilibrium);
  const Unknowns unknowns(problem.grids);
  numerics::QuasiNewton newton(4);
  stages.enter("few agents");
  std::vector<double> x = law_of_few(unknowns, few_shocks, few, turns, newton);

  std::vector<double> dx;  // empty where the next panel does not begin as the last one did
  std::vector<double> last_F;
  double to_halve = std::numeric_limits<double>::infinity();
  for (turns.take(unknowns.law(x), shocks, panel, stages); !turns.is_done();
       turns.take(unknowns.law(x), shocks, panel, stages)) {
    const std::vector<double> F = difference(unknowns.of(equilibrium.estimated), x);
    if (!dx.empty()) newton.update(dx, difference(F, last_F));
    dx = newton.step(F);
    if (dx.empty() || equilibrium.distance > to_halve / 2) {
      dx = F;
      for (double& part : dx) part *= problem.relaxation;
    }
    add(x, dx);
    last_F = F;
    to_halve = equilibrium.distance;
    if (equilibrium.outer_iterations == 1 && equilibrium.distance > problem.reuse_tolerance) {
      panel.keep_last();
      dx.clear();
      to_halve = std::numeric_limits<double>::infinity();
    }
    turns.settle_for(accuracy_of_distance * equilibrium.distance);
  }
  turns.finish();
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
