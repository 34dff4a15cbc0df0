#include "plan/forced_blocks.hpp"

#include <algorithm>
#include <charconv>
#include <sstream>

#include <fmt/format.h>

#include <ricci/error.hpp>

namespace ricci::planning {

std::vector<std::pair<int, int>> parse_blocks(const std::string& text, const notation::BoundStatement& statement,
                                              int ranks) {
  std::vector<std::pair<int, int>> blocks;
  std::istringstream words(text);
  std::int64_t used = 1;
  for (std::string word; words >> word;) {
    const std::size_t colon = word.find(':');
    int parts = 0;
    if (colon != std::string::npos) {
      const char* const end = word.data() + word.size();
      const auto [stop, error] = std::from_chars(word.data() + colon + 1, end, parts);
      if (error != std::errc{} || stop != end) parts = 0;
    }
    if (parts < 1) {
      throw InputError(fmt::format("the blocks \"{}\" are no labels with numbers of ranks, as in \"i:4 j:2\"", text));
    }
    const auto& names = statement.label_names;
    const auto label = std::find(names.begin(), names.end(), word.substr(0, colon)) - names.begin();
    if (label == static_cast<std::ptrdiff_t>(names.size())) return {};  // they are for another statement
    const bool again =
        std::any_of(blocks.begin(), blocks.end(), [&](const auto& block) { return block.first == label; });
    if (again || statement.extents[label] < parts) {
      throw InputError(fmt::format("the blocks \"{}\" ask for {}, but {}", text, word,
                                   again ? "have that label already" : "its extent is less"));
    }
    blocks.emplace_back(static_cast<int>(label), parts);
    used *= parts;
  }
  if (ranks % used != 0) {
    throw InputError(fmt::format("the blocks \"{}\" take {} ranks, which does not divide {}", text, used, ranks));
  }
  return blocks;
}

}  // namespace ricci::planning
