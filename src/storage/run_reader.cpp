#include "storage/run_reader.hpp"

#include <algorithm>
#include <cstring>
#include <optional>

#include "util/aligned_buffer.hpp"

namespace ricci::storage {

namespace {

constexpr std::int64_t widest_gap = std::int64_t{16} << 10;   // bytes
constexpr std::int64_t longest_read = std::int64_t{1} << 20;  // of several runs

}  // namespace

void read_runs(const ElementsInFile& from, std::span<const FileRun> runs, void* elements) {
  auto* to = static_cast<char*>(elements);
  const auto bytes = [&](std::int64_t count) { return static_cast<std::size_t>(count * from.size); };
  std::optional<AlignedBuffer> together;
  for (std::size_t i = 0; i < runs.size();) {
    const std::int64_t first = runs[i].first;
    std::size_t next = i + 1;
    while (next < runs.size() && (runs[next].first - runs[next - 1].end()) * from.size <= widest_gap &&
           (runs[next].end() - first) * from.size <= longest_read)
      ++next;
    const std::int64_t end = runs[next - 1].end();
    if (next == i + 1) {
      from.file.read_at(from.offset + first * from.size, to, bytes(end - first));
      to += bytes(end - first);
    } else {
      if (!together) together.emplace(longest_read);
      from.file.read_at(from.offset + first * from.size, together->data(), bytes(end - first));
      for (std::size_t r = i; r < next; ++r) {
        std::memcpy(to, together->data() + bytes(runs[r].first - first), bytes(runs[r].count));
        to += bytes(runs[r].count);
      }
    }
    i = next;
  }
}

void write_runs(const ElementsInFile& to, std::span<const FileRun> runs, const void* elements) {
  const auto* from = static_cast<const char*>(elements);
  for (std::size_t i = 0; i < runs.size();) {
    std::size_t next = i + 1;
    while (next < runs.size() && runs[next].first == runs[next - 1].end()) ++next;
    const auto bytes = static_cast<std::size_t>((runs[next - 1].end() - runs[i].first) * to.size);
    to.file.write_at(to.offset + runs[i].first * to.size, from, bytes);
    from += bytes;
    i = next;
  }
}

}  // namespace ricci::storage
