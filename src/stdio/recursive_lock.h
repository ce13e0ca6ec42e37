// RecursiveLock: the lock of a stream. A thread that has it may take it again.
//
// With glibc it is cheaper than a pthread_mutex_t: it is taken without a call of the C library, and
// without an atomic instruction while the process has one thread, as glibc takes the locks of its
// own streams. It has no constructor, so that a stream is constant before the program starts, and a
// child of fork() can make it anew.
#pragma once

#include <pthread.h>

#include <ctime>

#ifdef __GLIBC__
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#if __GLIBC_PREREQ(2, 32)
#include <sys/single_threaded.h>
#endif
#elif !defined(PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP)  // winpthreads
#define PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP PTHREAD_RECURSIVE_MUTEX_INITIALIZER
#endif

namespace sluice::stdio {

#ifdef __GLIBC__

// True if the process has one thread. Only that thread can start another one.
inline bool is_alone() {
#if __GLIBC_PREREQ(2, 32)
  return __libc_single_threaded != 0;
#else
  return false;
#endif
}

// A number of this thread. pthread_self() is a call, which takes longer than the rest of a lock.
inline pthread_t this_thread() {
#if defined(__x86_64__) && defined(__LP64__)
  pthread_t number = 0;
  asm("mov %%fs:0, %0" : "=r"(number));
  return number;
#else
  return pthread_self();
#endif
}

class RecursiveLock {
 public:
  void lock() {
    if (take_again()) return;
    if (!take_free()) wait(nullptr);
    own();
  }
  bool try_lock() {
    if (take_again()) return true;
    if (!take_free()) return false;
    own();
    return true;
  }
  // `end` is a time of CLOCK_REALTIME.
  bool lock_until(const timespec& end) {
    if (take_again()) return true;
    if (!take_free() && !wait(&end)) return false;
    own();
    return true;
  }
  void unlock() {
    if (--depth_ != 0) return;
    std::atomic_ref(owner_).store(0, std::memory_order_relaxed);
    const std::atomic_ref state(state_);
    if (is_alone()) {
      state.store(free, std::memory_order_relaxed);
    } else if (state.exchange(free, std::memory_order_release) == awaited) {
      syscall(SYS_futex, &state_, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
    }
  }

 private:
  static constexpr std::uint32_t free = 0;
  static constexpr std::uint32_t taken = 1;
  static constexpr std::uint32_t awaited = 2;  // by another thread, perhaps

  // No other thread stores this thread's own number.
  bool take_again() {
    if (std::atomic_ref(owner_).load(std::memory_order_relaxed) != this_thread()) return false;
    ++depth_;
    return true;
  }
  bool take_free() {
    const std::atomic_ref state(state_);
    std::uint32_t expected = free;
    if (!is_alone())
      return state.compare_exchange_strong(expected, taken, std::memory_order_acquire);
    if (state.load(std::memory_order_relaxed) != free) return false;
    state.store(taken, std::memory_order_relaxed);
    return true;
  }
  void own() {
    std::atomic_ref(owner_).store(this_thread(), std::memory_order_relaxed);
    depth_ = 1;
  }
  [[gnu::noinline]] bool wait(const timespec* end) {
    const int saved_errno = errno;
    bool has_time = true;
    const std::atomic_ref state(state_);
    while (state.exchange(awaited, std::memory_order_acquire) != free) {
      if (!has_time) return false;
      const long result =
          syscall(SYS_futex, &state_, FUTEX_WAIT_BITSET_PRIVATE | FUTEX_CLOCK_REALTIME, awaited,
                  end, nullptr, FUTEX_BITSET_MATCH_ANY);
      has_time = result == 0 || errno != ETIMEDOUT;
      errno = saved_errno;
    }
    return true;
  }

  alignas(std::atomic_ref<std::uint32_t>::required_alignment) std::uint32_t state_ = free;
  unsigned depth_ = 0;
  alignas(std::atomic_ref<pthread_t>::required_alignment) pthread_t owner_ = 0;
};

#else

inline bool is_alone() { return false; }
inline pthread_t this_thread() { return pthread_self(); }

class RecursiveLock {
 public:
  void lock() { pthread_mutex_lock(&mutex_); }
  bool try_lock() { return pthread_mutex_trylock(&mutex_) == 0; }
  bool lock_until(const timespec& end) { return pthread_mutex_timedlock(&mutex_, &end) == 0; }
  void unlock() { pthread_mutex_unlock(&mutex_); }

 private:
  pthread_mutex_t mutex_ = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
};

#endif

}  // namespace sluice::stdio
