// The loops of value function iteration, which solve.R calls through Rcpp. Matrices are nk x nz, as
// R has them: capital runs fastest. Choices are counted from 0.

#define RCPP_NO_BOUNDS_CHECK
#include <Rcpp.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace {

/// The states of one productivity.
struct States {
  const double* available;
  const int* last;  ///< choice that is feasible
  const double* K;
  const double* expected;
  double gamma;
  int nk;

  double value(int i, int choice) const {
    const double consumption = available[i] - K[choice];
    const double utility =
        gamma == 1 ? std::log(consumption) : std::pow(consumption, 1 - gamma) / (1 - gamma);
    return utility + expected[choice];
  }
};

void search(const States& of, bool bisects, double* V, int* policy) {
  for (int i = 0; i < of.nk; ++i) {
    int low = 0;
    int high = of.last[i];
    // Heer and Maussner (2005, p. 26): bisect until three choices are left.
    while (bisects && high - low > 2) {
      const int middle = (low + high) / 2;
      if (of.value(i, middle + 1) > of.value(i, middle)) {
        low = middle;
      } else {
        high = middle + 1;
      }
    }
    policy[i] = low;
    V[i] = of.value(i, low);
    for (int choice = low + 1; choice <= high; ++choice) {
      const double its = of.value(i, choice);
      if (its > V[i]) {
        policy[i] = choice;
        V[i] = its;
      }
    }
  }
}

/// Upwards from the choice at the capital below, until a choice is no better than the one before
/// it.
void walk(const States& of, double* V, int* policy) {
  int best = 0;
  for (int i = 0; i < of.nk; ++i) {
    double most = of.value(i, best);
    for (int choice = best + 1; choice <= of.last[i]; ++choice) {
      const double its = of.value(i, choice);
      if (its <= most) break;
      best = choice;
      most = its;
    }
    V[i] = most;
    policy[i] = best;
  }
}

void evaluate(const States& of, double* V, const int* policy) {
  for (int i = 0; i < of.nk; ++i) V[i] = of.value(i, policy[i]);
}

}  // namespace

// [[Rcpp::export]]
Rcpp::List iterate(Rcpp::NumericMatrix available, Rcpp::IntegerMatrix last, Rcpp::NumericVector K,
                   Rcpp::NumericMatrix P, Rcpp::NumericMatrix start, double beta, double gamma,
                   double tolerance, int iteration_cap, std::string maximizer) {
  const int nk = available.nrow();
  const int nz = available.ncol();
  const bool howard = maximizer == "grid_howard";
  const bool walks = maximizer == "first_decline";
  Rcpp::NumericMatrix V0 = Rcpp::clone(start);
  Rcpp::NumericMatrix V(nk, nz);
  Rcpp::IntegerMatrix policy(nk, nz);
  Rcpp::NumericVector expected(nk);
  int iterations = 0;
  double difference = std::numeric_limits<double>::infinity();
  while (difference >= tolerance && iterations < iteration_cap) {
    const bool maximises = !howard || iterations < 3 || iterations % 20 == 0;
    difference = 0;
    for (int j = 0; j < nz; ++j) {
      std::fill(expected.begin(), expected.end(), 0.0);
      for (int l = 0; l < nz; ++l) {
        for (int i = 0; i < nk; ++i) expected[i] += beta * P(l, j) * V0(i, l);
      }
      const States of{&available(0, j), &last(0, j), K.begin(), expected.begin(), gamma, nk};
      if (walks) {
        walk(of, &V(0, j), &policy(0, j));
      } else if (maximises) {
        search(of, !howard, &V(0, j), &policy(0, j));
      } else {
        evaluate(of, &V(0, j), &policy(0, j));
      }
      for (int i = 0; i < nk; ++i) {
        difference = std::max(difference, std::abs(V(i, j) - V0(i, j)));
      }
    }
    std::swap(V, V0);
    ++iterations;
    Rcpp::checkUserInterrupt();
  }
  return Rcpp::List::create(Rcpp::Named("V") = V0, Rcpp::Named("policy") = policy,
                            Rcpp::Named("iterations") = iterations,
                            Rcpp::Named("difference") = difference,
                            Rcpp::Named("converged") = static_cast<int>(difference < tolerance));
}
