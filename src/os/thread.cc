#include "os/thread.h"

#include "os/system_calls.h"

namespace sluice::os {

bool Thread::start(const char* name, void (*body)(void*), void* argument) {
  name_ = name;
  body_ = body;
  argument_ = argument;
  if (calls().start_thread(run, this, handle_) < 0) body_ = nullptr;
  return started();
}

void* Thread::run(void* thread) {
  const Thread& self = *static_cast<Thread*>(thread);
  ::pthread_setname_np(::pthread_self(), self.name_);
  self.body_(self.argument_);
  return nullptr;
}

void Thread::join() {
  if (!started()) return;
  calls().join_thread(handle_);
  body_ = nullptr;
}

}  // namespace sluice::os
