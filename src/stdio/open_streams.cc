// The list of all streams: fflush(NULL) and the end of the program go through it.
//
// A stream stays in the list for ever, so going through the list needs no lock. A program that uses
// a closed stream again finds a closed stream there and not freed memory. So fopen() uses a closed
// stream again only after many others were closed.
#include <atomic>
#include <cstddef>
#include <ctime>

#include "stdio/recursive_lock.h"
#include "stdio/stream.h"

namespace sluice::stdio {
namespace {

constexpr std::size_t min_closed_streams = 256;
constexpr time_t max_wait_at_end_s = 1;

constinit RecursiveLock list_lock;
constinit std::atomic<Stream*> first_stream{nullptr};
// The queue of closed streams.
Stream* first_closed = nullptr;
Stream* last_closed = nullptr;
std::size_t closed_streams = 0;
bool knows_forks = false;

void lock_list() { list_lock.lock(); }
void unlock_list() { list_lock.unlock(); }

template <typename Use>
void for_each_stream(Use use) {
  for (Stream* stream = first_stream.load(); stream != nullptr; stream = stream->next) use(*stream);
}

// A child has only the thread that called fork(). Locks of other threads would stay locked.
void release_locks_in_child() {
  for_each_stream([](Stream& stream) {
    stream.lock = RecursiveLock{};
    stream.locks = 0;
  });
  unlock_list();
}

}  // namespace

void add_stream(Stream& stream) {
  lock_list();
  if (!knows_forks) {
    knows_forks = on_each_fork(lock_list, unlock_list, release_locks_in_child);
  }
  stream.next = first_stream.load();
  first_stream.store(&stream);
  unlock_list();
}

Stream* take_closed_stream() {
  Stream* taken = nullptr;
  lock_list();
  if (closed_streams > min_closed_streams) {
    taken = first_closed;
    first_closed = taken->next_closed;
    taken->is_closed = false;
    --closed_streams;
  }
  unlock_list();
  return taken;
}

void keep_closed_stream(Stream& stream) {
  lock_list();
  stream.is_closed = true;
  stream.next_closed = nullptr;
  (closed_streams == 0 ? first_closed : last_closed->next_closed) = &stream;
  last_closed = &stream;
  ++closed_streams;
  unlock_list();
}

bool flush_all() {
  bool ok = true;
  for_each_stream([&](Stream& stream) {
    const StreamLock lock(stream);
    if (stream.is_writing) ok = flush_dirty(stream) && ok;
  });
  return ok;
}

namespace {

// A thread may hold a lock for ever. If it waits for input, the program ends without this stream.
// Otherwise the bytes are written without the lock, as the C library does at once.
void finish(Stream& stream, const timespec& end_of_wait) {
  bool is_locked = stream.lock.try_lock();
  if (!is_locked && std::atomic_ref(stream.is_being_read)) return;
  is_locked = is_locked || stream.lock.lock_until(end_of_wait);
  synchronize(stream);
  if (is_locked) stream.lock.unlock();
}

}  // namespace

void finish_streams() {
  timespec end_of_wait{};
  clock_gettime(CLOCK_REALTIME, &end_of_wait);
  end_of_wait.tv_sec += max_wait_at_end_s;
  for_each_stream([&](Stream& stream) { finish(stream, end_of_wait); });
}

}  // namespace sluice::stdio
