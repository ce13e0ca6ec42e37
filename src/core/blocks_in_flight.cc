#include "core/blocks_in_flight.h"

#include <new>
#include <utility>

#include "core/sink_write.h"
#include "os/process.h"

namespace sluice {

BlocksInFlight::BlocksInFlight(Sink& sink, std::size_t max_blocks)
    : fork_generation_(os::fork_generation()),
      sink_(sink),
      engine_(sink.is_compute_bound() ? Engine::for_compressed_blocks() : Engine::shared()),
      job_count_(max_blocks),
      jobs_(new (std::nothrow) Job[max_blocks]) {}

BlocksInFlight::~BlocksInFlight() {
  if (fork_generation_ != os::fork_generation()) return;
  static_cast<void>(drain());
  engine_.wait_for(*this);  // the engine's thread may not have returned from run() yet
}

Status BlocksInFlight::exchange(Block& block, std::size_t bytes, std::uint64_t position) {
  if (Status status = wait_for_room(); !status.ok()) return status;
  if (hand_over(block, bytes, position)) return {};
  if (Status status = drain(); !status.ok()) return status;
  return write(block, bytes, position);
}

// False if there is no memory for one more block, or no thread.
bool BlocksInFlight::hand_over(Block& block, std::size_t bytes, std::uint64_t position) {
  Job& job = jobs_[next_job_];
  if (!job.block) job.block = Block::allocate_for_large_file(block.bytes());
  if (!job.block) return false;
  std::swap(job.block, block);
  job.bytes = bytes;
  job.position = position;
  // The lock is held over both steps, because a thread that runs this task must not take the job
  // before the engine has accepted it.
  const os::Lock lock(mutex_);
  if (!engine_.submit(*this)) {
    std::swap(job.block, block);
    return false;
  }
  ++in_flight_;
  next_job_ = (next_job_ + 1) % job_count_;
  return true;
}

Status BlocksInFlight::drain() {
  os::Lock lock(mutex_);
  written_.wait(lock, [this] { return in_flight_ == 0; });
  return failure_;
}

Status BlocksInFlight::wait_for_room() {
  os::Lock lock(mutex_);
  written_.wait(lock, [this] { return in_flight_ < job_count_; });
  reuse_latest_block();
  return failure_;
}

// The next job gets the block that was written last, which a processor's cache may still have. A
// target that keeps pace thus needs two blocks, and the others are never allocated.
void BlocksInFlight::reuse_latest_block() {
  for (std::size_t age = in_flight_ + 1; age <= job_count_; ++age) {
    Job& written = jobs_[(next_job_ + job_count_ - age) % job_count_];
    if (written.block) return std::swap(jobs_[next_job_].block, written.block);
  }
}

Status BlocksInFlight::write(const Block& block, std::size_t bytes, std::uint64_t position) {
  const BytesView piece(block.data(), bytes);
  return write_to_sink(sink_, position, {&piece, 1});
}

void BlocksInFlight::run() noexcept {
  os::Lock lock(mutex_);
  while (in_flight_ != 0) {
    const Job& job = jobs_[(next_job_ + job_count_ - in_flight_) % job_count_];
    if (failure_.ok()) {
      lock.unlock();
      Status status = write(job.block, job.bytes, job.position);
      lock.lock();
      if (!status.ok()) failure_ = std::move(status);
    }
    --in_flight_;
    written_.notify_one();
  }
}

}  // namespace sluice
