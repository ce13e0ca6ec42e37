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
  long result = 0;
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

  long open(const char* path, int flags, unsigned permissions) override;
  long close(int descriptor) override;
  long duplicate(int descriptor) override;
  long read(int descriptor, void* into, std::size_t bytes) override;
  long pread(int descriptor, void* into, std::size_t bytes, std::uint64_t position) override;
  long writev(int descriptor, const iovec* pieces, int count) override;
  long pwritev(int descriptor, const iovec* pieces, int count, std::uint64_t position) override;
  long fstat(int descriptor, struct stat& result) override;
  long stat(const char* path, struct stat& result) override;
  long seek_current(int descriptor) override;
  long seek_to(int descriptor, std::uint64_t position) override;
  long seek_end(int descriptor) override;
  long status_flags(int descriptor) override;
  long name_of(int descriptor, char* into, std::size_t bytes) override;
  long is_terminal(int descriptor) override;
  long fdatasync(int descriptor) override;
  long fsync(int descriptor) override;
  long sync_file_range(int descriptor, std::uint64_t position, std::uint64_t bytes,
                       unsigned flags) override;
  long openat(int directory, const char* name, int flags, unsigned permissions) override;
  long read_directory(int descriptor, void* into, std::size_t bytes) override;
  long renameat(int directory, const char* from, const char* to) override;
  long unlinkat(int directory, const char* name) override;
  long link_target(int descriptor, char* into, std::size_t bytes) override;
  long fixed_attributes(int descriptor, std::uint64_t& attributes) override;
  long fchmod(int descriptor, unsigned mode) override;
  long fchown(int descriptor, uid_t owner, gid_t group) override;
  long list_attributes(int descriptor, char* into, std::size_t bytes) override;
  long get_attribute(int descriptor, const char* name, void* into, std::size_t bytes) override;
  long set_attribute(int descriptor, const char* name, const void* value,
                     std::size_t bytes) override;
  long remove_attribute(int descriptor, const char* name) override;
  long clone_file(int from, int to) override;
  long copy_range(int from, int to, std::uint64_t position, std::size_t bytes) override;
  long seek_data(int descriptor, std::uint64_t position) override;
  long seek_hole(int descriptor, std::uint64_t position) override;
  long random_bytes(void* into, std::size_t bytes) override;
  long truncate(int descriptor, std::uint64_t bytes) override;
  long lock(int descriptor) override;
  long unlock(int descriptor) override;
  long will_read_in_sequence(int descriptor) override;
  long forget_cached(int descriptor) override;
  long poll(int descriptor, short events, int timeout_ms) override;
  long map_file(int descriptor, std::size_t bytes, void*& address) override;
  long map_memory(std::size_t bytes, void*& address) override;
  long remap_memory(void* old, std::size_t old_bytes, std::size_t bytes, void*& address) override;
  long unmap(void* address, std::size_t bytes) override;
  long advise_huge_pages(void* address, std::size_t bytes) override;
  long populate(void* address, std::size_t bytes) override;
  long processors() override;
  long start_thread(void* (*body)(void*), void* argument, pthread_t& thread) override;
  long join_thread(pthread_t thread) override;
  long block_signal(int signal, bool& was_blocked) override;
  long unblock_signal(int signal) override;
  long is_signal_waiting(int signal) override;
  long take_signal(int signal) override;

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
  long keep(CallRecord record, long result);
  // Judges the call, makes it unless it has to fail, and records it.
  template <typename Body>
  long pass(CallRecord record, Body body);
  template <typename Body>
  long write_pieces(CallRecord record, const iovec* pieces, int count, Body body);

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
