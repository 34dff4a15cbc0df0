#include "seed_contractions.hpp"

namespace cli {

std::vector<SeedContraction> seed_contractions() {
  const auto first = ricci::symmetric(0, 1), last = ricci::symmetric(2, 3), both = first * last;
  return {
      {"1 C[i,j,a,b]=A[i,k,a>l]*B[l,j,k>b]", 6, {"ijab", {}}, {"ikal", last}, {"ljkb", last}},
      {"2 C[i>j,a>b]=A[i>k,j>l]*B[a>b,k>l]", 6, {"ijab", both}, {"ikjl", both}, {"abkl", both}},
      {"3 C[i,a,j,b]=A[i>k,j>l]*B[l,a,k,b]", 6, {"iajb", {}}, {"ikjl", both}, {"lakb", {}}},
      {"4 C[i,a,j,b]=A[i>k,j>l]*B[l,a,k>b]", 6, {"iajb", {}}, {"ikjl", both}, {"lakb", last}},
      {"5 C[i,a,j,b]=A[i>k,j>l]*B[l>a,k>b]", 6, {"iajb", {}}, {"ikjl", both}, {"lakb", both}},
      {"6 C[i,a]=A[i>k]*B[k>a]", 3, {"ia", {}}, {"ik", first}, {"ka", first}},
      {"7 C[i,j,a,b]=A[i,j,b>k]*B[a>k]", 5, {"ijab", {}}, {"ijbk", last}, {"ak", first}},
  };
}

}  // namespace cli
