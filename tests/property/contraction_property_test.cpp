// Random statements against the oracle.
#include <gtest/gtest.h>

#include "check_property.hpp"
#include "oracle.hpp"
#include "random_statement.hpp"
#include "run_statement.hpp"

namespace ricci_test {
namespace {

template <class T>
void expect_operands_unchanged(const std::vector<ricci::Tensor<T>>& tensors, const std::vector<DenseTensor>& data) {
  for (std::size_t number = 1; number < tensors.size(); ++number) {
    const std::vector<T> now = tensors[number].gather();
    for (std::size_t key = 0; key < now.size(); ++key) {
      if (now[key] != element_from<T>(data[number][key])) RC_FAIL("operand T" + std::to_string(number) + " changed");
    }
  }
}

void check_statement(const Statement& statement, int threads) {
  with_element_type(statement, [&]<class T>(T) {
    ricci::World world;
    world.set_options(ricci::Options{.memory_limit = 0, .threads = threads});
    const auto data = random_data(statement);
    const auto tensors = make_tensors<T>(world, statement, data);
    run_at_once(statement, tensors);
    const std::string problem = difference(tensors[0].gather(), evaluate(statement, data));
    if (!problem.empty()) RC_FAIL(problem);
    expect_operands_unchanged(tensors, data);
  });
}

TEST(Contraction, AnyStatement) {
  check_property(4000, [] { check_statement(*random_statement(), 1); });
}

TEST(Contraction, AnyStatementOnTwoThreads) {
  check_property(500, [] { check_statement(*random_statement(), 2); });
}

TEST(Contraction, TwoOperands) {
  check_property(800, [] { check_statement(*random_contraction(), 1); });
}

TEST(Contraction, TwoOperandsOnTwoThreads) {
  check_property(200, [] { check_statement(*random_contraction(), 2); });
}

TEST(Contraction, CoupledCluster) {
  check_property(600, [] { check_statement(*random_coupled_cluster(), 1); });
}

/// Every node sends and receives what was predicted.
void expect_counted(const ricci::Report& report, const std::string& plan) {
  for (const ricci::ReportLine& line : report.lines) {
    if (line.predicted.network_bytes != line.measured.network_bytes) {
      RC_FAIL(plan + ": " + line.what + " sent " + std::to_string(line.measured.network_bytes) + " bytes instead of " +
              std::to_string(line.predicted.network_bytes));
    }
    if (line.predicted.received_bytes != line.measured.received_bytes) {
      RC_FAIL(plan + ": " + line.what + " received " + std::to_string(line.measured.received_bytes) +
              " bytes instead of " + std::to_string(line.predicted.received_bytes));
    }
  }
}

/// Not only the plan that is chosen: any that the planner can think of, and it sends what it says.
void check_any_plan(const Statement& statement, ricci::Strategy strategy = ricci::Strategy::any) {
  with_element_type(statement, [&]<class T>(T) {
    const ricci::World world;
    const auto data = random_data(statement);
    const auto tensors = make_tensors<T>(world, statement, data);
    const int rival = static_cast<int>(statement.data_seed % 100'000);
    const ricci::Report report =
        ricci::plan(as_value(statement, tensors), {.threads = 1, .rival = rival, .strategy = strategy}).run();
    const std::string problem = difference(tensors[0].gather(), evaluate(statement, data));
    if (!problem.empty()) RC_FAIL(problem + " with plan " + std::to_string(rival));
    expect_counted(report, "plan " + std::to_string(rival));
    expect_operands_unchanged(tensors, data);
  });
}

/// A plan for many runs moves tensors to where it wants them. Before the second run the output is what it was.
void check_plan_for_many_runs(const Statement& statement) {
  with_element_type(statement, [&]<class T>(T) {
    const ricci::World world;
    const auto data = random_data(statement);
    const auto expected = evaluate(statement, data);
    auto tensors = make_tensors<T>(world, statement, data, statement.data_seed % 4 == 0);
    const auto before = make_tensors<T>(world, statement, data, false)[0].gather();
    const int rival = statement.data_seed % 3 == 0 ? static_cast<int>(statement.data_seed % 1000) : 0;
    const ricci::Plan plan =
        ricci::plan(as_value(statement, tensors), ricci::Options{.threads = 1, .runs = 1'000'000, .rival = rival});
    for (const char* run : {"the first run", "the second run", "the third run"}) {
      tensors[0].assign_dense(before);
      const ricci::Report report = plan.run();
      const std::string problem = difference(tensors[0].gather(), expected);
      if (!problem.empty()) RC_FAIL(problem + " in " + run);
      expect_counted(report, run);
    }
    expect_operands_unchanged(tensors, data);
  });
}

/// Statements that hand tensors on give what they give one by one.
void check_sequence(const Statement& statement) {
  with_element_type(statement, [&]<class T>(T) {
    const ricci::World world;
    const auto data = random_data(statement);
    auto planned = make_tensors<T>(world, statement, data, statement.data_seed % 4 == 0);
    auto one_by_one = make_tensors<T>(world, statement, data, false);
    // Every tensor is doubled, turned, and put back.
    const auto steps = [&](std::vector<ricci::Tensor<T>>& tensors, auto f) {
      f(as_value(statement, tensors));
      for (ricci::Tensor<T>& tensor : tensors) {
        std::string labels;
        for (int mode = 0; mode < tensor.order(); ++mode) labels += static_cast<char>('a' + mode);
        f(tensor[labels].add(1.0 * tensor[labels]));
      }
      f(as_value(statement, tensors));
    };
    std::vector<ricci::Statement> statements;
    steps(planned, [&](const ricci::Statement& s) { statements.push_back(s); });
    const ricci::Plan plan = ricci::plan(statements, ricci::Options{.threads = 1, .runs = 100});
    expect_counted(plan.run(), "the sequence");
    steps(one_by_one, [&](const ricci::Statement& s) { ricci::plan(s, ricci::Options{.threads = 1}).run(); });
    const auto got = planned[0].gather(), wanted = one_by_one[0].gather();
    const auto scale = one_by_one[0].max_abs();
    constexpr auto accuracy = 1e4 * std::numeric_limits<typename ricci::Tensor<T>::Real>::epsilon();
    for (std::size_t i = 0; i < got.size(); ++i) {
      if (std::abs(got[i] - wanted[i]) > accuracy * scale) RC_FAIL("element " + std::to_string(i) + " differs");
    }
  });
}

/// The same by =, += and -=, which leave an output without a layout of its own where it is made, node after node.
void check_any_plan_at_once(const Statement& statement) {
  with_element_type(statement, [&]<class T>(T) {
    ricci::World world;
    const int rival = static_cast<int>(statement.data_seed % 100'000);
    world.set_options(ricci::Options{.threads = 1, .rival = rival});
    const auto data = random_data(statement);
    const auto tensors = make_tensors<T>(world, statement, data);
    run_at_once(statement, tensors);
    const std::string problem = difference(tensors[0].gather(), evaluate(statement, data));
    if (!problem.empty()) RC_FAIL(problem + " with plan " + std::to_string(rival));
    expect_operands_unchanged(tensors, data);
  });
}

TEST(Contraction, AnyPlanAtOnce) {
  check_property(2000, [] { check_any_plan_at_once(*random_statement()); });
}

TEST(Contraction, AnyPlanOfAnyStatement) {
  check_property(1000, [] { check_any_plan(*random_statement()); });
}

TEST(Contraction, PlansForManyRuns) {
  check_property(600, [] {
    check_plan_for_many_runs(*rc::gen::oneOf(random_statement(), random_contraction(), random_coupled_cluster()));
  });
}

TEST(Contraction, Sequences) {
  check_property(
      300, [] { check_sequence(*rc::gen::oneOf(random_statement(), random_contraction(), random_coupled_cluster())); });
}

TEST(Contraction, AnyPlanOfTwoOperands) {
  check_property(1000, [] { check_any_plan(*random_contraction()); });
}

TEST(Contraction, AnyPlanOfCoupledCluster) {
  check_property(600, [] { check_any_plan(*random_coupled_cluster()); });
}

TEST(Contraction, AnyPlanThatUnpacksOperandsFirst) {
  check_property(600, [] {
    check_any_plan(*rc::gen::oneOf(random_contraction(), random_coupled_cluster()), ricci::Strategy::desymmetrise);
  });
}

TEST(Contraction, PlanGivesTheSameBitsAsTheOperator) {
  check_property(500, [] {
    const Statement statement = *rc::gen::oneOf(random_statement(), random_contraction(), random_coupled_cluster());
    with_element_type(statement, [&]<class T>(T) {
      const ricci::World world;
      const auto data = random_data(statement);
      auto at_once = make_tensors<T>(world, statement, data);
      auto planned = make_tensors<T>(world, statement, data);
      // An output without a layout of its own is left elsewhere by the operator, and may be added up in another order.
      for (auto* tensors : {&at_once, &planned}) tensors->at(0).redistribute(tensors->at(0).layout());
      run_at_once(statement, at_once);
      const ricci::Plan plan = ricci::plan(as_value(statement, planned));
      RC_ASSERT(planned[0].gather() == make_tensors<T>(world, statement, data)[0].gather());
      RC_ASSERT(!plan.explain().empty());
      plan.run();
      RC_ASSERT(planned[0].gather() == at_once[0].gather());
    });
  });
}

// Twice by the cached plan, and once in a world that has no plan yet.
TEST(Contraction, RepeatedRunsGiveTheSameBits) {
  check_property(300, [] {
    const Statement statement = *rc::gen::oneOf(random_statement(), random_contraction());
    const int threads = *rc::gen::inRange(1, 3);
    with_element_type(statement, [&]<class T>(T) {
      const auto data = random_data(statement);
      const auto result = [&](ricci::World world) {
        world.set_options(ricci::Options{.memory_limit = 0, .threads = threads});
        const auto tensors = make_tensors<T>(world, statement, data);
        run_at_once(statement, tensors);
        return tensors[0].gather();
      };
      const ricci::World world;
      const std::vector<T> first = result(world);
      RC_ASSERT(result(world) == first);
      RC_ASSERT(result(ricci::World()) == first);
    });
  });
}

TEST(Contraction, ValueIsTheSumOverAllLabels) {
  check_property(500, [] {
    Statement statement = *random_statement();
    statement.tensors.insert(statement.tensors.begin(), TensorShape{});
    statement.output.clear();
    statement.how = Assignment::assign;
    for (Term& term : statement.terms) {
      for (Factor& factor : term.factors) ++factor.tensor;
    }
    if (statement.terms[0].factors.empty()) statement.terms[0].factors.push_back({0, "", false});
    with_element_type(statement, [&]<class T>(T) {
      const auto data = random_data(statement);
      const auto tensors = make_tensors<T>(ricci::World(), statement, data);
      const std::complex<double> value = right_side(statement, tensors).value();
      const std::string problem = difference(std::vector<T>{element_from<T>(Number(value))}, evaluate(statement, data));
      if (!problem.empty()) RC_FAIL(problem);
    });
  });
}

}  // namespace
}  // namespace ricci_test
