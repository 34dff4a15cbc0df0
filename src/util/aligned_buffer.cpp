#include "util/aligned_buffer.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <ricci/error.hpp>

namespace ricci {

namespace {

constexpr std::int64_t alignment = 64;
constexpr std::int64_t huge_page = std::int64_t{2} << 20;
// From here on memory comes in huge pages where the system grants them: permuted access touches far more 4 KiB pages at
// once than the processor can translate.
constexpr std::int64_t large = 4 * huge_page;

// Stands right before the data.
struct Header {
  void* raw;
  std::size_t mapped;  // bytes to unmap; 0: from malloc
};
static_assert(sizeof(Header) <= alignment);

[[noreturn]] void throw_out_of_memory(std::int64_t bytes) {
  throw ResourceError(
      fmt::format("cannot allocate {} bytes ({:.3g} GB); use a smaller tensor or a machine with more memory", bytes,
                  static_cast<double>(bytes) * 1e-9));
}

// An allocation beyond the machine's memory would be granted by an overcommitting system and kill the program later.
void refuse_impossible(std::int64_t bytes) {
  const std::int64_t physical = static_cast<std::int64_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
  if (physical > 0 && bytes > physical) throw_out_of_memory(bytes);
}

void* place(void* raw, std::int64_t boundary, std::size_t mapped) {
  const auto address = reinterpret_cast<std::uintptr_t>(raw);
  const auto step = static_cast<std::uintptr_t>(boundary);
  const std::uintptr_t data = (address + step - 1) / step * step + alignment;
  const Header header{raw, mapped};
  std::memcpy(reinterpret_cast<void*>(data - sizeof(Header)), &header, sizeof(Header));
  return reinterpret_cast<void*>(data);
}

void* allocate_large(std::int64_t bytes) {
  refuse_impossible(bytes);
  const auto mapped = static_cast<std::size_t>(bytes + alignment + huge_page);
  void* raw = mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (raw == MAP_FAILED) throw_out_of_memory(bytes);
#ifdef MADV_HUGEPAGE
  madvise(raw, mapped, MADV_HUGEPAGE);  // only a wish: without it all is slower and right
#endif
  return place(raw, huge_page, mapped);
}

}  // namespace

void* allocate_aligned(std::int64_t bytes) {
  if (bytes >= large) return allocate_large(bytes);
  void* raw = std::malloc(static_cast<std::size_t>(bytes + 2 * alignment));
  if (!raw) throw_out_of_memory(bytes);
  return place(raw, alignment, 0);
}

void* allocate_zeroed(std::int64_t bytes) {
  if (bytes >= large) return allocate_large(bytes);  // fresh from the system: zero
  void* raw = std::calloc(1, static_cast<std::size_t>(bytes + 2 * alignment));
  if (!raw) throw_out_of_memory(bytes);
  return place(raw, alignment, 0);
}

void advise_huge_pages([[maybe_unused]] void* data, [[maybe_unused]] std::int64_t bytes) {
#ifdef MADV_HUGEPAGE
  const auto begin = (reinterpret_cast<std::uintptr_t>(data) + huge_page - 1) / huge_page * huge_page;
  const auto end =
      (reinterpret_cast<std::uintptr_t>(data) + static_cast<std::uintptr_t>(bytes)) / huge_page * huge_page;
  if (end > begin) madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);  // only a wish
#endif
}

void free_aligned(void* pointer) noexcept {
  if (!pointer) return;
  Header header;
  std::memcpy(&header, static_cast<char*>(pointer) - sizeof(Header), sizeof(Header));
  if (header.mapped > 0) {
    munmap(header.raw, header.mapped);
  } else {
    std::free(header.raw);
  }
}

AlignedBuffer AlignedBuffer::zeroed(std::int64_t bytes) { return {allocate_zeroed(bytes), bytes}; }

}  // namespace ricci
