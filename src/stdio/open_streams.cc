// The list of open streams: fflush(NULL) and the end of the program go through it.
#include <pthread.h>

#include "stdio/stream.h"

namespace sluice::stdio {
namespace {

pthread_mutex_t list_lock = PTHREAD_MUTEX_INITIALIZER;
Stream* first_stream = nullptr;
bool knows_forks = false;

void lock_list() { pthread_mutex_lock(&list_lock); }
void unlock_list() { pthread_mutex_unlock(&list_lock); }

}  // namespace

void link_stream(Stream& stream) {
  lock_list();
  if (!knows_forks) knows_forks = pthread_atfork(lock_list, unlock_list, unlock_list) == 0;
  stream.previous = nullptr;
  stream.next = first_stream;
  if (first_stream != nullptr) first_stream->previous = &stream;
  first_stream = &stream;
  unlock_list();
}

void unlink_stream(Stream& stream) {
  lock_list();
  if (stream.previous != nullptr) stream.previous->next = stream.next;
  if (stream.next != nullptr) stream.next->previous = stream.previous;
  if (first_stream == &stream) first_stream = stream.next;
  unlock_list();
}

bool flush_all() {
  lock_list();
  bool ok = flush_dirty(stream_of(sluice_stdio_streams[1]));
  for (Stream* stream = first_stream; stream != nullptr; stream = stream->next) {
    if (stream->is_writing) ok = flush_dirty(*stream) && ok;
  }
  unlock_list();
  return ok;
}

namespace {

// The destructors of a program run after the functions of atexit(), and destructors with a small
// number run last.
__attribute__((destructor(101))) void finish_streams() {
  flush_all();
  lock_list();
  for (Stream* stream = first_stream; stream != nullptr; stream = stream->next) {
    synchronize(*stream);
  }
  unlock_list();
}

}  // namespace
}  // namespace sluice::stdio
