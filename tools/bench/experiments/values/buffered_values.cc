#include "bench/experiments/values/buffered_values.h"

namespace sluice::bench {

void NewThread::start(const void* data, std::size_t bytes) {
  wait();
  thread_ = std::thread([this, data, bytes] {
    try {
      write_(data, bytes);
    } catch (...) {
      failure_ = std::current_exception();
    }
  });
}

void NewThread::wait() {
  if (thread_.joinable()) thread_.join();
  if (failure_) std::rethrow_exception(failure_);
}

LastingThread::LastingThread(WriteBlock write)
    : write_(std::move(write)), thread_([this] { write_until_over(); }) {}

LastingThread::~LastingThread() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void LastingThread::start(const void* data, std::size_t bytes) {
  {
    std::unique_lock lock(mutex_);
    wait_until_idle(lock);
    data_ = data;
    bytes_ = bytes;
  }
  changed_.notify_all();
}

void LastingThread::wait() {
  std::unique_lock lock(mutex_);
  wait_until_idle(lock);
}

void LastingThread::wait_until_idle(std::unique_lock<std::mutex>& lock) {
  changed_.wait(lock, [this] { return data_ == nullptr; });
  if (failure_) std::rethrow_exception(failure_);
}

void LastingThread::write_until_over() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return over_ || data_ != nullptr; });
    if (data_ == nullptr) return;
    lock.unlock();
    std::exception_ptr failure;
    try {
      write_(data_, bytes_);  // no thread changes both members until data_ is null again
    } catch (...) {
      failure = std::current_exception();
    }
    lock.lock();
    if (failure) failure_ = failure;
    data_ = nullptr;
    changed_.notify_all();
  }
}

}  // namespace sluice::bench
