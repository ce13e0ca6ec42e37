#include "core/engine.h"

#include <atomic>

#include "os/process.h"

namespace sluice {
namespace {

// Never destroyed: a Writer with static lifetime may still ask for it after the guard below is
// gone, and a forked child must not touch its parent's.
std::atomic<Engine*> current{nullptr};

// Ends the thread at exit and at dlclose.
struct StopAtExit {
  ~StopAtExit() {
    if (Engine* engine = current.load()) engine->stop();
  }
} stop_at_exit;

}  // namespace

Engine::Engine() : fork_generation_(os::fork_generation()) {}

Engine& Engine::shared() {
  Engine* engine = current.load();
  if (engine != nullptr && engine->fork_generation_ == os::fork_generation()) return *engine;
  auto* fresh = new Engine;
  if (current.compare_exchange_strong(engine, fresh)) return *fresh;
  delete fresh;  // another thread was quicker
  return *engine;
}

bool Engine::submit(Task& task) {
  const std::lock_guard lock(mutex_);
  if (stopping_) return false;
  if (!thread_.started()) {
    const auto body = [](void* engine) { static_cast<Engine*>(engine)->run_tasks(); };
    if (!thread_.start(body, this)) return false;
  }
  tasks_.push_back(&task);
  task_arrived_.notify_one();
  return true;
}

void Engine::run_tasks() {
  std::unique_lock lock(mutex_);
  for (;;) {
    task_arrived_.wait(lock, [this] { return stopping_ || !tasks_.empty(); });
    if (tasks_.empty()) return;
    Task& task = *tasks_.front();
    tasks_.pop_front();
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
  std::erase(tasks_, &task);
  task_finished_.wait(lock, [&] { return running_ != &task; });
}

void Engine::stop() {
  if (fork_generation_ != os::fork_generation()) return;  // the thread is the parent's
  {
    const std::lock_guard lock(mutex_);
    if (stopping_) return;
    stopping_ = true;
    task_arrived_.notify_one();
  }
  thread_.join();
}

}  // namespace sluice
