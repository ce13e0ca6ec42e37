#include "os/process.h"

#include <pthread.h>
#include <unistd.h>

#include <array>
#include <atomic>

#include "os/system_calls.h"

namespace sluice::os {
namespace {

std::atomic<unsigned> generation{0};

void count_fork() { generation.fetch_add(1, std::memory_order_relaxed); }

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

std::size_t processors() noexcept {
  static const long counted = calls().processors();
  return counted > 0 ? static_cast<std::size_t>(counted) : 1;
}

void print_line_to_standard_error(std::initializer_list<std::string_view> parts) noexcept {
  std::array<iovec, 16> pieces;
  std::size_t count = 0;
  for (const std::string_view part : parts) {
    if (count == pieces.size() - 1) break;
    pieces[count++] = {const_cast<char*>(part.data()), part.size()};
  }
  char newline[] = "\n";
  pieces[count++] = {newline, 1};
  static_cast<void>(calls().writev(STDERR_FILENO, pieces.data(), static_cast<int>(count)));
}

}  // namespace sluice::os
