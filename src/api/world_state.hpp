#pragma once
// What a World and its copies share.
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

#include <ricci/machine.hpp>
#include <ricci/world.hpp>

#include "comm/communicator.hpp"
#include "exec/redistribution_cache.hpp"
#include "util/buffer_pool.hpp"

namespace ricci::detail {

class PreparedStatement;

/// Plans by the text that a statement comes to: shapes, symmetries, layouts, labels. Callers may be several threads.
class PlanCache {
 public:
  struct Entry {
    std::shared_ptr<const PreparedStatement> statement;  // null: not known
    std::int64_t bytes = 0;
  };
  Entry find(const std::string& key) const;
  /// `bytes`: what it takes, as all ranks count it: they have to drop the same ones.
  void insert(const std::string& key, std::shared_ptr<const PreparedStatement> statement, std::int64_t bytes);
  void clear();
  std::int64_t bytes() const;

 private:
  static constexpr std::size_t capacity =
      4096;  // then it is emptied: a loop that makes new shapes must not grow it forever
  mutable std::mutex mutex_;
  std::unordered_map<std::string, Entry> entries_;
  std::int64_t bytes_ = 0;  // of all entries
};

struct WorldState {
  explicit WorldState(comm::Communicator c)
      : communicator(std::move(c)), options(Options::from_environment()), machine(MachineModel::load_default()) {
    communicator.set_simulates_work(options.simulate_work);
  }

  /// All ranks plan for one machine, that of rank 0: plans must be the same everywhere. Collective.
  const MachineModel& common_machine();

  comm::Communicator communicator;
  Options options;
  MachineModel machine;
  PlanCache cache;
  exec::RedistributionCache redistributions;
  BufferPool pool;
  MemoryMeter tensors;  // of this rank: what its tensors hold

 private:
  void share_processors();

  bool agreed_ = false;  // on the machine
};

}  // namespace ricci::detail
