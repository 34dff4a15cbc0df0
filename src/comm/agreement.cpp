// Failing on all ranks or none, and finding out who differs.
#include <algorithm>
#include <array>
#include <cstring>
#include <new>
#include <string>

#include <fmt/format.h>

#include <ricci/error.hpp>

#include "comm/handle.hpp"
#include "comm/reductions.hpp"
#include "util/random.hpp"

namespace ricci::comm {

namespace {

enum class Kind : std::int64_t { input, resource, internal };

struct Failure {
  Kind kind;
  std::string text;
};

Failure describe(const std::exception_ptr& exception) {
  try {
    std::rethrow_exception(exception);
  } catch (const InputError& error) {
    return {Kind::input, error.what()};
  } catch (const ResourceError& error) {
    return {Kind::resource, error.what()};
  } catch (const std::bad_alloc&) {
    return {Kind::resource, "out of memory: use more ranks or a smaller memory limit"};
  } catch (const std::exception& error) {
    return {Kind::internal, error.what()};
  } catch (...) {
    return {Kind::internal, "an exception that is no std::exception"};
  }
}

[[noreturn]] void raise(const Failure& failure) {
  switch (failure.kind) {
    case Kind::input:
      throw InputError(failure.text);
    case Kind::resource:
      throw ResourceError(failure.text);
    case Kind::internal:
      break;
  }
  throw InternalError(failure.text);
}

// Control of a few bytes: uncounted.

template <std::size_t n>
void reduce_control(const Communicator::Handle& handle, std::array<std::int64_t, n>& values, Operation operation) {
  all_reduce(handle, {reinterpret_cast<std::byte*>(values.data()), n, Datatype::i64}, operation);
}

std::int64_t min_control(const Communicator::Handle& handle, std::int64_t value) {
  std::array<std::int64_t, 1> values{value};
  reduce_control(handle, values, Operation::min);
  return values[0];
}

void broadcast_control(const Communicator::Handle& handle, void* data, std::size_t bytes, std::int64_t root) {
  if (handle.alone() || bytes == 0) return;
  check(MPI_Bcast(data, static_cast<int>(bytes), MPI_BYTE, static_cast<int>(root), handle.communicator), "MPI_Bcast");
}

std::int64_t hash_of(std::span<const std::byte> bytes) {
  std::uint64_t hash = bytes.size();
  for (std::size_t at = 0; at < bytes.size(); at += sizeof hash) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + at, std::min(sizeof word, bytes.size() - at));
    hash = random_bits(hash, word);
  }
  return static_cast<std::int64_t>(hash);
}

}  // namespace

void Communicator::agree(const std::exception_ptr& mine) const {
  const std::int64_t first = min_control(*handle_, mine ? rank() : size());
  if (first == size()) return;

  const Failure own = mine ? describe(mine) : Failure{Kind::internal, {}};
  Failure shared = own;
  std::array<std::int64_t, 2> head{static_cast<std::int64_t>(own.kind), std::ssize(own.text)};
  broadcast_control(*handle_, head.data(), sizeof head, first);
  shared.kind = static_cast<Kind>(head[0]);
  shared.text.resize(static_cast<std::size_t>(head[1]));
  broadcast_control(*handle_, shared.text.data(), shared.text.size(), first);

  const bool same = mine && own.kind == shared.kind && own.text == shared.text;
  if (min_control(*handle_, same) == 0) shared.text = fmt::format("rank {}: {}", first, shared.text);
  raise(shared);
}

bool Communicator::consistent(std::span<const std::byte> what) const {
  const std::int64_t hash = hash_of(what);
  std::array<std::int64_t, 2> values{hash, ~hash};  // the complement turns the order around: max(~h) = ~min(h)
  reduce_control(*handle_, values, Operation::max);
  return values[0] == ~values[1];
}

std::optional<std::pair<int, int>> Communicator::disagreement(std::span<const std::byte> what) const {
  const std::int64_t mine = hash_of(what);
  std::int64_t first = mine;
  broadcast_control(*handle_, &first, sizeof first, 0);
  const std::int64_t other = min_control(*handle_, mine == first ? size() : rank());
  if (other == size()) return std::nullopt;
  return std::pair(0, static_cast<int>(other));
}

bool Communicator::consistent(std::string_view what) const { return consistent(std::as_bytes(std::span(what))); }

std::optional<std::pair<int, int>> Communicator::disagreement(std::string_view what) const {
  return disagreement(std::as_bytes(std::span(what)));
}

}  // namespace ricci::comm
