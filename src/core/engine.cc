#include "core/engine.h"

#include <new>

#include "os/process.h"

namespace sluice {
namespace {

// Ends the thread at exit and at dlclose.
struct StopAtExit {
  ~StopAtExit() { Engine::shared().stop(); }
} stop_at_exit;

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
  Task** end = &first_;
  while (*end != nullptr) end = &(*end)->next_;
  *end = &task;
  task.next_ = nullptr;
}

void Engine::remove(Task& task) {
  for (Task** place = &first_; *place != nullptr; place = &(*place)->next_) {
    if (*place != &task) continue;
    *place = task.next_;
    return;
  }
}

bool Engine::submit(Task& task) {
  const std::lock_guard lock(mutex_);
  if (stopping_) return false;
  if (!thread_.started()) {
    const auto body = [](void* engine) { static_cast<Engine*>(engine)->run_tasks(); };
    if (!thread_.start(body, this)) return false;
  }
  append(task);
  task_arrived_.notify_one();
  return true;
}

void Engine::run_tasks() {
  std::unique_lock lock(mutex_);
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
  std::unique_lock lock(mutex_);
  remove(task);
  task_finished_.wait(lock, [&] { return running_ != &task; });
}

void Engine::stop() {
  {
    const std::lock_guard lock(mutex_);
    if (stopping_) return;
    stopping_ = true;
    task_arrived_.notify_one();
  }
  thread_.join();
}

}  // namespace sluice
