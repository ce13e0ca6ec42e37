#include "core/engine.h"

#include <new>

#include "os/process.h"

namespace sluice {
namespace {

// Ends the thread at exit and at dlclose.
struct StopAtExit {
  ~StopAtExit() { Engine::shared().stop(); }
} stop_at_exit;

thread_local bool is_engine_thread = false;

}  // namespace

// Never destroyed: Writers with static lifetime may still ask for it after the guard above is gone.
Engine& Engine::instance() {
  static os::NeverDestroyed<Engine> engine;
  return engine.get();
}

Engine& Engine::shared() {
  static const bool follows_forks = os::call_in_forked_child(begin_anew_in_forked_child);
  static_cast<void>(follows_forks);  // false only without memory; a child then has no thread
  return instance();
}

// The thread is the parent's, and the mutex may be in the hands of a thread that is not here.
void Engine::begin_anew_in_forked_child() { ::new (&instance()) Engine; }

void Engine::append(Task& task) {
  task.next_ = nullptr;
  (first_ == nullptr ? first_ : last_->next_) = &task;
  last_ = &task;
}

void Engine::remove(const Task& task) {
  Task* before = nullptr;
  for (Task* at = first_; at != nullptr; before = at, at = at->next_) {
    if (at != &task) continue;
    (before == nullptr ? first_ : before->next_) = at->next_;
    if (last_ == at) last_ = before;
    return;
  }
}

bool Engine::submit(Task& task) {
  const os::Lock lock(mutex_);
  if (stopping_) return false;
  if (!thread_.started()) {
    const auto body = [](void* engine) { static_cast<Engine*>(engine)->run_tasks(); };
    if (!thread_.start("sluice-engine", body, this)) return false;
  }
  append(task);
  task_arrived_.notify_one();
  return true;
}

void Engine::run_tasks() {
  is_engine_thread = true;
  os::Lock lock(mutex_);
  for (;;) {
    task_arrived_.wait(lock, [this] { return stopping_ || first_ != nullptr; });
    if (first_ == nullptr) return;
    Task& task = *first_;
    first_ = task.next_;
    running_ = &task;
    lock.unlock();
    task.run();
    lock.lock();
    running_ = nullptr;
    task_finished_.notify_all();
  }
}

void Engine::withdraw(Task& task) {
  os::Lock lock(mutex_);
  task_finished_.wait(lock, [&] { return running_ != &task; });
  remove(task);  // after the wait: a task may have submitted itself again
}

bool Engine::is_running_this_thread() noexcept { return is_engine_thread; }

void Engine::stop() {
  {
    const os::Lock lock(mutex_);
    if (stopping_) return;
    stopping_ = true;
    task_arrived_.notify_one();
  }
  thread_.join();
}

}  // namespace sluice
