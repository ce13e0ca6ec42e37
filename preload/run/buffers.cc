#include "buffers.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <initializer_list>

#include "counters.h"
#include "policy.h"
#include "real.h"
#include "stream.h"

namespace sluice::preload {
namespace {

// A stream has proved large when it has filled its buffer this often in this time: bytes that come
// more slowly would only be seen later by those who wait for them.
constexpr unsigned proving_fills = 16;
constexpr int64_t proving_ns = 100'000'000;

// ---- who has proved large ----

struct History {
  const FILE* stream;
  unsigned fills;
  int64_t since_ns;
};

// One place a stream, as private_files.cc does it: who is driven out has to prove itself again.
constexpr size_t places = 256;
constinit History histories[places]{};

History& history_of(const FILE* stream) {
  History& history = histories[(reinterpret_cast<uintptr_t>(stream) / 512) % places];
  if (history.stream != stream) history = {stream, 0, 0};
  return history;
}

int64_t now_ns() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
  return now.tv_sec * 1'000'000'000LL + now.tv_nsec;
}

bool has_proved_large(const FILE* stream) {
  History& history = history_of(stream);
  if (history.fills++ == 0) history.since_ns = now_ns();
  if (history.fills < proving_fills) return false;
  history.fills = 0;
  return now_ns() - history.since_ns < proving_ns;
}

// ---- the larger buffers ----

struct LargerBuffer {
  FILE* stream;
  char* memory;
  size_t plain_bytes;  // of the buffer that glibc gave the stream
};

// As many streams as may have one at a time.
constexpr size_t most_larger_buffers = 64;
constinit LargerBuffer larger_buffers[most_larger_buffers]{};
constinit size_t larger_buffers_in_use = 0;

LargerBuffer* find_larger_buffer(const FILE* stream) {
  if (larger_buffers_in_use == 0) return nullptr;
  for (LargerBuffer& buffer : larger_buffers) {
    if (buffer.stream == stream) return &buffer;
  }
  return nullptr;
}

LargerBuffer* take_larger_buffer(FILE* stream) {
  for (LargerBuffer& buffer : larger_buffers) {
    if (buffer.stream != nullptr) continue;
    if (buffer.memory == nullptr) {
      void* const memory = mmap(nullptr, policy.buffer_bytes, PROT_READ | PROT_WRITE,
                                MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      if (memory == MAP_FAILED) return nullptr;
      buffer.memory = static_cast<char*>(memory);
    }
    buffer.stream = stream;
    ++larger_buffers_in_use;
    return &buffer;
  }
  return nullptr;
}

size_t buffer_bytes(const FILE* stream) {
  return static_cast<size_t>(stream->_IO_buf_end - stream->_IO_buf_base);
}

// Moves what the stream holds to `memory`; every pointer keeps its distance from the beginning.
void move_to(FILE* stream, char* memory, size_t bytes) {
  char* const old = stream->_IO_buf_base;
  memcpy(memory, old, buffer_bytes(stream));
  const bool writing = stream->_IO_write_end == stream->_IO_buf_end;
  for (char** pointer : {&stream->_IO_read_ptr, &stream->_IO_read_end, &stream->_IO_read_base,
                         &stream->_IO_write_base, &stream->_IO_write_ptr, &stream->_IO_write_end}) {
    *pointer = memory + (*pointer - old);
  }
  stream->_IO_buf_base = memory;
  stream->_IO_buf_end = memory + bytes;
  if (writing) stream->_IO_write_end = stream->_IO_buf_end;
  stream->_flags |= stream_user_buffer;  // glibc does not free it
  free(old);                             // NOLINT(*-no-malloc): glibc allocated it
}

bool is_private_regular_file(FILE* stream) {
  const int descriptor = real().fileno(stream);
  struct stat status {};
  const int flags = fcntl(descriptor, F_GETFL);
  return fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) && flags >= 0 &&
         (flags & (O_APPEND | O_DIRECT | O_SYNC | O_DSYNC)) == 0;
}

bool may_be_enlarged(const FILE* stream, int direction) {
  constexpr int considered = stream_user_buffer | stream_unbuffered | stream_line_buffered |
                             stream_in_backup | stream_appending | stream_is_file |
                             stream_no_reads | stream_no_writes;
  return (stream->_flags & considered) == (stream_is_file | direction) &&
         stream->_IO_save_base == nullptr && byte_oriented(stream) &&
         buffer_bytes(stream) < policy.buffer_bytes;
}

void enlarge_when_proved(FILE* stream, int direction) {
  if (!may_be_enlarged(stream, direction) || !has_proved_large(stream)) return;
  if (!is_private_regular_file(stream)) return;
  const size_t plain_bytes = buffer_bytes(stream);
  if (LargerBuffer* const buffer = take_larger_buffer(stream)) {
    buffer->plain_bytes = plain_bytes;
    move_to(stream, buffer->memory, policy.buffer_bytes);
    ++counters.larger_buffers;
  }
}

// A larger buffer that is full or used up stands for as many system calls as the plain one is
// smaller.
void count_saved_calls(const FILE* stream, size_t bytes) {
  if (const LargerBuffer* const buffer = find_larger_buffer(stream)) {
    counters.saved_calls += bytes > 0 ? (bytes - 1) / buffer->plain_bytes : 0;
  }
}

bool is_full(const FILE* stream) {
  return stream->_IO_write_base != nullptr && stream->_IO_write_ptr == stream->_IO_buf_end &&
         stream->_IO_write_base == stream->_IO_buf_base;
}

bool is_used_up(const FILE* stream) {
  return stream->_IO_read_base != nullptr && stream->_IO_read_ptr == stream->_IO_read_end &&
         stream->_IO_read_end == stream->_IO_buf_end &&
         stream->_IO_read_base == stream->_IO_buf_base;
}

// ---- as it would be without ----

void settle_writing(FILE* stream, size_t plain_bytes) {
  char* const base = stream->_IO_write_base;
  const auto pending = static_cast<size_t>(stream->_IO_write_ptr - base);
  // glibc's buffer is written when a byte comes that it has no room for: it may be full.
  const size_t kept = pending == 0 ? 0 : (pending - 1) % plain_bytes + 1;
  if (kept == pending) return;
  stream->_IO_write_ptr -= kept;
  if (real().fflush_unlocked(stream) != 0) return;
  memmove(base, base + (pending - kept), kept);
  stream->_IO_write_ptr = base + kept;
}

void settle_reading(FILE* stream, size_t plain_bytes) {
  const auto used = static_cast<size_t>(stream->_IO_read_ptr - stream->_IO_read_base);
  const size_t plain_end = (used + plain_bytes - 1) / plain_bytes * plain_bytes;
  const ptrdiff_t surplus =
      stream->_IO_read_end - stream->_IO_read_base - static_cast<ptrdiff_t>(plain_end);
  if (surplus <= 0 || real().lseek64(real().fileno(stream), -surplus, SEEK_CUR) < 0) return;
  stream->_IO_read_end -= surplus;
  if (stream->_offset >= 0) stream->_offset -= surplus;
}

// After settle_reading(): what is still held fits a plain buffer.
void shrink_reading(FILE* stream, size_t plain_bytes) {
  char* const base = stream->_IO_buf_base;
  const auto held = static_cast<size_t>(stream->_IO_read_end - stream->_IO_read_ptr);
  if (held > plain_bytes) return;
  memmove(base, stream->_IO_read_ptr, held);
  stream->_IO_read_base = stream->_IO_read_ptr = base;
  stream->_IO_read_end = base + held;
  stream->_IO_write_base = stream->_IO_write_ptr = stream->_IO_write_end = base;
  stream->_IO_buf_end = base + plain_bytes;
}

void settle(const LargerBuffer& buffer) {
  FILE* const stream = buffer.stream;
  if (!lock_may_be_skipped() && ftrylockfile(stream) != 0) return;
  if (stream->_IO_buf_base == buffer.memory) {
    if (stream->_IO_write_ptr > stream->_IO_write_base) {
      settle_writing(stream, buffer.plain_bytes);
    } else {
      settle_reading(stream, buffer.plain_bytes);
    }
  }
  if (!lock_may_be_skipped()) funlockfile(stream);
}

}  // namespace

