// BlocksInFlight: write-behind for one Writer. An Engine writes the blocks while the program fills
// the next one.
//
// Blocks reach the Sink in the order in which they were handed over. After the first failure all
// later blocks are dropped, so the target holds a prefix of the accepted bytes.
// Threads: exchange, drain and the destructor belong to the Writer's thread; a thread of the engine
// writes. From the return of drain() to the next exchange(), only the Writer uses the Sink.
#pragma once

#include <cstdint>
#include <memory>

#include "core/block.h"
#include "core/engine.h"
#include "os/synchronization.h"
#include "sluice/sink.h"

namespace sluice {

class BlocksInFlight final : private Engine::Task {
 public:
  BlocksInFlight(Sink& sink, std::size_t max_blocks);
  // False if there was no memory for the jobs. Then no other method may be called.
  bool is_usable() const { return jobs_ != nullptr; }
  // Waits for the blocks in flight. In a forked child there are none.
  ~BlocksInFlight() override;
  BlocksInFlight(const BlocksInFlight&) = delete;
  BlocksInFlight& operator=(const BlocksInFlight&) = delete;

  // Hands over the first `bytes` bytes of `block` for `position`, and leaves an empty block of the
  // same size in its place. Waits while as many blocks as allowed are in flight. If the engine has
  // no thread to give, the block is written here. Returns the first failure known so far; the block
  // is then not written.
  Status exchange(Block& block, std::size_t bytes, std::uint64_t position);

  // Waits until everything handed over is written, and returns the first failure.
  Status drain();

 private:
  struct Job {
    Block block;
    std::size_t bytes = 0;
    std::uint64_t position = 0;
  };

  void run() noexcept override;
  Status wait_for_room();
  void reuse_latest_block();
  bool hand_over(Block& block, std::size_t bytes, std::uint64_t position);
  Status write(const Block& block, std::size_t bytes, std::uint64_t position);

  const unsigned fork_generation_;
  Sink& sink_;
  Engine& engine_;
  const std::size_t job_count_;
  std::unique_ptr<Job[]> jobs_;  // a ring: the jobs are written in its order
  std::size_t next_job_ = 0;     // changed by the Writer, under mutex_

  os::Mutex mutex_;
  os::Condition written_;
  // Guarded by mutex_:
  std::size_t in_flight_ = 0;  // the jobs before next_job_, the oldest of them being written
  Status failure_;
};

}  // namespace sluice
