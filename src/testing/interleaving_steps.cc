// The steps of a schedule's threads on mutexes, conditions and words, and their descriptions.
#include <algorithm>
#include <sstream>

#include "testing/interleaving.h"

namespace sluice::testing {

void Interleaving::acquire(std::mutex& mutex) {
  if (is_held(&mutex)) {
    running().mutex = &mutex;
    block(State::wants_mutex);
  }
  held_.push_back(&mutex);
  mutex.lock();
}

void Interleaving::release(std::mutex& mutex) {
  const auto held = std::find(held_.begin(), held_.end(), &mutex);
  require(held != held_.end(), "a mutex is unlocked that nobody holds");
  held_.erase(held);
  mutex.unlock();
}

void Interleaving::lock(std::mutex& mutex) {
  step("locks", &mutex);
  acquire(mutex);
}

void Interleaving::unlock(std::mutex& mutex) {
  release(mutex);
  step("has unlocked", &mutex);
}

void Interleaving::wait_to_be_told(const void* by, std::mutex* mutex, Time end) {
  Thread& self = running();
  if (mutex != nullptr) release(*mutex);
  self.told_by = by;
  self.mutex = mutex;
  self.waiting_turn = ++turns_;
  self.end = end;
  self.time_has_come = false;
  block(State::wants_to_be_told);
  if (mutex != nullptr) acquire(*mutex);
}

// Between the check of a predicate and the wait a notification may be lost.
void Interleaving::wait(std::condition_variable& condition, std::mutex& mutex) {
  step("waits on", &condition);
  wait_to_be_told(&condition, &mutex, Time::max());
}

bool Interleaving::wait_until(std::condition_variable& condition, std::mutex& mutex, Time end) {
  step("waits for a time on", &condition);
  wait_to_be_told(&condition, &mutex, end);
  return !running().time_has_come;
}

void Interleaving::sleep(const char* what, std::chrono::nanoseconds time) {
  note(running_, what, nullptr);
  wait_to_be_told(nullptr, nullptr, now_ + time);
}

// The threads that have waited for the longest come first.
Interleaving::Threads Interleaving::waiting_for(const void* object) const {
  Threads waiting;
  for (std::size_t i = 0; i < threads_.size(); ++i) {
    const Thread& thread = *threads_[i];
    if (thread.state == State::wants_to_be_told && thread.told_by == object) waiting.add(i);
  }
  std::sort(waiting.numbers, waiting.numbers + waiting.count, [this](auto one, auto other) {
    return threads_[one]->waiting_turn < threads_[other]->waiting_turn;
  });
  return waiting;
}

void Interleaving::tell(Thread& thread) {
  thread.state = thread.mutex != nullptr ? State::wants_mutex : State::ready;
}

void Interleaving::notify_one(std::condition_variable& condition) {
  step("notifies one of", &condition);
  const Threads waiting = waiting_for(&condition);
  if (waiting.count != 0) tell(*threads_[waiting.numbers[choices_.pick(waiting.count)]]);
}

void Interleaving::notify_all(std::condition_variable& condition) {
  step("notifies all of", &condition);
  const Threads waiting = waiting_for(&condition);
  for (std::size_t i = 0; i < waiting.count; ++i) tell(*threads_[waiting.numbers[i]]);
}

void Interleaving::reach(const std::atomic<std::uint32_t>& word) { step("reaches", &word); }

void Interleaving::wait(const std::atomic<std::uint32_t>& word, std::uint32_t old) {
  step("waits on", &word);
  if (word.load(std::memory_order_acquire) != old) return;
  wait_to_be_told(&word, nullptr, Time::max());
}

void Interleaving::notify_all(std::atomic<std::uint32_t>& word) {
  step("notifies all of", &word);
  const Threads waiting = waiting_for(&word);
  for (std::size_t i = 0; i < waiting.count; ++i) tell(*threads_[waiting.numbers[i]]);
}

// ---- the record of steps ----

void Interleaving::note(std::size_t thread, const char* what, const void* object) {
  if (events_.size() == max_steps) fail("it goes on without an end");
  events_.push_back({thread, what, object});
}

// Objects have no names: each gets a letter, in the order in which they were first used.
std::string Interleaving::trace() const {
  std::vector<const void*> objects;
  std::ostringstream lines;
  for (const Event& event : events_) {
    lines << "  thread " << event.thread << ' ' << event.what;
    if (event.object != nullptr) {
      auto found = std::find(objects.begin(), objects.end(), event.object);
      if (found == objects.end()) found = objects.insert(found, event.object);
      const auto number = static_cast<std::size_t>(found - objects.begin());
      lines << ' ' << static_cast<char>('A' + number % 26) << (number < 26 ? "" : "'");
    }
    lines << '\n';
  }
  return lines.str();
}

}  // namespace sluice::testing
