#pragma once
// Who holds what: a process grid and, for each mode, the grid dimensions that it is spread over.
#include <cstdint>
#include <initializer_list>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

namespace ricci {

/// The extents of a process grid; ranks are numbered row-major, the last dimension fastest. Prints as `4x3x2`.
class Grid {
 public:
  Grid() = default;
  Grid(std::initializer_list<int> extents);
  explicit Grid(std::vector<int> extents);

  const std::vector<int>& extents() const { return extents_; }
  /// The number of ranks: the product of the extents.
  std::int64_t size() const;
  bool operator==(const Grid&) const = default;

 private:
  std::vector<int> extents_;
};

/// For each mode the grid dimensions that it is spread over; none means that every rank has the whole mode. A mode is
/// cut into tiles; tile t belongs to coordinate t modulo the ranks that it is spread over. Grid dimensions that no mode
/// is spread over hold copies. Prints as it is parsed: `a:g0 b:g1 i:* j:* on 2x2`.
class Layout {
 public:
  Layout() = default;
  /// `tiles`: for each mode, 0 for what suits the grid; empty: all of them. InputError where a grid dimension does not
  /// exist or is used twice.
  Layout(Grid grid, std::vector<std::vector<int>> mapping, std::vector<int> tiles = {});
  /// Every mode whole, on a grid of so many ranks: each holds a copy.
  static Layout replicated(int order, int ranks);
  /// One word a mode, `label:where` or `label:where/tiles`; where is `*` or one or more of g0, g1, … joined by `+`.
  static Layout parse(std::string_view text, const Grid& grid);

  const Grid& grid() const { return grid_; }
  const std::vector<std::vector<int>>& mapping() const { return mapping_; }
  /// The number of tiles asked for, for each mode; 0: what suits the grid.
  const std::vector<int>& tiles() const { return tiles_; }
  int order() const { return static_cast<int>(mapping_.size()); }
  /// Names are for printing alone.
  bool operator==(const Layout& other) const {
    return grid_ == other.grid_ && mapping_ == other.mapping_ && tiles_ == other.tiles_;
  }

 private:
  friend std::ostream& operator<<(std::ostream&, const Layout&);
  Grid grid_;
  std::vector<std::vector<int>> mapping_;
  std::vector<int> tiles_;
  std::vector<std::string> names_;
};

std::ostream& operator<<(std::ostream&, const Grid&);
std::ostream& operator<<(std::ostream&, const Layout&);

}  // namespace ricci
