#pragma once
// Runs of elements between the ranks that ask for them and the ranks that hold them: 16 bytes a run, and not a key an
// element.
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "comm/communicator.hpp"

namespace ricci::exec {

/// Elements that lie one after the other, there and here.
struct Piece {
  int rank = 0;            // that holds them
  int factor = 1;          // 1 or -1: of what is here, to what is there
  std::int64_t place = 0;  // there
  std::int64_t here = 0;
  std::int64_t count = 0;
};

class PieceExchange {
 public:
  /// Collective: each rank brings any pieces, and says whether it will come once more.
  PieceExchange(const comm::Communicator& communicator, std::span<const Piece> pieces, bool comes_again);

  bool anybody_comes_again() const { return again_; }
  /// Gets the pieces. Collective. `held`: what this rank holds; `here`: where its own pieces go.
  template <class T>
  void fetch(const T* held, T* here) const;
  /// The other way.
  template <class T>
  void deliver(const T* here, T* held) const;

 private:
  struct Request {
    std::int64_t place, count;
  };

  comm::Communicator communicator_;
  std::vector<Piece> own_, mine_;           // that this rank holds itself; that it asks for, by rank
  std::vector<Request> theirs_;             // that it is asked for, by who asks
  std::vector<std::int64_t> here_, there_;  // [rank]: elements of mine_ and theirs_
  bool again_ = false;
};

}  // namespace ricci::exec
