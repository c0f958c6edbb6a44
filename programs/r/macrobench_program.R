# The conversation of macrobench-program/1 for programs in R: see docs/programs.md.

# problem.txt as a list; what is no number is a word.
numbers_of <- function(folder) {
  words <- strsplit(readLines(file.path(folder, "problem.txt")), " ")
  values <- lapply(words, function(line) utils::type.convert(line[-1], as.is = TRUE))
  setNames(values, vapply(words, `[`, "", 1))
}

read_array <- function(folder, name, size) {
  values <- readBin(file.path(folder, paste0(name, ".bin")), "double", size, endian = "little")
  if (length(values) != size) stop(name, " has another size")
  values
}

write_array <- function(folder, name, values) {
  writeBin(as.vector(values), file.path(folder, paste0(name, ".bin")), endian = "little")
}

write_numbers <- function(folder, ...) {
  numbers <- c(...)
  writeLines(paste(names(numbers), format(numbers, digits = 17, trim = TRUE)),
             file.path(folder, "result.txt"))
}

# Answers until the end.
#
#   versions()             words on the language and its libraries
#   start()                words on the device
#   load(folder)           the problem, in whatever form solve takes
#   solve(problem)         the result, complete: nothing of it is still being computed
#   write(result, folder)
serve <- function(versions, start, load, solve, write) {
  answer <- function(...) {
    cat("mb1 ", ..., "\n", sep = "")
    flush(stdout())
  }
  problems <- results <- list()
  input <- file("stdin", "r")
  while (length(line <- readLines(input, 1)) > 0) {
    words <- strsplit(line, " ")[[1]]
    id <- words[2]
    folder <- sub("^\\S+ \\S+ ", "", line)
    tryCatch(switch(words[1],
      hello = answer("hello ", versions()),
      start = answer("start ", start()),
      ping = answer(line),
      load = {
        if (length(results) > 0) problems <- results <- list()  # those were solved and written
        problems[[id]] <- load(folder)
        answer("load ", id)
      },
      solve = {
        for (one in words[-1]) {
          if (is.null(problems[[one]])) stop("problem ", one, " was not loaded")
          results[[one]] <- solve(problems[[one]])
        }
        answer(line)
      },
      write = {
        if (is.null(results[[id]])) stop("problem ", id, " was not solved")
        write(results[[id]], folder)
        answer("write ", id)
      },
      bye = {
        answer("bye")
        quit("no")
      },
      answer("error unknown command")
    ), error = function(error) answer("error ", gsub("\n", " ", conditionMessage(error))))
  }
}
