#pragma once
// The ways of seed 004: three parallel algorithms, communication inside or outside the disk loops, six disk orders.
#include <array>
#include <iosfwd>
#include <string>
#include <vector>

namespace ricci::compile::parallel_disk {

enum class Label { i, j, k };
enum class Array { a, b, c };
enum class ParallelAlgorithm { rotation, replication, accumulation };
enum class Communication { outside, inside };  ///< section 2.1
enum class DiskOrder { abc, acb, bac, bca, cab, cba };

inline constexpr std::array all_labels = {Label::i, Label::j, Label::k};
inline constexpr std::array all_arrays = {Array::a, Array::b, Array::c};
inline constexpr std::array all_orders = {DiskOrder::abc, DiskOrder::acb, DiskOrder::bac,
                                          DiskOrder::bca, DiskOrder::cab, DiskOrder::cba};

struct ParallelDiskMethod {
  ParallelAlgorithm algorithm = ParallelAlgorithm::rotation;
  Communication communication = Communication::outside;
  DiskOrder order = DiskOrder::abc;
  Array replicated = Array::a;  ///< of replication: the rows "Replication A" and "Replication B" of Table 1

  bool operator==(const ParallelDiskMethod&) const = default;
};

/// The loops around the disk statements after the clean-up of section 3, figure 3(b), for any order. With the arrays
/// in the order first, second, third:
///     for shared1, last1: read first
///       for free1: read second
///         for last2: read third
/// `shared` is the label of first and second, `last` that of first and third, `free` that of second and third. So the
/// first array is read once, the second last1 times and the third shared1 times. (Tables 2-7 print It2 for ABC/ACB and
/// Jt2 for the other two rows, which is `last` of their first order only; ACB has Kt2, BCA Kt2, CBA It2.)
struct LoopRoles {
  Array first, second, third;
  Label shared, last, free;
};
LoopRoles roles_of(DiskOrder);

/// The two labels of an array, in the order in which the paper writes them: A(I,K), B(J,K), C(I,J).
std::array<Label, 2> labels_of(Array);
bool has_label(Array, Label);

/// What becomes of an order when A and B change places.
DiskOrder mirrored(DiskOrder);

/// All ways; replication once for each operand.
std::vector<ParallelDiskMethod> all_methods();

char letter(Array);
char letter(Label);  ///< upper case
std::string name_of(DiskOrder);
std::string name_of(const ParallelDiskMethod&);  ///< without the order: "inside replication of A"

std::ostream& operator<<(std::ostream&, const ParallelDiskMethod&);

}  // namespace ricci::compile::parallel_disk
