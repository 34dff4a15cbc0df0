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
// From here on memory comes from the system and goes back there at once: what the heap keeps of it nobody could count.
constexpr std::int64_t large = std::int64_t{96} << 10;
// From here on the data begin with a huge page.
constexpr std::int64_t very_large = std::int64_t{1} << 20;
// From here on it comes in huge pages where the system grants them: permuted access touches far more 4 KiB pages at
// once than the processor can translate.
constexpr std::int64_t huge = 4 * huge_page;

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

std::uintptr_t round_up(std::uintptr_t address, std::int64_t boundary) {
  const auto step = static_cast<std::uintptr_t>(boundary);
  return (address + step - 1) / step * step;
}

void* place(std::uintptr_t data, const Header& header) {
  std::memcpy(reinterpret_cast<void*>(data - sizeof(Header)), &header, sizeof(Header));
  return reinterpret_cast<void*>(data);
}

void* place_on_heap(void* raw) {
  return place(round_up(reinterpret_cast<std::uintptr_t>(raw), alignment) + alignment, {raw, 0});
}

// The data begin with a page, or with a huge one, and the header stands on a page before. What is mapped ends with the
// data: a huge page that began there would be given whole, though only its beginning were used.
void* allocate_large(std::int64_t bytes) {
  refuse_impossible(bytes);
  const std::int64_t page = sysconf(_SC_PAGESIZE);
  const std::int64_t boundary = bytes >= very_large ? huge_page : page;
  const auto mapped = static_cast<std::size_t>(bytes + 2 * page + boundary);
  void* const raw = mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (raw == MAP_FAILED) throw_out_of_memory(bytes);
  const auto first = reinterpret_cast<std::uintptr_t>(raw), last = first + mapped;
  const std::uintptr_t data = round_up(first + static_cast<std::uintptr_t>(page), boundary);
  const std::uintptr_t begin = data - static_cast<std::uintptr_t>(page);
  const std::uintptr_t end = round_up(data + static_cast<std::uintptr_t>(bytes), page);
  if (begin > first) munmap(raw, begin - first);
  if (last > end) munmap(reinterpret_cast<void*>(end), last - end);
#ifdef MADV_HUGEPAGE
  // Only a wish: without it all is slower and right.
  if (bytes >= huge) madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
#endif
  return place(data, {reinterpret_cast<void*>(begin), end - begin});
}

}  // namespace

void* allocate_aligned(std::int64_t bytes) {
  if (bytes >= large) return allocate_large(bytes);
  void* raw = std::malloc(static_cast<std::size_t>(bytes + 2 * alignment));
  if (!raw) throw_out_of_memory(bytes);
  return place_on_heap(raw);
}

void* allocate_zeroed(std::int64_t bytes) {
  if (bytes >= large) return allocate_large(bytes);  // fresh from the system: zero
  void* raw = std::calloc(1, static_cast<std::size_t>(bytes + 2 * alignment));
  if (!raw) throw_out_of_memory(bytes);
  return place_on_heap(raw);
}

void advise_huge_pages([[maybe_unused]] void* data, [[maybe_unused]] std::int64_t bytes) {
#ifdef MADV_HUGEPAGE
  const std::uintptr_t begin = round_up(reinterpret_cast<std::uintptr_t>(data), huge_page);
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

AlignedBuffer AlignedBuffer::zeroed(std::int64_t bytes, MemoryMeter* meter) {
  return {allocate_zeroed(bytes), bytes, meter};
}

}  // namespace ricci
