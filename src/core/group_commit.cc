#include "core/group_commit.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "os/cancellation.h"

namespace sluice {
namespace {

// The longest time that a leader waits for others. A sync of a useful disk takes no longer.
constexpr std::chrono::milliseconds longest_wait_for_committers{5};

}  // namespace

GroupCommit::GroupCommit(os::File& file, const std::optional<JournalFormat>& format,
                         std::uint64_t end)
    : file_(file),
      format_(format),
      committed_end_(end),
      appended_(end),
      syncing_to_(end),
      durable_(end),
      taken_(end),
      record_end_(end) {}

bool GroupCommit::allocate(std::size_t buffer_bytes) {
  filling_ = Block::allocate(buffer_bytes);
  writing_ = Block::allocate(buffer_bytes);
  return filling_ && writing_;
}

Status GroupCommit::append(BytesView payload, std::uint32_t checksum, std::uint64_t& end) {
  os::Lock lock(mutex_);
  while (status_.ok() && (append_is_halfway_ || is_full())) {
    if (append_is_halfway_) {
      may_append_.wait(lock);
    } else {
      wait_for_room(lock);
    }
  }
  if (!status_.ok()) return status_;
  if (format_ && !copy_head(lock, payload, checksum)) return status_;
  if (!copy(lock, payload)) return status_;
  end = record_end_ = appended_.load(std::memory_order_relaxed);
  return {};
}

// The head of a record contains the record's position, which is known only when the record has its
// turn. The mark stands before the first record that begins in a buffer, because nothing can stand
// within a record.
bool GroupCommit::copy_head(os::Lock& lock, BytesView payload, std::uint32_t checksum) {
  std::uint64_t position = appended_.load(std::memory_order_relaxed);
  if (!bytes_before_mark_) {
    bytes_before_mark_ = filled_bytes_;
    position += mark_bytes;
    appended_.store(position, std::memory_order_release);
  }
  return copy(lock, format_->head(position, payload.size(), checksum));
}

// A record that does not fit is copied part by part, and all other appends wait meanwhile. So a
// record of any size lies in one piece and needs no memory.
bool GroupCommit::copy(os::Lock& lock, BytesView bytes) {
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

// Waits once. The caller checks again, because another thread may have taken the room.
void GroupCommit::wait_for_room(os::Lock& lock) {
  if (!round_in_progress_ && !has_next_leader_) return run_round(lock, Sync::no);
  turn_to_lead_.notify_one();  // with a full buffer the leader need not wait for committers
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
                           "commit was called with a ticket that append has not given");
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
  if (status_.ok()) wait_for_committers(lock);
  if (status_.ok()) run_round(lock, Sync::yes);
}

// The threads that the last round has served are likely to come again at once. If the leader did
// not wait for them, the threads would fall into two groups that wait for each other's syncs. A
// commit would then wait half a sync on average, so the leader waits no longer than that.
void GroupCommit::wait_for_committers(os::Lock& lock) {
  if (os::now() >= committers_awaited_until_) return;
  turn_to_lead_.wait_until(lock, committers_awaited_until_,
                           [this] { return committers_ >= expected_committers_ || is_full(); });
}

// Takes the appended bytes, writes them without the lock, and tells every waiter. On return the
// lock is held again.
void GroupCommit::run_round(os::Lock& lock, Sync sync) {
  const os::CancellationHeldOff held_off;
  round_in_progress_ = true;
  std::swap(filling_, writing_);
  const Round round{.begin = std::exchange(taken_, appended_.load(std::memory_order_relaxed)),
                    .end = taken_,
                    .record_end = record_end_,
                    .bytes = {writing_.data(), std::exchange(filled_bytes_, 0)},
                    .bytes_before_mark = std::exchange(bytes_before_mark_, std::nullopt)};
  if (sync == Sync::yes) {
    has_next_leader_ = false;
    ++rounds_begun_;
    committers_in_round_ = std::exchange(committers_, 0);
    syncing_to_.store(taken_, std::memory_order_release);
  }
  may_append_.notify_all();
  lock.unlock();
  const os::Clock::time_point began = os::now();
  Status status = write_and_sync(round, sync);
  const os::Clock::time_point ended = os::now();
  lock.lock();
  if (sync == Sync::yes) {
    committers_awaited_until_ =
        ended + std::min<os::Clock::duration>((ended - began) / 2, longest_wait_for_committers);
  }
  end_round(lock, round, sync, std::move(status));
}

Status GroupCommit::write_and_sync(const Round& round, Sync sync) {
  if (Status status = write(round); !status.ok()) return status;
  if (sync == Sync::no) return {};
  // Only this thread stores the durable position.
  return file_.sync().at(durable_.load(std::memory_order_relaxed));
}

// The mark is made now and not at append, because only now it is known which bytes the last sync
// covered.
Status GroupCommit::write(const Round& round) {
  std::size_t written = 0;
  if (!round.bytes_before_mark) return file_.write_at(round.begin, {&round.bytes, 1}, written);
  const std::size_t before = *round.bytes_before_mark;
  const auto mark = format_->mark(round.begin + before, committed_end_);
  const BytesView pieces[] = {round.bytes.first(before), mark, round.bytes.subspan(before)};
  return file_.write_at(round.begin, pieces, written);
}

void GroupCommit::end_round(os::Lock& lock, const Round& round, Sync sync, Status status) {
  const std::uint32_t number = rounds_begun_;
  bool leaves_mark = false;
  if (!status.ok()) {
    status_ = std::move(status);
    failed_.store(true, std::memory_order_release);
  } else if (sync == Sync::yes) {
    durable_.store(round.end, std::memory_order_release);
    committed_end_ = round.record_end;
    expected_committers_ = committers_in_round_ + committers_;
    leaves_mark = format_ && is_idle();
  }
  const bool failed = !status_.ok();
  const bool ends_waiting = sync == Sync::yes;
  round_in_progress_ = leaves_mark;
  // The numbers are stored under the lock. Otherwise a later round could store its number first,
  // and its waiters would then find an older number.
  if (ends_waiting) ended_[number % 2].store(number);
  if (failed) ended_[(number + 1) % 2].store(number + 1);
  lock.unlock();
  if (!leaves_mark) turn_to_lead_.notify_one();  // first, because the disk is idle
  may_append_.notify_all();
  if (ends_waiting) ended_[number % 2].notify_all();
  if (failed) ended_[(number + 1) % 2].notify_all();
  if (!leaves_mark) return lock.lock();
  Status left = leave_mark(round.end);
  lock.lock();
  end_round(lock, round, Sync::no, std::move(left));
}

// Writes the mark with which the next round will begin, because there may be no next round. The
// next round writes the same bytes to the same place, so no other bytes may be written there
// meanwhile.
Status GroupCommit::leave_mark(std::uint64_t end) {
  const std::array<std::byte, mark_bytes> mark = format_->mark(end, end);
  const BytesView bytes = mark;
  std::size_t written = 0;
  return file_.write_at(end, {&bytes, 1}, written);
}

// No thread waits for a round after the next round. So two words are enough, and the round of every
// thread that wakes has ended.
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
  static_cast<void>(commit(end));  // a failure is kept, and the caller's next call finds it
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
  const Status committed = commit(appended_.load(std::memory_order_relaxed));
  // Writing the mark for the last commit may have failed.
  return committed.ok() ? status() : committed;
}

}  // namespace sluice
