#pragma once
// The first part of an FCIDUMP, a Fortran namelist.
#include <istream>
#include <string>
#include <vector>

namespace cc {

/// Lines of a file, with their numbers. What is wrong with one is an InputError that names it.
class NumberedLines {
 public:
  NumberedLines(std::istream& in, std::string name) : in_(in), name_(std::move(name)) {}

  bool next() {
    ++number_;
    return static_cast<bool>(std::getline(in_, line_));
  }
  const std::string& line() const { return line_; }
  long number() const { return number_; }

  [[noreturn]] void fail(const std::string& what) const { fail(number_, what); }
  [[noreturn]] void fail(long number, const std::string& what) const;

 private:
  std::istream& in_;
  std::string name_, line_;
  long number_ = 0;
};

struct FcidumpHeader {
  int orbitals = 0, electrons = 0, spin = 0;
  std::vector<int> orbital_symmetries;
};

/// From `&FCI` (or `$FCI`), in any case, to `&END`, `$END` or `/`. Other names than those of the header's parts, UHF
/// and IUHF are passed over.
FcidumpHeader read_header(NumberedLines& lines);

}  // namespace cc
