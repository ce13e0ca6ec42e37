#include "core/group_commit.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace sluice {
namespace {

// A leader waits this long for others, at most: no disk that is worth waiting for takes longer.
constexpr std::chrono::milliseconds longest_gathering{5};

}  // namespace

GroupCommit::GroupCommit(os::File& file, std::uint64_t end)
    : file_(file), appended_(end), syncing_to_(end), durable_(end), taken_(end) {}

bool GroupCommit::allocate(std::size_t buffer_bytes) {
  filling_ = Block::allocate(buffer_bytes);
  writing_ = Block::allocate(buffer_bytes);
  return filling_ && writing_;
}

Status GroupCommit::append(std::span<const ConstBytes> pieces, std::uint64_t& end) {
  os::Lock lock(mutex_);
  while (status_.ok() && (append_is_halfway_ || is_full())) {
    if (append_is_halfway_) {
      may_append_.wait(lock);
    } else {
      wait_for_room(lock);
    }
  }
  if (!status_.ok()) return status_;
  for (const ConstBytes piece : pieces) {
    if (!copy(lock, piece)) return status_;
  }
  end = appended_.load(std::memory_order_relaxed);
  return {};
}

// What does not fit keeps all other appends waiting while it is copied part by part: a record of
// any size lies in one piece, and needs no memory.
bool GroupCommit::copy(os::Lock& lock, ConstBytes bytes) {
  for (;;) {
    const std::size_t part = std::min(bytes.size(), filling_.bytes() - filled_bytes_);
    if (part != 0) std::memcpy(filling_.data() + filled_bytes_, bytes.data(), part);
    filled_bytes_ += part;
    appended_.store(appended_.load(std::memory_order_relaxed) + part, std::memory_order_release);
    bytes = bytes.subspan(part);
    if (bytes.empty()) return true;
    append_is_halfway_ = true;
    while (status_.ok() && is_full()) wait_for_room(lock);
    append_is_halfway_ = false;
    may_append_.notify_all();
    if (!status_.ok()) return false;
  }
}

// Once: there may still be none afterwards.
void GroupCommit::wait_for_room(os::Lock& lock) {
  if (!round_in_progress_ && !has_next_leader_) return run_round(lock, Sync::no);
  turn_to_lead_.notify_one();  // no need to wait for others
  may_append_.wait(lock);
}

Status GroupCommit::commit(std::uint64_t position) {
  if (!failed_.load(std::memory_order_acquire) &&
      durable_.load(std::memory_order_acquire) >= position) {
    return {};
  }
  os::Lock lock(mutex_);
  if (!status_.ok()) return status_;
  if (position > appended_.load(std::memory_order_relaxed)) {
    return Status::failure(Operation::sync, file_.path(), EINVAL, position,
                           "commit of a ticket that was never given");
  }
  if (durable_.load(std::memory_order_relaxed) >= position) return {};
  if (syncing_to_.load(std::memory_order_relaxed) >= position) {
    wait_for_round(lock, rounds_begun_);
  } else {
    ++committers_;
    if (!has_next_leader_) {
      lead_next_round(lock);
      lock.unlock();
    } else {
      if (committers_ == expected_committers_) turn_to_lead_.notify_one();
      wait_for_round(lock, rounds_begun_ + 1);
    }
  }
  if (durable_.load(std::memory_order_acquire) >= position) return {};
  return status();
}

void GroupCommit::lead_next_round(os::Lock& lock) {
  has_next_leader_ = true;
  turn_to_lead_.wait(lock, [this] { return !round_in_progress_; });
  if (status_.ok()) gather(lock);
  if (status_.ok()) run_round(lock, Sync::yes);
}

// Those whom the last round has served are likely to come again at once. Without waiting for them
// the threads fall into two groups that wait for each other's syncs. Half as long as the sync takes
// is as long as a commit has to wait in that case on average.
void GroupCommit::gather(os::Lock& lock) {
  if (os::now() >= gather_until_) return;
  turn_to_lead_.wait_until(lock, gather_until_,
                           [this] { return committers_ >= expected_committers_ || is_full(); });
}

