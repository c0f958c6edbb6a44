# The RBC model by value function iteration in R: all states at once.
# The conversation, macrobench-program/1, is at the end: see docs/programs.md.

read_array <- function(folder, name, size) {
  values <- readBin(file.path(folder, paste0(name, ".bin")), "double", size, endian = "little")
  if (length(values) != size) stop(name, " has another size")
  values
}

load_problem <- function(folder) {
  words <- strsplit(readLines(file.path(folder, "problem.txt")), " ")
  of <- setNames(lapply(words, `[`, -1), vapply(words, `[`, "", 1))
  names <- c("nk", "nz", "beta", "gamma", "alpha", "delta", "tolerance", "iteration_cap")
  of[names] <- lapply(of[names], as.numeric)
  of$K <- read_array(folder, "K", of$nk)
  of$Z <- read_array(folder, "Z", of$nz)
  of$P <- matrix(read_array(folder, "P", of$nz^2), of$nz)  # P[l, j]: of Z_l after Z_j
  of$V0 <- read_array(folder, "V0", of$nz)
  of
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
    if (howard && !(iterations < 3 || iterations %% 20 == 0)) {
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
  writeBin(as.vector(result$V), file.path(folder, "V.bin"), endian = "little")
  writeBin(as.integer(result$policy) - 1L, file.path(folder, "policy.bin"), endian = "little")
  numbers <- c("iterations", "difference", "converged")
  writeLines(paste(numbers, format(unlist(result[numbers]), digits = 17, trim = TRUE)),
             file.path(folder, "result.txt"))
}

answer <- function(...) {
  cat("mb1 ", ..., "\n", sep = "")
  flush(stdout())
}

problems <- results <- list()
input <- file("stdin", "r")
while (length(line <- readLines(input, 1)) > 0) {
  words <- strsplit(line, " ")[[1]]
  id <- words[2]
  tryCatch(switch(words[1],
    hello = answer("hello ", R.version.string),
    start = answer("start CPU, 1 thread"),
    ping = answer(line),
    load = {
      if (length(results) > 0) problems <- results <- list()
      problems[[id]] <- load_problem(words[3])
      answer("load ", id)
    },
    solve = {
      for (one in words[-1]) {
        if (is.null(problems[[one]])) stop("problem ", one, " was not loaded")
        results[[one]] <- solve_problem(problems[[one]])
      }
      answer(line)
    },
    write = {
      write_result(results[[id]], words[3])
      answer("write ", id)
    },
    bye = {
      answer("bye")
      quit("no")
    },
    answer("error unknown command")
  ), error = function(error) answer("error ", gsub("\n", " ", conditionMessage(error))))
}
