#include "testing/interleaved_calls.h"

#include <cerrno>
#include <utility>

namespace sluice::testing {

CallResult InterleavedCalls::start_thread(void* (*body)(void*), void* argument, pthread_t& thread) {
  if (!can_start_threads) return -EAGAIN;
  thread = static_cast<pthread_t>(threads_.start([body, argument] { body(argument); }));
  return 0;
}

CallResult InterleavedCalls::join_thread(pthread_t thread) {
  threads_.join(static_cast<std::size_t>(thread));
  return 0;
}

void InterleavedFile::begin_with(std::string bytes) {
  bytes_ = std::move(bytes);
  durable_bytes_ = bytes_.size();
}

// Returns false if this call has to fail.
bool InterleavedFile::begin(const char* what) {
  threads_.step(what);
  threads_.require(!is_busy_, "two calls for one file at once");
  threads_.require(!has_failed_, "a call after one that has failed");
  has_failed_ = calls_ == fail_at;
  ++calls_;
  return !has_failed_;
}

CallResult InterleavedFile::pwritev(int, const iovec* pieces, int count, std::uint64_t position) {
  if (!begin("writes")) return -ENOSPC;
  threads_.require(position <= bytes_.size(), "a hole");
  is_busy_ = true;
  std::string bytes;
  for (int i = 0; i < count; ++i) {
    bytes.append(static_cast<const char*>(pieces[i].iov_base), pieces[i].iov_len);
  }
  threads_.require(bytes.starts_with(bytes_.substr(position)), "other bytes where some were");
  bytes_.replace(position, bytes.size(), bytes);
  threads_.step("is writing");
  is_busy_ = false;
  return static_cast<CallResult>(bytes.size());
}

CallResult InterleavedFile::fdatasync(int) {
  if (!begin("syncs")) return -EIO;
  ++syncs_;
  const std::uint64_t covered = bytes_.size();
  is_busy_ = true;
  threads_.sleep("is syncing", sync_takes);
  is_busy_ = false;
  durable_bytes_ = covered;
  return 0;
}

}  // namespace sluice::testing
