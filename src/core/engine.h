// Engine: one background thread, shared by all Writers and readers of whole files of the process.
//
// Tasks run one after another in the order they came. The thread starts with the first task, blocks
// every signal, waits without using the processor, and ends when the process exits or the library
// is unloaded, after the tasks that are waiting. A forked child has an Engine of its own.
// Threads: every method may be called from any thread.
#pragma once

#include "os/never_destroyed.h"
#include "os/synchronization.h"
#include "os/thread.h"

namespace sluice {

class Engine {
 public:
  // A piece of work. The one who submits it owns it and keeps it alive until run() has returned.
  class Task {
   public:
    virtual ~Task() = default;
    virtual void run() noexcept = 0;

   private:
    friend class Engine;
    Task* next_ = nullptr;  // in the Engine's list
  };

  static Engine& shared();

  // False when there is no thread for it: none could be started, or the process is exiting.
  // The caller then runs the task itself.
  [[nodiscard]] bool submit(Task& task);

  // On return the task is neither waiting nor running: it has run, or never will. A task may submit
  // itself again from run(); being withdrawn ends that.
  void withdraw(Task& task);

  // Whether the caller is a task. It must not wait for another one: nobody would run it.
  static bool is_running_this_thread() noexcept;

  // Finishes the tasks that are waiting and ends the thread. For the end of the process.
  void stop();

 private:
  friend class os::NeverDestroyed<Engine>;
  Engine() = default;
  static Engine& instance();
  static void begin_anew_in_forked_child();
  void run_tasks();
  void append(Task& task);
  void remove(const Task& task);

  os::Mutex mutex_;
  os::Condition task_arrived_;
  os::Condition task_finished_;
  // Guarded by mutex_:
  Task* first_ = nullptr;  // the tasks that wait: a list through them, so that nothing is allocated
  Task* last_ = nullptr;
  const Task* running_ = nullptr;
  bool stopping_ = false;
  os::Thread thread_;
};

}  // namespace sluice
