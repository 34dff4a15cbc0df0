#include "exec/block_contraction.hpp"

#include <algorithm>
#include <limits>
#include <span>
#include <utility>

#include "exec/redistribute.hpp"
#include "util/for_each_type.hpp"

namespace ricci::exec {

using planning::LocalOperation;
using planning::Phase;
using planning::Range;
using planning::TileMessage;
using planning::TileOperation;
using planning::TilePlace;

BlockContraction::BlockContraction(planning::PackedProgram program, ElementType type)
    : packed_(std::move(program)),
      type_(type),
      sent_(packed_.program.partials_sent()),
      received_(packed_.program.partials_received) {
  count();
  const auto blocks = packed_.program.lean ? kernels::Blocks::lean : kernels::Blocks::usual;
  for (const LocalOperation& operation : packed_.program.operations) {
    const symmetry::Labelled out{&operation.out_shape, operation.out_labels};
    const symmetry::Labelled a{&operation.a_shape, operation.a_labels};
    const symmetry::Labelled b =
        operation.has_b ? symmetry::Labelled{&operation.b_shape, operation.b_labels} : symmetry::Labelled{};
    Kernel& kernel = kernels_.emplace_back();
    if (operation.contract) {
      kernel.contraction = std::make_unique<kernels::LocalContraction>(out, a, b, operation.extents, type, blocks);
    } else {
      kernel.map = std::make_unique<kernels::LocalMap>(out, a, b, operation.extents, element_size(type));
    }
  }
}

namespace {

/// What is put together before it is sent.
std::int64_t elements_packed(const std::vector<TileMessage>& messages) {
  std::int64_t sum = 0;
  for (const TileMessage& message : messages) {
    sum += message.is_packed() ? message.size : 0;
  }
  return sum;
}

}  // namespace

// Two phases are there at a time, one under way while the other is worked on, unless they come alone.
void BlockContraction::count() {
  std::int64_t before = 0;
  planning::PackedProgram::Reader reader(packed_);
  while (const std::shared_ptr<const Phase> phase = reader.next()) {
    products_ += packed_.program.products(*phase);
    sent_ += phase->elements_sent();
    received_ += phase->elements_received();
    std::int64_t here = 0, packing = 0;
    for (int x : {0, 1}) {
      here += phase->fetched[x] + elements_packed(phase->sends[x]);
      if (phase->cut_anew[x]) packing = std::max(packing, Redistribute::buffer_elements(*phase->cut_anew[x]));
    }
    if (phase->comes_alone()) before = 0;
    fetched_ = std::max(fetched_, before + here);
    cutting_ = std::max(cutting_, before + here + packing);
    before = here;
  }
}

std::int64_t BlockContraction::peak_bytes(int threads) const {
  std::int64_t kernels = 0;
  visit_element_type(type_, [&](auto* tag) {
    using T = std::remove_pointer_t<decltype(tag)>;
    const auto add = [&](const auto& kernel) {
      kernels = std::max(kernels, kernel.template buffer_bytes<T>(threads) - kernel.table_bytes());
    };
    for (const Kernel& kernel : kernels_) {
      if (kernel.contraction) add(*kernel.contraction);
      if (kernel.map) add(*kernel.map);
    }
  });
  const std::int64_t size = static_cast<std::int64_t>(element_size(type_));
  const planning::BlockProgram& program = packed_.program;
  const std::int64_t partials = program.partials_received + elements_packed(program.partials_to);
  return std::max({fetched_ * size + kernels, cutting_ * size, partials * size}) +
         (program.sums + program.partial) * size;
}

std::int64_t BlockContraction::table_bytes() const {
  std::int64_t bytes = packed_.program.table_bytes() + packed_.phases.bytes();
  for (const Phase& phase : packed_.program.phases) bytes += phase.table_bytes();
  for (const Kernel& kernel : kernels_) {
    bytes += kernel.contraction ? kernel.contraction->table_bytes() : kernel.map->table_bytes();
  }
  return bytes;
}

namespace {

// Rounds of one phase may still be under way when the next phase begins, and what is cut anew has messages of its own.
constexpr int tag_of_phase[] = {1, 2}, tag_of_sums = 3;

/// What is under way for one phase, or for the partial sums.
template <class T>
class Exchange {
 public:
  Exchange(const comm::Communicator& communicator, BufferPool& pool, int tag)
      : communicator_(communicator), pool_(pool), tag_(tag) {}

