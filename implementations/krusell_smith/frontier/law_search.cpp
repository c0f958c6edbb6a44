#include "implementations/krusell_smith/frontier/law_search.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <vector>

#include "implementations/krusell_smith/frontier/batch.hpp"
#include "implementations/krusell_smith/frontier/newton_of_law.hpp"
#include "implementations/krusell_smith/frontier/representative.hpp"
#include "implementations/krusell_smith/regression.hpp"

namespace macrobench::krusell_smith {

namespace {

/// Leads each economy to the law that few agents produce under it, and takes the derivatives there.
/// Nothing but a start, so its policies are not exact either; but each later step is only as good
/// as the derivatives, and these only as good as the policies that they are differences of.
class StartWithFew {
 public:
  StartWithFew(Batch& batch, std::vector<Newton>& economies, PanelMethod& few, const Shocks& shocks)
      : batch_(batch), economies_(economies), few_(few), shocks_(shocks) {}

  void run() {
    constexpr double accuracy_on_the_way = 1e-3;
    constexpr double accuracy_of_derivatives = 1e-5;
    constexpr double near = 1e-2;  // the next step leads within what few agents can tell
    constexpr int steps = 12;

    std::vector<Newton*> all;
    for (Newton& newton : economies_) all.push_back(&newton);
    const auto is_near = [](const Newton* newton) { return !(newton->largest_of_F() > near); };

    set_periods(shocks_.T);
    settle_for(accuracy_on_the_way);
    batch_.improve(trials_of(all));
    settle_for(accuracy_of_derivatives);
    differentiate(all);
    std::vector<Newton*> far = all;
    std::erase_if(far, is_near);
    if (!far.empty()) {
      settle_for(accuracy_on_the_way);
      std::vector<Newton*> running = far;
      for (int n = 0; n < steps && !running.empty(); ++n) {
        std::erase_if(running, [](Newton* newton) { return !newton->step(); });
        evaluate(running);
        std::erase_if(running, is_near);
      }
      for (Newton* newton : far) newton->step();
      settle_for(accuracy_of_derivatives);
      differentiate(far);
    }
    for (Newton* newton : all) newton->step();
    set_periods(economies_.front().search.problem().T);
  }

 private:
  static constexpr std::array<double, trials_of_one - 1> shifts = {1e-3, -1e-2, 1e-3, -1e-2};

  void set_periods(int T) {
    for (Newton& newton : economies_) newton.search.trial.K.resize(static_cast<std::size_t>(T));
  }
  void settle_for(double accuracy) {
    constexpr int policy_cap = 2'500;  // under a law far off there may be no policy
    for (const Newton& newton : economies_) {
      batch_.policies().settle_for(newton.search.trial.economy, accuracy, policy_cap);
    }
  }
  static std::vector<Trial*> trials_of(const std::vector<Newton*>& some) {
    std::vector<Trial*> trials;
    for (Newton* newton : some) trials.push_back(&newton->search.trial);
    return trials;
  }
  void set_F(Newton& newton) const {
    newton.set_F(newton.search.regressed(shocks_, newton.search.trial).law);
  }

  /// F at each one's x.
  void evaluate(const std::vector<Newton*>& some) {
    batch_.evaluate(trials_of(some), few_);
    batch_.each(some, [&](Newton* newton) { set_F(*newton); });
  }

  /// And its derivatives there.
  void differentiate(const std::vector<Newton*>& some) {
    struct Tried {
      Newton* newton;
      std::array<Trial, shifts.size()> shifted;
    };
    std::vector<Tried> tried(some.size());
    for (std::size_t n = 0; n < some.size(); ++n) tried[n].newton = some[n];
    batch_.each(tried, [&](Tried& its) {
      for (std::size_t j = 0; j < shifts.size(); ++j) {
        its.shifted[j] = its.newton->trial_at(j, shifts[j]);
      }
    });
    std::vector<Trial*> trials;
    for (Tried& its : tried) {
      trials.push_back(&its.newton->search.trial);
      for (Trial& shifted : its.shifted) trials.push_back(&shifted);
    }
    batch_.evaluate(trials, few_);
    batch_.each(tried, [&](Tried& its) {
      set_F(*its.newton);
      for (std::size_t j = 0; j < shifts.size(); ++j) {
        const Trial& there = its.shifted[j];
        its.newton->set_derivative(j, shifts[j], there,
                                   its.newton->search.regressed(shocks_, there).law);
      }
    });
  }

  Batch& batch_;
  std::vector<Newton>& economies_;
  PanelMethod& few_;
  const Shocks& shocks_;
};

}  // namespace

void find_equilibria(const Problem& problem, const Shocks& shocks, Stages& stages,
                     PanelMethod& panel, Equilibrium& equilibrium) {
  Batch batch(problem, equilibrium);
  while (batch.take_turn(panel, shocks, stages)) {
    for (Search* search : batch.running()) {
      const Equilibrium& last = search->so_far();
      if (is_reused(problem, last.distance)) panel.keep_last_of(search->trial.economy);
      search->trial.law = relaxed(last.law, last.estimated, problem.relaxation);
    }
  }
}

void find_equilibria_by_newton(const Problem& problem, const Shocks& few_shocks, PanelMethod& few,
                               const Shocks& shocks, PanelMethod& panel, Stages& stages,
                               Equilibrium& equilibrium) {
  // A policy's error, summed over many periods, must not be what the method takes for the law's.
  constexpr double accuracy_of_distance = 1e-5;

  Batch batch(problem, equilibrium);
  stages.enter("few agents");
  std::vector<Newton> economies;
  for (Search& search : batch.searches()) {
    const Economy economy(search.problem().calibration);
    economies.emplace_back(search, representative_law(economy).value_or(LawOfMotion{}));
  }
  StartWithFew(batch, economies, few, few_shocks).run();

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
  few.gpus = 1;
  if (few.economies == 1) few.threads = 1;
  if (problem.N > 2 * fewest)
    few.N = std::clamp(problem.N / 10 / together * together, fewest, most);
  return few;
}

int periods_of_few(const Problem& problem, const Shocks& shocks) {
  constexpr int enough = 400;     // more give no better derivatives
  constexpr int of_a_state = 40;  // for its line
  const int T = std::min(problem.T, problem.burn_in + enough);
  int of_good = 0;
  for (int t = problem.burn_in; t < T; ++t) of_good += shocks.a(t) == good ? 1 : 0;
  const int of_bad = T - problem.burn_in - of_good;
  return std::min(of_good, of_bad) < of_a_state ? problem.T : T;
}

}  // namespace macrobench::krusell_smith
