#include "testing/allocation_counter.h"

#include <malloc.h>

#include <cstdlib>
#include <new>

#include "testing/scarce_memory.h"

namespace sluice::testing {
namespace {

thread_local std::size_t allocations = 0;

}  // namespace

std::size_t allocations_by_new() noexcept { return allocations; }

std::size_t heap_bytes_in_use() noexcept {
  const struct mallinfo2 facts = ::mallinfo2();
  return facts.uordblks + facts.hblkhd;
}

}  // namespace sluice::testing

// The program's own operator new. The forms that are not defined here call forms that are. The form
// that does not throw is here because with the address sanitizer it would call the sanitizer's
// allocator.
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  ++sluice::testing::allocations;
  if (sluice::testing::next_allocation_fails()) return nullptr;
  return std::malloc(bytes == 0 ? 1 : bytes);
}

void* operator new(std::size_t bytes) {
  if (void* memory = operator new(bytes, std::nothrow)) return memory;
  throw std::bad_alloc();
}

void* operator new(std::size_t bytes, std::align_val_t alignment) {
  ++sluice::testing::allocations;
  if (sluice::testing::next_allocation_fails()) throw std::bad_alloc();
  const auto step = static_cast<std::size_t>(alignment);
  if (void* memory = std::aligned_alloc(step, (bytes + step - 1) / step * step)) return memory;
  throw std::bad_alloc();
}

void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
