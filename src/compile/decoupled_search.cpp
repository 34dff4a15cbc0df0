#include "compile/search.hpp"
#include "compile/totals_search.hpp"

namespace ricci::compile {

SearchResult decoupled_search(const Forest& forest, const Tree& tree, double limit_bytes,
                              const SearchOptions& options) {
  SearchResult result;
  for (const TotalsCandidate& candidate : candidates_by_totals(forest, tree, Totals::memory)) {
    ++result.candidates;
    result.best = tile(forest, tree, candidate.structure, limit_bytes, options);
  }
  return result;
}

}  // namespace ricci::compile
