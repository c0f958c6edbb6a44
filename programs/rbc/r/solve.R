# The RBC model by value function iteration in R: all states at once.

source(file.path(commandArgs(trailingOnly = TRUE)[1], "macrobench_program.R"))

load_problem <- function(folder) {
  of <- numbers_of(folder)
  of$K <- read_array(folder, "K", of$nk)
  of$Z <- read_array(folder, "Z", of$nz)
  of$P <- matrix(read_array(folder, "P", of$nz^2), of$nz)  # P[l, j]: of Z_l after Z_j
  of$V0 <- read_array(folder, "V0", of$nz)
  of
}

# Upwards from the choice at the capital below, until a choice is no better than the one before it;
# at the states of one productivity. Each walk begins where the last one ended, so this is a loop,
# which R compiles to byte code. `power` is that of utility, and 0 if it is a logarithm.
walk <- function(available, K, expected, power) {
  nk <- length(K)
  V <- numeric(nk)
  policy <- integer(nk)
  best <- 1L
  for (i in seq_len(nk)) {
    resources <- available[i]
    most <- -Inf
    for (choice in best:nk) {
      consumption <- resources - K[choice]
      if (consumption < 0) break
      its <- expected[choice] + if (power == 0) log(consumption) else consumption^power / power
      if (its <= most) break
      best <- choice
      most <- its
    }
    V[i] <- most
    policy[i] <- best
  }
  list(V = V, policy = policy)
}

solve_problem <- function(of) {
  K <- of$K
  nk <- of$nk
  nz <- of$nz
  power <- 1 - of$gamma
  utility <- if (power == 0) log else function(consumption) consumption^power / power
  howard <- of$maximizer == "grid_howard"
  available <- outer(K^of$alpha, of$Z) + (1 - of$delta) * K  # nk x nz
  last <- matrix(findInterval(available, K), nk)
  # Where a state's column of expected values begins. No matrix: with two columns R would take its
  # rows for pairs of indices.
  column <- as.vector(col(available) - 1) * nk
  V0 <- matrix(of$V0, nk, nz, byrow = TRUE)
  policy <- matrix(1, nk, nz)
  iterations <- 0
  difference <- Inf
  while (difference >= of$tolerance && iterations < of$iteration_cap) {
    expected <- of$beta * (V0 %*% of$P)
    value <- function(choice) utility(available - K[choice]) + expected[column + as.vector(choice)]
    if (of$maximizer == "first_decline") {
      V <- available
      for (j in seq_len(nz)) {
        its <- walk(available[, j], K, expected[, j], power)
        V[, j] <- its$V
        policy[, j] <- its$policy
      }
    } else if (howard && !(iterations < 3 || iterations %% 20 == 0)) {
      V <- value(policy)
    } else if (howard) {
      V <- available
      for (j in seq_len(nz)) {
        for (i in seq_len(nk)) {
          choices <- seq_len(last[i, j])
          worth <- utility(available[i, j] - K[choices]) + expected[choices, j]
          policy[i, j] <- which.max(worth)
          V[i, j] <- worth[policy[i, j]]
        }
      }
    } else {
      # Heer and Maussner (2005, p. 26): bisect until three choices are left; ties go low.
      low <- matrix(1, nk, nz)
      high <- last
      while (any(wide <- high - low > 2)) {
        middle <- (low + high) %/% 2
        rises <- value(pmin(middle + 1, last)) > value(middle)
        low <- ifelse(wide & rises, middle, low)
        high <- ifelse(wide & !rises, middle + 1, high)
      }
      policy <- low
      V <- value(low)
      for (step in 1:2) {
        choice <- pmin(low + step, high)
        its <- value(choice)
        better <- its > V
        policy[better] <- choice[better]
        V[better] <- its[better]
      }
    }
    difference <- max(abs(V - V0))
    V0 <- matrix(V, nk, nz)
    iterations <- iterations + 1
  }
  list(V = V0, policy = policy, iterations = iterations, difference = difference,
       converged = as.integer(difference < of$tolerance))
}

write_result <- function(result, folder) {
  write_array(folder, "V", result$V)
  write_array(folder, "policy", as.integer(result$policy) - 1L)
  write_numbers(folder, iterations = result$iterations, difference = result$difference,
                converged = result$converged)
}

serve(function() R.version.string, function() "CPU, 1 thread", load_problem, solve_problem,
      write_result)
