// FaultySystemCalls: the real system calls, with faults that a test orders by name.
//
// Put it in place with os::ScopedSystemCalls. Without an order it passes every call on and records
// it. A failed call changes nothing. The exception is close(), which closes the descriptor and then
// fails, as on Linux.
// Threads: every method may be called from any thread.
#pragma once

#include <sys/types.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "os/system_calls.h"

namespace sluice::testing {

using os::CallResult;
using os::FileStat;

enum class Call : std::uint8_t {
  open,
  close,
  duplicate,
  read,
  pread,
  writev,
  pwritev,
  fstat,
  stat,
  seek_current,
  seek_to,
  seek_end,
  status_flags,
  set_status_flags,
  direct_alignment,
  open_read_queue,
  begin_read,
  finish_read,
  close_read_queue,
  name_of,
  is_terminal,
  fdatasync,
  fsync,
  sync_file_range,
  openat,
  read_directory,
  renameat,
  unlinkat,
  link_target,
  fixed_attributes,
  fchmod,
  fchown,
  list_attributes,
  get_attribute,
  set_attribute,
  remove_attribute,
  clone_file,
  copy_range,
  seek_data,
  seek_hole,
  random_bytes,
  truncate,
  lock,
  unlock,
  will_read_in_sequence,
  forget_cached,
  poll,
  map_file,
  map_memory,
  remap_memory,
  unmap,
  advise_huge_pages,
  populate,
  processors,
  start_thread,
  join_thread,
  block_signal,
  unblock_signal,
  is_signal_waiting,
  take_signal,
};
inline constexpr std::size_t call_kinds = static_cast<std::size_t>(Call::take_signal) + 1;

std::string_view to_string(Call call);

// True if the call hands file contents over: such calls may be shortened.
bool is_transfer(Call call);
// True if the kernel can refuse the call to a program without mistakes.
bool can_fail(Call call);
// True if a signal can end the call early with EINTR.
bool can_be_interrupted(Call call);

enum class Repeat : std::uint8_t { once, for_ever };

struct CallRecord {
  Call call;
  int descriptor = -1;         // -1 for calls without one
  std::string path = {};       // for calls that take a name; the new name of renameat
  std::uint64_t position = 0;  // for calls that have one; the new end for truncate
  std::uint64_t bytes = 0;     // asked for, after all shortening
  int pieces = 0;              // for vectored calls
  unsigned flags = 0;          // for open, openat and sync_file_range
  CallResult result = 0;
  bool injected = false;  // this table made the call fail
  pid_t thread = 0;
};

class FaultySystemCalls : public os::SystemCalls {
 public:
  // Orders that the nth call of this kind (counted from 1, from now on) fails with `error`, alone
  // or with all later calls of this kind. A second order for the same kind replaces the first.
  void fail(Call call, std::size_t nth, int error, Repeat repeat = Repeat::once);
  // Orders a failure, counting the calls of all kinds that can fail.
  void fail_any(std::size_t nth, int error, Repeat repeat = Repeat::once);
  // No transfer moves more than this.
  void limit_transfers(std::size_t max_bytes);
  // Every transfer of two bytes or more moves half of the bytes that the call asks for.
  void halve_transfers();
  // Every call that can be interrupted is interrupted once before it is let through.
  void interrupt_every_call();
  // Writes reach no target, and all their bytes count as written.
  void pretend_to_write();
  // Every transfer waits this long first.
  void delay_transfers(unsigned microseconds);
  // Runs `action` in the calling thread before the nth call of any kind (from 1, from now on).
  void act_before(std::size_t nth, std::function<void()> action);

  std::size_t count(Call call) const;
  // The index in records() of the last call of this kind; -1 if there is none.
  long last(Call call) const;
  std::size_t count_that_can_fail() const;
  std::size_t total() const;
  std::vector<CallRecord> records() const;
  std::vector<CallRecord> records(Call call) const;
  // The kinds of the calls that this table made fail, in order; interruptions are not among them.
  std::vector<Call> injected() const;
  std::string log() const;  // a line for every call, for the message of a test that failed
  void forget_records();

