#pragma once
// The ranks that hold a tensor together.
#include <iosfwd>
#include <memory>

#include <ricci/options.hpp>

namespace ricci {

namespace detail {
struct WorldState;
}

/// A group of ranks with its options and its cache of plans. Copies refer to the same group.
class World {
 public:
  /// Every rank. One rank if MPI was not started.
  World();

  int rank() const;
  int size() const;
  /// Collective: ranks that give the same color make a new World, in the order of their ranks.
  World split(int color) const;

  /// What =, += and -= plan with. Set it alike on every rank.
  const Options& options() const;
  void set_options(const Options& options);

  bool operator==(const World& other) const { return state_ == other.state_; }

  detail::WorldState& state() const { return *state_; }
  explicit World(std::shared_ptr<detail::WorldState> state);

 private:
  std::shared_ptr<detail::WorldState> state_;
};

std::ostream& operator<<(std::ostream&, const World&);

}  // namespace ricci
