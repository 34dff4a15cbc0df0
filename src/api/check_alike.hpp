#pragma once
// Finding ranks that do different things, where Options::check_ranks asks for it.
#include <ostream>
#include <sstream>
#include <string>

#include <ricci/world.hpp>

namespace ricci::detail {

/// Collective. InputError on every rank where their texts differ, with the texts of rank 0 and of the first that
/// differs.
void require_alike(const World& world, const std::string& what);

/// The same, with a text that is only made where it is looked at: write(std::ostream&).
template <class Write>
void check_alike(const World& world, Write write) {
  if (!world.options().check_ranks || world.size() == 1) return;
  std::ostringstream what;
  write(what);
  require_alike(world, what.str());
}

}  // namespace ricci::detail