  /// Elements that lie together are sent from where they are; others are put together first. From where the ranges of
  /// the message are.
  void send(const TileMessage& message, const T* own, const T* before, const T* fetched) {
    const std::pair<const std::vector<Range>&, const T*> sources[] = {
        {message.ranges, own}, {message.passed_on, before}, {message.forwarded, fetched}};
    const T* begin = nullptr;
    T* to = nullptr;
    if (message.is_packed()) {
      packed_.emplace_back(pool_, bytes(message.size));
      begin = to = reinterpret_cast<T*>(packed_.back().data());
    }
    for (const auto& [ranges, from] : sources) {
      for (const Range& range : ranges) {
        if (to) {
          to = std::copy_n(from + range.begin, range.size, to);
        } else {
          begin = from + range.begin;
        }
      }
    }
    requests_.push_back(communicator_.start_send(std::as_bytes(std::span(begin, message.size)), message.peer, tag_));
  }
  void receive(const TileMessage& message, T* buffer) {
    arrivals_.push_back(
        {message.round, communicator_.start_receive(
                            std::as_writable_bytes(std::span(buffer + message.at, message.size)), message.peer, tag_)});
  }
  /// Whether all messages of earlier rounds have come.
  bool test_before(int round) {
    return std::all_of(arrivals_.begin(), arrivals_.end(),
                       [&](Arrival& arrival) { return arrival.round >= round || arrival.request.test(); });
  }
  void wait_before(int round) {
    for (Arrival& arrival : arrivals_) {
      if (arrival.round < round) arrival.request.wait();
    }
  }
  void wait_all() {
    for (Arrival& arrival : arrivals_) requests_.push_back(std::move(arrival.request));
    arrivals_.clear();
    comm::wait_all(requests_);
  }

  static std::int64_t bytes(std::int64_t elements) { return elements * static_cast<std::int64_t>(sizeof(T)); }

 private:
  struct Arrival {
    int round;
    comm::Request request;
  };
  const comm::Communicator& communicator_;
  BufferPool& pool_;
  int tag_;
  std::vector<PooledBuffer> packed_;
  // After the buffers, so that they are waited for first.
  std::vector<comm::Request> requests_;
  std::vector<Arrival> arrivals_;
};

template <class T>
void clear(const std::vector<Range>& ranges, T* data) {
  for (const Range& range : ranges) std::fill_n(data + range.begin, range.size, T(0));
}

}  // namespace

template <class T>
class BlockContraction::Run {
 public:
  Run(const BlockContraction& contraction, const comm::Communicator& communicator, BufferPool& pool,
      const Tensors& tensors, kernels::LocalMap::Conjugate conjugate, T alpha, int threads)
      : kernels_(contraction.kernels_),
        program_(contraction.packed_.program),
        reader_(contraction.packed_),
        communicator_(communicator),
        pool_(pool),
        own_{static_cast<const T*>(tensors.a), static_cast<const T*>(tensors.b)},
        c_(static_cast<T*>(tensors.c)),
        conjugate_(conjugate),
        alpha_(alpha),
        threads_(threads),
        sums_(pool, bytes(program_.sums)),
        partial_(pool, bytes(program_.partial)) {}

