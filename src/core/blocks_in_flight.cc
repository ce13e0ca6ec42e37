#include "core/blocks_in_flight.h"

#include <utility>

#include "core/sink_write.h"
#include "os/process.h"

namespace sluice {

BlocksInFlight::BlocksInFlight(Sink& sink, std::size_t most_blocks)
    : fork_generation_(os::fork_generation()),
      sink_(sink),
      job_count_(most_blocks),
      jobs_(new Job[most_blocks]) {
  for (std::size_t i = 0; i < job_count_; ++i) jobs_[i].owner = this;
}

BlocksInFlight::~BlocksInFlight() {
  if (fork_generation_ == os::fork_generation()) static_cast<void>(drain());
}

Status BlocksInFlight::exchange(Block& block, std::size_t bytes, std::uint64_t position) {
  if (Engine::is_running_this_thread()) return write_here(block, bytes, position);
  if (Status status = wait_for_room(); !status.ok()) return status;
  Job& job = jobs_[next_job_];
  if (!job.block) job.block = Block::allocate(block.bytes());
  if (!job.block) return write_here(block, bytes, position);  // no memory for one more
  std::swap(job.block, block);
  job.bytes = bytes;
  job.position = position;
  {
    const os::Lock lock(mutex_);
    ++in_flight_;
  }
  if (Engine::shared().submit(job)) {
    next_job_ = (next_job_ + 1) % job_count_;
    return {};
  }
  {
    const os::Lock lock(mutex_);
    --in_flight_;
  }
  std::swap(job.block, block);
  return write_here(block, bytes, position);  // no engine
}

Status BlocksInFlight::drain() {
  if (Engine::is_running_this_thread()) finish_here();
  os::Lock lock(mutex_);
  finished_.wait(lock, [this] { return in_flight_ == 0; });
  return failure_;
}

Status BlocksInFlight::wait_for_room() {
  os::Lock lock(mutex_);
  finished_.wait(lock, [this] { return in_flight_ < job_count_; });
  return failure_;
}

// Writes in the Writer's own thread, after the blocks that came earlier.
Status BlocksInFlight::write_here(const Block& block, std::size_t bytes, std::uint64_t position) {
  if (Status status = drain(); !status.ok()) return status;
  const ConstBytes piece(block.data(), bytes);
  return write_to_sink(sink_, position, {&piece, 1});
}

// A Sink may write through a Writer of its own: the engine's thread then waits for blocks that are
// behind it in its own queue. It takes them out and writes them, in their order.
void BlocksInFlight::finish_here() {
  for (;;) {
    std::size_t waiting;
    {
      const os::Lock lock(mutex_);
      waiting = in_flight_;
    }
    if (waiting == 0) return;
    Job& first = jobs_[(next_job_ + job_count_ - waiting) % job_count_];
    Engine::shared().withdraw(first);
    finish(first);
  }
}

void BlocksInFlight::finish(const Job& job) {
  bool failed;
  {
    const os::Lock lock(mutex_);
    failed = !failure_.ok();
  }
  Status status;
  if (!failed) {
    const ConstBytes piece(job.block.data(), job.bytes);
    status = write_to_sink(sink_, job.position, {&piece, 1});
  }
  const os::Lock lock(mutex_);
  if (!status.ok()) failure_ = std::move(status);
  --in_flight_;
  finished_.notify_one();  // under the lock: the waiting Writer may destroy us right after
}

}  // namespace sluice
