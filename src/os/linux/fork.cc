#include <pthread.h>

#include <atomic>

#include "os/process.h"

namespace sluice::os {
namespace {

std::atomic<unsigned> generation{0};

void count_fork() { generation.fetch_add(1, std::memory_order_relaxed); }

// Registers when the library is loaded: a child would wait for ever for a thread of its parent that
// is about to register.
[[maybe_unused]] const unsigned at_load = fork_generation();

}  // namespace

// glibc ties the handler to the shared object that registers it, and drops the handler at dlclose.
bool call_in_forked_child(void (*function)()) noexcept {
  return ::pthread_atfork(nullptr, nullptr, function) == 0;
}

unsigned fork_generation() noexcept {
  static const bool counting = call_in_forked_child(count_fork);
  static_cast<void>(counting);  // false only without memory: then no child is recognised
  return generation.load(std::memory_order_relaxed);
}

}  // namespace sluice::os
