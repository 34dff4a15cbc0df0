#include "oracle_case.hpp"

#include <cmath>
#include <limits>
#include <sstream>

#include <gtest/gtest.h>

#include "layout/local_elements.hpp"
#include "simulated_moves.hpp"
#include "simulated_ranks.hpp"

namespace ricci::planning {

using layout::Distribution;
using ricci_test::Assignment;

namespace {

Symmetry symmetry_of(const ricci_test::TensorShape& shape) {
  Symmetry symmetry;
  for (const ricci_test::Group& group : shape.groups) {
    symmetry = symmetry * (group.kind == ricci_test::GroupKind::symmetric       ? symmetric(group.modes)
                           : group.kind == ricci_test::GroupKind::antisymmetric ? antisymmetric(group.modes)
                                                                                : hollow(group.modes));
  }
  return symmetry;
}

std::vector<double> as_doubles(const ricci_test::DenseTensor& tensor) {
  std::vector<double> values;
  for (const ricci_test::Number& value : tensor) values.push_back(static_cast<double>(value.real()));
  return values;
}

}  // namespace

OracleCase::OracleCase(ricci_test::Statement statement, int ranks, layout::Random& random)
    : statement_(std::move(statement)), ranks_(ranks), output_stays_(random.below(2) == 0) {
  statement_.type = ricci_test::ElementKind::f64;
  for (ricci_test::Term& term : statement_.terms) term.coefficient = term.coefficient.real();
  for (const ricci_test::TensorShape& shape : statement_.tensors) {
    const Extents extents = ricci_test::extents_of(statement_, shape);
    shapes_.push_back(std::make_shared<const symmetry::Shape>(extents, symmetry_of(shape)));
    layouts_.push_back(random.layout(*shapes_.back(), ranks));
  }
  data_ = ricci_test::random_data(statement_);
  expected_ = ricci_test::evaluate(statement_, data_);
}

DistributedPlan OracleCase::plan(const SpreadGoal& goal) const {
  notation::WrittenStatement written;
  written.output = {shapes_[0], statement_.output};
  written.overwrite = statement_.how == Assignment::assign;
  std::vector<Place> places{{layouts_[0]}};
  for (const ricci_test::Term& term : statement_.terms) {
    auto& factors = written.terms.emplace_back();
    for (const ricci_test::Factor& factor : term.factors) {
      factors.push_back({shapes_[factor.tensor], factor.labels, factor.conjugate, factor.tensor == 0});
      places.push_back({layouts_[factor.tensor]});
    }
  }
  const MachineModel machine;
  return plan_distributed(plan_statement(notation::bind(written), machine, Options{.threads = 1}), places,
                          output_stays_, ranks_, machine, goal);
}

void OracleCase::expect_right(const DistributedPlan& plan) const {
  // Where the nodes find them.
  std::vector<Layout> layouts = layouts_;
  layouts[0] = plan.layouts[0];
  std::size_t slot = 0;
  for (const ricci_test::Term& term : statement_.terms) {
    for (const ricci_test::Factor& factor : term.factors) layouts[factor.tensor] = plan.layouts[++slot];
  }
  std::vector<RankData> tensors;
  for (std::size_t tensor = 0; tensor < data_.size(); ++tensor) {
    tensors.push_back(scatter({shapes_[tensor], layouts[tensor]}, as_doubles(data_[tensor])));
  }
  SimulatedBinding binding;
  bool reads_output = statement_.how != Assignment::assign;
  for (const ricci_test::Term& term : statement_.terms) {
    binding.coefficients.push_back(term.coefficient.real() * (statement_.how == Assignment::subtract ? -1 : 1));
    for (const ricci_test::Factor& factor : term.factors) {
      reads_output = reads_output || factor.tensor == 0;
      binding.factors.push_back(factor.tensor == 0 ? &binding.output : &tensors[factor.tensor]);
    }
  }
  binding.output = reads_output ? tensors[0] : unset({shapes_[0], layouts[0]});
  run_plan(plan, binding);
  const Distribution made(shapes_[0], plan.output);
  for (int rank = 0; rank < ranks_; ++rank) {
    const layout::LocalTiles tiles = made.local(rank);
    layout::LocalElements elements(made, tiles);
    ASSERT_EQ(static_cast<std::int64_t>(binding.output[rank].size()), elements.size());
    for (std::int64_t i = 0; i < elements.size(); ++i, elements.next()) {
      const auto key = static_cast<std::size_t>(layout::key_of(*shapes_[0], elements.index()));
      const double found = binding.output[rank][i], wanted = static_cast<double>(expected_.values[key].real());
      const auto allowed =
          static_cast<double>(ricci_test::tolerance(expected_, key, std::numeric_limits<double>::epsilon()));
      ASSERT_TRUE(std::abs(found - wanted) <= allowed)
          << "element " << key << " on rank " << rank << " is " << found << " instead of " << wanted << '\n'
          << text() << plan;
    }
  }
}

std::string OracleCase::text() const {
  std::ostringstream out;
  out << statement_;
  for (std::size_t tensor = 0; tensor < layouts_.size(); ++tensor) {
    out << 'T' << tensor << ": " << layouts_[tensor] << '\n';
  }
  out << (output_stays_ ? "the output stays" : "the output may move") << " on " << ranks_ << " ranks\n";
  return out.str();
}

}  // namespace ricci::planning
