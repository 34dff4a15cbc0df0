#pragma once
// What a machine can do, as the planner sees it. `ricci machine` measures it and writes it to a file.
#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

namespace ricci {

/// What becomes of the network's figures for messages of `bytes` and more: protocols change with the size.
struct MessageRate {
  double bytes = 0;
  double latency = 1;    ///< factor
  double bandwidth = 1;  ///< factor
  bool operator==(const MessageRate&) const = default;
};

/// Rates of one rank. The defaults are those of a modest core, so that a plan made without a machine file is sane.
struct MachineModel {
  std::string cpu = "unknown";
  int threads = 1;                       ///< that the figures named `_threads` were measured with
  double gemm_flops = 40e9;              ///< matrix multiplication: flops a second, double, one thread
  double gemm_flops_threads = 40e9;      ///< with all threads
  double copy_bandwidth = 20e9;          ///< memory: bytes read and written a second, one thread
  double copy_bandwidth_threads = 20e9;  ///< with all threads
  double kernel_overhead = 1;            ///< of starting products and of small ones, in multiples of what is usual
  double network_latency = 2e-6;         ///< seconds until a message without content has arrived
  double network_bandwidth = 5e9;        ///< bytes a second that a rank receives; of a torus: that a link carries
  /// The network is a torus of so many dimensions, as equal as the number of ranks allows, and messages share its
  /// links; 0: all ranks are equally far from each other.
  int torus_dimensions = 0;
  double hop_latency = 0;  ///< seconds that each link of a torus adds to network_latency
  /// Of a torus: the part of a message's bytes that go back as acknowledgements and take room on links.
  double reverse_traffic = 0;
  double eager_bytes = 0;  ///< messages shorter than this leave their sender at once, and it need not wait for them
  std::vector<MessageRate> message_rates = {};  ///< by increasing size; none: the figures hold for all sizes
  double disk_read_bandwidth = 500e6;   ///< bytes a second that a rank reads from its scratch disk, in large transfers
  double disk_write_bandwidth = 400e6;  ///< and writes; both while the other ranks of its node do the same
  double disk_latency = 1e-4;           ///< seconds that a transfer takes however short it is
  std::int64_t memory_bytes = 0;        ///< of the whole machine; 0: not known

  /// $RICCI_MACHINE, else $XDG_CONFIG_HOME/ricci/machine.json, else ~/.config/ricci/machine.json.
  static std::string default_path();
  /// The file at default_path(), or the defaults where there is none. InputError where it cannot be read, or where
  /// $RICCI_MACHINE names a file that is not there.
  static MachineModel load_default();
  /// A figure that the file leaves out keeps its default. InputError, naming the file, where it is missing, no JSON,
  /// or has a figure that is not positive.
  static MachineModel load(const std::string& path);
  /// Makes the directory where it is missing. The file appears only when it is complete.
  void save(const std::string& path) const;

  /// The last of message_rates that is for messages of this size.
  MessageRate rate_of_message(double bytes) const;

  bool operator==(const MachineModel&) const = default;
};

std::ostream& operator<<(std::ostream&, const MachineModel&);

}  // namespace ricci
