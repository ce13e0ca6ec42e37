// Fiber: a stack and the place where its code stands. It runs while another fiber has switched to
// it.
//
// All fibers of a test live in one thread of the system. A switch costs a tenth of a microsecond. A
// fiber that is never switched to again just stays where it is.
// Threads: one at a time.
#pragma once

#include <ucontext.h>

#include <cstddef>

namespace sluice::testing {

class Fiber {
 public:
  Fiber() = default;  // stands for the code that is running
  // Calls `body(argument)` when it is first switched to. The body never returns.
  Fiber(void (*body)(void*), void* argument);
  ~Fiber();
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;

  // Switches to `other`. This fiber must be the running one; it goes on when it is switched to.
  void switch_to(Fiber& other);

 private:
  static void begin(unsigned high, unsigned low);

  static constexpr std::size_t stack_bytes = 256 * 1024;
  ucontext_t context_{};
  void* stack_ = nullptr;
  void (*body_)(void*) = nullptr;
  void* argument_ = nullptr;
};

}  // namespace sluice::testing
