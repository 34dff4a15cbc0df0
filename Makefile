# The everyday commands. They run CMake presets (CMakePresets.json), which can be used without make, too.
JOBS ?= $(shell nproc)
PREFIX ?= /usr/local
WERROR ?= OFF

RELEASE := build/release
CONFIGURE := cmake -DRICCI_WERROR=$(WERROR) --preset
BUILD := cmake --build -j $(JOBS) --preset

.DEFAULT_GOAL := help
.PHONY: help setup configure build demo test test-long asan bench sim format install clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' Makefile

setup: ## install missing Debian packages (scripts/packages.txt)
	@scripts/setup

configure: setup
	@$(CONFIGURE) release

build: configure ## build everything with optimisation, into build/release
	$(BUILD) release

demo: configure ## build ricci and run CCSD(T) on water (docs/cc.md)
	$(BUILD) release --target ricci_cli
	$(RELEASE)/bin/ricci cc examples/water.xyz --basis cc-pvdz --method 'ccsd(t)'

test: build ## build and run every test; WERROR=ON makes warnings errors
	@ctest --preset release -O $(RELEASE)/ctest.log; status=$$?; \
	grep 'tests passed' $(RELEASE)/ctest.log; exit $$status

test-long: build ## every energy of the reference data on 2 and 4 ranks, too (some minutes)
	@for ranks in 2 4; do \
	  OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_mpi_yield_when_idle=1 OPENBLAS_NUM_THREADS=1 \
	  OMP_NUM_THREADS=1 mpirun --oversubscribe -n $$ranks $(RELEASE)/bin/ricci_cc_tests --gtest_brief=1 \
	  --gtest_filter='*OnRanks*' || exit 1; \
	done

asan: setup ## the tests under AddressSanitizer and UndefinedBehaviorSanitizer
	@$(CONFIGURE) asan
	$(BUILD) asan
	ctest --preset asan

bench: configure ## measure: each row as a ratio to its limit in the same run
	$(BUILD) release --target ricci_cli
	$(RELEASE)/bin/ricci bench local

sim: setup ## what contractions take on simulated tori of up to 64 ranks (SimGrid), against CTF
	@$(CONFIGURE) sim
	$(BUILD) sim
	bench/sim/run --ranks 8,16,64

format: ## format the sources with clang-format
	find include src apps tests bench examples -name '*.[ch]pp' -exec clang-format -i {} +

install: configure ## install under PREFIX (/usr/local)
	$(BUILD) release --target ricci ricci_cli
	cmake --install $(RELEASE) --prefix $(abspath $(PREFIX))

clean: ## remove build/
	rm -rf build
