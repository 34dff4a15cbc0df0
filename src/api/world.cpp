#include <algorithm>
#include <array>
#include <exception>
#include <ostream>
#include <span>
#include <thread>
#include <tuple>
#include <utility>

#include <ricci/mpi.hpp>
#include <ricci/runtime.hpp>
#include <ricci/world.hpp>

#include "api/world_state.hpp"
#include "comm/communicator.hpp"
#include "comm/handle.hpp"

namespace ricci {

Runtime::Runtime(int& argc, char**& argv) : started_mpi_(comm::start_mpi(&argc, &argv)) {}
Runtime::Runtime() : started_mpi_(comm::start_mpi(nullptr, nullptr)) {}
Runtime::~Runtime() {
  if (started_mpi_) comm::end_mpi(std::uncaught_exceptions() > 0);
}

namespace detail {

const MachineModel& WorldState::common_machine() {
  if (std::exchange(agreed_, true)) return machine;
  MachineModel& m = machine;
  std::array figures{m.gemm_flops,      m.gemm_flops_threads, m.copy_bandwidth,  m.copy_bandwidth_threads,
                     m.network_latency, m.network_bandwidth,  m.kernel_overhead, m.hop_latency,
                     m.reverse_traffic, m.eager_bytes};
  communicator.broadcast(std::as_writable_bytes(std::span(figures)), 0);
  std::tie(m.gemm_flops, m.gemm_flops_threads, m.copy_bandwidth, m.copy_bandwidth_threads, m.network_latency,
           m.network_bandwidth, m.kernel_overhead, m.hop_latency, m.reverse_traffic, m.eager_bytes) =
      std::tuple_cat(figures);
  std::array<std::int64_t, 2> counts{m.torus_dimensions, static_cast<std::int64_t>(m.message_rates.size())};
  communicator.broadcast(std::as_writable_bytes(std::span(counts)), 0);
  m.torus_dimensions = static_cast<int>(counts[0]);
  m.message_rates.resize(static_cast<std::size_t>(counts[1]));
  communicator.broadcast(std::as_writable_bytes(std::span(m.message_rates)), 0);
  if (!options.simulate_work) share_processors();
  return machine;
}

/// More ranks than processors get a part of one each.
void WorldState::share_processors() {
  const auto processors = static_cast<double>(std::max(1U, std::thread::hardware_concurrency()));
  const double share = std::min(1.0, processors / communicator.ranks_on_a_node());
  for (double* rate :
       {&machine.gemm_flops, &machine.gemm_flops_threads, &machine.copy_bandwidth, &machine.copy_bandwidth_threads})
    *rate *= share;
}

}  // namespace detail

World::World() : World(std::make_shared<detail::WorldState>(comm::Communicator::world())) {}
World::World(std::shared_ptr<detail::WorldState> state) : state_(std::move(state)) {}

int World::rank() const { return state_->communicator.rank(); }
int World::size() const { return state_->communicator.size(); }

World World::split(int color) const {
  World part(std::make_shared<detail::WorldState>(state_->communicator.split(color)));
  part.set_options(options());
  return part;
}

const Options& World::options() const { return state_->options; }
void World::set_options(const Options& options) {
  state_->options = options;
  state_->communicator.set_simulates_work(options.simulate_work);
}

World world_from(MPI_Comm communicator) {
  return World(std::make_shared<detail::WorldState>(comm::duplicate(communicator)));
}

std::ostream& operator<<(std::ostream& out, const World& world) {
  if (world.size() == 1) return out << "world of 1 rank";
  return out << "world of " << world.size() << " ranks, rank " << world.rank();
}

namespace detail {

PlanCache::Entry PlanCache::find(const std::string& key) const {
  const std::lock_guard lock(mutex_);
  const auto entry = entries_.find(key);
  return entry == entries_.end() ? Entry{} : entry->second;
}

void PlanCache::insert(const std::string& key, std::shared_ptr<const PreparedStatement> statement, std::int64_t bytes) {
  const std::lock_guard lock(mutex_);
  if (entries_.size() >= capacity) {
    entries_.clear();
    bytes_ = 0;
  }
  Entry& entry = entries_[key];
  bytes_ += bytes - entry.bytes;
  entry = {std::move(statement), bytes};
}

void PlanCache::clear() {
  const std::lock_guard lock(mutex_);
  entries_.clear();
  bytes_ = 0;
}

std::int64_t PlanCache::bytes() const {
  const std::lock_guard lock(mutex_);
  return bytes_;
}

}  // namespace detail

}  // namespace ricci
