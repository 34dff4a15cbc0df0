#include "notation/nearest_name.hpp"

#include <algorithm>
#include <cctype>

namespace ricci::notation {

namespace {

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

/// Damerau's distance in its restricted form: no piece is edited twice.
int edit_distance(const std::string& a, const std::string& b) {
  const std::size_t rows = a.size() + 1, columns = b.size() + 1;
  std::vector<int> table(rows * columns);
  const auto at = [&](std::size_t i, std::size_t j) -> int& { return table[i * columns + j]; };
  for (std::size_t i = 0; i < rows; ++i) at(i, 0) = static_cast<int>(i);
  for (std::size_t j = 0; j < columns; ++j) at(0, j) = static_cast<int>(j);
  for (std::size_t i = 1; i < rows; ++i) {
    for (std::size_t j = 1; j < columns; ++j) {
      const int changed = a[i - 1] == b[j - 1] ? 0 : 1;
      at(i, j) = std::min({at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + changed});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        at(i, j) = std::min(at(i, j), at(i - 2, j - 2) + 1);
    }
  }
  return table.back();
}

}  // namespace

std::string nearest_name(const std::string& name, const std::vector<std::string>& known) {
  constexpr std::size_t longest = 64;  // longer names are no typing mistakes, and the table grows with the square
  std::string nearest;
  if (name.size() > longest) return nearest;
  int least = std::max<int>(1, static_cast<int>(name.size()) / 3) + 1;
  for (const std::string& candidate : known) {
    if (candidate.size() > longest || candidate == name) continue;
    const int distance = edit_distance(lower(name), lower(candidate));
    // A change of every character makes any name from any other: `q` is not like `p`.
    if (distance >= static_cast<int>(std::max(name.size(), candidate.size()))) continue;
    if (distance < least) {
      least = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

}  // namespace ricci::notation
