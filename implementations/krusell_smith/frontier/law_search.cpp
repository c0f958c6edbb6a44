#include "implementations/krusell_smith/frontier/law_search.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "implementations/krusell_smith/frontier/batch.hpp"
#include "implementations/krusell_smith/frontier/newton_of_law.hpp"
#include "implementations/krusell_smith/regression.hpp"

namespace macrobench::krusell_smith {

namespace {

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

  const auto set_periods = [&](int T) {
    for (Newton& newton : economies) newton.search.trial.K.resize(static_cast<std::size_t>(T));
  };

  std::vector<Newton*> running;
  for (Newton& newton : economies) running.push_back(&newton);
  set_periods(shocks.T);
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
  set_periods(economies.front().search.problem().T);
}

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
