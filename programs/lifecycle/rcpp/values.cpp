// The values of an age at all states. Matrices are nx x ne: savings run fastest.

// [[Rcpp::plugins(openmp)]]
#include <Rcpp.h>

#include <algorithm>
#include <cmath>
#include <limits>

using Rcpp::NumericMatrix;
using Rcpp::NumericVector;

static double utility(double consumption, double sigma) {
  return sigma == 1 ? std::log(consumption) : std::pow(consumption, 1 - sigma) / (1 - sigma);
}

// `expected` is beta times the expectation of a choice (row) at a shock (column).
// [[Rcpp::export]]
NumericMatrix find_values(const NumericMatrix& available, const NumericVector& x,
                          const NumericMatrix& expected, double sigma) {
  const int nx = available.nrow(), ne = available.ncol();
  NumericMatrix V(nx, ne);
#pragma omp parallel for collapse(2)
  for (int shock = 0; shock < ne; ++shock) {
    for (int savings = 0; savings < nx; ++savings) {
      double best = -std::numeric_limits<double>::infinity();
      for (int choice = 0; choice < nx; ++choice) {
        const double consumption = available(savings, shock) - x[choice];
        if (consumption <= 0) break;  // savings rise, and what is left to consume falls
        best = std::max(best, utility(consumption, sigma) + expected(choice, shock));
      }
      V(savings, shock) = best;
    }
  }
  return V;
}

// The loops of Fernandez-Villaverde and Zarruk (2018): each state adds up the expectations of all
// choices itself. `P` has the probability of each shock (row) after a shock (column), and after
// the last age nothing is expected.
// [[Rcpp::export]]
NumericMatrix find_values_per_choice(const NumericMatrix& available, const NumericVector& x,
                                     const NumericMatrix& P, const NumericMatrix& next_V,
                                     double beta, double sigma, bool is_last) {
  const int nx = available.nrow(), ne = available.ncol();
  NumericMatrix V(nx, ne);
#pragma omp parallel for collapse(2)
  for (int shock = 0; shock < ne; ++shock) {
    for (int savings = 0; savings < nx; ++savings) {
      double best = -std::numeric_limits<double>::infinity();
      for (int choice = 0; choice < nx; ++choice) {
        double expected = 0;
        if (!is_last) {
          for (int after = 0; after < ne; ++after) {
            expected += P(after, shock) * next_V(choice, after);
          }
        }
        const double consumption = available(savings, shock) - x[choice];
        if (consumption > 0) best = std::max(best, utility(consumption, sigma) + beta * expected);
      }
      V(savings, shock) = best;
    }
  }
  return V;
}
