#pragma once
// Data as a row of numbers, by one function for both ways: visit(archive, x) names the members of x, and a writer takes
// their values down, or a reader puts them there.
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

namespace ricci {

using Words = std::vector<std::int64_t>;

class WordWriter {
 public:
  static constexpr bool reads = false;
  explicit WordWriter(Words& words) : words_(words) {}

  template <class... T>
  void operator()(const T&... values) {
    (put(values), ...);
  }
  /// visit: of one item.
  template <class T, class F>
  void items(const std::vector<T>& items, F&& visit) {
    put(static_cast<std::int64_t>(items.size()));
    for (const T& item : items) visit(item);
  }

 private:
  void put(double value) { words_.push_back(std::bit_cast<std::int64_t>(value)); }
  template <class T>
  requires std::is_integral_v<T> || std::is_enum_v<T>
  void put(T value) { words_.push_back(static_cast<std::int64_t>(value)); }
  Words& words_;
};

class WordReader {
 public:
  static constexpr bool reads = true;
  explicit WordReader(std::span<const std::int64_t> words) : words_(words) {}

  template <class... T>
  void operator()(T&... values) {
    (get(values), ...);
  }
  template <class T, class F>
  void items(std::vector<T>& items, F&& visit) {
    std::int64_t size = 0;
    get(size);
    items.resize(static_cast<std::size_t>(size));
    for (T& item : items) visit(item);
  }

 private:
  void get(double& value) { value = std::bit_cast<double>(words_[at_++]); }
  template <class T>
  requires std::is_integral_v<T> || std::is_enum_v<T>
  void get(T& value) { value = static_cast<T>(words_[at_++]); }
  std::span<const std::int64_t> words_;
  std::size_t at_ = 0;
};

}  // namespace ricci
