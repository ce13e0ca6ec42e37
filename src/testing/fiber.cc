#include "testing/fiber.h"

#include <sys/mman.h>

#include <cstdint>
#include <cstdlib>

namespace sluice::testing {
namespace {

constexpr std::size_t guard_bytes = 4096;

}  // namespace

Fiber::Fiber(void (*body)(void*), void* argument) : body_(body), argument_(argument) {
  stack_ = ::mmap(nullptr, stack_bytes, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
  if (stack_ == MAP_FAILED || ::mprotect(stack_, guard_bytes, PROT_NONE) != 0) std::abort();
  ::getcontext(&context_);
  context_.uc_stack.ss_sp = stack_;
  context_.uc_stack.ss_size = stack_bytes;
  const auto self = reinterpret_cast<std::uintptr_t>(this);  // makecontext passes only ints
  ::makecontext(&context_, reinterpret_cast<void (*)()>(begin), 2,
                static_cast<unsigned>(self >> 32), static_cast<unsigned>(self));
}

Fiber::~Fiber() {
  if (stack_ != nullptr) ::munmap(stack_, stack_bytes);
}

void Fiber::begin(unsigned high, unsigned low) {
  const Fiber& self =
      *reinterpret_cast<Fiber*>(static_cast<std::uintptr_t>(high) << 32 | std::uintptr_t{low});
  self.body_(self.argument_);
  std::abort();
}

void Fiber::switch_to(Fiber& other) { ::swapcontext(&context_, &other.context_); }

}  // namespace sluice::testing
