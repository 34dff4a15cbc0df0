#include "exec/packed_runs.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <span>

namespace ricci::exec {

using symmetry::UniqueElements;

namespace {

constexpr std::int64_t most_bytes = std::int64_t{4} << 20, least_bytes = std::int64_t{32} << 10;

using Numbers = std::vector<std::int64_t>;

Numbers times(Numbers counts, std::int64_t size) {
  for (std::int64_t& count : counts) count *= size;
  return counts;
}

Numbers begins(const Numbers& lengths) {
  Numbers result(lengths.size());
  std::exclusive_scan(lengths.begin(), lengths.end(), result.begin(), std::int64_t{0});
  return result;
}

/// Blocks of so many items to and from each rank, one block after the other.
void exchange(const comm::Communicator& communicator, const std::byte* send, const Numbers& to, std::byte* receive,
              const Numbers& from, std::int64_t size) {
  const Numbers out = times(to, size), in = times(from, size);
  communicator.exchange(send, out, begins(out), receive, in, begins(in));
}

std::int64_t sum(const Numbers& numbers) { return std::accumulate(numbers.begin(), numbers.end(), std::int64_t{0}); }

}  // namespace

/// Who has what. The same runs are known to both ends, so elements need no labels.
struct PackedRuns::Plan {
  std::vector<Run> mine, theirs;          // what this rank reads or writes, by owner; what it holds, by who asks
  Numbers elements_here, elements_there;  // of them, for each rank
};

PackedRuns::PackedRuns(const comm::Communicator& communicator, const layout::Distribution& distribution,
                       const layout::Locator& locator, std::size_t element_size, std::int64_t most)
    : communicator_(communicator),
      distribution_(distribution),
      locator_(locator),
      size_(static_cast<std::int64_t>(element_size)),
      piece_(std::max(most_bytes / communicator.size(), least_bytes) / size_),
      pieces_((most + piece_ - 1) / piece_) {
  fast_ = static_cast<int>(distribution.units().size()) - 1;
  for (; fast_ >= 0 && distribution.units()[fast_].tiling().count() == 1; --fast_) {
    behind_ *= distribution.shape().dims()[fast_].size;
  }
}

/// The first mode of a unit runs fastest, in the packed tensor as in a tile: until it leaves its tile, or meets the
/// next index of its group.
std::int64_t PackedRuns::run_length(std::span<const std::int64_t> index, std::int64_t offset) const {
  if (fast_ < 0) return distribution_.shape().stored_size() - offset;
  const layout::Unit& unit = distribution_.units()[fast_];
  const std::int64_t i = index[unit.modes()[0]], tile = unit.tiling().tile_of(i);
  std::int64_t end = unit.tiling().begin(tile) + unit.tiling().size(tile);
  if (unit.degree() > 1) end = std::min(end, index[unit.modes()[1]] + (unit.strict() ? 0 : 1));
  return (end - i) * behind_ - offset % behind_;
}

PackedRuns::Plan PackedRuns::plan(std::int64_t first, std::int64_t count, bool to_all_copies) const {
  const auto ranks = static_cast<std::size_t>(communicator_.size());
  const int here = distribution_.copy_of(communicator_.rank());
  const int first_copy = to_all_copies ? 0 : here, last_copy = to_all_copies ? distribution_.copies() - 1 : here;
  std::vector<Run> runs;
  std::vector<int> owners;
  Plan plan;
  plan.elements_here.assign(ranks, 0);
  plan.elements_there.assign(ranks, 0);
  Numbers sizes(2 * ranks, 0), their_sizes(2 * ranks, 0);  // for each rank: runs, elements
  UniqueElements unique(distribution_.shape());
  for (std::int64_t at = first, end = first + count; at < end; at += runs.back().count) {
    unique.seek(at);
    const Run run{at, std::min(run_length(unique.index(), at), end - at)};
    const int owner = locator_.owner(unique.index().data());
    for (int copy = first_copy; copy <= last_copy; ++copy) {
      runs.push_back(run);
      owners.push_back(distribution_.with_copy(owner, copy));
      ++sizes[2 * static_cast<std::size_t>(owners.back())];
      sizes[2 * static_cast<std::size_t>(owners.back()) + 1] += run.count;
    }
  }
  communicator_.all_to_all(sizes, their_sizes);

  Numbers runs_here(ranks), runs_there(ranks);
  for (std::size_t r = 0; r < ranks; ++r) {
    runs_here[r] = sizes[2 * r];
    plan.elements_here[r] = sizes[2 * r + 1];
    runs_there[r] = their_sizes[2 * r];
    plan.elements_there[r] = their_sizes[2 * r + 1];
  }
  plan.mine.resize(runs.size());
  plan.theirs.resize(static_cast<std::size_t>(sum(runs_there)));
  Numbers next = begins(runs_here);
  for (std::size_t i = 0; i < runs.size(); ++i) plan.mine[static_cast<std::size_t>(next[owners[i]]++)] = runs[i];
  exchange(communicator_, reinterpret_cast<const std::byte*>(plan.mine.data()), runs_here,
           reinterpret_cast<std::byte*>(plan.theirs.data()), runs_there, sizeof(Run));
  return plan;
}

template <class F>
void PackedRuns::for_each_piece(std::int64_t first, std::int64_t count, F f) const {
  for (std::int64_t piece = 0; piece < pieces_; ++piece) {
    const std::int64_t done = std::min(piece * piece_, count);
    f(first + done, std::min(piece_, count - done));
  }
}

/// f(bytes before it among the runs, its place on this rank in bytes, its bytes)
template <class F>
void PackedRuns::for_each_place(const std::vector<Run>& runs, F f) const {
  UniqueElements unique(distribution_.shape());
  std::int64_t before = 0;
  for (const Run& run : runs) {
    unique.seek(run.first);
    f(before * size_, locator_.place(unique.index().data()) * size_, static_cast<std::size_t>(run.count * size_));
    before += run.count;
  }
}

void PackedRuns::fetch(const std::byte* local, std::int64_t first, std::int64_t count, std::byte* elements) const {
  for_each_piece(first, count, [&](std::int64_t from, std::int64_t length) {
    const Plan runs = plan(from, length, false);
    std::vector<std::byte> answers(static_cast<std::size_t>(sum(runs.elements_there) * size_));
    std::vector<std::byte> arrived(static_cast<std::size_t>(length * size_));
    for_each_place(runs.theirs, [&](std::int64_t at, std::int64_t place, std::size_t bytes) {
      std::memcpy(answers.data() + at, local + place, bytes);
    });
    exchange(communicator_, answers.data(), runs.elements_there, arrived.data(), runs.elements_here, size_);
    std::int64_t at = 0;
    for (const Run& run : runs.mine) {
      std::memcpy(elements + (run.first - first) * size_, arrived.data() + at,
                  static_cast<std::size_t>(run.count * size_));
      at += run.count * size_;
    }
  });
}

void PackedRuns::deliver(const std::byte* elements, std::int64_t first, std::int64_t count, std::byte* local) const {
  for_each_piece(first, count, [&](std::int64_t from, std::int64_t length) {
    const Plan runs = plan(from, length, true);
    std::vector<std::byte> sent(static_cast<std::size_t>(sum(runs.elements_here) * size_));
    std::vector<std::byte> arrived(static_cast<std::size_t>(sum(runs.elements_there) * size_));
    std::int64_t next = 0;
    for (const Run& run : runs.mine) {
      std::memcpy(sent.data() + next, elements + (run.first - first) * size_,
                  static_cast<std::size_t>(run.count * size_));
      next += run.count * size_;
    }
    exchange(communicator_, sent.data(), runs.elements_here, arrived.data(), runs.elements_there, size_);
    for_each_place(runs.theirs, [&](std::int64_t at, std::int64_t place, std::size_t bytes) {
      std::memcpy(local + place, arrived.data() + at, bytes);
    });
  });
}

}  // namespace ricci::exec
