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

Layout Layout::serial(int order) {
  Layout layout;
  layout.grid_ = Grid{1};
  layout.mapping_.resize(order);
  return layout;
}

namespace {

std::vector<int> parse_place(std::string_view word, std::string_view place, const Grid& grid) {
  if (place == "*") return {};
  std::vector<int> dims;
  while (!place.empty()) {
    const std::size_t plus = std::min(place.find('+'), place.size());
    const std::string_view part = place.substr(0, plus);
    int dim = -1;
    const bool named =
        part.size() > 1 && part[0] == 'g' &&
        std::from_chars(part.data() + 1, part.data() + part.size(), dim).ptr == part.data() + part.size();
    if (!named || dim < 0 || dim >= static_cast<int>(grid.extents().size())) {
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
  Layout layout;
  layout.grid_ = grid;
  std::vector<bool> used(grid.extents().size(), false);
  std::istringstream words{std::string(text)};
  for (std::string word; words >> word;) {
    const std::size_t colon = word.find(':');
    if (colon == std::string::npos || colon == 0) {
      throw InputError(fmt::format(
          "the layout \"{}\" has the word \"{}\"; write label:place for each mode, such as a:g0 or i:*", text, word));
    }
    layout.mapping_.push_back(parse_place(word, std::string_view(word).substr(colon + 1), grid));
    for (int dim : layout.mapping_.back()) {
      if (used[dim])
        throw InputError(fmt::format(
            "the layout \"{}\" uses g{} for two modes; a grid dimension carries one mode at most", text, dim));
      used[dim] = true;
    }
  }
  return layout;
}

std::ostream& operator<<(std::ostream& out, const Grid& grid) {
  return out << fmt::format("{}", fmt::join(grid.extents(), "x"));
}

std::ostream& operator<<(std::ostream& out, const Layout& layout) {
  const char* separator = "";
  for (std::size_t mode = 0; mode < layout.mapping().size(); ++mode) {
    out << separator << mode << ':';
    separator = " ";
    if (layout.mapping()[mode].empty()) out << '*';
    const char* plus = "";
    for (int dim : layout.mapping()[mode]) {
      out << plus << 'g' << dim;
      plus = "+";
    }
  }
  return out << (layout.mapping().empty() ? "scalar" : "") << " on " << layout.grid();
}

}  // namespace ricci
