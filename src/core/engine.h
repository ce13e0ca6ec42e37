// Engine: background threads that all files of the process share.
//
// A process has three Engines. One has two threads at most, and works for Writers and readers of
// whole files. One has as many, and works for Writers whose Sink is compute-bound: it compresses
// the blocks, which takes long. The third has a thread for each processor, and compresses.
//
// An Engine takes a task only if one of its threads can begin it at once, so no caller waits for
// another caller's task, however long that takes. A thread starts with the first task that finds no
// idle thread. It blocks every signal, waits without using the processor, and ends after its
// present task when the process exits or the library is unloaded. A forked child has Engines of its
// own.
// Threads: every method may be called from any thread.
#pragma once

#include <array>
#include <cstddef>

#include "os/never_destroyed.h"
#include "os/synchronization.h"
#include "os/thread.h"

namespace sluice {

class Engine {
 public:
  // A piece of work. Its submitter owns it, and calls wait_for() before destroying it.
  class Task {
   public:
    virtual ~Task() = default;
    virtual void run() noexcept = 0;
  };

  static Engine& shared();
  static Engine& for_compressed_blocks();
  static Engine& for_compression();

  // True if an idle thread begins the task now, or if the thread that is running the task will run
  // it once more. False if no thread is idle, no thread can be started, or the process is exiting:
  // the caller then does the work itself.
  [[nodiscard]] bool submit(Task& task);

  // When this returns, no thread is running the task. No thread will run it, unless submit() is
  // called again.
  void wait_for(const Task& task);

  // Finishes the tasks that are running, and ends the threads. Called at the end of the process.
  void stop();

 private:
  // In an Engine of Writers the second thread serves while the first thread waits for a target that
  // is slow, or hangs.
  static constexpr std::size_t max_writing_threads = 2;
  static constexpr std::size_t max_threads = 16;

  struct Worker {
    os::Thread thread;
    os::Condition task_arrived;
    // Guarded by mutex_:
    Task* task = nullptr;
    bool once_more = false;
  };

  friend class os::NeverDestroyed<Engine>;  // of the tests
  explicit Engine(std::size_t threads = max_writing_threads) : most_threads_(threads) {}
  struct All;
  static All& all();
  static void begin_anew_in_forked_child();
  static void run_tasks_of_next_worker(void* engine);
  void run_tasks(Worker& worker);
  Worker* worker_of(const Task* task);
  Worker* start_worker();

  const std::size_t most_threads_;
  os::Mutex mutex_;
  os::Condition task_finished_;
  // Guarded by mutex_:
  std::array<Worker, max_threads> workers_;
  std::size_t started_ = 0;  // the first `started_` of workers_ have a thread
  std::size_t running_ = 0;  // the number of these threads that have begun
  bool stopping_ = false;
};

}  // namespace sluice