  void run() {
    std::shared_ptr<const Phase> phase = reader_.next(), coming;
    // What is being sent from the buffers of another phase must end before those: the last one ends first.
    std::unique_ptr<Fetch> before, here, next = std::make_unique<Fetch>(*this, *phase, 0, nullptr);
    clear(program_.cleared, c_);
    clear(program_.partial_cleared, as<T>(partial_));
    for (int number = 0; phase; phase = std::move(coming), ++number) {
      coming = reader_.next();
      here = next ? std::move(next) : std::make_unique<Fetch>(*this, *phase, number, nullptr);
      // Two phases are in memory at a time.
      const bool ahead = coming && !coming->comes_alone();
      if (ahead && !before && !coming->passes_on()) next = std::make_unique<Fetch>(*this, *coming, number + 1, nullptr);
      here->finish();
      before.reset();  // what it passed on has been sent
      if (ahead && !next) next = std::make_unique<Fetch>(*this, *coming, number + 1, here.get());
      double products = 0;
      for (const TileOperation& operation : phase->operations) {
        if (next) next->advance();
        execute(operation, *here);
        products += program_.operations[operation.operation].products;
      }
      communicator_.account_flops(products * flops_per_product);
      if (coming && coming->passes_on()) before = std::move(here);
      here.reset();
    }
    add_partials();  // those of others come into the place of the last phase
  }

 private:
  static constexpr double flops_per_product = std::is_same_v<T, kernels::Real<T>> ? 2 : 8;
  static std::int64_t bytes(std::int64_t elements) { return Exchange<T>::bytes(elements); }
  template <class U>
  static U* as(const PooledBuffer& buffer) {
    return reinterpret_cast<U*>(buffer.data());
  }

  /// The tiles of a phase that come from others.
  class Fetch {
   public:
    /// `before`: of the phase before, where this one passes on what came there. The phase must live until finish().
    Fetch(const Run& run, const Phase& phase, int number, const Fetch* before)
        : run_(run),
          phase_(phase),
          before_(before),
          buffers_{PooledBuffer(run.pool_, bytes(phase_.fetched[0])),
                   PooledBuffer(run.pool_, bytes(phase_.fetched[1]))},
          exchange_(run.communicator_, run.pool_, tag_of_phase[number % 2]) {
      int last = 0;
      for (int x : {0, 1}) {
        if (!phase_.receives[x].empty()) last = std::max(last, phase_.receives[x].back().round);
        if (!phase_.sends[x].empty()) last_round_ = std::max(last_round_, phase_.sends[x].back().round);
      }
      for_each_of_round(phase_.receives, 0, last,
                        [&](const TileMessage& message, int x) { exchange_.receive(message, as<T>(buffers_[x])); });
      send(0);
      for (int x : {0, 1}) {
        if (!phase_.cut_anew[x]) continue;
        Redistribute{*phase_.cut_anew[x], sizeof(T), run.threads_, run.pool_}.run(
            run.communicator_, reinterpret_cast<const std::byte*>(run.own_[x]), buffers_[x].data());
      }
    }

    /// Passes on what has come by now.
    void advance() {
      while (round_ < last_round_ && exchange_.test_before(round_ + 1)) send(++round_);
    }
    void finish() {
      while (round_ < last_round_) {
        exchange_.wait_before(round_ + 1);
        send(++round_);
      }
      exchange_.wait_all();
    }
    const T* buffer(int x) const { return as<const T>(buffers_[x]); }

   private:
    /// Both operands in turn, round by round: what goes between two ranks is received in the order in which it is sent.
    template <class F>
    static void for_each_of_round(const std::vector<TileMessage> (&messages)[2], int first, int last, F f) {
      for (int round = first; round <= last; ++round) {
        for (int x : {0, 1}) {
          const auto earlier = [](const TileMessage& message, int than) { return message.round < than; };
          auto it = std::lower_bound(messages[x].begin(), messages[x].end(), round, earlier);
          for (; it != messages[x].end() && it->round == round; ++it) f(*it, x);
        }
      }
    }
    void send(int round) {
      for_each_of_round(phase_.sends, round, round, [&](const TileMessage& message, int x) {
        exchange_.send(message, run_.own_[x], before_ ? before_->buffer(x) : nullptr, buffer(x));
      });
    }

    const Run& run_;
    const Phase& phase_;
    const Fetch* before_;
    PooledBuffer buffers_[2];
    Exchange<T> exchange_;
    int round_ = 0, last_round_ = 0;
  };

