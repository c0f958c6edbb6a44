// The same policy as by Euler-equation iteration, to the same tolerance, in a tenth of the time.
//
// Endogenous-grid steps lead from the first guess to where the Euler equation's map behaves well.
// From there, damped Anderson acceleration of that map continues: its fixed point is the map's, so
// the policy is that of the published method and not of another discretization. While the law of
// motion still moves, the policy need not be more accurate than the law: it is solved to a tenth of
// the law's last step, until that is less than policy_tolerance. Its accuracy still increases each
// time, even if the law does not settle: an inexact policy must not be the reason. An outer loop
// that knows better says what it settles for.

#include <algorithm>
#include <utility>

#include "implementations/krusell_smith/policy/euler_map.hpp"
#include "implementations/krusell_smith/policy/policy.hpp"
#include "implementations/numerics/anderson.hpp"

namespace macrobench::krusell_smith {

namespace {

constexpr int endogenous_steps = 50;
constexpr int depth = 6;              ///< differences that Anderson acceleration mixes
constexpr double first_aim = 1e-3;    ///< under the first law, which is only a guess
constexpr double aim_of_step = 0.1;   ///< max |dk'| over the law's last step
constexpr double aim_of_last = 0.85;  ///< and at most, over that of the last law
constexpr double too_far = 100;       ///< times the smallest change so far
constexpr int calm_steps = 20;        ///< steps that are only damped, after one went too far

class EndogenousGrid final : public PolicyMethod {
 public:
  explicit EndogenousGrid(const Problem& problem)
      : PolicyMethod(problem), map_(problem), anderson_(problem.grids.size(), depth) {}

  int improve(const LawOfMotion& law, std::vector<double>& policy) override {
    map_.set_law(law);
    asked_.resize(policy.size());
    int n = 0;
    if (is_first_) {
      for (; n < endogenous_steps; ++n) {
        map_.apply_endogenous(policy, asked_);
        std::swap(policy, asked_);
      }
    } else {
      aim_ = std::min(aim_of_step * distance(law, last_law_), aim_of_last * aim_);
    }
    aim_ = is_settled() ? accuracy() : std::max(aim_, problem().policy_tolerance);
    is_first_ = false;
    last_law_ = law;
    return n + accelerate(policy);
  }

  [[nodiscard]] bool is_exact() const override { return aim_ <= problem().policy_tolerance; }

 private:
  int accelerate(std::vector<double>& policy) {
    anderson_.restart();
    double smallest = 0;
    int calm = 0;
    for (int n = 1; n <= problem().policy_cap; ++n) {
      map_.apply(policy, asked_);
      const double change = largest_change(policy, asked_);
      if (change < aim_) return n;
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
    return problem().policy_cap + 1;
  }

  EulerMap map_;
  numerics::Anderson anderson_;
  std::vector<double> asked_, best_;
  LawOfMotion last_law_;
  bool is_first_ = true;
  double aim_ = first_aim;
};

const RegisterPolicy registered(
    {.name = "egm", .make = [](const Problem& problem) -> std::unique_ptr<PolicyMethod> {
       return std::make_unique<EndogenousGrid>(problem);
     }});

}  // namespace

}  // namespace macrobench::krusell_smith
