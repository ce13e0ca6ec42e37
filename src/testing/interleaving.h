// Interleaving: one schedule of several threads. One thread runs at a time, and Choices decide
// which thread.
//
// A scenario is the code of thread 0, which starts the others. Each lock, wait, notification and
// access to a WaitWord of the library is a step. Before a step another thread may go on, as an
// operating system is free to choose: a thread may be held up anywhere, a notification may wake any
// waiting thread, a wait may end without a notification, and the time of a wait may be over.
// Usually the running thread goes on until it waits, and then the next thread by number goes on.
// When all threads wait, the clock goes on. A deviation holds a thread up until no other thread can
// do anything, or wakes a thread without a notification or before the end of its wait.
// Each mutex is really locked too, so that a forked child finds the mutex as in a real program.
// Threads: the threads of the scenario are fibers of the thread that calls run(). They share its
// thread_local variables.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "os/scheduler.h"
#include "testing/choices.h"
#include "testing/fiber.h"

namespace sluice::testing {

class Interleaving final : public os::Scheduler {
 public:
  using Time = std::chrono::steady_clock::time_point;
  using Scenario = std::function<void(Interleaving&)>;

  explicit Interleaving(Choices& choices) : choices_(choices) {}
  ~Interleaving() override;

  // Call this once. Runs the scenario until all its threads have ended or something is wrong, and
  // returns what is wrong. The threads then stay where they are for ever, and keep everything that
  // belongs to them.
  std::string run(const Scenario& scenario);
  // The steps that were made, one line for each.
  std::string trace() const;
  std::size_t steps() const { return events_.size(); }

  // The following functions are for the threads of the scenario.

  std::size_t start(std::function<void()> body);
  void join(std::size_t thread);
  // Calls body(0), body(1), ... each in a thread of its own, and returns when they have ended.
  void run_together(std::size_t threads, const std::function<void(std::size_t)>& body);

  // Another thread may go on before the caller's next step. `what` must live as long as this
  // object.
  void step(const char* what, const void* object = nullptr);
  // The other threads go on first, until they wait.
  void sleep(const char* what, std::chrono::nanoseconds time);
  // The other threads go on until the condition holds. If it never holds, the schedule has failed.
  void wait_for(const char* what, std::function<bool()> holds);
  // If the condition does not hold, the schedule has failed.
  void require(bool holds, const std::string& what);
  // Marks memory as no longer used. If a thread still uses a mutex, condition or word there, the
  // schedule fails.
  void bury(const void* begin, std::size_t bytes) { buried_.push_back({begin, bytes}); }
  void unbury(const void* begin);  // the memory is used again
  // Each number below `count` is tried.
  std::size_t any(std::size_t count) { return choices_.pick(count, Choices::Kind::variant); }
  // Forks. `body` runs in the child, with the threads and system calls of the real operating
  // system. A child that hangs or dies makes the schedule fail.
  void run_in_forked_child(const std::function<void()>& body);

  // The time of the schedule. It goes on when a thread wakes because the time of its wait is over.
  Time now() const { return now_; }

  void lock(std::mutex& mutex) override;
  void unlock(std::mutex& mutex) override;
  void wait(std::condition_variable& condition, std::mutex& mutex) override;
  bool wait_until(std::condition_variable& condition, std::mutex& mutex, Time end) override;
  void notify_one(std::condition_variable& condition) override;
  void notify_all(std::condition_variable& condition) override;
  void reach(const std::atomic<std::uint32_t>& word) override;
  void wait(const std::atomic<std::uint32_t>& word, std::uint32_t old) override;
  void notify_all(std::atomic<std::uint32_t>& word) override;

 private:
  enum class State : std::uint8_t { ready, wants_mutex, wants_to_be_told, wants_to_hold, ended };

  struct Thread {
    Thread() : fiber(run_bodies, this) {}
    static void run_bodies(void* thread);

    State state = State::ended;
    // The mutex that the thread wants now or after its wait; null for WaitWords.
    const void* mutex = nullptr;
    const void* told_by = nullptr;   // for wants_to_be_told: the condition or word, or null
    std::uint64_t waiting_turn = 0;  // lower for a thread that has waited longer
    Time end = Time::max();          // for wants_to_be_told: the thread goes on then
    bool time_has_come = false;
    std::uint64_t held_up_since = 0;  // 0: not held up
    std::function<bool()> holds;      // for wants_to_hold
    std::function<void()> body;
    Interleaving* schedule = nullptr;
    Fiber fiber;
  };

  struct Event {
    std::size_t thread;
    const char* what;
    const void* object;
  };

  struct Buried {
    const void* begin;
    std::size_t bytes;
  };

  static constexpr std::size_t max_threads = 16;
  struct Threads {
    void add(std::size_t thread) { numbers[count++] = thread; }
    bool has(std::size_t thread) const;
    std::size_t numbers[max_threads];
    std::size_t count = 0;
  };
  static constexpr std::size_t max_steps = 20'000;

  static std::vector<std::unique_ptr<Thread>>& idle_threads();
  static std::vector<std::unique_ptr<Thread>>& stuck_threads();

  Thread& running() { return *threads_[running_]; }
  bool is_held(const void* mutex) const;
  bool can_run(const Thread& thread) const;
  bool may_wake_untold(const Thread& thread) const;
  Threads in_usual_order() const;
  void add_first_whose_time_comes(Threads& threads) const;
  Threads may_wake_early(const Threads& usual) const;
  void choose_who_goes_on();
  void block(State state);
  void go_on_with(std::size_t thread);
  void end_thread();
  [[noreturn]] void fail(std::string what);

  void acquire(std::mutex& mutex);
  void release(std::mutex& mutex);
  void wait_to_be_told(const void* by, std::mutex* mutex, Time end);
  Threads waiting_for(const void* object) const;
  static void tell(Thread& thread);

  void note(std::size_t thread, const char* what, const void* object);

  Choices& choices_;
  Fiber outside_;
  std::vector<std::unique_ptr<Thread>> threads_;
  std::size_t running_ = 0;
  std::size_t not_ended_ = 0;
  std::vector<const void*> held_;  // mutexes
  std::vector<Buried> buried_;
  std::uint64_t turns_ = 0;
  Time now_{std::chrono::hours(1)};
  std::vector<Event> events_;
  std::string failure_;
};

using Scenario = Interleaving::Scenario;

}  // namespace sluice::testing