  const T* find(const TilePlace& place, int operand, const Fetch& fetch) const {
    switch (place.where) {
      case TilePlace::Where::own:
        return own_[operand] + place.begin;
      case TilePlace::Where::fetched:
        return fetch.buffer(operand) + place.begin;
      default:
        return as<const T>(sums_) + place.begin;
    }
  }

  T* target(const TilePlace& place) const {
    switch (place.where) {
      case TilePlace::Where::own:
        return c_ + place.begin;
      case TilePlace::Where::partial:
        return as<T>(partial_) + place.begin;
      default:
        return as<T>(sums_) + place.begin;
    }
  }

  void execute(const TileOperation& operation, const Fetch& fetch) const {
    const LocalOperation& local = program_.operations[operation.operation];
    const Kernel& kernel = kernels_[operation.operation];
    const bool is_sum = operation.out.where == TilePlace::Where::summed;
    const T factor = static_cast<typename kernels::Real<T>>(operation.factor) * (is_sum ? T(1) : alpha_);
    const T* const a = find(operation.a, operation.operand, fetch);
    const T* const b = local.has_b ? find(operation.b, 1, fetch) : nullptr;
    T* const out = target(operation.out);
    const kernels::Workers workers(threads_, &pool_);
    if (kernel.contraction) {
      kernel.contraction->run(a, b, {conjugate_.a, conjugate_.b}, factor, operation.accumulate, out, workers);
    } else {
      const kernels::LocalMap::Conjugate conjugate = is_sum ? kernels::LocalMap::Conjugate{} : conjugate_;
      kernel.map->run(a, b, conjugate, factor, operation.accumulate, out, workers);
    }
  }

  /// Added in the order of rounds and ranks: the same bits in every run.
  void add_partials() {
    const PooledBuffer received(pool_, bytes(program_.partials_received));
    Exchange<T> exchange(communicator_, pool_, tag_of_sums);
    for (const TileMessage& message : program_.partials_from) exchange.receive(message, as<T>(received));
    auto added = program_.partials_from.begin();
    const auto add_before = [&](int round) {
      exchange.wait_before(round);
      for (; added != program_.partials_from.end() && added->round < round; ++added) {
        const T* from = as<const T>(received) + added->at;
        from = add(from, added->ranges, c_);
        add(from, added->forwarded, as<T>(partial_));
      }
    };
    for (const TileMessage& message : program_.partials_to) {
      add_before(message.round);
      exchange.send(message, as<const T>(partial_), nullptr, nullptr);
    }
    add_before(std::numeric_limits<int>::max());
    exchange.wait_all();
  }

  static const T* add(const T* from, const std::vector<Range>& ranges, T* to) {
    for (const Range& range : ranges) {
      for (std::int64_t i = 0; i < range.size; ++i) to[range.begin + i] += from[i];
      from += range.size;
    }
    return from;
  }

  const std::vector<Kernel>& kernels_;
  const planning::BlockProgram& program_;
  planning::PackedProgram::Reader reader_;
  const comm::Communicator& communicator_;
  BufferPool& pool_;
  const T* own_[2];
  T* c_;
  kernels::LocalMap::Conjugate conjugate_;
  T alpha_;
  int threads_;
  PooledBuffer sums_, partial_;
};

template <class T>
void BlockContraction::run(const comm::Communicator& communicator, BufferPool& pool, const Tensors& tensors,
                           kernels::LocalMap::Conjugate conjugate, T alpha, int threads) const {
  Run<T>(*this, communicator, pool, tensors, conjugate, alpha, threads).run();
}

#define RICCI_INSTANTIATE(T)                                                                     \
  template void BlockContraction::run<T>(const comm::Communicator&, BufferPool&, const Tensors&, \
                                         kernels::LocalMap::Conjugate, T, int) const;
RICCI_FOR_EACH_TYPE(RICCI_INSTANTIATE)
#undef RICCI_INSTANTIATE

}  // namespace ricci::exec
