#include "testing/faulty_system_calls.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <utility>

#include "testing/process_facts.h"

namespace sluice::testing {
namespace {

std::size_t index(Call call) { return static_cast<std::size_t>(call); }

std::uint64_t bytes_of(const iovec* pieces, int count) {
  std::uint64_t bytes = 0;
  for (int i = 0; i < count; ++i) bytes += pieces[i].iov_len;
  return bytes;
}

// The first `bytes` bytes of the pieces.
std::vector<iovec> first_bytes(const iovec* pieces, int count, std::uint64_t bytes) {
  std::vector<iovec> fewer;
  for (int i = 0; i < count && bytes > 0; ++i) {
    const std::size_t part = std::min<std::uint64_t>(pieces[i].iov_len, bytes);
    fewer.push_back({pieces[i].iov_base, part});
    bytes -= part;
  }
  return fewer;
}

}  // namespace

void FaultySystemCalls::fail(Call call, std::size_t nth, int error, Repeat repeat) {
  const std::lock_guard lock(mutex_);
  orders_[index(call)] = {nth, error, repeat};
}

void FaultySystemCalls::fail_any(std::size_t nth, int error, Repeat repeat) {
  const std::lock_guard lock(mutex_);
  any_order_ = {nth, error, repeat};
}

void FaultySystemCalls::limit_transfers(std::size_t max_bytes) {
  const std::lock_guard lock(mutex_);
  max_bytes_ = max_bytes;
}

void FaultySystemCalls::halve_transfers() {
  const std::lock_guard lock(mutex_);
  halve_ = true;
}

void FaultySystemCalls::interrupt_every_call() {
  const std::lock_guard lock(mutex_);
  interrupt_ = true;
}

void FaultySystemCalls::pretend_to_write() {
  const std::lock_guard lock(mutex_);
  pretend_to_write_ = true;
}

void FaultySystemCalls::delay_transfers(unsigned microseconds) {
  const std::lock_guard lock(mutex_);
  delay_microseconds_ = microseconds;
}

void FaultySystemCalls::act_before(std::size_t nth, std::function<void()> action) {
  const std::lock_guard lock(mutex_);
  calls_until_action_ = nth;
  action_ = std::move(action);
}

std::size_t FaultySystemCalls::count(Call call) const {
  const std::lock_guard lock(mutex_);
  return static_cast<std::size_t>(std::count_if(
      records_.begin(), records_.end(), [call](const CallRecord& r) { return r.call == call; }));
}

long FaultySystemCalls::last(Call call) const {
  const std::lock_guard lock(mutex_);
  const auto found = std::find_if(records_.rbegin(), records_.rend(),
                                  [call](const CallRecord& r) { return r.call == call; });
  return static_cast<long>(records_.rend() - found) - 1;
}

std::size_t FaultySystemCalls::count_that_can_fail() const {
  const std::lock_guard lock(mutex_);
  return static_cast<std::size_t>(std::count_if(
      records_.begin(), records_.end(), [](const CallRecord& r) { return can_fail(r.call); }));
}

std::size_t FaultySystemCalls::total() const {
  const std::lock_guard lock(mutex_);
  return records_.size();
}

std::vector<CallRecord> FaultySystemCalls::records() const {
  const std::lock_guard lock(mutex_);
  return records_;
}

std::vector<CallRecord> FaultySystemCalls::records(Call call) const {
  const std::lock_guard lock(mutex_);
  std::vector<CallRecord> found;
  std::copy_if(records_.begin(), records_.end(), std::back_inserter(found),
               [call](const CallRecord& record) { return record.call == call; });
  return found;
}

std::vector<Call> FaultySystemCalls::injected() const {
  const std::lock_guard lock(mutex_);
  std::vector<Call> kinds;
  for (const CallRecord& record : records_) {
    if (record.injected) kinds.push_back(record.call);
  }
  return kinds;
}

std::string FaultySystemCalls::log() const {
  std::string text;
  for (const CallRecord& record : records()) {
    text += std::string(to_string(record.call)) + ' ' + record.path;
    if (record.descriptor >= 0) text += " descriptor " + std::to_string(record.descriptor);
    text += " position " + std::to_string(record.position) + " bytes " +
            std::to_string(record.bytes) + " = " + std::to_string(record.result);
    text += record.injected ? " injected\n" : "\n";
  }
  return text;
}

void FaultySystemCalls::forget_records() {
  const std::lock_guard lock(mutex_);
  records_.clear();
}

bool FaultySystemCalls::is_due(Order& order) {
  if (order.calls_until == 0) return false;
  if (order.calls_until > 1) {
    --order.calls_until;
    return false;
  }
  if (order.repeat == Repeat::once) order.calls_until = 0;
  return true;
}

// The error that was ordered for this call, or 0.
int FaultySystemCalls::fault_of(CallRecord& record) {
  const std::size_t kind = index(record.call);
  const bool specific_is_due = is_due(orders_[kind]);
  const bool any_is_due = can_fail(record.call) && is_due(any_order_);
  record.injected = specific_is_due || any_is_due;
  if (specific_is_due) return orders_[kind].error;
  if (any_is_due) return any_order_.error;
  if (!interrupt_ || !can_be_interrupted(record.call)) return 0;
  was_interrupted_[kind] = !was_interrupted_[kind];
  return was_interrupted_[kind] ? EINTR : 0;
}

// Runs without the lock, because the action may ask this table about earlier calls.
void FaultySystemCalls::act() {
  std::function<void()> action;
  {
    const std::lock_guard lock(mutex_);
    if (calls_until_action_ == 0 || --calls_until_action_ != 0) return;
    action = std::move(action_);
  }
  action();
}

FaultySystemCalls::Verdict FaultySystemCalls::judge(CallRecord& record) {
  act();
  const std::lock_guard lock(mutex_);
  record.thread = this_thread();
  Verdict verdict;
  verdict.error = fault_of(record);
  verdict.max_bytes = record.bytes;
  if (!is_transfer(record.call)) return verdict;
  verdict.max_bytes = std::min<std::uint64_t>(verdict.max_bytes, max_bytes_);
  if (halve_ && verdict.max_bytes > 1) verdict.max_bytes /= 2;
  verdict.pretend = pretend_to_write_;
  verdict.delay_microseconds = delay_microseconds_;
  return verdict;
}

CallResult FaultySystemCalls::keep(CallRecord record, CallResult result) {
  record.result = result;
  const std::lock_guard lock(mutex_);
  records_.push_back(std::move(record));
  return result;
}

template <typename Body>
CallResult FaultySystemCalls::pass(CallRecord record, Body body) {
  const Verdict verdict = judge(record);
  if (verdict.delay_microseconds != 0) ::usleep(verdict.delay_microseconds);
  if (verdict.error != 0) return keep(std::move(record), -verdict.error);
  record.bytes = verdict.max_bytes;
  return keep(std::move(record), body(verdict.max_bytes));
}

template <typename Body>
CallResult FaultySystemCalls::write_pieces(CallRecord record, const iovec* pieces, int count,
                                           Body body) {
  record.pieces = count;
  record.bytes = bytes_of(pieces, count);
  const Verdict verdict = judge(record);
  if (verdict.delay_microseconds != 0) ::usleep(verdict.delay_microseconds);
  if (verdict.error != 0) return keep(std::move(record), -verdict.error);
  if (verdict.pretend) return keep(record, static_cast<CallResult>(verdict.max_bytes));
  // A call that is not shortened goes through unchanged, with the kernel's own limits.
  if (verdict.max_bytes == record.bytes) return keep(record, body(pieces, count));
  record.bytes = verdict.max_bytes;
  const std::vector<iovec> fewer = first_bytes(pieces, count, verdict.max_bytes);
  return keep(std::move(record), body(fewer.data(), static_cast<int>(fewer.size())));
}

CallResult FaultySystemCalls::open(const char* path, int flags, unsigned permissions) {
  return pass({.call = Call::open, .path = path, .flags = static_cast<unsigned>(flags)},
              [&](std::size_t) { return SystemCalls::open(path, flags, permissions); });
}

// The descriptor is closed even if close reports an error.
CallResult FaultySystemCalls::close(int descriptor) {
  CallRecord record{.call = Call::close, .descriptor = descriptor};
  const Verdict verdict = judge(record);
  const CallResult result = SystemCalls::close(descriptor);
  return keep(std::move(record), verdict.error != 0 ? -verdict.error : result);
}

CallResult FaultySystemCalls::duplicate(int descriptor) {
  return pass({.call = Call::duplicate, .descriptor = descriptor},
              [&](std::size_t) { return SystemCalls::duplicate(descriptor); });
}

CallResult FaultySystemCalls::read(int descriptor, void* into, std::size_t bytes) {
  return pass({.call = Call::read, .descriptor = descriptor, .bytes = bytes},
              [&](std::size_t most) { return SystemCalls::read(descriptor, into, most); });
}

CallResult FaultySystemCalls::pread(int descriptor, void* into, std::size_t bytes,
                                    std::uint64_t position) {
  return pass(
      {.call = Call::pread, .descriptor = descriptor, .position = position, .bytes = bytes},
      [&](std::size_t most) { return SystemCalls::pread(descriptor, into, most, position); });
}

CallResult FaultySystemCalls::writev(int descriptor, const iovec* pieces, int count) {
  return write_pieces({.call = Call::writev, .descriptor = descriptor}, pieces, count,
                      [&](const iovec* some, int some_count) {
                        return SystemCalls::writev(descriptor, some, some_count);
                      });
}

CallResult FaultySystemCalls::pwritev(int descriptor, const iovec* pieces, int count,
                                      std::uint64_t position) {
  return write_pieces({.call = Call::pwritev, .descriptor = descriptor, .position = position},
                      pieces, count, [&](const iovec* some, int some_count) {
                        return SystemCalls::pwritev(descriptor, some, some_count, position);
                      });
}

CallResult FaultySystemCalls::fstat(int descriptor, FileStat& result) {
  return pass({.call = Call::fstat, .descriptor = descriptor},
              [&](std::size_t) { return SystemCalls::fstat(descriptor, result); });
}

CallResult FaultySystemCalls::stat(const char* path, FileStat& result) {
  return pass({.call = Call::stat, .path = path},
              [&](std::size_t) { return SystemCalls::stat(path, result); });
}

CallResult FaultySystemCalls::seek_to(int descriptor, std::uint64_t position) {
  return pass({.call = Call::seek_to, .descriptor = descriptor},
              [&](std::size_t) { return SystemCalls::seek_to(descriptor, position); });
}

CallResult FaultySystemCalls::seek_current(int descriptor) {
  return pass({.call = Call::seek_current, .descriptor = descriptor},
              [&](std::size_t) { return SystemCalls::seek_current(descriptor); });
}

CallResult FaultySystemCalls::seek_end(int descriptor) {
  return pass({.call = Call::seek_end, .descriptor = descriptor},
              [&](std::size_t) { return SystemCalls::seek_end(descriptor); });
}

CallResult FaultySystemCalls::status_flags(int descriptor) {
  return pass({.call = Call::status_flags, .descriptor = descriptor},
              [&](std::size_t) { return SystemCalls::status_flags(descriptor); });
}

CallResult FaultySystemCalls::open_read_queue(std::uint64_t& queue) {
  return pass({.call = Call::open_read_queue},
              [&](std::size_t) { return SystemCalls::open_read_queue(queue); });
}

CallResult FaultySystemCalls::begin_read(std::uint64_t queue, int descriptor, void* into,
                                         std::size_t bytes, std::uint64_t position) {
  return pass(
      {.call = Call::begin_read, .descriptor = descriptor, .position = position, .bytes = bytes},
      [&](std::size_t) {
        return SystemCalls::begin_read(queue, descriptor, into, bytes, position);
      });
}

CallResult FaultySystemCalls::finish_read(std::uint64_t queue, CallResult& read) {
  return pass({.call = Call::finish_read},
              [&](std::size_t) { return SystemCalls::finish_read(queue, read); });
}

CallResult FaultySystemCalls::close_read_queue(std::uint64_t queue) {
  return pass({.call = Call::close_read_queue},
              [&](std::size_t) { return SystemCalls::close_read_queue(queue); });
}

CallResult FaultySystemCalls::name_of(int descriptor, char* into, std::size_t bytes) {
  return pass({.call = Call::name_of, .descriptor = descriptor},
              [&](std::size_t) { return SystemCalls::name_of(descriptor, into, bytes); });
}

CallResult FaultySystemCalls::is_terminal(int descriptor) {
  return pass({.call = Call::is_terminal, .descriptor = descriptor},
              [&](std::size_t) { return SystemCalls::is_terminal(descriptor); });
}

CallResult FaultySystemCalls::fdatasync(int descriptor) {
  return pass({.call = Call::fdatasync, .descriptor = descriptor},
              [&](std::size_t) { return SystemCalls::fdatasync(descriptor); });
}

CallResult FaultySystemCalls::fsync(int descriptor) {
  return pass({.call = Call::fsync, .descriptor = descriptor},
              [&](std::size_t) { return SystemCalls::fsync(descriptor); });
}

CallResult FaultySystemCalls::sync_file_range(int descriptor, std::uint64_t position,
                                              std::uint64_t bytes, unsigned flags) {
  return pass({.call = Call::sync_file_range,
               .descriptor = descriptor,
               .position = position,
               .bytes = bytes,
               .flags = flags},
              [&](std::size_t) {
                return SystemCalls::sync_file_range(descriptor, position, bytes, flags);
              });
}

CallResult FaultySystemCalls::openat(int directory, const char* name, int flags,
                                     unsigned permissions) {
  return pass(
      {.call = Call::openat,
       .descriptor = directory,
       .path = name,
       .flags = static_cast<unsigned>(flags)},
      [&](std::size_t) { return SystemCalls::openat(directory, name, flags, permissions); });
}

CallResult FaultySystemCalls::read_directory(int descriptor, void* into, std::size_t bytes) {
  return pass({.call = Call::read_directory, .descriptor = descriptor, .bytes = bytes},
              [&](std::size_t) { return SystemCalls::read_directory(descriptor, into, bytes); });
}

CallResult FaultySystemCalls::renameat(int directory, const char* from, const char* to) {
  return pass({.call = Call::renameat, .descriptor = directory, .path = to},
              [&](std::size_t) { return SystemCalls::renameat(directory, from, to); });
}

CallResult FaultySystemCalls::unlinkat(int directory, const char* name) {
  return pass({.call = Call::unlinkat, .descriptor = directory, .path = name},
              [&](std::size_t) { return SystemCalls::unlinkat(directory, name); });
}

CallResult FaultySystemCalls::link_target(int descriptor, char* into, std::size_t bytes) {
  return pass({.call = Call::link_target, .descriptor = descriptor},
              [&](std::size_t) { return SystemCalls::link_target(descriptor, into, bytes); });
}

CallResult FaultySystemCalls::fixed_attributes(int descriptor, std::uint64_t& attributes) {
  return pass({.call = Call::fixed_attributes, .descriptor = descriptor},
              [&](std::size_t) { return SystemCalls::fixed_attributes(descriptor, attributes); });
}

CallResult FaultySystemCalls::set_status_flags(int descriptor, int flags) {
  return pass({.call = Call::set_status_flags,
               .descriptor = descriptor,
               .flags = static_cast<unsigned>(flags)},
              [&](std::size_t) { return SystemCalls::set_status_flags(descriptor, flags); });
}

CallResult FaultySystemCalls::direct_alignment(int descriptor, std::size_t& memory_bytes,
                                               std::size_t& file_bytes) {
  return pass({.call = Call::direct_alignment, .descriptor = descriptor}, [&](std::size_t) {
    return SystemCalls::direct_alignment(descriptor, memory_bytes, file_bytes);
  });
}

CallResult FaultySystemCalls::fchmod(int descriptor, unsigned mode) {
  return pass({.call = Call::fchmod, .descriptor = descriptor},
              [&](std::size_t) { return SystemCalls::fchmod(descriptor, mode); });
}

CallResult FaultySystemCalls::fchown(int descriptor, uid_t owner, gid_t group) {
  return pass({.call = Call::fchown, .descriptor = descriptor},
              [&](std::size_t) { return SystemCalls::fchown(descriptor, owner, group); });
}

CallResult FaultySystemCalls::list_attributes(int descriptor, char* into, std::size_t bytes) {
  return pass({.call = Call::list_attributes, .descriptor = descriptor},
              [&](std::size_t) { return SystemCalls::list_attributes(descriptor, into, bytes); });
}

CallResult FaultySystemCalls::get_attribute(int descriptor, const char* name, void* into,
                                            std::size_t bytes) {
  return pass(
      {.call = Call::get_attribute, .descriptor = descriptor, .path = name},
      [&](std::size_t) { return SystemCalls::get_attribute(descriptor, name, into, bytes); });
}

CallResult FaultySystemCalls::set_attribute(int descriptor, const char* name, const void* value,
                                            std::size_t bytes) {
  return pass(
      {.call = Call::set_attribute, .descriptor = descriptor, .path = name},
      [&](std::size_t) { return SystemCalls::set_attribute(descriptor, name, value, bytes); });
}

CallResult FaultySystemCalls::remove_attribute(int descriptor, const char* name) {
  return pass({.call = Call::remove_attribute, .descriptor = descriptor, .path = name},
              [&](std::size_t) { return SystemCalls::remove_attribute(descriptor, name); });
}

CallResult FaultySystemCalls::clone_file(int from, int to) {
  return pass({.call = Call::clone_file, .descriptor = to},
              [&](std::size_t) { return SystemCalls::clone_file(from, to); });
}

CallResult FaultySystemCalls::copy_range(int from, int to, std::uint64_t position,
                                         std::size_t bytes) {
  return pass({.call = Call::copy_range, .descriptor = to, .position = position, .bytes = bytes},
              [&](std::size_t most) { return SystemCalls::copy_range(from, to, position, most); });
}

CallResult FaultySystemCalls::seek_data(int descriptor, std::uint64_t position) {
  return pass({.call = Call::seek_data, .descriptor = descriptor, .position = position},
              [&](std::size_t) { return SystemCalls::seek_data(descriptor, position); });
}

CallResult FaultySystemCalls::seek_hole(int descriptor, std::uint64_t position) {
  return pass({.call = Call::seek_hole, .descriptor = descriptor, .position = position},
              [&](std::size_t) { return SystemCalls::seek_hole(descriptor, position); });
}

CallResult FaultySystemCalls::random_bytes(void* into, std::size_t bytes) {
  return pass({.call = Call::random_bytes},
              [&](std::size_t) { return SystemCalls::random_bytes(into, bytes); });
}

CallResult FaultySystemCalls::truncate(int descriptor, std::uint64_t bytes) {
  return pass({.call = Call::truncate, .descriptor = descriptor, .position = bytes},
              [&](std::size_t) { return SystemCalls::truncate(descriptor, bytes); });
}

CallResult FaultySystemCalls::lock(int descriptor) {
  return pass({.call = Call::lock, .descriptor = descriptor},
              [&](std::size_t) { return SystemCalls::lock(descriptor); });
}

CallResult FaultySystemCalls::unlock(int descriptor) {
  return pass({.call = Call::unlock, .descriptor = descriptor},
              [&](std::size_t) { return SystemCalls::unlock(descriptor); });
}

CallResult FaultySystemCalls::will_read_in_sequence(int descriptor) {
  return pass({.call = Call::will_read_in_sequence, .descriptor = descriptor},
              [&](std::size_t) { return SystemCalls::will_read_in_sequence(descriptor); });
}

CallResult FaultySystemCalls::forget_cached(int descriptor, std::uint64_t position,
                                            std::uint64_t bytes) {
  return pass(
      {.call = Call::forget_cached, .descriptor = descriptor, .position = position, .bytes = bytes},
      [&](std::size_t) { return SystemCalls::forget_cached(descriptor, position, bytes); });
}

CallResult FaultySystemCalls::poll(int descriptor, short events, int timeout_ms) {
  return pass({.call = Call::poll, .descriptor = descriptor},
              [&](std::size_t) { return SystemCalls::poll(descriptor, events, timeout_ms); });
}

CallResult FaultySystemCalls::map_file(int descriptor, std::size_t bytes, void*& address) {
  return pass({.call = Call::map_file, .descriptor = descriptor, .bytes = bytes},
              [&](std::size_t) { return SystemCalls::map_file(descriptor, bytes, address); });
}

CallResult FaultySystemCalls::map_memory(std::size_t bytes, void*& address) {
  return pass({.call = Call::map_memory, .bytes = bytes},
              [&](std::size_t) { return SystemCalls::map_memory(bytes, address); });
}

CallResult FaultySystemCalls::remap_memory(void* old, std::size_t old_bytes, std::size_t bytes,
                                           void*& address) {
  return pass({.call = Call::remap_memory, .bytes = bytes}, [&](std::size_t) {
    return SystemCalls::remap_memory(old, old_bytes, bytes, address);
  });
}

CallResult FaultySystemCalls::unmap(void* address, std::size_t bytes) {
  return pass({.call = Call::unmap, .bytes = bytes},
              [&](std::size_t) { return SystemCalls::unmap(address, bytes); });
}

CallResult FaultySystemCalls::advise_huge_pages(void* address, std::size_t bytes) {
  return pass({.call = Call::advise_huge_pages, .bytes = bytes},
              [&](std::size_t) { return SystemCalls::advise_huge_pages(address, bytes); });
}

CallResult FaultySystemCalls::populate(void* address, std::size_t bytes) {
  return pass({.call = Call::populate, .bytes = bytes},
              [&](std::size_t) { return SystemCalls::populate(address, bytes); });
}

CallResult FaultySystemCalls::processors() {
  return pass({.call = Call::processors}, [&](std::size_t) { return SystemCalls::processors(); });
}

CallResult FaultySystemCalls::start_thread(void* (*body)(void*), void* argument,
                                           pthread_t& thread) {
  return pass({.call = Call::start_thread},
              [&](std::size_t) { return SystemCalls::start_thread(body, argument, thread); });
}

CallResult FaultySystemCalls::join_thread(pthread_t thread) {
  return pass({.call = Call::join_thread},
              [&](std::size_t) { return SystemCalls::join_thread(thread); });
}

CallResult FaultySystemCalls::block_signal(int signal, bool& was_blocked) {
  return pass({.call = Call::block_signal},
              [&](std::size_t) { return SystemCalls::block_signal(signal, was_blocked); });
}

CallResult FaultySystemCalls::unblock_signal(int signal) {
  return pass({.call = Call::unblock_signal},
              [&](std::size_t) { return SystemCalls::unblock_signal(signal); });
}

CallResult FaultySystemCalls::is_signal_waiting(int signal) {
  return pass({.call = Call::is_signal_waiting},
              [&](std::size_t) { return SystemCalls::is_signal_waiting(signal); });
}

CallResult FaultySystemCalls::take_signal(int signal) {
  return pass({.call = Call::take_signal},
              [&](std::size_t) { return SystemCalls::take_signal(signal); });
}

}  // namespace sluice::testing
