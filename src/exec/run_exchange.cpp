#include "exec/run_exchange.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <vector>

#include "util/aligned_buffer.hpp"

namespace ricci::exec {

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
struct RunExchange::Plan {
  std::vector<Run> own;                   // what this rank holds itself of what it reads or writes
  std::vector<Run> mine, theirs;          // what it reads or writes else, by owner; what it holds, by who asks
  Numbers elements_here, elements_there;  // of them, for each rank
};

RunExchange::RunExchange(const comm::Communicator& communicator, const layout::Distribution& distribution,
                         std::size_t element_size, std::int64_t most, Find find)
    : communicator_(communicator),
      distribution_(distribution),
      find_(std::move(find)),
      size_(static_cast<std::int64_t>(element_size)),
      piece_(std::max(most_bytes / communicator.size(), least_bytes) / size_),
      pieces_((most + piece_ - 1) / piece_) {}

RunExchange::Plan RunExchange::plan(std::int64_t first, std::int64_t count, std::pair<int, int> copies) const {
  const auto ranks = static_cast<std::size_t>(communicator_.size());
  std::vector<Run> runs;
  std::vector<int> owners;
  Plan plan;
  plan.elements_here.assign(ranks, 0);
  plan.elements_there.assign(ranks, 0);
  Numbers sizes(2 * ranks, 0), their_sizes(2 * ranks, 0);  // for each rank: runs, elements
  for (std::int64_t at = first, end = first + count; at < end;) {
    const Stretch found = find_(at);
    const Run run{at, std::min(found.count, end - at)};
    at += run.count;
    for (int copy = copies.first; copy <= copies.second; ++copy) {
      const int owner = distribution_.with_copy(found.owner, copy);
      if (owner == communicator_.rank()) {
        plan.own.push_back(run);
        continue;
      }
      runs.push_back(run);
      owners.push_back(owner);
      ++sizes[2 * static_cast<std::size_t>(owner)];
      sizes[2 * static_cast<std::size_t>(owner) + 1] += run.count;
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
void RunExchange::for_each_piece(std::int64_t first, std::int64_t count, F f) const {
  for (std::int64_t piece = 0; piece < pieces_; ++piece) {
    const std::int64_t done = std::min(piece * piece_, count);
    f(first + done, std::min(piece_, count - done));
  }
}

void RunExchange::fetch(std::int64_t first, std::int64_t count, std::byte* elements,
                        const std::function<void(const Run&, std::byte*)>& give) const {
  const int copy = distribution_.copy_of(communicator_.rank());
  for_each_piece(first, count, [&](std::int64_t from, std::int64_t length) {
    const Plan runs = plan(from, length, {copy, copy});
    const AlignedBuffer answers(sum(runs.elements_there) * size_);
    const AlignedBuffer arrived(sum(runs.elements_here) * size_);
    for (const Run& run : runs.own) give(run, elements + (run.first - first) * size_);
    std::byte* answer = answers.data();
    for (const Run& run : runs.theirs) {
      give(run, answer);
      answer += run.count * size_;
    }
    exchange(communicator_, answers.data(), runs.elements_there, arrived.data(), runs.elements_here, size_);
    const std::byte* next = arrived.data();
    for (const Run& run : runs.mine) {
      std::memcpy(elements + (run.first - first) * size_, next, static_cast<std::size_t>(run.count * size_));
      next += run.count * size_;
    }
  });
}

void RunExchange::deliver(const std::byte* elements, std::int64_t first, std::int64_t count, To to,
                          const std::function<void(const Run&, const std::byte*)>& take) const {
  const int last_copy = to == To::all_copies ? distribution_.copies() - 1 : 0;
  for_each_piece(first, count, [&](std::int64_t from, std::int64_t length) {
    const Plan runs = plan(from, length, {0, last_copy});
    const AlignedBuffer sent(sum(runs.elements_here) * size_);
    const AlignedBuffer arrived(sum(runs.elements_there) * size_);
    for (const Run& run : runs.own) take(run, elements + (run.first - first) * size_);
    std::byte* next = sent.data();
    for (const Run& run : runs.mine) {
      std::memcpy(next, elements + (run.first - first) * size_, static_cast<std::size_t>(run.count * size_));
      next += run.count * size_;
    }
    exchange(communicator_, sent.data(), runs.elements_here, arrived.data(), runs.elements_there, size_);
    const std::byte* there = arrived.data();
    for (const Run& run : runs.theirs) {
      take(run, there);
      there += run.count * size_;
    }
  });
}

}  // namespace ricci::exec
