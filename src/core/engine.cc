#include "core/engine.h"

#include <algorithm>
#include <atomic>
#include <new>

#include "os/process.h"

namespace sluice {
namespace {

// Makes the Engines when the library is loaded, and ends their threads at exit and at dlclose. If
// the first use made the Engines, a fork could meet another thread that is making them, and the
// child would wait for this thread for ever.
struct StopAtExit {
  StopAtExit() { static_cast<void>(Engine::shared()); }
  ~StopAtExit() {
    Engine::shared().stop();
    Engine::for_compressed_blocks().stop();
    Engine::for_compression().stop();
  }
} stop_at_exit;

}  // namespace

struct Engine::All {
  Engine writing;
  Engine writing_compressed;
  Engine compressing{std::min(os::processors(), max_threads)};
};

namespace {

// Null until all Engines are made. In a forked child nothing is made, because another thread of
// the parent may have been making it.
std::atomic<void*> made{nullptr};

}  // namespace

// The Engines are never destroyed, because Writers with static lifetime may still use them after
// StopAtExit is destroyed.
Engine::All& Engine::all() {
  static os::NeverDestroyed<All> engines;
  static const bool follows_forks = [] {
    made = &engines.get();
    return os::call_in_forked_child(begin_anew_in_forked_child);
  }();
  static_cast<void>(follows_forks);  // false only without memory: then a child has no thread
  return engines.get();
}

Engine& Engine::shared() { return all().writing; }

Engine& Engine::for_compressed_blocks() { return all().writing_compressed; }

Engine& Engine::for_compression() { return all().compressing; }

// The threads belong to the parent process. A thread that does not exist in the child may hold the
// mutex.
void Engine::begin_anew_in_forked_child() {
  All& engines = *static_cast<All*>(made.load());
  for (Engine* engine : {&engines.writing, &engines.writing_compressed, &engines.compressing}) {
    const std::size_t threads = engine->most_threads_;
    ::new (engine) Engine(threads);
  }
}

bool Engine::submit(Task& task) {
  const os::Lock lock(mutex_);
  if (stopping_) return false;
  if (Worker* const worker = worker_of(&task)) {
    worker->once_more = true;
    return true;
  }
  Worker* worker = worker_of(nullptr);
  if (worker == nullptr) worker = start_worker();
  if (worker == nullptr) return false;
  worker->task = &task;
  worker->task_arrived.notify_one();
  return true;
}

// Finds the worker that has the task; with nullptr, an idle one.
Engine::Worker* Engine::worker_of(const Task* task) {
  for (std::size_t i = 0; i < started_; ++i) {
    if (workers_[i].task == task) return &workers_[i];
  }
  return nullptr;
}

Engine::Worker* Engine::start_worker() {
  if (started_ == most_threads_) return nullptr;
  Worker& worker = workers_[started_];
  if (!worker.thread.start("sluice-engine", run_tasks_of_next_worker, this)) return nullptr;
  ++started_;
  return &worker;
}

// It does not matter which thread serves which worker, as long as each worker has a thread.
void Engine::run_tasks_of_next_worker(void* engine) {
  Engine& self = *static_cast<Engine*>(engine);
  Worker* worker;
  {
    const os::Lock lock(self.mutex_);
    worker = &self.workers_[self.running_++];
  }
  self.run_tasks(*worker);
}

void Engine::run_tasks(Worker& worker) {
  os::Lock lock(mutex_);
  for (;;) {
    worker.task_arrived.wait(lock, [&] { return stopping_ || worker.task != nullptr; });
    if (worker.task == nullptr) return;
    do {
      worker.once_more = false;
      lock.unlock();
      worker.task->run();
      lock.lock();
    } while (worker.once_more);
    worker.task = nullptr;
    task_finished_.notify_all();
  }
}

void Engine::wait_for(const Task& task) {
  os::Lock lock(mutex_);
  task_finished_.wait(lock, [&] { return worker_of(&task) == nullptr; });
}

void Engine::stop() {
  {
    const os::Lock lock(mutex_);
    if (stopping_) return;
    stopping_ = true;
    for (Worker& worker : workers_) worker.task_arrived.notify_one();
  }
  for (Worker& worker : workers_) worker.thread.join();
}

}  // namespace sluice
