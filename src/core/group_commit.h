// GroupCommit: bytes that many threads append to one file. One thread at a time writes and syncs
// the bytes of all of them.
//
// Appended bytes wait in a buffer. A round takes the whole buffer, leaves an empty one in its
// place, writes it and syncs the file. There is one round at a time. A thread whose bytes no round
// has taken leads the next round. Threads that come before the next round begins wait for its end.
// A thread that needs room in a full buffer writes the buffer out, without a sync.
// Threads: every method except finish() and the destructor may be called from any thread. A forked
// child may only destroy the object.
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
  // Appends after the first `end` bytes of `file`, which are durable already. With a format each
  // record has a head, and each round in which a record begins has a mark. `file` must outlive this
  // object.
  GroupCommit(os::File& file, const std::optional<JournalFormat>& format, std::uint64_t end);
  GroupCommit(const GroupCommit&) = delete;
  GroupCommit& operator=(const GroupCommit&) = delete;

  // Call this once, before every other method. False if there is no memory.
  [[nodiscard]] bool allocate(std::size_t buffer_bytes);

  // Appends a record in one piece. `end` is the position after it. `checksum` is the checksum of
  // the payload; only a format needs it.
  Status append(BytesView payload, std::uint32_t checksum, std::uint64_t& end);
  // Returns once everything before `position` is durable.
  Status commit(std::uint64_t position);
  // Gives the position up to which everything is durable, and asks the background thread to make
  // the rest durable.
  Status durable_up_to(std::uint64_t& position);
  Status status() const;

  // Makes everything durable and ends the background thread. Call this last, while no other call is
  // running.
  Status finish();

 private:
  enum class Sync : std::uint8_t { no, yes };
  // The bytes that one write puts into [begin, end) of the file.
  struct Round {
    std::uint64_t begin;
    std::uint64_t end;
    std::uint64_t record_end;  // after the last whole record
    BytesView bytes;
    std::optional<std::size_t> bytes_before_mark;  // the mark's place in the bytes; empty: no mark
  };

  // True if everything that was appended is durable and consists of whole records.
  bool is_idle() const { return appended_.load(std::memory_order_relaxed) == committed_end_; }
  bool is_full() const { return filled_bytes_ == filling_.bytes(); }
  bool copy_head(os::Lock& lock, BytesView payload, std::uint32_t checksum);
  bool copy(os::Lock& lock, BytesView bytes);
  void wait_for_room(os::Lock& lock);
  void lead_next_round(os::Lock& lock);
  void wait_for_committers(os::Lock& lock);
  void run_round(os::Lock& lock, Sync sync);
  Status write_and_sync(const Round& round, Sync sync);
  Status write(const Round& round);
  Status leave_mark(std::uint64_t end);
  void end_round(os::Lock& lock, const Round& round, Sync sync, Status status);
  void wait_for_round(os::Lock& lock, std::uint32_t round);
  void ask_background();
  void serve_in_background();

  // Only the round in progress uses these:
  os::File& file_;
  const std::optional<JournalFormat> format_;
  std::uint64_t committed_end_;  // after the last whole record that durable_ covers

  os::Thread background_;

  // Written under mutex_, and read without it by calls that ask often:
  std::atomic<bool> failed_{false};      // status_ will not change any more
  std::atomic<bool> asked_{false};       // the background thread has something to do
  std::atomic<std::uint64_t> appended_;  // the position of the next byte
  // The end of the bytes that the latest sync covers, or the next sync will cover.
  std::atomic<std::uint64_t> syncing_to_;
  std::atomic<std::uint64_t> durable_;  // the end of the bytes that a finished sync covers
  std::array<os::WaitWord, 2> ended_;   // the last round that ended, for even and odd rounds

  mutable os::Mutex mutex_;
  // Guarded by mutex_:
  Status status_;
  Block filling_;
  Block writing_;  // used by the round in progress
  std::size_t filled_bytes_ = 0;
  std::uint64_t taken_;       // the position of the first byte in filling_
  std::uint64_t record_end_;  // after the last whole record
  // The mark's place in filling_, which does not contain the mark.
  std::optional<std::size_t> bytes_before_mark_;
  bool append_is_halfway_ = false;  // one append waits for room, and all others wait for it
  bool round_in_progress_ = false;
  bool has_next_leader_ = false;    // a thread waits to begin the next round with a sync
  std::uint32_t rounds_begun_ = 0;  // counts rounds with a sync
  std::size_t committers_ = 0;      // threads that wait for the next such round, and its leader
  std::size_t committers_in_round_ = 0;
  std::size_t expected_committers_ = 0;
  os::Clock::time_point committers_awaited_until_;
  bool stopping_ = false;

  os::Condition may_append_;  // there is room, no round is in progress, or no append is halfway
  // For the next leader: no round is in progress, or all expected committers have come.
  os::Condition turn_to_lead_;
  os::Condition asked_for_;  // for the background thread
};

}  // namespace sluice
