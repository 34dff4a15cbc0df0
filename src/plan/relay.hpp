#pragma once
// How the same data come to several ranks, or partial sums from several ranks to one: straight, or from one to the next
// (Rajbhandari et al., section II.F: the broadcasts of which recursive broadcast is made, and reduction).
#include <cstdint>
#include <vector>

namespace ricci::planning {

struct Relay {
  enum class Way {
    direct,  // everybody gets them from who holds them
    tree,    // who has them passes them on: twice as many ranks have them after every round
    chain,   // every rank passes them on to the next one, piece by piece
  } way = Way::direct;
  int pieces = 1;  // of a chain

  friend bool operator==(const Relay&, const Relay&) = default;
};

/// Between a rank and the one that it gets the data from. Ranks are numbered by their places: 0 has the data.
struct RelayLink {
  int place;  // of the other rank
  int round;  // of the first piece; the next ones follow round by round
};

/// From whom place > 0 gets them.
RelayLink source_of(Relay::Way way, int place);
/// Whom a place of `count` hands them to.
std::vector<RelayLink> targets_of(Relay::Way way, int place, int count);
/// That it takes until all of `count` places have the first piece.
int rounds_of(Relay::Way way, int count);

/// The ranks that take part, by their places: the one that has the data, then the others (sorted), beginning with the
/// next greater one, so that those who get data from several ranks do not stand in the same place each time.
std::vector<int> places_of(int source, const std::vector<int>& others);

}  // namespace ricci::planning
