#include "os/background_read.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <utility>

#include "os/process.h"
#include "os/system_calls.h"

namespace sluice::os {
namespace {

// Queues that are not in use; 0 stands for none. Without a lock, because another thread of the
// parent could hold it during a fork.
std::array<std::atomic<std::uint64_t>, 4> spare_queues{};
std::atomic<unsigned> spare_generation = 0;  // of the process that has the queues
std::atomic<bool> is_unloaded = false;       // a Reader with static lifetime may be closed later

// In a forked child the queues of the parent do not exist. If two threads of the child come here at
// the same time, a queue may be lost, or a read fails: the Reader then reads without it.
void forget_queues_of_parent() {
  if (spare_generation.exchange(fork_generation()) == fork_generation()) return;
  for (auto& spare : spare_queues) spare = 0;
}

std::uint64_t spare_queue() {
  forget_queues_of_parent();
  for (auto& spare : spare_queues) {
    if (const std::uint64_t queue = spare.exchange(0); queue != 0) return queue;
  }
  return 0;
}

bool keep(std::uint64_t queue) {
  if (is_unloaded) return false;
  forget_queues_of_parent();
  return std::ranges::any_of(spare_queues, [&](std::atomic<std::uint64_t>& spare) {
    std::uint64_t none = 0;
    return spare.compare_exchange_strong(none, queue);
  });
}

std::uint64_t new_queue() {
  std::uint64_t queue = 0;
  return calls().open_read_queue(queue) < 0 ? 0 : queue;
}

// At the end of the process, and when the library is unloaded.
struct CloseSpareQueues {
  ~CloseSpareQueues() {
    is_unloaded = true;
    while (const std::uint64_t queue = spare_queue()) calls().close_read_queue(queue);
  }
} close_spare_queues;

}  // namespace

bool BackgroundRead::has_queue() {
  forget_queue_of_parent();
  if (queue_ == 0 && !is_refused_) queue_ = spare_queue();
  return queue_ != 0;
}

void BackgroundRead::forget_queue_of_parent() {
  if (generation_ == fork_generation()) return;
  generation_ = fork_generation();
  queue_ = 0;
  is_under_way_ = false;
}

bool BackgroundRead::open_queue() {
  if (queue_ != 0 || is_refused_) return queue_ != 0;
  queue_ = new_queue();
  is_refused_ = queue_ == 0;
  return !is_refused_;
}

// EAGAIN: the kernel has no room for the read now.
bool BackgroundRead::begin(const File& file, std::uint64_t position, MutableBytesView into) {
  if (queue_ == 0) return false;
  const std::size_t bytes = std::min(into.size(), max_bytes_per_call);
  const CallResult begun =
      calls().begin_read(queue_, file.descriptor(), into.data(), bytes, position);
  is_under_way_ = begun == 1;
  if (!is_under_way_ && begun != -EAGAIN) drop_queue();
  return is_under_way_;
}

std::size_t BackgroundRead::end() {
  forget_queue_of_parent();
  if (!std::exchange(is_under_way_, false)) return 0;
  CallResult read = 0;
  const CallResult finished = uninterrupted([&] { return calls().finish_read(queue_, read); });
  if (finished != 1) return drop_queue() ? 0 : goes_on;
  return read > 0 ? static_cast<std::size_t>(read) : 0;
}

// The kernel does not read in this way. Closing the queue waits for the read that may be under way,
// and fails where a program has forbidden itself these calls (seccomp).
bool BackgroundRead::drop_queue() {
  is_refused_ = true;
  return calls().close_read_queue(std::exchange(queue_, 0)) >= 0;
}

void BackgroundRead::close() {
  end();
  const std::uint64_t queue = std::exchange(queue_, 0);
  if (queue != 0 && !keep(queue)) calls().close_read_queue(queue);
}

}  // namespace sluice::os
