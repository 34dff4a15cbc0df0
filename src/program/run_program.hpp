#pragma once
// Runs a program as it was planned.
#include <complex>
#include <functional>
#include <map>
#include <string>

#include <ricci/program.hpp>
#include <ricci/world.hpp>

#include "program/program_plan.hpp"
#include "program/run_parallel_disk_operation.hpp"
#include "storage/disk_array.hpp"

namespace ricci::program {

struct RunOptions {
  GivenTensors tensors = {};  // those that are given
  std::string scratch = {};   // where scratch directories are made; empty: see storage::scratch_base
  bool keep_scratch = false;
  /// What is printed: the text of the statement, and its value. On every rank that has it.
  std::function<void(const std::string& text, std::complex<double> value)> print = {};
  /// Each output when all is done: its name, its tensor's description and its norm. On every rank that has it.
  std::function<void(const notation::ProgramTensor& tensor, double norm)> output = {};
  /// Now and then: the part of the work that is done, between 0 and 1.
  std::function<void(double done)> progress = {};
};

/// An operation that was run by a parallel disk algorithm, once.
struct ParallelDiskRecord {
  const ParallelDiskOperation* operation;
  ParallelDiskOutcome outcome;
};

/// What has been counted on this rank.
struct RunCounts {
  storage::DiskTraffic disk;
  DiskBytes predicted;  // of all operations that were run
  double seconds = 0;
  double predicted_seconds = 0;  // of as many passes of loops as there were
  std::vector<ParallelDiskRecord> parallel_disk;
  std::vector<OperationReport> operations;
};

/// Inputs are read when they are first wanted, outputs written when all is done. Collective.
RunCounts run_program(const ProgramPlan& plan, const World& world, const RunOptions& options);

}  // namespace ricci::program
