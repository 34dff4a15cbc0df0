#include "storage/io_backend.hpp"

#include <fmt/format.h>

#include <ricci/error.hpp>

namespace ricci::storage {

IoKind parse_io_kind(std::string_view text, std::string_view what) {
  for (const IoKind kind : {IoKind::any, IoKind::io_uring, IoKind::threads}) {
    if (text == to_string(kind)) return kind;
  }
  throw InputError(
      fmt::format("{}: `{}` is no way to read and write; there are any, io_uring and threads", what, text));
}

std::string_view to_string(IoKind kind) {
  switch (kind) {
    case IoKind::any:
      return "any";
    case IoKind::io_uring:
      return "io_uring";
    case IoKind::threads:
      break;
  }
  return "threads";
}

std::unique_ptr<IoBackend> make_io_backend(IoKind kind, int in_flight) {
  if (kind == IoKind::threads) return make_io_threads(in_flight);
  std::string reason;
  if (auto ring = make_io_uring(in_flight, reason)) return ring;
  if (kind == IoKind::any) return make_io_threads(in_flight);
  throw InputError(fmt::format("io_uring cannot be had: {}; `threads` works everywhere", reason));
}

}  // namespace ricci::storage
