#pragma once
// Asserts the type of an exception and what its message names.
#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <ricci/ricci.hpp>

namespace ricci_test {

/// The message that the action throws as this type; an empty one, and a failure, where it throws nothing or another.
template <class Error>
std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  } catch (const std::exception& error) {
    ADD_FAILURE() << "another exception: " << error.what();
    return {};
  }
  ADD_FAILURE() << "nothing was thrown";
  return {};
}

/// Each part must stand in the message; `a|b|c` means any one of them. The wording is the library's own.
inline void expect_names(const std::string& message, const std::vector<std::string>& parts) {
  for (const std::string& part : parts) {
    std::istringstream alternatives(part);
    bool found = false;
    for (std::string one; std::getline(alternatives, one, '|');)
      found = found || message.find(one) != std::string::npos;
    EXPECT_TRUE(found) << "the message does not name " << part << ":\n  " << message;
  }
}

template <class Error>
void expect_error(const std::function<void()>& action, const std::vector<std::string>& parts) {
  expect_names(message_of<Error>(action), parts);
}

inline void expect_input_error(const std::function<void()>& action, const std::vector<std::string>& parts) {
  expect_error<ricci::InputError>(action, parts);
}

/// A message that helps ends with what to do; any of these words will do.
inline const std::string remedy =
    "give|Give|use|Use|make|Make|check|Check|must|need|rename|declare|choose|name |count from|"
    "run from|at most|or more|write |same|one extent|raise|smaller|ask|convert|assign";

inline const ricci::World& shared_world() {
  static const ricci::World world;
  return world;
}

/// Distinctive values, so that any change is seen.
inline ricci::Tensor<double> filled(ricci::Extents extents, ricci::Symmetry symmetry = {}) {
  ricci::Tensor<double> tensor(shared_world(), std::move(extents), std::move(symmetry));
  tensor.fill_random(17);
  return tensor;
}

}  // namespace ricci_test
