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

/// Rank 0 writes the integrals; all ranks bring those of one p after the other.
class Writer {
 public:
  Writer(const Fcidump& dump, const Held& two_electron, std::ostream& out)
      : dump_(dump), two_electron_(two_electron), out_(out), writes_(ranks::rank() == 0) {}

  void run() {
    if (writes_) write_header(out_, dump_);
    const int n = dump_.orbitals;
    for (int p = 0; p < n; ++p) write(p);
    if (!writes_) return;
    for (int p = 0; p < n; ++p) {
      for (int q = 0; q <= p; ++q) write_line(out_, dump_.one_electron(p, q), p + 1, q + 1, 0, 0);
    }
    write_line(out_, dump_.core_energy, 0, 0, 0, 0);
  }

 private:
  /// (pq|rs) with q <= p, r <= p and s <= r, or s <= q where r is p.
  void write(int p) {
    const std::int64_t count = p + 1;
    const std::vector<double> values = two_electron_.gather({p, 0, 0, 0}, {p + 1, count, count, count});
    if (!writes_) return;
    for (int q = 0; q <= p; ++q) {
      for (int r = 0; r <= p; ++r) {
        const int last = r < p ? r : q;
        for (int s = 0; s <= last; ++s)
          write_line(out_, values[static_cast<std::size_t>((q * count + r) * count + s)], p + 1, q + 1, r + 1, s + 1);
      }
    }
  }

  const Fcidump& dump_;
  const Held& two_electron_;
  std::ostream& out_;
  bool writes_;
};

}  // namespace

void write_fcidump(const std::string& path, const Fcidump& dump, const Held& two_electron) {
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
  Writer(dump, two_electron, out).run();
  if (writes) out.close();
  check(!writes || out.good());
  check(!writes || std::rename(part.c_str(), path.c_str()) == 0);
}

}  // namespace cc
