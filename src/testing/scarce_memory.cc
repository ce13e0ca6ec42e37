#include "testing/scarce_memory.h"

#include <atomic>
#include <cerrno>

namespace sluice::testing {
namespace {

std::atomic<bool> counting{false};
std::atomic<long> allocations_left{0};  // when 1 is left, the next allocation fails
std::atomic<bool> fails_for_ever{false};

}  // namespace

bool next_allocation_fails() noexcept {
  if (!counting) return false;
  const long left = allocations_left.fetch_sub(1);
  return left == 1 || (left < 1 && fails_for_ever);
}

ScarceMemory::ScarceMemory(std::size_t nth, Lasting lasting) noexcept {
  allocations_left = static_cast<long>(nth);
  fails_for_ever = lasting == Lasting::for_ever;
}

ScarceMemory::~ScarceMemory() { counting = false; }

bool ScarceMemory::ran_out() const noexcept { return allocations_left < 1; }

ScarceMemory::Within::Within() noexcept { counting = true; }

ScarceMemory::Within::~Within() { counting = false; }

void* ScarceMemory::Calls::allocate(std::size_t bytes) {
  return next_allocation_fails() ? nullptr : SystemCalls::allocate(bytes);
}

void* ScarceMemory::Calls::reallocate(void* old, std::size_t bytes) {
  return next_allocation_fails() ? nullptr : SystemCalls::reallocate(old, bytes);
}

CallResult ScarceMemory::Calls::map_memory(std::size_t bytes, void*& address) {
  return next_allocation_fails() ? -ENOMEM : SystemCalls::map_memory(bytes, address);
}

CallResult ScarceMemory::Calls::remap_memory(void* old, std::size_t old_bytes, std::size_t bytes,
                                             void*& address) {
  return next_allocation_fails() ? -ENOMEM
                                 : SystemCalls::remap_memory(old, old_bytes, bytes, address);
}

CallResult ScarceMemory::Calls::start_thread(void* (*body)(void*), void* argument,
                                             pthread_t& thread) {
  return next_allocation_fails() ? -EAGAIN : SystemCalls::start_thread(body, argument, thread);
}

}  // namespace sluice::testing
