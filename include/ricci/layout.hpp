#pragma once
// Who holds what: a process grid and, for each mode, the grid dimensions that it is spread over.
#include <cstdint>
#include <initializer_list>
#include <iosfwd>
#include <string_view>
#include <vector>

namespace ricci {

/// The extents of a process grid. Prints as `4x3x2`.
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

/// For each mode the grid dimensions that it is spread over; none means that every rank has the whole mode.
/// Prints as it is parsed: `a:g0 b:g1 i:* j:*`.
class Layout {
 public:
  Layout() = default;
  /// Every mode whole, on a grid of one rank.
  static Layout serial(int order);
  /// One word a mode, `label:where`, where is `*` or one or more of g0, g1, … joined by `+`.
  static Layout parse(std::string_view text, const Grid& grid);

  const Grid& grid() const { return grid_; }
  const std::vector<std::vector<int>>& mapping() const { return mapping_; }
  int order() const { return static_cast<int>(mapping_.size()); }
  bool operator==(const Layout&) const = default;

 private:
  Grid grid_;
  std::vector<std::vector<int>> mapping_;
};

std::ostream& operator<<(std::ostream&, const Grid&);
std::ostream& operator<<(std::ostream&, const Layout&);

}  // namespace ricci
