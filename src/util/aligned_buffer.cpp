#include "util/aligned_buffer.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include <ricci/error.hpp>

namespace ricci {

namespace {

constexpr std::size_t alignment = 64;
constexpr std::int64_t header = 64;  // before the data: the pointer that malloc gave

[[noreturn]] void throw_out_of_memory(std::int64_t bytes) {
  throw ResourceError(fmt::format("cannot allocate {} bytes ({:.3g} GB); use a smaller tensor or a machine with more memory",
                                  bytes, static_cast<double>(bytes) * 1e-9));
}

// An allocation beyond the machine's memory would be granted by an overcommitting system and kill the program later.
void refuse_impossible(std::int64_t bytes) {
  constexpr std::int64_t certainly_possible = std::int64_t{1} << 30;
  if (bytes <= certainly_possible) return;
  const std::int64_t physical = static_cast<std::int64_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
  if (physical > 0 && bytes > physical) throw_out_of_memory(bytes);
}

void* align(void* raw) {
  const auto address = reinterpret_cast<std::uintptr_t>(raw);
  const std::uintptr_t data = (address + header + alignment - 1) / alignment * alignment;
  std::memcpy(reinterpret_cast<void*>(data - sizeof(void*)), &raw, sizeof(void*));
  return reinterpret_cast<void*>(data);
}

}  // namespace

void* allocate_aligned(std::int64_t bytes) {
  refuse_impossible(bytes);
  void* raw = std::malloc(static_cast<std::size_t>(bytes) + header + alignment);
  if (!raw) throw_out_of_memory(bytes);
  return align(raw);
}

void* allocate_zeroed(std::int64_t bytes) {
  refuse_impossible(bytes);
  void* raw = std::calloc(1, static_cast<std::size_t>(bytes) + header + alignment);
  if (!raw) throw_out_of_memory(bytes);
  return align(raw);
}

void free_aligned(void* pointer) noexcept {
  if (!pointer) return;
  void* raw = nullptr;
  std::memcpy(&raw, static_cast<char*>(pointer) - sizeof(void*), sizeof(void*));
  std::free(raw);
}

AlignedBuffer AlignedBuffer::zeroed(std::int64_t bytes) { return {allocate_zeroed(bytes), bytes}; }

}  // namespace ricci
