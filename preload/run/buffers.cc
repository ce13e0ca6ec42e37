#include "buffers.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/single_threaded.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <initializer_list>

#include "counters.h"
#include "held.h"
#include "policy.h"
#include "private_files.h"
#include "real.h"
#include "same_file.h"
#include "shared_input.h"
#include "stream.h"
#include "written_files.h"

namespace sluice::preload {

constinit size_t larger_buffers_in_use = 0;
constinit size_t larger_written_in_use = 0;

namespace {

// A stream has proved large when it has filled its buffer this often within this time. Bytes that
// come more slowly may have readers who wait for them, and a larger buffer would only delay them.
constexpr unsigned proving_fills = 16;
constexpr int64_t proving_ns = 100'000'000;

// ---- streams that have proved large ----

struct History {
  const FILE* stream;
  unsigned fills;
  int64_t since_ns;
};

// One place for each stream, as in private_files.cc. A stream that is driven out has to prove
// itself again.
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
  size_t plain_bytes;  // the size of glibc's own buffer of the stream
  bool written;        // else it is read
  dev_t device;        // of the stream's file
  ino_t inode;
};

// The number of streams that may have a larger buffer at a time.
constexpr size_t max_larger_buffers = 64;
constinit LargerBuffer larger_buffers[max_larger_buffers]{};

bool is_written(const FILE* stream) { return (stream->_flags & stream_no_reads) != 0; }

size_t larger_bytes(const FILE* stream) {
  return is_written(stream) ? policy.write_buffer_bytes : policy.read_buffer_bytes;
}

// The memory serves the stream that needs it next.
size_t memory_bytes() {
  return policy.read_buffer_bytes > policy.write_buffer_bytes ? policy.read_buffer_bytes
                                                              : policy.write_buffer_bytes;
}

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
      void* const memory = real().mmap(nullptr, memory_bytes(), PROT_READ | PROT_WRITE,
                                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      if (memory == MAP_FAILED) return nullptr;
      buffer.memory = static_cast<char*>(memory);
    }
    buffer.stream = stream;
    buffer.written = is_written(stream);
    ++larger_buffers_in_use;
    larger_written_in_use += buffer.written ? 1 : 0;
    return &buffer;
  }
  return nullptr;
}

void release(LargerBuffer& buffer) {
  buffer.stream = nullptr;
  --larger_buffers_in_use;
  larger_written_in_use -= buffer.written ? 1 : 0;
}

size_t buffer_bytes(const FILE* stream) {
  return static_cast<size_t>(stream->_IO_buf_end - stream->_IO_buf_base);
}

// Moves the stream's bytes to `memory`. Every pointer keeps its distance from the beginning.
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

// Outside of stdio the program can reach the file only by calls that observers.cc sees.
bool is_watched(const FILE* stream) {
  return is_private(stream) || stream == stdin || stream == stdout;
}

// Bytes that standard error writes to the same file must keep their place between the others.
bool is_standard_error(const struct stat& status) { return leads_to(STDERR_FILENO, status); }

bool is_plain_regular_file(FILE* stream, struct stat& status) {
  const int descriptor = real().fileno(stream);
  const int flags = real().fcntl(descriptor, F_GETFL);
  return real().fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) && flags >= 0 &&
         (flags & (O_APPEND | O_DIRECT | O_SYNC | O_DSYNC)) == 0;
}

// True if the program could tell that more bytes are written, or read, at once.
bool shares_its_file(const FILE* stream, const struct stat& status) {
  if (is_written(stream)) return is_standard_error(status);
  return is_written_by_program(status) || (stream == stdin && is_input_shared(status));
}

bool may_be_enlarged(const FILE* stream, int direction) {
  constexpr int considered = stream_user_buffer | stream_unbuffered | stream_line_buffered |
                             stream_in_backup | stream_appending | stream_is_file |
                             stream_no_reads | stream_no_writes;
  return (stream->_flags & considered) == (stream_is_file | direction) &&
         stream->_IO_save_base == nullptr && byte_oriented(stream) &&
         buffer_bytes(stream) < larger_bytes(stream);
}

void enlarge_when_proved(FILE* stream, int direction) {
  if (!may_be_enlarged(stream, direction) || !has_proved_large(stream)) return;
  struct stat status {};
  if (!is_watched(stream) || !is_plain_regular_file(stream, status)) return;
  if (shares_its_file(stream, status)) return;
  const size_t plain_bytes = buffer_bytes(stream);
  if (LargerBuffer* const buffer = take_larger_buffer(stream)) {
    buffer->plain_bytes = plain_bytes;
    buffer->device = status.st_dev;
    buffer->inode = status.st_ino;
    move_to(stream, buffer->memory, larger_bytes(stream));
    ++counters.larger_buffers;
  }
}

