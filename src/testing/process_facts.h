// Facts that the kernel knows about this process: its threads, its memory, the state of a thread.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>

namespace sluice::testing {

pid_t this_thread();
std::set<pid_t> threads();
// The threads that exist now and are not in `before`.
std::set<pid_t> threads_since(const std::set<pid_t>& before);

// A field of /proc/self/task/THREAD/status, such as "SigBlk"; "" if there is none.
std::string thread_status_field(pid_t thread, const std::string& field);
std::uint64_t context_switches(pid_t thread);  // voluntary switches: each begins a wait
std::uint64_t processor_ticks(pid_t thread);   // user and system time

// Waits until the thread sleeps and stays asleep: two checks a moment apart find it asleep, and no
// new wait has begun between them. False if this does not happen within many checks.
bool wait_until_asleep(pid_t thread);

std::size_t resident_bytes();
std::size_t peak_resident_bytes();
// Starts the count of peak_resident_bytes() again. Returns false if the kernel cannot do this.
bool reset_peak_resident_bytes();

// A program with a sanitizer uses more memory than the programs of users.
constexpr bool sanitized =
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    true;
#else
    false;
#endif

// The thread sanitizer starts a thread of its own when the program starts its first one.
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
