// The same policy as by Euler-equation iteration, to the same tolerance, in a tenth of the time.
//
// Endogenous-grid steps lead from the first guess to where the Euler equation's map behaves well.
// From there, damped Anderson acceleration of that map continues: its fixed point is the map's, so
// the policy is that of the published method and not of another discretization.

#include "implementations/krusell_smith/policy/egm.hpp"

#include <utility>

#include "implementations/krusell_smith/policy/euler_map.hpp"
#include "implementations/krusell_smith/policy/policy.hpp"
#include "implementations/numerics/methods/anderson.hpp"

namespace macrobench::krusell_smith {

namespace {

class EndogenousGrid final : public PolicyMethod {
 public:
  explicit EndogenousGrid(const Problem& problem)
      : PolicyMethod(problem),
        map_(problem),
        anderson_(problem.grids.size(), depth),
        aim_(problem.policy_tolerance) {}

  int improve(const LawOfMotion& law, std::vector<double>& policy) override {
    map_.set_law(law);
    asked_.resize(policy.size());
    const int steps = aim_.is_first() ? endogenous_steps : 0;
    aim_.set(law, settled_for());
    for (int n = 0; n < steps; ++n) {
      map_.apply_endogenous(policy, asked_);
      std::swap(policy, asked_);
    }
    return steps + accelerate(policy);
  }

  [[nodiscard]] bool is_exact() const override { return aim_.is_exact(); }

 private:
  int accelerate(std::vector<double>& policy) {
    anderson_.restart();
    double smallest = 0;
    int calm = 0;
    for (int n = 1; n <= cap(); ++n) {
      map_.apply(policy, asked_);
      const double change = largest_change(policy, asked_);
      if (change < aim_.is()) return n;
      if (n == 1 || change < smallest) {
        smallest = change;
        best_ = policy;
      } else if (!(change <= too_far * smallest)) {
        policy = best_;
        map_.apply(policy, asked_);
        anderson_.restart();
        calm = calm_steps;
      }
      for (std::size_t i = 0; i < policy.size(); ++i) {
        asked_[i] = problem().damping * asked_[i] + (1 - problem().damping) * policy[i];
      }
      if (calm > 0) {
        --calm;
        std::swap(policy, asked_);
      } else {
        anderson_.advance(policy, asked_);
        for (double& k : policy) k = problem().grids.clip_k(k);
      }
    }
    return cap() + 1;
  }

  EulerMap map_;
  numerics::Anderson anderson_;
  std::vector<double> asked_, best_;
  Aim aim_;
};

const RegisterPolicy registered(
    {.name = "egm", .make = [](const Problem& problem) -> std::unique_ptr<PolicyMethod> {
       return std::make_unique<EndogenousGrid>(problem);
     }});

}  // namespace

}  // namespace macrobench::krusell_smith
