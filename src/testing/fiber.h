// Fiber: a stack and where its code stands; it runs while somebody has switched to it.
//
// All fibers of a test live in one thread of the system: a switch costs a tenth of a microsecond,
// and one that is never switched to again just stays where it is.
// Threads: one at a time.
#pragma once

#include <ucontext.h>

#include <cstddef>

namespace sluice::testing {

class Fiber {
 public:
  Fiber() = default;  // stands for the code that is running
  // Calls `body(argument)` when it is first switched to. That never returns.
  Fiber(void (*body)(void*), void* argument);
  ~Fiber();
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;

  // Goes on with `other`; this fiber is the one that runs, and goes on when switched to.
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
