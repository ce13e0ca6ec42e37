#include "testing/interleaving.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "os/never_destroyed.h"
#include "os/system_calls.h"

namespace sluice::testing {
namespace {

constexpr unsigned max_seconds_of_a_child = 10;  // it has a few objects to destroy

}  // namespace

// ---- threads ----

void Interleaving::Thread::run_bodies(void* thread) {
  Thread& self = *static_cast<Thread*>(thread);
  for (;;) {
    self.body();
    self.body = nullptr;
    self.schedule->end_thread();  // returns in another schedule
  }
}

std::vector<std::unique_ptr<Interleaving::Thread>>& Interleaving::idle_threads() {
  static std::vector<std::unique_ptr<Thread>> threads;
  return threads;
}

// The threads are kept, because objects of other threads may lie on their stacks.
std::vector<std::unique_ptr<Interleaving::Thread>>& Interleaving::stuck_threads() {
  static os::NeverDestroyed<std::vector<std::unique_ptr<Thread>>> threads;
  return threads.get();
}

Interleaving::~Interleaving() {
  const bool failed = !failure_.empty();
  for (std::size_t i = 0; i < threads_.size(); ++i) {
    const bool is_idle = threads_[i]->state == State::ended && !(failed && i == running_);
    (is_idle ? idle_threads() : stuck_threads()).push_back(std::move(threads_[i]));
  }
}

std::string Interleaving::run(const Scenario& scenario) {
  const os::ScopedSystemCalls put_back_after(os::calls());
  os::scheduler_in_place = this;
  start([&] { scenario(*this); });
  outside_.switch_to(running().fiber);
  os::scheduler_in_place = nullptr;
  return failure_;
}

std::size_t Interleaving::start(std::function<void()> body) {
  if (threads_.size() == max_threads) fail("too many threads");
  if (idle_threads().empty()) idle_threads().push_back(std::make_unique<Thread>());
  threads_.push_back(std::move(idle_threads().back()));
  idle_threads().pop_back();
  Thread& thread = *threads_.back();
  thread.state = State::ready;
  thread.body = std::move(body);
  thread.schedule = this;
  ++not_ended_;
  return threads_.size() - 1;
}

void Interleaving::end_thread() {
  note(running_, "ends", nullptr);
  --not_ended_;
  if (not_ended_ != 0) return block(State::ended);
  running().state = State::ended;
  running().fiber.switch_to(outside_);
}

void Interleaving::join(std::size_t thread) {
  wait_for("joins", [this, thread] { return threads_[thread]->state == State::ended; });
}

void Interleaving::run_together(std::size_t threads, const std::function<void(std::size_t)>& body) {
  const std::size_t first = threads_.size();
  for (std::size_t i = 0; i < threads; ++i) start([&body, i] { body(i); });
  for (std::size_t i = 0; i < threads; ++i) join(first + i);
}

void Interleaving::wait_for(const char* what, std::function<bool()> holds) {
  if (holds()) return;
  note(running_, what, nullptr);
  running().holds = std::move(holds);
  block(State::wants_to_hold);
}

void Interleaving::require(bool holds, const std::string& what) {
  if (!holds) fail(what);
}

void Interleaving::unbury(const void* begin) {
  std::erase_if(buried_, [begin](const Buried& place) { return place.begin == begin; });
}

void Interleaving::fail(std::string what) {
  failure_ = std::move(what);
  running().fiber.switch_to(outside_);
  std::abort();  // no fiber comes back here
}

void Interleaving::run_in_forked_child(const std::function<void()>& body) {
  step("forks");
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(max_seconds_of_a_child);
    os::scheduler_in_place = nullptr;
    os::SystemCalls real;
    const os::ScopedSystemCalls in_place(real);
    body();
    ::_exit(0);
  }
  int outcome = -1;
  if (child < 0 || ::waitpid(child, &outcome, 0) != child || outcome != 0) {
    fail("the forked child hung or died: " + std::to_string(outcome));
  }
}

// ---- choosing the thread that goes on ----

bool Interleaving::is_held(const void* mutex) const {
  return std::find(held_.begin(), held_.end(), mutex) != held_.end();
}

