// What the kernel says about this process: its threads, its memory, what a thread is doing.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>

namespace sluice::testing {

pid_t this_thread();
std::set<pid_t> threads();
// The threads that are there now and were not in `before`.
std::set<pid_t> threads_since(const std::set<pid_t>& before);

// A field of /proc/self/task/THREAD/status, such as "SigBlk"; "" when there is none.
std::string thread_status_field(pid_t thread, const std::string& field);
std::uint64_t context_switches(pid_t thread);  // voluntary ones: each is a wait that began
std::uint64_t processor_ticks(pid_t thread);   // user and system time

// Waits until the thread sleeps and goes on sleeping: two looks a moment apart find it asleep with
// no wait begun between them. False when that does not come about in many looks.
bool wait_until_asleep(pid_t thread);

std::size_t resident_bytes();
std::size_t peak_resident_bytes();
// From here on peak_resident_bytes() counts anew. False where the kernel has no such thing.
bool reset_peak_resident_bytes();

// Under a sanitizer memory is not what it is for users.
constexpr bool sanitized =
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    true;
#else
    false;
#endif

// The thread sanitizer starts one of its own when the program starts its first.
constexpr std::size_t sanitizer_threads =
#if defined(__SANITIZE_THREAD__)
    1;
#else
    0;
#endif

// Runs `body` in a forked child that SIGALRM ends after a minute. Returns the child's exit code, or
// 128 plus the number of the signal that ended it.
int exit_code_of_child(void (*body)(void*), void* argument);

template <typename Body>
int exit_code_of_child(Body body) {
  return exit_code_of_child([](void* it) { (*static_cast<Body*>(it))(); }, &body);
}

}  // namespace sluice::testing
