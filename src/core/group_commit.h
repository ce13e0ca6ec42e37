// GroupCommit: bytes that many threads append to one file, written and synced for all of them by
// one at a time.
//
// Appended bytes gather in a buffer. A round takes the whole buffer, leaving an empty one in its
// place, writes it and syncs the file; there is one round at a time. A thread whose bytes no
// round has taken leads the next round. The threads that come before that round begins wait for its
// end. A buffer that is full is written out by the thread that needs room, without a sync.
// Threads: every method but finish() and the destructor may be called from any thread. A forked
// child may only destroy.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/block.h"
#include "core/journal_format.h"
#include "os/clock.h"
#include "os/file.h"
#include "os/synchronization.h"
#include "os/thread.h"
#include "sluice/sink.h"
#include "sluice/status.h"

namespace sluice {

class GroupCommit {
 public:
  // Appends behind the first `end` bytes of `file`, which are durable and stay so. With a format
  // each record has a head, and each round in which a record begins has a mark.
  // `file` outlives this object.
  GroupCommit(os::File& file, const std::optional<JournalFormat>& format, std::uint64_t end);
  GroupCommit(const GroupCommit&) = delete;
  GroupCommit& operator=(const GroupCommit&) = delete;

  // Once, before anything else. False when there is no memory.
  [[nodiscard]] bool allocate(std::size_t buffer_bytes);

  // A record in one piece; `end` is the position behind it. `checksum` is that of the payload, and
  // only a format needs it.
  Status append(BytesView payload, std::uint32_t checksum, std::uint64_t& end);
  // Returns once everything before `position` is durable.
  Status commit(std::uint64_t position);
  // Everything before `position` is durable, and what is not will be without another call.
  Status durable_up_to(std::uint64_t& position);
  Status status() const;

  // Makes everything durable and ends the background thread. Called alone, and last.
  Status finish();

 private:
  enum class Sync : std::uint8_t { no, yes };
  // What one write puts into [begin, end) of the file.
  struct Round {
    std::uint64_t begin;
    std::uint64_t end;
    std::uint64_t record_end;  // behind the last whole record
    BytesView bytes;
    std::optional<std::size_t> bytes_before_mark;  // of these bytes; nothing: there is no mark
  };

  // Everything that was appended is durable, and is whole records.
  bool is_idle() const { return appended_.load(std::memory_order_relaxed) == committed_end_; }
  bool is_full() const { return filled_bytes_ == filling_.bytes(); }
  bool copy_head(os::Lock& lock, BytesView payload, std::uint32_t checksum);
  bool copy(os::Lock& lock, BytesView bytes);
  void wait_for_room(os::Lock& lock);
  void lead_next_round(os::Lock& lock);
  void gather(os::Lock& lock);
  void run_round(os::Lock& lock, Sync sync);
  Status write_and_sync(const Round& round, Sync sync);
  Status write(const Round& round);
  Status leave_mark(std::uint64_t end);
  void end_round(os::Lock& lock, const Round& round, Sync sync, Status status);
  void wait_for_round(os::Lock& lock, std::uint32_t round);
  void ask_background();
  void serve_in_background();

  // Used by the round in progress alone:
  os::File& file_;
  const std::optional<JournalFormat> format_;
  std::uint64_t committed_end_;  // behind the last whole record that durable_ covers

  os::Thread background_;

  // Written under mutex_, and read without it by those who ask often.
  std::atomic<bool> failed_{false};        // status_ will not change any more
  std::atomic<bool> asked_{false};         // the background thread has something to do
  std::atomic<std::uint64_t> appended_;    // the position of the next byte
  std::atomic<std::uint64_t> syncing_to_;  // what the last sync begun has covered, or will
  std::atomic<std::uint64_t> durable_;     // what the last sync ended has covered
  std::array<os::WaitWord, 2> ended_;      // the last round ended, of even and odd ones

  mutable os::Mutex mutex_;
  // Guarded by mutex_:
  Status status_;
  Block filling_;
  Block writing_;  // by the round in progress
  std::size_t filled_bytes_ = 0;
  std::uint64_t taken_;                           // the position of the first byte in filling_
  std::uint64_t record_end_;                      // behind the last whole record
  std::optional<std::size_t> bytes_before_mark_;  // in filling_, which does not have the mark
  bool append_is_halfway_ = false;                // it waits for room; all others wait for it
  bool round_in_progress_ = false;
  bool has_next_leader_ = false;    // somebody waits to begin the next round with a sync
  std::uint32_t rounds_begun_ = 0;  // of those with a sync
  std::size_t committers_ = 0;      // that wait for the next such round, its leader among them
  std::size_t committers_in_round_ = 0;
  std::size_t expected_committers_ = 0;
  os::Clock::time_point gather_until_;
  bool stopping_ = false;

  os::Condition may_append_;    // there is room, or no round in progress, or no append halfway
  os::Condition turn_to_lead_;  // for the next leader: no round is in progress, or all have come
  os::Condition asked_for_;     // for the background thread
};

}  // namespace sluice