bool Interleaving::can_run(const Thread& thread) const {
  switch (thread.state) {
    case State::ready: return true;
    case State::wants_mutex: return !is_held(thread.mutex);
    case State::wants_to_hold: return thread.holds();
    default: return false;
  }
}

bool Interleaving::may_wake_untold(const Thread& thread) const {
  return thread.state == State::wants_to_be_told && !is_held(thread.mutex);
}

bool Interleaving::Threads::has(std::size_t thread) const {
  return std::find(numbers, numbers + count, thread) != numbers + count;
}

// The running thread, the others by number, the first thread whose wait ends by time, and the
// thread that is held up.
Interleaving::Threads Interleaving::in_usual_order() const {
  Threads usual;
  Threads held_up;
  for (std::size_t i = 0; i < threads_.size(); ++i) {
    const std::size_t number = (running_ + i) % threads_.size();
    if (can_run(*threads_[number])) {
      (threads_[number]->held_up_since == 0 ? usual : held_up).add(number);
    }
  }
  add_first_whose_time_comes(usual);
  std::sort(held_up.numbers, held_up.numbers + held_up.count, [this](auto one, auto other) {
    return threads_[one]->held_up_since < threads_[other]->held_up_since;
  });
  for (std::size_t i = 0; i < held_up.count; ++i) usual.add(held_up.numbers[i]);
  return usual;
}

void Interleaving::add_first_whose_time_comes(Threads& threads) const {
  std::size_t first = threads_.size();
  for (std::size_t i = 0; i < threads_.size(); ++i) {
    const Thread& thread = *threads_[i];
    if (thread.end == Time::max() || !may_wake_untold(thread)) continue;
    if (first == threads_.size() || thread.end < threads_[first]->end) first = i;
  }
  if (first != threads_.size()) threads.add(first);
}

// Leaves out the running thread if its wait has no time limit, because then waking early means only
// to go on.
Interleaving::Threads Interleaving::may_wake_early(const Threads& usual) const {
  Threads early;
  for (std::size_t i = 0; i < threads_.size(); ++i) {
    const Thread& thread = *threads_[i];
    const bool changes_nothing = i == running_ && thread.end == Time::max();
    if (may_wake_untold(thread) && !changes_nothing && i != usual.numbers[0]) early.add(i);
  }
  return early;
}

void Interleaving::step(const char* what, const void* object) {
  note(running_, what, object);
  for (const Buried& place : buried_) {
    const auto distance =
        reinterpret_cast<std::uintptr_t>(object) - reinterpret_cast<std::uintptr_t>(place.begin);
    if (distance < place.bytes) fail("something is used that is no more");
  }
  choose_who_goes_on();
}

void Interleaving::block(State state) {
  running().state = state;
  choose_who_goes_on();
}

void Interleaving::choose_who_goes_on() {
  const Threads usual = in_usual_order();
  if (usual.count == 0) fail("nobody can go on");
  const Threads early = may_wake_early(usual);
  const bool can_hold_up = usual.count > 1;
  const std::size_t way = choices_.pick(1 + (can_hold_up ? 1 : 0) + early.count);
  if (way == 0) return go_on_with(usual.numbers[0]);
  if (way > early.count) {
    threads_[usual.numbers[0]]->held_up_since = ++turns_;
    note(usual.numbers[0], "is held up", nullptr);
    return go_on_with(usual.numbers[1]);
  }
  go_on_with(early.numbers[way - 1]);
}

void Interleaving::go_on_with(std::size_t thread) {
  Thread& next = *threads_[thread];
  if (next.state == State::wants_to_be_told) {
    next.time_has_come = next.end != Time::max();
    if (next.time_has_come) now_ = std::max(now_, next.end);
    note(thread, next.time_has_come ? "finds that its time has come" : "wakes untold",
         next.told_by);
  }
  next.state = State::ready;
  next.held_up_since = 0;
  if (thread == running_) return;
  Fiber& previous = running().fiber;
  running_ = thread;
  previous.switch_to(next.fiber);
}

}  // namespace sluice::testing
