#include "exec/shared_file.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <ricci/error.hpp>

#include "comm/mpi_io.hpp"
#include "storage/file.hpp"
#include "util/aligned_buffer.hpp"

namespace ricci::exec {

using comm::Communicator;
using storage::ArrayHeader;
using storage::Location;
using storage::NewArrayPlace;
using storage::Slab;
using storage::Slabs;

namespace {

/// So many bytes, or as much less as gives every rank a part, but no less than a page: ranks should not share one.
std::int64_t most_elements(const ArrayHeader& header, int ranks, std::int64_t bytes) {
  const std::int64_t size = static_cast<std::int64_t>(element_size(header.type)), page = std::int64_t{4096} / size;
  return std::clamp((header.elements() + ranks - 1) / ranks, page, std::max(page, bytes / size));
}

/// This rank's slabs: consecutive ones, so that what it moves between file and tensor is often its own.
class Part {
 public:
  Part(const Communicator& communicator, const Extents& extents, const ArrayHeader& header, std::int64_t slab_bytes)
      : slabs_(extents, most_elements(header, communicator.size(), slab_bytes)),
        begin_(bound(communicator.rank(), communicator.size())),
        end_(bound(communicator.rank() + 1, communicator.size())),
        rounds_((slabs_.count() + communicator.size() - 1) / communicator.size()) {}

  /// The same on all ranks.
  std::int64_t rounds() const { return rounds_; }
  std::int64_t largest() const { return slabs_.largest(); }
  /// Empty where nothing is left for this rank.
  Slab slab(std::int64_t round) const { return begin_ + round < end_ ? slabs_[begin_ + round] : Slab{}; }

 private:
  std::int64_t bound(int rank, int ranks) const {
    return slabs_.count() / ranks * rank + std::min<std::int64_t>(slabs_.count() % ranks, rank);
  }

  Slabs slabs_;
  std::int64_t begin_, end_, rounds_;
};

void broadcast(const Communicator& communicator, std::string& text) {
  std::int64_t length = std::ssize(text);
  communicator.broadcast(std::as_writable_bytes(std::span(&length, 1)), 0);
  text.resize(static_cast<std::size_t>(length));
  communicator.broadcast(std::as_writable_bytes(std::span(text)), 0);
}

AlignedBuffer room_for(const Part& part, const ArrayHeader& header) {
  return AlignedBuffer(part.largest() * static_cast<std::int64_t>(element_size(header.type)));
}

}  // namespace

std::int64_t largest_slab(const ArrayHeader& header, int ranks, std::int64_t slab_bytes) {
  return most_elements(header, ranks, slab_bytes);
}

SharedWriter::SharedWriter(const Communicator& communicator, const Location& location, const ArrayHeader& header)
    : communicator_(communicator) {
  try {
    NewArrayPlace place;
    comm::together(communicator, [&] {
      if (communicator.rank() != 0) return;
      array_ = storage::create(location, header);
      place = array_->place();
    });
    broadcast(communicator, place.file);
    broadcast(communicator, place.dataset);
    // A rank that cannot open the file says so before the others wait for it in a collective open.
    comm::together(communicator, [&] { storage::File::open_for_writing(place.file, storage::to_string(location)); });
    comm::together(communicator, [&] {
      const auto driver = [&](std::int64_t list) { comm::use_mpi_io(communicator, list); };
      writer_ = storage::open_for_writing(location, place, header, driver);
    });
  } catch (...) {  // on all ranks
    give_up();
    throw;
  }
}

SharedWriter::~SharedWriter() {
  if (!finished_) give_up();
}

void SharedWriter::give_up() {
  writer_.reset();
  array_.reset();
  communicator_.barrier();  // nobody goes on before the temporary is gone
}

void SharedWriter::finish() {
  comm::together(communicator_, [&] { writer_->finish(); });
  comm::together(communicator_, [&] {
    if (array_) array_->commit();
  });
  writer_.reset();
  array_.reset();
  finished_ = true;
}

void write_together(const Communicator& communicator, const Location& location, const ArrayHeader& header,
                    std::int64_t slab_bytes, const storage::Producer& producer) {
  SharedWriter writer(communicator, location, header);
  const Part part(communicator, storage::extents_in_file(header), header, slab_bytes);
  const AlignedBuffer chunk = room_for(part, header);
  for (std::int64_t round = 0; round < part.rounds(); ++round) {
    const Slab slab = part.slab(round);
    producer(slab.first, slab.count, chunk.data());
    comm::together(communicator, [&] {
      if (slab.count > 0) writer->write(slab, chunk.data());
    });
  }
  writer.finish();
}

SharedReader::SharedReader(const Communicator& communicator, const Location& location, std::int64_t slab_bytes)
    : communicator_(communicator), slab_bytes_(slab_bytes) {
  try {
    comm::together(communicator, [&] { reader_ = storage::open_for_reading(location); });
    // They take turns by what the file says, so it had better say the same to all.
    const auto found = fmt::format("{} {}", describe(header()), fmt::join(reader_->extents(), ","));
    if (const auto pair = communicator.disagreement(found)) {
      throw InputError(
          fmt::format("{}: rank {} and rank {} find different arrays there; use a directory that all ranks share",
                      storage::to_string(location), pair->first, pair->second));
    }
  } catch (...) {  // on all ranks
    close();
    throw;
  }
}

void SharedReader::close() {
  reader_.reset();
  communicator_.barrier();
}

void SharedReader::prove() const {
  if (communicator_.all_reduce(std::int64_t{reader_->complete()}, comm::Operation::min) != 0) return;
  read([](std::int64_t, std::int64_t, const void*) {});
}

void SharedReader::read(const storage::Consumer& consumer) const {
  const Part part(communicator_, reader_->extents(), header(), slab_bytes_);
  const AlignedBuffer chunk = room_for(part, header());
  for (std::int64_t round = 0; round < part.rounds(); ++round) {
    const Slab slab = part.slab(round);
    comm::together(communicator_, [&] {
      if (slab.count > 0) reader_->read(slab, chunk.data());
    });
    consumer(slab.first, slab.count, chunk.data());
  }
}

}  // namespace ricci::exec