void before_slow_write(FILE* stream) {
  if (policy.buffer_bytes == 0 || !is_full(stream)) return;
  count_saved_calls(stream, buffer_bytes(stream));
  enlarge_when_proved(stream, stream_no_reads);
}

void before_slow_read(FILE* stream) {
  if (policy.buffer_bytes == 0 || !is_used_up(stream)) return;
  count_saved_calls(stream, buffer_bytes(stream));
  enlarge_when_proved(stream, stream_no_writes);
}

void before_slow_seek(FILE* stream) {
  history_of(stream).fills = 0;
  LargerBuffer* const buffer = find_larger_buffer(stream);
  if (buffer == nullptr || stream->_IO_buf_base != buffer->memory) return;
  settle(*buffer);
  if (stream->_IO_write_ptr == stream->_IO_write_base) shrink_reading(stream, buffer->plain_bytes);
}

void release_larger_buffer(const FILE* stream) {
  LargerBuffer* const buffer = find_larger_buffer(stream);
  if (buffer == nullptr) return;
  buffer->stream = nullptr;
  --larger_buffers_in_use;
}

void settle_all() {
  if (larger_buffers_in_use == 0) return;
  for (const LargerBuffer& buffer : larger_buffers) {
    if (buffer.stream != nullptr) settle(buffer);
  }
}

}  // namespace sluice::preload