// Takes what was appended, writes it without the lock, and tells everyone. The lock is held in the
// end too.
void GroupCommit::run_round(os::Lock& lock, Sync sync) {
  round_in_progress_ = true;
  std::swap(filling_, writing_);
  const ConstBytes bytes(writing_.data(), std::exchange(filled_bytes_, 0));
  const std::uint64_t begin = std::exchange(taken_, appended_.load(std::memory_order_relaxed));
  if (sync == Sync::yes) {
    has_next_leader_ = false;
    ++rounds_begun_;
    committers_in_round_ = std::exchange(committers_, 0);
    syncing_to_.store(taken_, std::memory_order_release);
  }
  may_append_.notify_all();
  lock.unlock();
  const os::Clock::time_point began = os::now();
  Status status = write_and_sync(begin, bytes, sync);
  const os::Clock::time_point ended = os::now();
  lock.lock();
  if (sync == Sync::yes) {
    gather_until_ = ended + std::min<os::Clock::duration>((ended - began) / 2, longest_gathering);
  }
  end_round(lock, sync, std::move(status));
}

Status GroupCommit::write_and_sync(std::uint64_t position, ConstBytes bytes, Sync sync) {
  std::size_t written = 0;
  if (Status status = file_.write_at(position, {&bytes, 1}, written); !status.ok()) return status;
  if (sync == Sync::no) return {};
  // Nobody but this thread stores what is durable.
  return file_.sync().at(durable_.load(std::memory_order_relaxed));
}

void GroupCommit::end_round(os::Lock& lock, Sync sync, Status status) {
  round_in_progress_ = false;
  const std::uint32_t round = rounds_begun_;
  if (!status.ok()) {
    status_ = std::move(status);
    failed_.store(true, std::memory_order_release);
  } else if (sync == Sync::yes) {
    durable_.store(syncing_to_.load(std::memory_order_relaxed), std::memory_order_release);
    expected_committers_ = committers_in_round_ + committers_;
  }
  const bool failed = !status_.ok();
  const bool ends_waiting = failed || sync == Sync::yes;
  // Under the lock, or a later round could come first, and its waiters would find an older number.
  if (ends_waiting) ended_[round % 2].store(round);
  if (failed) ended_[(round + 1) % 2].store(round + 1);
  lock.unlock();
  turn_to_lead_.notify_one();  // first: the disk is idle
  may_append_.notify_all();
  if (ends_waiting) ended_[round % 2].notify_all();
  if (failed) ended_[(round + 1) % 2].notify_all();
  lock.lock();
}

// Nobody waits for a round beyond the next: two words are enough, and whoever wakes is served.
void GroupCommit::wait_for_round(os::Lock& lock, std::uint32_t round) {
  lock.unlock();
  const os::WaitWord& ended = ended_[round % 2];
  for (;;) {
    const std::uint32_t last = ended.load();
    if (static_cast<std::int32_t>(last - round) >= 0) return;
    ended.wait(last);
  }
}

Status GroupCommit::durable_up_to(std::uint64_t& position) {
  if (failed_.load(std::memory_order_acquire)) return status();
  if (appended_.load(std::memory_order_acquire) > syncing_to_.load(std::memory_order_acquire) &&
      !asked_.load(std::memory_order_relaxed)) {
    ask_background();
  }
  position = durable_.load(std::memory_order_acquire);
  return {};
}

void GroupCommit::ask_background() {
  os::Lock lock(mutex_);
  const auto body = [](void* it) { static_cast<GroupCommit*>(it)->serve_in_background(); };
  if (background_.started() || background_.start("sluice-journal", body, this)) {
    asked_.store(true, std::memory_order_relaxed);
    asked_for_.notify_one();
    return;
  }
  const std::uint64_t end = appended_.load(std::memory_order_relaxed);
  lock.unlock();
  static_cast<void>(commit(end));  // a failure stays, and the caller's next question finds it
}

// The background thread is one more committer.
void GroupCommit::serve_in_background() {
  os::Lock lock(mutex_);
  for (;;) {
    asked_for_.wait(lock, [this] { return stopping_ || asked_.load(std::memory_order_relaxed); });
    if (stopping_) return;
    asked_.store(false, std::memory_order_relaxed);
    const std::uint64_t end = appended_.load(std::memory_order_relaxed);
    lock.unlock();
    static_cast<void>(commit(end));
    lock.lock();
  }
}

Status GroupCommit::status() const {
  const os::Lock lock(mutex_);
  return status_;
}

Status GroupCommit::finish() {
  {
    const os::Lock lock(mutex_);
    stopping_ = true;
    asked_for_.notify_one();
  }
  background_.join();
  return commit(appended_.load(std::memory_order_relaxed));
}

}  // namespace sluice