// A larger buffer that is full or used up stands for as many system calls as plain buffers fit into
// it.
void count_saved_calls(const FILE* stream, size_t bytes) {
  if (const LargerBuffer* const buffer = find_larger_buffer(stream)) {
    counters.saved_calls += bytes > 0 ? (bytes - 1) / buffer->plain_bytes : 0;
  }
}

// A write that does not fit: the buffer, with its pending bytes, is about to be written.
bool is_to_be_written(const FILE* stream) {
  return stream->_IO_write_base != nullptr && stream->_IO_write_ptr > stream->_IO_write_base &&
         stream->_IO_write_base == stream->_IO_buf_base &&
         stream->_IO_write_end == stream->_IO_buf_end;
}

// A read beyond the buffer: a whole buffer was read, and the next is about to be.
bool is_to_be_read(const FILE* stream) {
  return stream->_IO_read_base != nullptr && stream->_IO_read_base == stream->_IO_buf_base &&
         stream->_IO_read_end == stream->_IO_buf_end;
}

// ---- restoring the state without larger buffers ----

void settle_writing(FILE* stream, size_t plain_bytes) {
  char* const base = stream->_IO_write_base;
  const auto pending = static_cast<size_t>(stream->_IO_write_ptr - base);
  // glibc writes its buffer when a byte comes that does not fit; so its buffer may be full.
  const size_t kept = pending == 0 ? 0 : (pending - 1) % plain_bytes + 1;
  if (kept == pending) return;
  counters.saved_calls += (pending - kept) / plain_bytes - 1;
  stream->_IO_write_ptr -= kept;
  const bool failed = real().fflush_unlocked(stream) != 0;
  memmove(base, base + (pending - kept), kept);
  stream->_IO_write_ptr = base + kept;
  // No caller learns of a failure here: the next write finds no room, meets the same error and
  // returns it.
  if (failed) stream->_IO_write_end = stream->_IO_write_ptr;
}

// The piece [begin, end) of the larger buffer, counted from its beginning, that glibc's plain
// buffer would hold: the piece that the program has reached. glibc keeps a used-up piece until more
// bytes are asked for.
struct Piece {
  size_t begin;
  size_t end;
};

Piece plain_piece(size_t used, size_t plain_bytes) {
  const size_t begin = used == 0 ? 0 : (used - 1) / plain_bytes * plain_bytes;
  return {begin, used == 0 ? 0 : begin + plain_bytes};
}

// After ungetc() the stream reads from another area, and keeps its place in its own buffer in these
// fields.
bool in_backup(const FILE* stream) { return (stream->_flags & stream_in_backup) != 0; }

void settle_reading(FILE* stream, size_t plain_bytes) {
  char* const base = stream->_IO_buf_base;
  char* const position = in_backup(stream) ? stream->_IO_save_base : stream->_IO_read_ptr;
  char*& end = in_backup(stream) ? stream->_IO_save_end : stream->_IO_read_end;
  if (position == nullptr || position < base || end < base) return;
  const Piece piece = plain_piece(static_cast<size_t>(position - base), plain_bytes);
  const ptrdiff_t surplus = end - base - static_cast<ptrdiff_t>(piece.end);
  if (surplus <= 0 || real().lseek64(real().fileno(stream), -surplus, SEEK_CUR) < 0) return;
  end -= surplus;
  if (stream->_offset >= 0) stream->_offset -= surplus;
}

// Called after settle_reading(). Makes the buffer equal to glibc's plain buffer.
void shrink_reading(FILE* stream, size_t plain_bytes) {
  if (stream->_IO_save_base != nullptr || stream->_IO_read_base != stream->_IO_buf_base) return;
  char* const base = stream->_IO_buf_base;
  const auto used = static_cast<size_t>(stream->_IO_read_ptr - base);
  const Piece piece = plain_piece(used, plain_bytes);
  const auto held = static_cast<size_t>(stream->_IO_read_end - base);
  if (held < piece.begin || held - piece.begin > plain_bytes) return;
  memmove(base, base + piece.begin, held - piece.begin);
  stream->_IO_read_ptr = base + (used - piece.begin);
  stream->_IO_read_end = base + (held - piece.begin);
  stream->_IO_write_base = stream->_IO_write_ptr = stream->_IO_write_end = base;
  stream->_IO_buf_end = base + plain_bytes;
}

