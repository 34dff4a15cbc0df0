#include "program/array_store.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "api/world_state.hpp"
#include "comm/communicator.hpp"
#include "program/disk_state.hpp"

namespace ricci::program {

using compile::Home;

ArrayStore::ArrayStore(const World& world, const notation::Program& program, const compile::Formula& formula,
                       std::vector<Home> homes, std::set<int> direct_outputs, const std::string& scratch,
                       bool keep_scratch)
    : world_(world),
      program_(program),
      formula_(formula),
      homes_(std::move(homes)),
      direct_outputs_(std::move(direct_outputs)),
      wants_norm_(formula.arrays.size(), false),
      memory_(formula.arrays.size()),
      disk_(formula.arrays.size()),
      places_(formula.arrays.size()) {
  for (std::size_t a = 0; a < formula.arrays.size(); ++a) {
    const int tensor = formula.arrays[a].tensor;
    wants_norm_[a] = tensor >= 0 && program.tensors[tensor].role == notation::Role::output;
  }
  find_norms(formula.operations);
  if (std::find(homes_.begin(), homes_.end(), Home::disk) == homes_.end()) return;
  comm::together(world.state().communicator, [&] {
    scratch_.emplace(storage::scratch_base(scratch), keep_scratch);
    io_ = std::make_unique<storage::BlockIo>();
  });
}

void ArrayStore::find_norms(const std::vector<compile::Operation>& operations) {
  for (const compile::Operation& operation : operations) {
    if (operation.kind == compile::Operation::Kind::norm)
      wants_norm_[static_cast<std::size_t>(operation.terms[0].factors[0].array)] = true;
    find_norms(operation.body);
  }
}

const notation::ProgramTensor* ArrayStore::input(int array) const {
  const int number = formula_.arrays[array].tensor;
  if (number < 0 || program_.tensors[number].role != notation::Role::input) return nullptr;
  return &program_.tensors[number];
}

AnyTensor& ArrayStore::tensor(int array) {
  std::optional<AnyTensor>& place = memory_[array];
  if (!place) {
    const compile::Array& made = formula_.arrays[array];
    place.emplace(recycles_ ? make_block(world_, made.type, *made.shape) : make_tensor(world_, made.type, *made.shape));
    fill_input(array, *place);
  }
  return *place;
}

void ArrayStore::fill_input(int array, AnyTensor& tensor) const {
  const notation::ProgramTensor* const from = input(array);
  if (from == nullptr) return;
  std::visit(
      [&](auto& t) {
        if (from->origin == notation::Origin::random) t.fill_random(from->seed);
        if (from->origin == notation::Origin::file) t.load(from->file);
      },
      tensor);
}

std::unique_ptr<DiskTensor> ArrayStore::new_disk(int array, compile::BlockCatalog catalog) {
  if (direct_outputs_.count(array) > 0)
    return std::make_unique<DiskTensor>(world_, formula_.arrays[array].type, std::move(catalog),
                                        program_.tensors[formula_.arrays[array].tensor]);
  disk::detail::ScratchState* const place = places_[static_cast<std::size_t>(array)].get();
  if (place != nullptr) place->make_directory();
  const std::string path = place != nullptr ? place->directory->file(std::to_string(++place->files))
                                            : scratch_->file(fmt::format("{}.{}", array, ++files_));
  const auto norm = wants_norm_[static_cast<std::size_t>(array)] ? DiskTensor::Norm::kept : DiskTensor::Norm::unknown;
  return std::make_unique<DiskTensor>(world_, formula_.arrays[array].type, std::move(catalog),
                                      place != nullptr ? *place->io : *io_, path, norm);
}

void ArrayStore::give(int array, std::shared_ptr<DiskTensor> tensor) {
  past_ -= tensor->traffic();
  disk_[static_cast<std::size_t>(array)] = std::move(tensor);
}

void ArrayStore::give(int array, std::shared_ptr<disk::detail::ScratchState> place) {
  places_[static_cast<std::size_t>(array)] = std::move(place);
}

void ArrayStore::put(int array, std::unique_ptr<DiskTensor> tensor) {
  release(array);
  disk_[array] = std::move(tensor);
}

namespace {

/// Says so whenever a block is asked for.
class WatchedSource : public BlockSource {
 public:
  WatchedSource(std::unique_ptr<BlockSource> source, std::function<void()> notice)
      : source_(std::move(source)), notice_(std::move(notice)) {}

  std::unique_ptr<ReadBlock> start(const compile::Box& box, std::int64_t ahead_bytes) override {
    auto block = source_->start(box, ahead_bytes);
    notice_();
    return block;
  }

 private:
  std::unique_ptr<BlockSource> source_;
  std::function<void()> notice_;
};

}  // namespace

std::unique_ptr<BlockSource> ArrayStore::source(int array, const std::vector<std::int64_t>& tile) {
  auto source = unwatched_source(array, tile);
  if (!watcher_) return source;
  return std::make_unique<WatchedSource>(std::move(source), [this] { watcher_(traffic()); });
}

std::unique_ptr<BlockSource> ArrayStore::unwatched_source(int array, const std::vector<std::int64_t>& tile) {
  switch (homes_[array]) {
    case Home::memory:
      return memory_source(tensor(array));
    case Home::file:
      return file_source(*input(array), {*formula_.arrays[array].shape, tile}, world_, past_);
    case Home::formula:
      return formula_source(*input(array), {*formula_.arrays[array].shape, tile}, world_);
    case Home::disk:
      if (!disk_[array]) disk_[array] = new_disk(array, {*formula_.arrays[array].shape, tile});
      return disk_source(*disk_[array], world_, formula_.arrays[array].type);
    case Home::loops:
      break;  // lives in the buffers of its loops alone
  }
  return nullptr;
}

void ArrayStore::release(int array) {
  memory_[array].reset();
  if (!disk_[array]) return;
  past_ += disk_[array]->traffic();
  disk_[array].reset();
}

storage::DiskTraffic ArrayStore::traffic() const {
  storage::DiskTraffic total = past_;
  for (const auto& tensor : disk_) {
    if (tensor) total += tensor->traffic();
  }
  return total;
}

}  // namespace ricci::program
