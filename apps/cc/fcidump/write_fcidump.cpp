#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include <ricci/error.hpp>

#include "fcidump/fcidump.hpp"
#include "ranks/ranks.hpp"

namespace cc {
namespace {

constexpr std::size_t batch_size = std::size_t{1} << 18;

void write_header(std::ostream& out, const Fcidump& dump) {
  out << fmt::format(" &FCI NORB={},NELEC={},MS2={},\n", dump.orbitals, dump.electrons, dump.spin);
  if (!dump.orbital_symmetries.empty()) {
    out << "  ORBSYM=";
    for (std::size_t i = 0; i < dump.orbital_symmetries.size(); ++i)
      out << dump.orbital_symmetries[i] << (i % 20 == 19 ? ",\n  " : ",");
    out << '\n';
  }
  out << "  ISYM=1,\n &END\n";
}

void write_line(std::ostream& out, double value, int p, int q, int r, int s) {
  if (value != 0) out << fmt::format("{:>23.16E} {:>4} {:>4} {:>4} {:>4}\n", value, p, q, r, s);
}

/// Rank 0 asks for the integrals, one batch after the other, and writes them; the others answer.
class Writer {
 public:
  Writer(const Fcidump& dump, std::ostream& out) : dump_(dump), out_(out), asks_(ranks::rank() == 0) {}

  void run() {
    if (asks_) write_header(out_, dump_);
    const int n = dump_.orbitals;
    for (int p = 0; p < n; ++p) {
      for (int q = 0; q <= p; ++q) {
        for (int r = 0; r <= p; ++r) {
          const int last = r < p ? r : q;
          for (int s = 0; s <= last; ++s) add(p, q, r, s);
        }
      }
    }
    flush();
    if (!asks_) return;
    for (int p = 0; p < n; ++p) {
      for (int q = 0; q <= p; ++q) write_line(out_, dump_.one_electron(p, q), p + 1, q + 1, 0, 0);
    }
    write_line(out_, dump_.core_energy, 0, 0, 0, 0);
  }

 private:
  void add(int p, int q, int r, int s) {
    const std::int64_t n = dump_.orbitals;
    keys_.push_back(((p * n + q) * n + r) * n + s);
    if (keys_.size() == batch_size) flush();
  }

  void flush() {
    const std::vector<double> values = dump_.two_electron.read(asks_ ? keys_ : std::vector<std::int64_t>());
    const std::int64_t n = dump_.orbitals;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::int64_t pq = keys_[i] / (n * n), rs = keys_[i] % (n * n);
      write_line(out_, values[i], static_cast<int>(pq / n) + 1, static_cast<int>(pq % n) + 1,
                 static_cast<int>(rs / n) + 1, static_cast<int>(rs % n) + 1);
    }
    keys_.clear();
  }

  const Fcidump& dump_;
  std::ostream& out_;
  bool asks_;
  std::vector<std::int64_t> keys_;
};

}  // namespace

void write_fcidump(const std::string& path, const Fcidump& dump) {
  const std::string part = path + ".part";
  const bool writes = ranks::rank() == 0;
  std::ofstream out;
  const auto check = [&](bool good) {
    if (ranks::max(good ? 0 : 1) == 0) return;
    if (writes) std::remove(part.c_str());
    throw ricci::InputError(fmt::format("cannot write {}", path));
  };
  if (writes) out.open(part);
  check(!writes || out.good());
  Writer(dump, out).run();
  if (writes) out.close();
  check(!writes || out.good());
  check(!writes || std::rename(part.c_str(), path.c_str()) == 0);
}

}  // namespace cc