// Called after settle_writing().
void shrink_writing(FILE* stream, size_t plain_bytes) {
  char* const end = stream->_IO_buf_base + plain_bytes;
  if (stream->_IO_write_ptr > end) return;
  if (stream->_IO_write_end == stream->_IO_buf_end) stream->_IO_write_end = end;
  stream->_IO_buf_end = end;
}

bool is_larger(const LargerBuffer& buffer) {
  return buffer.stream->_IO_buf_base == buffer.memory &&
         buffer_bytes(buffer.stream) > buffer.plain_bytes;
}

void settle(const LargerBuffer& buffer, Direction direction) {
  FILE* const stream = buffer.stream;
  if (is_larger(buffer)) {
    if (stream->_IO_write_ptr > stream->_IO_write_base) {
      settle_writing(stream, buffer.plain_bytes);
    } else if (direction == Direction::both) {
      settle_reading(stream, buffer.plain_bytes);
    }
  }
}

// For good: a buffer that the program now sees as its own is not made larger again.
void return_to_plain(const LargerBuffer& buffer) {
  settle(buffer, Direction::both);
  FILE* const stream = buffer.stream;
  if (is_larger(buffer)) {
    if (buffer.written) {
      shrink_writing(stream, buffer.plain_bytes);
    } else {
      shrink_reading(stream, buffer.plain_bytes);
    }
  }
}

}  // namespace

bool has_larger_buffer(const FILE* stream) {
  return stream != nullptr && find_larger_buffer(stream) != nullptr;
}

void before_slow_write(FILE* stream) {
  settle_for_stream(stream);
  if (policy.write_buffer_bytes == 0 || !is_to_be_written(stream)) return;
  count_saved_calls(stream, buffer_bytes(stream));
  enlarge_when_proved(stream, stream_no_reads);
}

void before_slow_read(FILE* stream) {
  settle_for_stream(stream);
  if (policy.read_buffer_bytes == 0 || !is_to_be_read(stream)) return;
  count_saved_calls(stream, buffer_bytes(stream));
  enlarge_when_proved(stream, stream_no_writes);
}

void before_slow_seek(FILE* stream) {
  history_of(stream).fills = 0;
  give_back_read_ahead(stream);
}

void give_back_read_ahead(const FILE* stream) {
  const LargerBuffer* const buffer = find_larger_buffer(stream);
  if (buffer != nullptr && stream->_IO_write_ptr == stream->_IO_write_base)
    return_to_plain(*buffer);
}

void return_to_plain_buffer(const FILE* stream) {
  if (const LargerBuffer* const buffer = find_larger_buffer(stream)) return_to_plain(*buffer);
}

void return_to_plain_buffers() {
  if (larger_buffers_in_use == 0) return;
  for (const LargerBuffer& buffer : larger_buffers) {
    if (buffer.stream != nullptr) return_to_plain(buffer);
  }
}

void release_unused_buffer(const FILE* stream) {
  const LargerBuffer* const buffer = find_larger_buffer(stream);
  // glibc keeps the present buffer if it is given none.
  if (buffer != nullptr && stream->_IO_buf_base != buffer->memory) release_larger_buffer(stream);
}

void release_larger_buffer(const FILE* stream) {
  if (LargerBuffer* const buffer = find_larger_buffer(stream)) release(*buffer);
}

void return_to_plain_buffers_of(const struct stat& status) {
  if (larger_buffers_in_use == 0) return;
  for (const LargerBuffer& buffer : larger_buffers) {
    if (buffer.stream != nullptr && !buffer.written && buffer.device == status.st_dev &&
        buffer.inode == status.st_ino) {
      return_to_plain(buffer);
    }
  }
}

void give_up_larger_reading() {
  for (const LargerBuffer& buffer : larger_buffers) {
    if (buffer.stream != nullptr && !buffer.written) return_to_plain(buffer);
  }
  policy.read_buffer_bytes = 0;
}

// The memory stays with the streams, and no other stream gets any from now on.
void give_up_larger_buffers() {
  return_to_plain_buffers();
  policy.read_buffer_bytes = policy.write_buffer_bytes = 0;
  if (larger_buffers_in_use == 0) return;
  for (LargerBuffer& buffer : larger_buffers) {
    if (buffer.stream != nullptr && !is_larger(buffer)) release(buffer);
  }
}

void settle_buffers(Direction direction) {
  if (__libc_single_threaded == 0) return;  // a stream may be in use by another thread
  const int error = errno;
  for (const LargerBuffer& buffer : larger_buffers) {
    if (buffer.stream != nullptr) settle(buffer, direction);
  }
  errno = error;
}

}  // namespace sluice::preload
