// Fiber: a stack and the place at which its code goes on. A fiber starts running when another fiber
// switches to it, and stops when it switches away.
//
// All fibers of a test live in one thread of the system. A switch costs a tenth of a microsecond. A
// fiber to which no fiber switches again stays where it is.
// Threads: one at a time.
#pragma once

#include <ucontext.h>

#include <cstddef>

namespace sluice::testing {

class Fiber {
 public:
  Fiber() = default;  // stands for the code that is running
  // The first switch to the fiber calls `body(argument)`. The body never returns.
  Fiber(void (*body)(void*), void* argument);
  ~Fiber();
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;

  // Switches to `other`. This fiber must be the running fiber. The call returns when a fiber
  // switches back to this fiber.
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
