// Misuse of the notation: what each message names, and that nothing has changed afterwards.
#include "expect_error.hpp"

namespace ricci_test {
namespace {

using ricci::Expression;
using ricci::InputError;
using ricci::Tensor;

// The label q, told apart from a letter of the sentence.
const std::string label_q = "'q'|\"q\"|`q`|label q|index q";

// Runs a statement that must fail, and compares the output before and after.
void expect_refused(Tensor<double>& output, const std::function<void()>& action,
                    const std::vector<std::string>& parts) {
  const std::vector<double> before = output.gather();
  expect_input_error(action, parts);
  EXPECT_EQ(output.gather(), before) << "the output has changed";
}

TEST(StatementError, ExtentsOfTwoOperandsDiffer) {
  const auto a = filled({3, 41}), b = filled({53, 2});
  auto c = filled({3, 2});
  expect_refused(c, [&] { c["ij"] = a["iq"] * b["qj"]; },
                 {label_q, "41", "53", "iq|operand 1|first", "qj|operand 2|second", remedy});
}

TEST(StatementError, ExtentsOfOutputAndOperandDiffer) {
  const auto a = filled({41, 3});
  auto c = filled({53, 3});
  for (const auto& run : std::vector<std::function<void()>>{[&] { c["qi"] = a["qi"]; }, [&] { c["qi"] += a["qi"]; },
                                                            [&] { c["qi"] -= a["qi"]; }}) {
    expect_refused(c, run, {label_q, "41", "53", "output", remedy});
  }
}

TEST(StatementError, ExtentsWithinOneOperandDiffer) {
  const auto a = filled({41, 53});
  auto v = filled({41});
  expect_refused(v, [&] { v["q"] = a["qq"]; }, {label_q, "41", "53", "qq"});
  auto d = filled({41, 53});
  expect_refused(d, [&] { d["qq"] = v["q"]; }, {label_q, "41", "53", "output"});
}

TEST(StatementError, ExtentsInASecondTermDiffer) {
  const auto a = filled({3, 2}), b = filled({3, 41}), d = filled({53, 2});
  auto c = filled({3, 2});
  expect_refused(c, [&] { c["ij"] = a["ij"] + b["iq"] * d["qj"]; }, {label_q, "41", "53"});
  // One label has one extent in the whole statement, even where it is summed in two terms separately.
  const auto e = filled({3, 41}), f = filled({3, 53});
  auto v = filled({3});
  expect_refused(v, [&] { v["i"] = e["iq"] + f["iq"]; }, {label_q, "41", "53"});
}

TEST(StatementError, ExtentOneIsNotBroadcast) {
  const auto a = filled({1, 37});
  auto c = filled({29, 37});
  expect_refused(c, [&] { c["qi"] = a["qi"]; }, {label_q, "1", "29"});
}

TEST(StatementError, CommaLabelsAreNamedInFull) {
  const auto a = filled({3, 41}), b = filled({53, 3});
  expect_input_error([&] { (a["top,middle"] * b["middle,top"]).value(); }, {"middle", "41", "53"});
}

TEST(StatementError, PlanRefusesWhatTheOperatorRefuses) {
  const auto a = filled({3, 41}), b = filled({53, 2});
  auto c = filled({3, 2});
  expect_refused(c, [&] { ricci::plan(c["ij"].assign(a["iq"] * b["qj"])); }, {label_q, "41", "53"});
}

TEST(StatementError, ValueChecksExtents) {
  const auto a = filled({41}), b = filled({53});
  expect_input_error([&] { (a["q"] * b["q"]).value(); }, {label_q, "41", "53"});
}

TEST(LabelError, WrongNumberOfLabels) {
  const auto a = filled({3, 4});
  expect_input_error([&] { a["ijk"]; }, {"ijk", "3|three", "2|two", remedy});
  expect_input_error([&] { a[""]; }, {"0|no label|empty", "2|two"});
  expect_input_error([&] { a["first,second,third"]; }, {"first,second,third", "3|three", "2|two"});
  expect_input_error([&] { filled({})["i"]; }, {"i", "1|one", "0|scalar|no mode"});
}

TEST(LabelError, NamesMustNotBeEmpty) {
  const auto a = filled({2, 2, 2}), b = filled({2, 2});
  expect_input_error([&] { a["i,,j"]; }, {"i,,j", "empty"});
  expect_input_error([&] { b[","]; }, {",", "empty"});
  expect_input_error([&] { a["i, ,j"]; }, {"i, ,j", "empty|blank|space"});
}

TEST(LabelError, LabelsArePrintable) {
  const auto b = filled({2, 2});
  expect_input_error([&] { b["  "]; }, {"empty|blank|space|character"});
  expect_input_error([&] { b[" j"]; }, {"empty|blank|space|character"});
  expect_input_error([&] { b["i\x01"]; }, {"character|printable|letter"});
  expect_input_error([&] { b["i\n"]; }, {"character|printable|letter|blank|space"});
  expect_input_error([&] { b[std::string_view("i\0", 2)]; }, {"character|printable|letter"});
}

TEST(TypeError, ElementTypesDoNotMix) {
  auto c = filled({2});
  const auto a = filled({2});
  const Tensor<float> single(shared_world(), {2});
  const Tensor<std::complex<double>> z(shared_world(), {2});
  expect_refused(c, [&] { c["i"] = a["i"] * single["i"]; }, {"float", "double", remedy});
  expect_refused(c, [&] { c["i"] = single["i"]; }, {"float", "double"});
  expect_refused(c, [&] { c["i"] = a["i"] + z["i"]; }, {"complex", "double"});
  expect_input_error([&] { (a["i"] * z["i"]).value(); }, {"complex", "double"});
}

TEST(TypeError, ComplexNumberInARealStatement) {
  auto c = filled({2});
  const auto a = filled({2});
  expect_refused(c, [&] { c["i"] = std::complex<double>(0.5, 2.5) * a["i"]; }, {"complex", "double", "2.5", remedy});
  expect_refused(c, [&] { c["i"] += Expression(std::complex<double>(0.5, 2.5)); }, {"complex", "2.5"});
  c["i"] = std::complex<double>(2.0, 0.0) * a["i"];
}

TEST(TypeError, ComplexValueAskedForAsReal) {
  Tensor<std::complex<double>> z(shared_world(), {2});
  expect_input_error([&] { [[maybe_unused]] const double x = (z["i"] * z["i"]).value(); }, {"complex", remedy});
}

TEST(NoTensorError, DefaultAndMovedFromTensors) {
  Tensor<double> none, from = filled({2});
  const Tensor<double> to = std::move(from);
  for (Tensor<double>* tensor : {&none, &from}) {
    expect_input_error([&] { tensor->order(); }, {"tensor", remedy});
    expect_input_error([&] { tensor->fill(1.0); }, {"tensor"});
    expect_input_error([&] { tensor->gather(); }, {"tensor"});
    expect_input_error([&] { (*tensor)["i"]; }, {"tensor"});
    expect_input_error([&] { tensor->norm2(); }, {"tensor"});
    *tensor = to;
    EXPECT_EQ(tensor->gather(), to.gather()) << "usable again once assigned";
  }
}

TEST(ErrorTypes, AreRuntimeErrors) {
  static_assert(std::is_base_of_v<std::runtime_error, ricci::Error>);
  static_assert(std::is_base_of_v<ricci::Error, InputError>);
  static_assert(std::is_base_of_v<ricci::Error, ricci::ResourceError>);
  static_assert(std::is_base_of_v<ricci::Error, ricci::InternalError>);
  static_assert(!std::is_base_of_v<InputError, ricci::ResourceError>);
}

}  // namespace
}  // namespace ricci_test
