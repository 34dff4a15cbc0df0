#include "program/parallel_disk_run.hpp"

#include <algorithm>
#include <chrono>
#include <complex>
#include <exception>

#include "program/tile_product.hpp"
#include "program/tile_slot.hpp"

namespace ricci::program {

using compile::parallel_disk::all_arrays;
using compile::parallel_disk::Array;
using compile::parallel_disk::DiskEvent;
using compile::parallel_disk::DiskStepKind;
using compile::parallel_disk::DiskWalk;
using compile::parallel_disk::Label;
using compile::parallel_disk::message_elements;
using compile::parallel_disk::ParallelDiskProgram;

namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

std::unique_ptr<storage::DiskArray> make_file(const ParallelDiskProduct& product, Array array, bool shares,
                                              const ParallelDiskPlace& place) {
  const auto grid = product.program.grid(array);
  std::vector<std::int64_t> bytes;
  for (std::int64_t tile = 0; tile < grid.tiles(); ++tile) {
    bytes.push_back((shares ? grid.share(tile) : grid.elements(tile)) *
                    static_cast<std::int64_t>(element_size(product.type)));
  }
  return std::make_unique<storage::DiskArray>(place.io, place.new_file(), bytes);
}

/// What goes wrong with a rank's disk is kept until the ranks are about to communicate: then all of them hear of it,
/// and none waits for one that has stopped.
template <class T>
class Run {
 public:
  Run(const ParallelDiskProduct& product, ParallelDiskFiles& files, const ParallelDiskPlace& place)
      : product_(product), program_(product.program), files_(files), place_(place), multiply_(product, place) {}

  ParallelDiskCounts run() {
    const Clock::time_point start = Clock::now();
    const std::int64_t sent = place_.communicator.traffic().bytes;
    alone(counts_.disk_seconds, [&] { begin(); });
    settle();
    DiskWalk walk(program_);
    for (DiskEvent event; walk.next(event);) {
      run(event);
      if (event.step->out_of_core) look_ahead(walk, event.step->array);
    }
    alone(counts_.disk_seconds, [&] { slot(Array::c).finish_writing(); });
    settle();
    end();
    counts_.sent_bytes = place_.communicator.traffic().bytes - sent;
    counts_.seconds = since(start);
    return counts_;
  }

 private:
  void begin() {
    for (const Array array : all_arrays) {
      slots_.push_back(std::make_unique<TileSlot>(product_, array, place_));
      if (!files_.of(array)) files_.of(array) = make_file(product_, array, slots_.back()->grid().sharing > 1, place_);
      counts_.disk -= files_.of(array)->traffic();
      slots_.back()->set_file(std::move(files_.of(array)));
      look_ahead(DiskWalk(program_), array);
    }
    buffer_ = AlignedBuffer(largest_message() * sizeof(T), place_.meter);
  }

  void end() {
    for (const Array array : all_arrays) counts_.disk += slot(array).traffic();
    files_.c = slot(Array::c).take_file();
    slots_.clear();
  }

  TileSlot& slot(Array array) { return *slots_[static_cast<std::size_t>(array)]; }

  void look_ahead(const DiskWalk& walk, Array array) {
    if (!failure_) slot(array).look_ahead_from(walk);
  }

  std::int64_t largest_message() {
    std::int64_t most = 0;
    for (const Array array : {Array::a, Array::b}) most = std::max(most, slot(array).grid().largest_tile());
    const bool shifts = program_.method.algorithm == compile::parallel_disk::ParallelAlgorithm::rotation;
    return shifts && program_.ranks > 1 ? std::min(most, message_elements) : 0;
  }

  /// What a rank does by itself. Nothing more is done after it has failed.
  template <class F>
  void alone(double& seconds, F f) {
    if (failure_) return;
    const Clock::time_point start = Clock::now();
    try {
      f();
    } catch (...) {
      failure_ = std::current_exception();
    }
    seconds += since(start);
  }

  /// Collective.
  void settle() {
    const Clock::time_point start = Clock::now();
    place_.communicator.agree(failure_);
    counts_.waiting_seconds += since(start);
  }

  /// What ranks do together.
  template <class F>
  void together(F f) {
    settle();
    const Clock::time_point start = Clock::now();
    f();
    counts_.network_seconds += since(start);
  }

  void run(const DiskEvent& event) {
    const Array array = event.step->array;
    switch (event.step->kind) {
      case DiskStepKind::read:
        alone(counts_.disk_seconds, [&] {
          if (starts_at_zero(program_, event, place_.communicator.rank()))
            slot(array).set_zero(event);
          else
            slot(array).read(event);
        });
        break;
      case DiskStepKind::write:
        alone(counts_.disk_seconds, [&] { slot(array).write(); });
        break;
      case DiskStepKind::multiply:
        alone(counts_.product_seconds, [&] { multiply(event); });
        break;
      default:
        if (program_.ranks > 1) communicate(event);
    }
  }

