#pragma once
// Where something stands in the text of a program.

namespace ricci::notation {

/// Both count from 1; a column is a character, however many bytes it takes. 0: nowhere.
struct Place {
  int line = 0, column = 0;
  bool operator==(const Place&) const = default;
};

/// A piece of a line. Where something stands is no part of what it says: all of these compare equal, so that trees of
/// differently laid out programs can be compared.
struct Where : Place {
  int width = 1;  // in characters
  bool operator==(const Where&) const { return true; }
};

}  // namespace ricci::notation
