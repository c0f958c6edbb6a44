# Savings over a life, from the last age to the first, in R: the loops over states and choices are in
# values.cpp, which Rcpp compiled in the set-up.
# The conversation, macrobench-program/1, is at the end: see docs/programs.md.

build <- commandArgs(trailingOnly = TRUE)[1]

read_array <- function(folder, name, size) {
  values <- readBin(file.path(folder, paste0(name, ".bin")), "double", size, endian = "little")
  if (length(values) != size) stop(name, " has another size")
  values
}

load_problem <- function(folder) {
  words <- strsplit(readLines(file.path(folder, "problem.txt")), " ")
  of <- setNames(lapply(words, `[`, -1), vapply(words, `[`, "", 1))
  names <- c("nx", "ne", "T", "beta", "sigma")
  of[names] <- lapply(of[names], as.numeric)
  of$x <- read_array(folder, "x", of$nx)
  of$P <- matrix(read_array(folder, "P", of$ne^2), of$ne)  # P[j, i]: of shock j after shock i
  of$available <- matrix(read_array(folder, "available", of$nx * of$ne), of$nx)
  of
}

solve_problem <- function(of) {
  V <- array(0, c(of$nx, of$ne, of$T))
  next_V <- V[, , of$T]  # nothing is expected after the last age
  for (age in of$T:1) {
    V[, , age] <- if (of$expectation == "per_choice") {
      find_values_per_choice(of$available, of$x, of$P, next_V, of$beta, of$sigma, age == of$T)
    } else {
      find_values(of$available, of$x, of$beta * (next_V %*% of$P), of$sigma)
    }
    next_V <- V[, , age]
  }
  V
}

write_result <- function(V, folder) {
  writeBin(as.vector(V), file.path(folder, "V.bin"), endian = "little")
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
    hello = answer("hello ", R.version.string, ", Rcpp ", format(packageVersion("Rcpp"))),
    start = {
      # What sourceCpp made in the set-up. It would load that too, but write into its folder.
      source(list.files(build, "^values\\.cpp\\.R$", recursive = TRUE, full.names = TRUE))
      answer("start CPU, ", Sys.getenv("OMP_NUM_THREADS"), " threads")
    },
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
