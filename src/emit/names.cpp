#include "emit/names.hpp"

#include <cctype>

namespace ricci::emit {

Names::Names()
    : taken_{
          // C++
          "alignas", "alignof", "and", "and_eq", "asm", "auto", "bitand", "bitor", "bool", "break", "case", "catch",
          "char", "char8_t", "char16_t", "char32_t", "class", "co_await", "co_return", "co_yield", "compl", "concept",
          "const", "const_cast", "consteval", "constexpr", "constinit", "continue", "decltype", "default", "delete",
          "do", "double", "dynamic_cast", "else", "enum", "explicit", "export", "extern", "false", "float", "for",
          "friend", "goto", "if", "inline", "int", "long", "mutable", "namespace", "new", "noexcept", "not", "not_eq",
          "nullptr", "operator", "or", "or_eq", "private", "protected", "public", "register", "reinterpret_cast",
          "requires", "return", "short", "signed", "sizeof", "static", "static_assert", "static_cast", "struct",
          "switch", "template", "this", "thread_local", "throw", "true", "try", "typedef", "typeid", "typename",
          "union", "unsigned", "using", "virtual", "void", "volatile", "wchar_t", "while", "xor", "xor_eq", "std",
          // macros of the headers that are included
          "EOF", "NULL", "stdin", "stdout", "stderr", "assert", "errno", "I", "complex", "unix", "linux", "M_PI",
          // what is used
          "Block", "DiskTensor", "Expression", "Factors", "InputTensor", "Parts", "Scratch", "Tensor", "Tile", "World",
          "all", "antisymmetric", "at", "conj", "cuts", "disk", "factors", "hollow", "main", "orders", "packed_block",
          "part", "pass", "print", "print_output", "read", "ricci", "run", "scratch", "squares", "sum", "symmetric",
          "tiles", "world", "write_block", "zero_block", "x"} {}

std::string Names::take(const std::string& wanted) {
  const std::string base = identifier(wanted);
  std::string name = base;
  for (int n = 2; !taken_.insert(name).second; ++n) name = base + "_" + std::to_string(n);
  return name;
}

std::string identifier(const std::string& name) {
  if (name.size() > 1 && name[0] == '_' && std::isdigit(static_cast<unsigned char>(name[1])) != 0)
    return "t" + name.substr(1);
  std::string result;
  for (const char c : name) {
    const bool fits = std::isalnum(static_cast<unsigned char>(c)) != 0 && static_cast<unsigned char>(c) < 0x80;
    if (fits)
      result += c;
    else if (result.empty() || result.back() != '_')
      result += '_';
  }
  if (result.empty() || std::isalpha(static_cast<unsigned char>(result[0])) == 0) result = "v" + result;
  return result;
}

}  // namespace ricci::emit
