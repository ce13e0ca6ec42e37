// A second thread that lives and sleeps while a strategy runs.
//
// libc takes shortcuts around its locks while a process has only one thread, but most programs have
// more.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "bench/strategy.h"

namespace sluice::bench {

class SecondThread {
 public:
  SecondThread() : thread_([this] { sleep_until_told(); }) {}
  ~SecondThread() {
    {
      const std::lock_guard lock(mutex_);
      over_ = true;
    }
    changed_.notify_one();
    thread_.join();
  }
  SecondThread(const SecondThread&) = delete;
  SecondThread& operator=(const SecondThread&) = delete;

 private:
  void sleep_until_told() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return over_; });
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  bool over_ = false;
  std::thread thread_;  // the last member, because it uses the others
};

// Returns the strategy with a second thread alive from prepare() to verify().
inline Strategy beside_second_thread(Strategy strategy) {
  auto second = std::make_shared<std::optional<SecondThread>>();
  strategy.prepare = [prepare = std::move(strategy.prepare), second] {
    if (prepare) prepare();
    second->emplace();
  };
  strategy.verify = [verify = std::move(strategy.verify), second] {
    second->reset();
    verify();
  };
  return strategy;
}

}  // namespace sluice::bench
