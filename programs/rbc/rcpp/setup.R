# Compiles iterate.cpp in the folder of what is built. Rcpp knows what it compiled by the source's
# path, so it is a copy that is compiled: it lies where solve.R looks, wherever this folder is.

folders <- commandArgs(trailingOnly = TRUE)
file.copy(file.path(folders[1], "iterate.cpp"), folders[2])
Rcpp::sourceCpp(file.path(folders[2], "iterate.cpp"), cacheDir = folders[2])
