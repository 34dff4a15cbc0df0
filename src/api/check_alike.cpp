#include "api/check_alike.hpp"

#include <span>

#include <fmt/format.h>

#include <ricci/error.hpp>

#include "api/world_state.hpp"

namespace ricci::detail {

namespace {

std::string text_of(const comm::Communicator& communicator, int rank, const std::string& mine) {
  std::int64_t length = std::ssize(mine);
  communicator.broadcast(std::as_writable_bytes(std::span(&length, 1)), rank);
  std::string text = mine;
  text.resize(static_cast<std::size_t>(length));
  communicator.broadcast(std::as_writable_bytes(std::span(text.data(), text.size())), rank);
  return text;
}

}  // namespace

void require_alike(const World& world, const std::string& what) {
  const comm::Communicator& communicator = world.state().communicator;
  const auto different = communicator.disagreement(what);
  if (!different) return;
  const std::string first = text_of(communicator, different->first, what);
  const std::string second = text_of(communicator, different->second, what);
  throw InputError(
      fmt::format("ranks {} and {} do different things: rank {} is at `{}`, rank {} at `{}`; calls that are collective "
                  "must be the same on all ranks, in the same order",
                  different->first, different->second, different->first, first, different->second, second));
}

}  // namespace ricci::detail
