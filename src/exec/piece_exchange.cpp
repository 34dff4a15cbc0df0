#include "exec/piece_exchange.hpp"

#include <algorithm>
#include <numeric>

#include "util/aligned_buffer.hpp"
#include "util/for_each_type.hpp"

namespace ricci::exec {

namespace {

using Numbers = std::vector<std::int64_t>;

Numbers begins(const Numbers& lengths) {
  Numbers result(lengths.size());
  std::exclusive_scan(lengths.begin(), lengths.end(), result.begin(), std::int64_t{0});
  return result;
}

std::int64_t sum(const Numbers& numbers) { return std::accumulate(numbers.begin(), numbers.end(), std::int64_t{0}); }

void exchange(const comm::Communicator& communicator, const void* out, Numbers to, void* in, Numbers from,
              std::size_t size) {
  for (Numbers* counts : {&to, &from}) {
    for (std::int64_t& count : *counts) count *= static_cast<std::int64_t>(size);
  }
  communicator.exchange(static_cast<const std::byte*>(out), to, begins(to), static_cast<std::byte*>(in), from,
                        begins(from));
}

template <class T>
void copy(const T* from, std::int64_t count, int factor, T* to) {
  if (factor > 0)
    std::copy_n(from, count, to);
  else
    std::transform(from, from + count, to, [](T value) { return -value; });
}

}  // namespace

PieceExchange::PieceExchange(const comm::Communicator& communicator, std::span<const Piece> pieces, bool comes_again)
    : communicator_(communicator) {
  const auto ranks = static_cast<std::size_t>(communicator.size());
  Numbers to(3 * ranks, comes_again ? 1 : 0), from(3 * ranks);  // for each rank: pieces, elements, whether once more
  for (std::size_t r = 0; r < ranks; ++r) to[3 * r] = to[3 * r + 1] = 0;
  for (const Piece& piece : pieces) {
    if (piece.rank == communicator.rank()) {
      own_.push_back(piece);
      continue;
    }
    ++to[3 * static_cast<std::size_t>(piece.rank)];
    to[3 * static_cast<std::size_t>(piece.rank) + 1] += piece.count;
  }
  communicator.all_to_all(to, from);
  Numbers asked(ranks), asks(ranks);
  for (std::size_t r = 0; r < ranks; ++r) {
    asks[r] = to[3 * r];
    asked[r] = from[3 * r];
    here_.push_back(to[3 * r + 1]);
    there_.push_back(from[3 * r + 1]);
    again_ = again_ || from[3 * r + 2] != 0;
  }
  mine_.resize(pieces.size() - own_.size());
  std::vector<Request> requests(mine_.size());
  Numbers next = begins(asks);
  for (const Piece& piece : pieces) {
    if (piece.rank == communicator.rank()) continue;
    const auto at = static_cast<std::size_t>(next[static_cast<std::size_t>(piece.rank)]++);
    mine_[at] = piece;
    requests[at] = {piece.place, piece.count};
  }
  theirs_.resize(static_cast<std::size_t>(sum(asked)));
  exchange(communicator_, requests.data(), asks, theirs_.data(), asked, sizeof(Request));
}

template <class T>
void PieceExchange::fetch(const T* held, T* here) const {
  const AlignedBuffer answers(sum(there_) * static_cast<std::int64_t>(sizeof(T)));
  const AlignedBuffer arrived(sum(here_) * static_cast<std::int64_t>(sizeof(T)));
  T* answer = answers.as<T>();
  for (const Request& request : theirs_) answer = std::copy_n(held + request.place, request.count, answer);
  for (const Piece& piece : own_) copy(held + piece.place, piece.count, piece.factor, here + piece.here);
  exchange(communicator_, answers.data(), there_, arrived.data(), here_, sizeof(T));
  const T* next = arrived.as<T>();
  for (const Piece& piece : mine_) {
    copy(next, piece.count, piece.factor, here + piece.here);
    next += piece.count;
  }
}

template <class T>
void PieceExchange::deliver(const T* here, T* held) const {
  const AlignedBuffer sent(sum(here_) * static_cast<std::int64_t>(sizeof(T)));
  const AlignedBuffer arrived(sum(there_) * static_cast<std::int64_t>(sizeof(T)));
  T* next = sent.as<T>();
  for (const Piece& piece : mine_) {
    copy(here + piece.here, piece.count, piece.factor, next);
    next += piece.count;
  }
  for (const Piece& piece : own_) copy(here + piece.here, piece.count, piece.factor, held + piece.place);
  exchange(communicator_, sent.data(), here_, arrived.data(), there_, sizeof(T));
  const T* there = arrived.as<T>();
  for (const Request& request : theirs_) {
    std::copy_n(there, request.count, held + request.place);
    there += request.count;
  }
}

#define RICCI_INSTANTIATE(T)                              \
  template void PieceExchange::fetch(const T*, T*) const; \
  template void PieceExchange::deliver(const T*, T*) const;
RICCI_FOR_EACH_TYPE(RICCI_INSTANTIATE)
#undef RICCI_INSTANTIATE

}  // namespace ricci::exec
