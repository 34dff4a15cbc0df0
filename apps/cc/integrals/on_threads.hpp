#pragma once
#include <exception>

namespace cc {

/// f(0) to f(threads - 1), each by a thread of its own where there are so many. What one of them throws is thrown.
template <class F>
void on_threads(int threads, const F& f) {
  std::exception_ptr failure;
#pragma omp parallel for schedule(static, 1) num_threads(threads)
  for (int thread = 0; thread < threads; ++thread) {
    try {
      f(thread);
    } catch (...) {
#pragma omp critical(cc_on_threads)
      failure = std::current_exception();
    }
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace cc
