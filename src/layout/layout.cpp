#include <charconv>
#include <ostream>
#include <sstream>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <ricci/error.hpp>
#include <ricci/layout.hpp>

namespace ricci {

Grid::Grid(std::initializer_list<int> extents) : Grid(std::vector<int>(extents)) {}

Grid::Grid(std::vector<int> extents) : extents_(std::move(extents)) {
  for (int extent : extents_) {
    if (extent < 1)
      throw InputError(
          fmt::format("the grid {} has the extent {}; extents are 1 or more", fmt::join(extents_, "x"), extent));
  }
}

std::int64_t Grid::size() const {
  std::int64_t product = 1;
  for (int extent : extents_) product *= extent;
  return product;
}

Layout::Layout(Grid grid, std::vector<std::vector<int>> mapping, std::vector<int> tiles)
    : grid_(std::move(grid)), mapping_(std::move(mapping)), tiles_(std::move(tiles)) {
  tiles_.resize(mapping_.size(), 0);
  std::vector<bool> used(grid_.extents().size(), false);
  for (std::size_t mode = 0; mode < mapping_.size(); ++mode) {
    names_.push_back(mapping_.size() <= 26 ? std::string(1, static_cast<char>('a' + mode)) : fmt::format("m{}", mode));
    if (tiles_[mode] < 0) {
      throw InputError(fmt::format(
          "the layout cuts mode {} into {} tiles; give 1 or more, or 0 for what suits the grid", mode, tiles_[mode]));
    }
    for (int dim : mapping_[mode]) {
      if (dim < 0 || dim >= static_cast<int>(used.size())) {
        throw InputError(fmt::format("the layout spreads mode {} over g{}, but the grid {} has {} dimensions", mode,
                                     dim, fmt::join(grid_.extents(), "x"), used.size()));
      }
      if (used[dim]) {
        throw InputError(fmt::format("the layout uses g{} twice; a grid dimension carries one mode at most", dim));
      }
      used[dim] = true;
    }
  }
}

Layout Layout::replicated(int order, int ranks) {
  return Layout(Grid{ranks}, std::vector<std::vector<int>>(static_cast<std::size_t>(order)));
}

namespace {

int parse_number(std::string_view text) {
  int number = -1;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), number);
  return status == std::errc() && end == text.data() + text.size() ? number : -1;
}

std::vector<int> parse_place(std::string_view word, std::string_view place, const Grid& grid) {
  if (place == "*") return {};
  std::vector<int> dims;
  while (!place.empty()) {
    const std::size_t plus = std::min(place.find('+'), place.size());
    const std::string_view part = place.substr(0, plus);
    const int dim = part.size() > 1 && part[0] == 'g' ? parse_number(part.substr(1)) : -1;
    if (dim < 0 || dim >= static_cast<int>(grid.extents().size())) {
      throw InputError(
          fmt::format("the layout \"{}\" names \"{}\"; a mode is on * (whole) or on g0 to g{} of the grid {}", word,
                      part, static_cast<int>(grid.extents().size()) - 1, fmt::join(grid.extents(), "x")));
    }
    dims.push_back(dim);
    place.remove_prefix(std::min(plus + 1, place.size()));
  }
  if (dims.empty()) throw InputError(fmt::format("the layout \"{}\" says no place after the colon", word));
  return dims;
}

}  // namespace

Layout Layout::parse(std::string_view text, const Grid& grid) {
  std::vector<std::vector<int>> mapping;
  std::vector<int> tiles;
  std::vector<std::string> names;
  std::vector<bool> used(grid.extents().size(), false);
  std::istringstream words{std::string(text)};
  for (std::string word; words >> word;) {
    const std::size_t colon = word.find(':');
    if (colon == std::string::npos || colon == 0) {
      throw InputError(fmt::format(
          "the layout \"{}\" has the word \"{}\"; write label:place for each mode, such as a:g0 or i:*", text, word));
    }
    const std::size_t slash = std::min(word.find('/', colon), word.size());
    mapping.push_back(parse_place(word, std::string_view(word).substr(colon + 1, slash - colon - 1), grid));
    tiles.push_back(slash < word.size() ? parse_number(std::string_view(word).substr(slash + 1)) : 0);
    if (tiles.back() < 0) {
      throw InputError(fmt::format(
          "the layout \"{}\" has the word \"{}\"; after / stands the number of tiles, such as a:g0/8", text, word));
    }
    for (int dim : mapping.back()) {
      if (used[dim])
        throw InputError(fmt::format(
            "the layout \"{}\" uses g{} for two modes; a grid dimension carries one mode at most", text, dim));
      used[dim] = true;
    }
    names.push_back(word.substr(0, colon));
  }
  Layout layout(grid, std::move(mapping), std::move(tiles));
  layout.names_ = std::move(names);
  return layout;
}

std::ostream& operator<<(std::ostream& out, const Grid& grid) {
  return out << fmt::format("{}", fmt::join(grid.extents(), "x"));
}

std::ostream& operator<<(std::ostream& out, const Layout& layout) {
  const char* separator = "";
  for (std::size_t mode = 0; mode < layout.mapping_.size(); ++mode) {
    out << separator << layout.names_[mode] << ':';
    separator = " ";
    if (layout.mapping_[mode].empty()) out << '*';
    const char* plus = "";
    for (int dim : layout.mapping_[mode]) {
      out << plus << 'g' << dim;
      plus = "+";
    }
    if (layout.tiles_[mode] > 0) out << '/' << layout.tiles_[mode];
  }
  return out << (layout.mapping_.empty() ? "scalar" : "") << " on " << layout.grid_;
}

}  // namespace ricci