  void multiply(const DiskEvent& event) {
    std::array<std::int64_t, 3> extents;
    for (const Label label : compile::parallel_disk::all_labels) {
      const auto at = static_cast<std::size_t>(label);
      extents[at] = program_.label(label).range(event.at[at]).size;
    }
    const auto data = [&](Array array) { return reinterpret_cast<T*>(slot(array).fine_tile(event).data()); };
    multiply_.run<T>(extents, data(Array::a), data(Array::b), data(Array::c));
    place_.communicator.account_flops(2.0 * static_cast<double>(extents[0] * extents[1] * extents[2]));
  }

  void communicate(const DiskEvent& event) {
    TileSlot& of = slot(event.step->array);
    if (event.step->out_of_core) return communicate_on_disk(event, of);
    together([&] {
      const std::int64_t tile = of.grid().number(event.at);
      if (event.step->kind == DiskStepKind::broadcast) gather(of, tile);
      if (event.step->kind == DiskStepKind::shift) shift(event.step->array, of.fine_tile(event));
      if (event.step->kind == DiskStepKind::reduce) reduce(of.tile(tile));
    });
  }

  /// Tile by tile into a new file: of the operand that is replicated, whole tiles from shares. C is added up where it
  /// is.
  void communicate_on_disk(const DiskEvent& event, TileSlot& of) {
    const Array array = event.step->array;
    std::unique_ptr<storage::DiskArray> fresh;
    alone(counts_.disk_seconds, [&] {
      of.finish_writing();
      if (event.step->kind != DiskStepKind::reduce) fresh = make_file(product_, array, false, place_);
    });
    for (std::int64_t tile = 0; tile < of.grid().tiles(); ++tile) {
      alone(counts_.disk_seconds, [&] { of.read_tile(tile); });
      together([&] {
        if (event.step->kind == DiskStepKind::broadcast) gather(of, tile);
        if (event.step->kind == DiskStepKind::shift) shift(array, of.tile(tile));
        if (event.step->kind == DiskStepKind::reduce) reduce(of.tile(tile));
      });
      alone(counts_.disk_seconds, [&] { of.write_tile_to(fresh ? *fresh : of.file(), tile); });
    }
    settle();
    if (fresh) of.set_file(std::move(fresh), true);
  }

  void gather(const TileSlot& of, std::int64_t tile) {
    const std::vector<std::int64_t> bytes(static_cast<std::size_t>(program_.ranks),
                                          static_cast<std::int64_t>(of.share(tile).size()));
    place_.communicator.all_gather(of.share(tile), of.all_shares(tile), bytes);
  }

  /// A's blocks go along the rows of the grid of ranks, B's along its columns, by one each.
  void shift(Array array, std::span<std::byte> data) {
    const int side = static_cast<int>(program_.label(Label::k).parts);
    const int row = place_.communicator.rank() / side, column = place_.communicator.rank() % side;
    const auto neighbour = [&](int step) {
      return array == Array::a ? row * side + (column + step + side) % side
                               : (row + step + side) % side * side + column;
    };
    const std::size_t most = buffer_.bytes();
    for (std::size_t at = 0; at < data.size(); at += most) {
      const auto piece = data.subspan(at, std::min(most, data.size() - at));
      const auto received = std::span(buffer_.data(), piece.size());
      place_.communicator.start_shift(piece, neighbour(-1), received, neighbour(1)).wait();
      std::copy(received.begin(), received.end(), piece.begin());
    }
  }

  void reduce(std::span<std::byte> data) {
    const std::span<T> all(reinterpret_cast<T*>(data.data()), data.size() / sizeof(T));
    for (std::size_t at = 0; at < all.size(); at += message_elements) {
      const auto piece = all.subspan(at, std::min<std::size_t>(message_elements, all.size() - at));
      place_.communicator.all_reduce(piece, comm::Operation::sum);
    }
  }

  const ParallelDiskProduct& product_;
  const ParallelDiskProgram& program_;
  ParallelDiskFiles& files_;
  const ParallelDiskPlace& place_;
  TileProduct multiply_;
  std::vector<std::unique_ptr<TileSlot>> slots_;  // [array]
  AlignedBuffer buffer_;                          // what a shift receives
  ParallelDiskCounts counts_;
  std::exception_ptr failure_;
};

}  // namespace

std::unique_ptr<storage::DiskArray> make_tile_file(const ParallelDiskProduct& product, Array array,
                                                   const ParallelDiskPlace& place) {
  return make_file(product, array, product.program.is_replicated(array), place);
}

ParallelDiskCounts run_parallel_disk(const ParallelDiskProduct& product, ParallelDiskFiles& files,
                                     const ParallelDiskPlace& place) {
  switch (product.type) {
    case ElementType::f32:
      return Run<float>(product, files, place).run();
    case ElementType::f64:
      return Run<double>(product, files, place).run();
    case ElementType::c32:
      return Run<std::complex<float>>(product, files, place).run();
    default:
      return Run<std::complex<double>>(product, files, place).run();
  }
}

}  // namespace ricci::program
