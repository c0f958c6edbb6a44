// Euler-equation iteration as in the papers (Maliar, Maliar and Valli 2010; Algorithm A.1, step 2):
// the whole policy is replaced by the one that the Euler equation requires, damped, until it stops
// changing.

#include <utility>

#include "implementations/krusell_smith/policy/euler_map.hpp"
#include "implementations/krusell_smith/policy/policy.hpp"

namespace macrobench::krusell_smith {

namespace {

class Euler final : public PolicyMethod {
 public:
  explicit Euler(const Problem& problem) : PolicyMethod(problem), map_(problem) {}

  int improve(const LawOfMotion& law, std::vector<double>& policy) override {
    map_.set_law(law);
    asked_.resize(policy.size());
    for (int n = 1; n <= cap(); ++n) {
      map_.apply(policy, asked_);
      const double change = largest_change(policy, asked_);
      for (std::size_t i = 0; i < policy.size(); ++i) {
        policy[i] = problem().damping * asked_[i] + (1 - problem().damping) * policy[i];
      }
      if (change < accuracy()) return n;
    }
    return cap() + 1;
  }

 private:
  EulerMap map_;
  std::vector<double> asked_;
};

const RegisterPolicy registered(
    {.name = "euler", .make = [](const Problem& problem) -> std::unique_ptr<PolicyMethod> {
       return std::make_unique<Euler>(problem);
     }});

}  // namespace

}  // namespace macrobench::krusell_smith
