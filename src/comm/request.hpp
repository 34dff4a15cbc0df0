#pragma once
// Communication that has been started and not yet waited for.
#include <memory>
#include <span>

namespace ricci::comm {

/// Owns a started operation, which may be several messages where it went in chunks. What it reads must stay unchanged,
/// and what it writes untouched, until it is complete. The destructor waits: buffers that die after it are safe.
class Request {
 public:
  Request();  ///< Complete.
  Request(Request&&) noexcept;
  Request& operator=(Request&&) noexcept;  ///< Waits for what it held.
  ~Request();

  void wait();
  /// Whether it is complete. Calling it also drives the communication.
  bool test();

  struct State;
  explicit Request(std::unique_ptr<State> state);

 private:
  friend void wait_all(std::span<Request> requests);
  std::unique_ptr<State> state_;  // null: complete
};

/// Waits for all of them, in whatever order they complete. A std::vector<Request> converts.
void wait_all(std::span<Request> requests);

}  // namespace ricci::comm