  CallResult open(const char* path, int flags, unsigned permissions) override;
  CallResult close(int descriptor) override;
  CallResult duplicate(int descriptor) override;
  CallResult read(int descriptor, void* into, std::size_t bytes) override;
  CallResult pread(int descriptor, void* into, std::size_t bytes, std::uint64_t position) override;
  CallResult writev(int descriptor, const iovec* pieces, int count) override;
  CallResult pwritev(int descriptor, const iovec* pieces, int count,
                     std::uint64_t position) override;
  CallResult fstat(int descriptor, FileStat& result) override;
  CallResult stat(const char* path, FileStat& result) override;
  CallResult seek_current(int descriptor) override;
  CallResult seek_to(int descriptor, std::uint64_t position) override;
  CallResult seek_end(int descriptor) override;
  CallResult status_flags(int descriptor) override;
  CallResult open_read_queue(std::uint64_t& queue) override;
  CallResult begin_read(std::uint64_t queue, int descriptor, void* into, std::size_t bytes,
                        std::uint64_t position) override;
  CallResult finish_read(std::uint64_t queue, CallResult& read) override;
  CallResult close_read_queue(std::uint64_t queue) override;
  CallResult name_of(int descriptor, char* into, std::size_t bytes) override;
  CallResult is_terminal(int descriptor) override;
  CallResult fdatasync(int descriptor) override;
  CallResult fsync(int descriptor) override;
  CallResult sync_file_range(int descriptor, std::uint64_t position, std::uint64_t bytes,
                             unsigned flags) override;
  CallResult openat(int directory, const char* name, int flags, unsigned permissions) override;
  CallResult read_directory(int descriptor, void* into, std::size_t bytes) override;
  CallResult renameat(int directory, const char* from, const char* to) override;
  CallResult unlinkat(int directory, const char* name) override;
  CallResult link_target(int descriptor, char* into, std::size_t bytes) override;
  CallResult set_status_flags(int descriptor, int flags) override;
  CallResult direct_alignment(int descriptor, std::size_t& memory_bytes,
                              std::size_t& file_bytes) override;
  CallResult fixed_attributes(int descriptor, std::uint64_t& attributes) override;
  CallResult fchmod(int descriptor, unsigned mode) override;
  CallResult fchown(int descriptor, uid_t owner, gid_t group) override;
  CallResult list_attributes(int descriptor, char* into, std::size_t bytes) override;
  CallResult get_attribute(int descriptor, const char* name, void* into,
                           std::size_t bytes) override;
  CallResult set_attribute(int descriptor, const char* name, const void* value,
                           std::size_t bytes) override;
  CallResult remove_attribute(int descriptor, const char* name) override;
  CallResult clone_file(int from, int to) override;
  CallResult copy_range(int from, int to, std::uint64_t position, std::size_t bytes) override;
  CallResult seek_data(int descriptor, std::uint64_t position) override;
  CallResult seek_hole(int descriptor, std::uint64_t position) override;
  CallResult random_bytes(void* into, std::size_t bytes) override;
  CallResult truncate(int descriptor, std::uint64_t bytes) override;
  CallResult lock(int descriptor) override;
  CallResult unlock(int descriptor) override;
  CallResult will_read_in_sequence(int descriptor) override;
  CallResult forget_cached(int descriptor, std::uint64_t position, std::uint64_t bytes) override;
  CallResult poll(int descriptor, short events, int timeout_ms) override;
  CallResult map_file(int descriptor, std::size_t bytes, void*& address) override;
  CallResult map_memory(std::size_t bytes, void*& address) override;
  CallResult remap_memory(void* old, std::size_t old_bytes, std::size_t bytes,
                          void*& address) override;
  CallResult unmap(void* address, std::size_t bytes) override;
  CallResult advise_huge_pages(void* address, std::size_t bytes) override;
  CallResult populate(void* address, std::size_t bytes) override;
  CallResult processors() override;
  CallResult start_thread(void* (*body)(void*), void* argument, pthread_t& thread) override;
  CallResult join_thread(pthread_t thread) override;
  CallResult block_signal(int signal, bool& was_blocked) override;
  CallResult unblock_signal(int signal) override;
  CallResult is_signal_waiting(int signal) override;
  CallResult take_signal(int signal) override;

 private:
  struct Order {
    std::size_t calls_until = 0;  // 0: no order
    int error = 0;
    Repeat repeat = Repeat::once;
  };

  // The verdict on a call: the `error` to return instead of making the call, or the number of bytes
  // that the call may ask for.
  struct Verdict {
    int error = 0;
    std::size_t max_bytes = 0;
    bool pretend = false;
    unsigned delay_microseconds = 0;
  };

  static bool is_due(Order& order);
  void act();
  Verdict judge(CallRecord& record);
  int fault_of(CallRecord& record);
  CallResult keep(CallRecord record, CallResult result);
  // Judges the call, makes it unless it has to fail, and records it.
  template <typename Body>
  CallResult pass(CallRecord record, Body body);
  template <typename Body>
  CallResult write_pieces(CallRecord record, const iovec* pieces, int count, Body body);

  mutable std::mutex mutex_;
  // Guarded by mutex_:
  std::array<Order, call_kinds> orders_;
  Order any_order_;
  std::size_t max_bytes_ = SIZE_MAX;
  bool halve_ = false;
  bool interrupt_ = false;
  std::array<bool, call_kinds> was_interrupted_{};
  bool pretend_to_write_ = false;
  unsigned delay_microseconds_ = 0;
  std::size_t calls_until_action_ = 0;  // 0: no action
  std::function<void()> action_;
  std::vector<CallRecord> records_;
};

}  // namespace sluice::testing
