#pragma once
// Identifiers of an emitted program.
#include <set>
#include <string>

namespace ricci::emit {

/// Copies are scopes: what is taken in a copy is free again outside.
class Names {
 public:
  /// Those of C++, and of what emitted programs use.
  Names();
  /// An identifier as much like this as can be, that nobody has.
  std::string take(const std::string& wanted);

 private:
  std::set<std::string> taken_;
};

/// Characters that identifiers do not have replaced: `_1`, the first intermediate, becomes `t1`, `a'` becomes `a_`.
std::string identifier(const std::string& name);

}  // namespace ricci::emit
