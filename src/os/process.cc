#include "os/process.h"

#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <cstring>

#include "os/system_calls.h"

namespace sluice::os {
namespace {

std::atomic<unsigned> generation{0};

void count_fork() { generation.fetch_add(1, std::memory_order_relaxed); }

}  // namespace

// glibc ties the handler to the shared object it is registered from and drops it at dlclose.
bool call_in_forked_child(void (*function)()) noexcept {
  return ::pthread_atfork(nullptr, nullptr, function) == 0;
}

unsigned fork_generation() noexcept {
  static const bool counting = call_in_forked_child(count_fork);
  static_cast<void>(counting);  // false only without memory; then a child is not told apart
  return generation.load(std::memory_order_relaxed);
}

std::size_t processors() noexcept {
  static const long counted = calls().processors();
  return counted > 0 ? static_cast<std::size_t>(counted) : 1;
}

void print_line_to_standard_error(const char* line) noexcept {
  char newline[] = "\n";
  iovec pieces[] = {{const_cast<char*>(line), std::strlen(line)}, {newline, 1}};
  static_cast<void>(calls().writev(STDERR_FILENO, pieces, 2));
}

}  // namespace sluice::os
