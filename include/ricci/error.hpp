#pragma once
// What ricci throws. Every message names the operand, the label and the values at odds, and says what to do.
#include <stdexcept>

namespace ricci {

/// Base of everything that ricci throws on purpose.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The caller's mistake: labels, extents, symmetries, keys, files. Nothing has been changed.
class InputError : public Error {
 public:
  using Error::Error;
};

/// Mistakes in a program of the language (.ric): all that were found, each with `file:line:column`, the line and a
/// caret.
class ProgramError : public InputError {
 public:
  using InputError::InputError;
};

/// Something that this machine does not have enough of: memory, disk.
class ResourceError : public Error {
 public:
  using Error::Error;
};

/// A broken promise inside ricci itself: please report it.
class InternalError : public Error {
 public:
  using Error::Error;
};

}  // namespace ricci
