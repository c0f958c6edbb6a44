# The RBC model by value function iteration: R, and the loops in C++ by Rcpp, iterate.cpp, which
# setup.R compiled.

folders <- commandArgs(trailingOnly = TRUE)
source(file.path(folders[1], "macrobench_program.R"))

load_problem <- function(folder) {
  of <- numbers_of(folder)
  of$K <- read_array(folder, "K", of$nk)
  of$Z <- read_array(folder, "Z", of$nz)
  of$P <- matrix(read_array(folder, "P", of$nz^2), of$nz)  # P[l, j]: of Z_l after Z_j
  of$V0 <- matrix(read_array(folder, "V0", of$nz), of$nk, of$nz, byrow = TRUE)
  of
}

solve_problem <- function(of) {
  available <- outer(of$K^of$alpha, of$Z) + (1 - of$delta) * of$K  # nk x nz
  last <- matrix(findInterval(available, of$K) - 1L, of$nk)
  iterate(available, last, of$K, of$P, of$V0, of$beta, of$gamma, of$tolerance, of$iteration_cap,
          of$maximizer)
}

write_result <- function(result, folder) {
  write_array(folder, "V", result$V)
  write_array(folder, "policy", result$policy)
  write_numbers(folder, iterations = result$iterations, difference = result$difference,
                converged = result$converged)
}

start <- function() {
  Rcpp::sourceCpp(file.path(folders[2], "iterate.cpp"), cacheDir = folders[2])
  "CPU, 1 thread"
}

serve(function() paste0(R.version.string, ", Rcpp ", packageVersion("Rcpp")), start, load_problem,
      solve_problem, write_result)
