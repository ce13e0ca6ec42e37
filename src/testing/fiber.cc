#include "testing/fiber.h"

#include <sys/mman.h>

#include <cstdint>
#include <cstdlib>

#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#endif

namespace sluice::testing {
namespace {

constexpr std::size_t guard_bytes = 4096;

// To the thread sanitizer a fiber is a thread, which nothing but locks and atomics orders.
#if defined(__SANITIZE_THREAD__)
void* running_fiber() { return __tsan_get_current_fiber(); }
void* new_fiber() { return __tsan_create_fiber(0); }
void end_fiber(void* fiber) { __tsan_destroy_fiber(fiber); }
void announce_switch(void* fiber) { __tsan_switch_to_fiber(fiber, __tsan_switch_to_fiber_no_sync); }
#else
void* running_fiber() { return nullptr; }
void* new_fiber() { return nullptr; }
void end_fiber(void*) {}
void announce_switch(void*) {}
#endif

}  // namespace

Fiber::Fiber() : known_to_sanitizer_(running_fiber()) {}

Fiber::Fiber(void (*body)(void*), void* argument)
    : body_(body), argument_(argument), known_to_sanitizer_(new_fiber()) {
  stack_ = ::mmap(nullptr, stack_bytes, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
  if (stack_ == MAP_FAILED || ::mprotect(stack_, guard_bytes, PROT_NONE) != 0) std::abort();
  ::getcontext(&context_);
  context_.uc_stack.ss_sp = stack_;
  context_.uc_stack.ss_size = stack_bytes;
  const auto self = reinterpret_cast<std::uintptr_t>(this);  // makecontext passes on ints alone
  ::makecontext(&context_, reinterpret_cast<void (*)()>(begin), 2,
                static_cast<unsigned>(self >> 32), static_cast<unsigned>(self));
}

Fiber::~Fiber() {
  if (stack_ == nullptr) return;
  end_fiber(known_to_sanitizer_);
  ::munmap(stack_, stack_bytes);
}

void Fiber::begin(unsigned high, unsigned low) {
  const Fiber& self =
      *reinterpret_cast<Fiber*>(static_cast<std::uintptr_t>(high) << 32 | std::uintptr_t{low});
  self.body_(self.argument_);
  std::abort();
}

void Fiber::switch_to(Fiber& other) {
  announce_switch(other.known_to_sanitizer_);
  ::swapcontext(&context_, &other.context_);
}

}  // namespace sluice::testing
