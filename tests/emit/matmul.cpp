// matmul.ric as C++, for one rank with 5500000 bytes of memory each. `ricci compile` has written this; README.md tells
// how to build it.
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstdio>
#include <string>

#include <ricci/ricci.hpp>

using namespace ricci;
using namespace ricci::disk;

namespace {

/// On rank 0.
void print(const World& world, const char* text, std::complex<double> value) {
  if (world.rank() != 0) return;
  if (value.imag() == 0)
    std::printf("%s = %.15g\n", text, value.real());
  else
    std::printf("%s = (%.15g, %.15g)\n", text, value.real(), value.imag());
  std::fflush(stdout);
}

void print_output(const World& world, const char* text, double norm) {
  if (world.rank() == 0) std::printf("%s, norm %.15g\n", text, norm);
}

void run([[maybe_unused]] const World& world, [[maybe_unused]] const Scratch& scratch) {
  auto A = InputTensor<double>::random(scratch, {600, 600}, {}, 1);
  auto B = InputTensor<double>::random(scratch, {600, 600}, {}, 2);
  DiskTensor<double> C(scratch, {600, 600}, {}, {cuts(600, 301), cuts(600, 300)});

  // C[i,j] = A[i,k] * B[k,j]
  // Block by block: rank 0 reads 0 bytes and writes 2880000.
  {
    DiskTensor<double> C_new(scratch, {600, 600}, {}, {cuts(600, 301), cuts(600, 300)});
    Factors factors;
    for (const Tile iT : tiles(600, 301)) {
      for (const Tile jT : tiles(600, 300)) {
        auto sum = zero_block(C_new, {iT, jT});
        for (const Tile kT : tiles(600, 120)) {
          const auto [A_block, B_block] = factors.read(at(A, {iT, kT}), at(B, {kT, jT}));
          sum["i,j"] += A_block["i,k"] * B_block["k,j"];
        }
        write_block(C_new, {iT, jT}, std::move(sum));
      }
    }
    C = std::move(C_new);
  }
  Tensor<double> t1(world, {});
  t1.fill(C.norm2());
  print(world, "norm(C)", t1.gather()[0]);
  t1 = {};

  print_output(world, "C: double 600,600", C.norm2());
}

}  // namespace

int main(int argc, char** argv) {
  Runtime runtime(argc, argv);
  World world;
  std::string directory;  // of scratch files; empty: $TMPDIR, else here
  bool verbose = false;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "-v") {
      verbose = true;
    } else if (argument == "--scratch" && i + 1 < argc) {
      directory = argv[++i];
    } else {
      if (world.rank() == 0) std::fprintf(stderr, "usage: %s [-v] [--scratch DIR]\n", argv[0]);
      return 2;
    }
  }
  if (world.size() != 1) {
    if (world.rank() == 0) std::fprintf(stderr, "%s: this is for one rank\n", argv[0]);
    return 2;
  }
  Options options = Options::from_environment();
  options.memory_limit = 5500000;
  world.set_options(options);
  try {
    const Scratch scratch(world, directory);
    run(world, scratch);
    if (verbose && world.rank() == 0)
      std::fprintf(stderr, "disk: %lld bytes read, %lld written\n", static_cast<long long>(scratch.bytes_read()),
                   static_cast<long long>(scratch.bytes_written()));
  } catch (const InternalError&) {
    throw;
  } catch (const Error& error) {  // on all ranks or none
    if (world.rank() == 0) std::fprintf(stderr, "%s: %s\n", argv[0], error.what());
    return dynamic_cast<const ResourceError*>(&error) != nullptr ? 3 : 2;
  }
  return 0;
}
