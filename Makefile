## Macrobench replicates the papers that brought GPUs to macroeconomics.
##
##   make replicate    run the papers' tables, and compare this machine with the published ones
##   make test         build, and run all tests
##
##   make build        leave the executable at build/macrobench
##   make views        all the views of a machine's results again, of all in RESULTS without MACHINE
##   make report       one page of HTML and the papers' figures, from a machine's results
##   make regress      is the working tree slower than another commit, and as correct?
##   make check        what `test` leaves out, in hours: formatting, clang-tidy, the tests under
##                     AddressSanitizer and UBSan, how much of the code they run, LaTeX, a Slurm cluster
##   make fuzz         look for files that crash the readers of records and tables
##   make format       format all C++ and CUDA sources
##   make readme-tables  rewrite the README's tables and figures from results/
##   make wheel        the wheel in dist/, for pip: the program without CUDA, and the package for Python
##   make docker       build the Docker image `macrobench`
##   make clean        remove build/, with any CUDA toolkit in it; results stay
##   make help         print this
##
## Every command first installs the packages that it lacks (as root or with sudo, after naming them).
##
##   BUDGET=5m         how long `replicate` may measure: 90s, 5m, 2h; none for every cell
##   TABLES=           the tables to replicate, "aldrich_2014/table_1 ..."; all if empty
##   RESULTS=results   the folder for records and tables
##   MACHINE=          for `report` and `views`: a machine's folder in RESULTS, or a part of its name; if
##                     empty this machine's for `report`, every machine's for `views`
##   CUDA=auto         auto: with CUDA if there is a GPU or a toolkit; on; off.
##                     If there is a GPU but no toolkit, one is installed in build/cuda
##   GPU=auto          required: nothing is measured or tested without a GPU that macrobench can use, and
##                     `test` fails too if a test of GPUs was skipped for want of one
##   CUDA_ARCHITECTURES=
##                     for CMake; if empty, the GPU's own, or without a GPU the oldest that the
##                     toolkit knows (75, or 60 for CUDA 12), which runs on all newer GPUs
##   OCTAVE=off        on installs GNU Octave, for the Matlab rows
##   BASE=             for `regress`: the commit to compare with, a branch, a tag or a hash. It is built and
##                     run here, as what you build yourself is
##   CASES=            for `regress`: the cases, "rbc/serial lifecycle --real single ..."; a quick
##                     one of each implementation if empty
##   REGRESS_FLAGS=    more options of `macrobench regress`, see its --help: "--pairs 41"
##   TARGETS=          targets for CMake; if empty, those that the command needs: macrobench, or
##                     everything for `build`, `test` and `check`
##   CHECKS=           what `check` does: format, rooms, prose, tidy, sanitize, coverage, latex,
##                     hostile, cluster; all if empty
##   FUZZ_SECONDS=600  how long `fuzz` runs each of its targets
##   JOBS=             how many compilers or tests run at a time; all cores if empty
##
## Examples
##   make replicate BUDGET=20m OCTAVE=on
##   make replicate TABLES="aldrich_2014/table_1" BUDGET=none
##   make check CHECKS="format tidy"
##   make report MACHINE=intel_xeon_16_cores_nvidia_h200
##   make regress BASE=origin/main
##   make regress BASE=v1.0 CASES="rbc --nk 1024" REGRESS_FLAGS="--markdown regression.md"
##   make test CUDA=off JOBS=2

BUDGET ?= 5m
TABLES ?=
RESULTS ?= results
CUDA ?= auto
GPU ?= auto
CUDA_ARCHITECTURES ?=
OCTAVE ?= off
MACHINE ?=
BASE ?=
CASES ?=
REGRESS_FLAGS ?=
TARGETS ?=
CHECKS ?=
FUZZ_SECONDS ?= 600
JOBS ?= $(shell nproc)

# What the user gives reaches the shell in variables, and is never a part of its commands: a branch's
# name may hold anything. Words of a list are not file names either.
export BUDGET TABLES RESULTS CUDA GPU CUDA_ARCHITECTURES OCTAVE MACHINE BASE CASES REGRESS_FLAGS TARGETS CHECKS \
  FUZZ_SECONDS JOBS
# Last: what tools/setup --user installs.
export PATH := $(PATH):$(CURDIR)/build/user/bin:$(CURDIR)/build/user/usr/bin
SHELL := /bin/bash
.SHELLFLAGS := -fc
$(if $(filter auto on off,$(CUDA)),,$(error CUDA=$(CUDA): choose auto, on or off))
$(if $(filter auto required,$(GPU)),,$(error GPU=$(GPU): choose auto or required))
$(if $(filter required,$(GPU)),$(if $(filter off,$(CUDA)),$(error GPU=required contradicts CUDA=off, which \
  leaves out all that runs on a GPU)))
$(if $(filter on off,$(OCTAVE)),,$(error OCTAVE=$(OCTAVE): choose on or off))
$(if $(filter regress,$(MAKECMDGOALS)),$(if $(value BASE),,$(error BASE is empty: name the commit to \
  compare with, as in make regress BASE=origin/main)))

.NOTPARALLEL:
.SUFFIXES:
.PHONY: help replicate test build views report regress check fuzz format readme-tables wheel docker clean

help:
	@sed -n 's/^## \{0,1\}//p' Makefile

# What is wrong in the user's words is said before anything is measured.
replicate: build
	@build/macrobench replicate $$TABLES --budget "$$BUDGET" --results "$$RESULTS" --dry-run >/dev/null
	@build/macrobench replicate $$TABLES --budget "$$BUDGET" --results "$$RESULTS"

test: build
	@tools/run_tests build "$$JOBS"

# Commands that only run macrobench do not wait for the tests to be compiled.
needs_all := $(filter-out replicate views report regress readme-tables,$(MAKECMDGOALS))
build:
	@tools/build "$$CUDA" "$$CUDA_ARCHITECTURES" "$$OCTAVE" "$$JOBS" \
	    "$${TARGETS:-$(if $(needs_all),,macrobench)}"

views: build
	@set +f; shopt -s nullglob; machines=("$$RESULTS"/*/records.jsonl "$$RESULTS"/reference/*/records.jsonl); \
	for folder in "$${MACHINE:+$$RESULTS/$$MACHINE}" "$${machines[@]%/records.jsonl}"; do \
	  [[ -n $$folder ]] || continue; \
	  for view in tables 'claims --write' 'times --write' report; do \
	    build/macrobench $$view --results "$$folder" || exit; \
	  done; \
	  [[ -z $$MACHINE ]] || break; \
	done

report: build
	@build/macrobench report $${MACHINE:+--results "$$RESULTS/$$MACHINE"}

regress: build
	@build/macrobench regress --base="$$BASE" $$CASES $$REGRESS_FLAGS

check: build
	@tools/check "$$JOBS" $$CHECKS

fuzz:
	@tools/fuzz "$$FUZZ_SECONDS" "$$JOBS"

format:
	@tools/check --format

readme-tables: build
	@tools/errata
	@tools/readme

wheel:
	@tools/wheel

docker:
	docker build --build-arg CUDA=$(if $(filter on,$(CUDA)),on,off) --tag macrobench .
	@echo 'Run it with: docker run --rm --user "$$(id -u):$$(id -g)" \'
	@echo '    --volume "$$PWD/results:/results"$(if $(filter on,$(CUDA)), --gpus all) macrobench'

clean:
	rm -rf build
