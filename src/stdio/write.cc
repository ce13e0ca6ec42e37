#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>

#include "stdio/descriptor.h"
#include "stdio/stream.h"

namespace sluice::stdio {
namespace {

std::size_t room(const Stream& stream) {
  return static_cast<std::size_t>(stream.end - stream.file.write_cursor);
}

void append(Stream& stream, const unsigned char* from, std::size_t bytes) {
  std::memcpy(stream.file.write_cursor, from, bytes);
  stream.file.write_cursor += bytes;
  if (stream.buffering != Buffering::full) {
    stream.file.write_limit = stream.file.write_cursor;
  } else if (stream.file.write_cursor > stream.file.write_limit) {
    stream.file.write_limit = stream.end;
  }
}

// Writes whole pages from the caller's memory. Nothing may wait in the block.
bool write_pages(Stream& stream, const unsigned char* from, std::size_t bytes,
                 std::size_t& written) {
  const bool ok =
      write_out(stream, from, bytes - bytes % static_cast<std::size_t>(page_bytes), written);
  restart_block(stream);
  return ok;
}

// True if nothing waits, and the copy of so many bytes would take longer than the system call that
// it saves. The next write then begins at a page if this one does.
bool goes_past_the_block(const Stream& stream, std::size_t bytes) {
  return stream.buffering == Buffering::full && bytes >= stream.block_bytes / 2 &&
         stream.file.write_cursor == stream.dirty && stream.dirty_position % page_bytes == 0;
}

// Fills the block up to the end of its window first, so that every write of a block is as large as
// a block. After a failure the result is the number of these bytes that reached the target. As with
// glibc, the bytes of earlier calls that were in the block are lost.
std::size_t write_buffered(Stream& stream, const unsigned char* from, std::size_t bytes) {
  if (goes_past_the_block(stream, bytes)) {
    std::size_t written = 0;
    if (!write_pages(stream, from, bytes, written)) return written;
    append(stream, from + written, bytes - written);
    return bytes;
  }
  const auto window =
      stream.buffering == Buffering::full
          ? static_cast<std::size_t>(stream.file.write_limit - stream.file.write_cursor)
          : room(stream);
  if (bytes <= window) {
    append(stream, from, bytes);
    return bytes;
  }
  const auto pending = static_cast<std::size_t>(stream.file.write_cursor - stream.dirty);
  append(stream, from, window);
  stream.file.write_limit = stream.file.write_cursor;
  std::size_t flushed = 0;
  if (!flush_dirty(stream, flushed)) return flushed - std::min(flushed, pending);
  std::size_t accepted = window;
  const std::size_t rest = bytes - accepted;
  if (rest >= stream.block_bytes) {
    std::size_t written = 0;
    const bool ok = write_pages(stream, from + accepted, rest, written);
    accepted += written;
    if (!ok) return accepted;
  }
  if (bytes - accepted > room(stream)) restart_block(stream);
  append(stream, from + accepted, bytes - accepted);
  return bytes;
}

std::size_t write_lines(Stream& stream, const unsigned char* from, std::size_t bytes) {
  std::atomic_ref(stream.line_writer).store(this_thread(), std::memory_order_relaxed);
  const unsigned char* const newline = last_newline(from, bytes);
  if (newline == nullptr) return write_buffered(stream, from, bytes);
  const auto lines = static_cast<std::size_t>(newline + 1 - from);
  const std::size_t accepted = write_buffered(stream, from, lines);
  if (accepted < lines) return accepted;
  const auto held = static_cast<std::size_t>(stream.file.write_cursor - stream.dirty);
  const std::size_t of_this_call = std::min(held, lines);
  std::size_t flushed = 0;
  if (!flush_dirty(stream, flushed)) {
    const std::size_t of_earlier_calls = held - of_this_call;
    return lines - of_this_call + flushed - std::min(flushed, of_earlier_calls);
  }
  return lines + (lines < bytes ? write_buffered(stream, from + lines, bytes - lines) : 0);
}

bool has_room_in_line(const Stream& stream, std::size_t bytes) {
  return stream.is_writing && stream.buffering == Buffering::line && bytes < room(stream);
}

// Keeps bytes that only wait for the end of their line. Returns false for other bytes.
bool append_to_line(Stream& stream, const unsigned char* from, std::size_t bytes) {
  if (!has_room_in_line(stream, bytes) || last_newline(from, bytes) != nullptr) return false;
  std::atomic_ref(stream.line_writer).store(this_thread(), std::memory_order_relaxed);
  std::memcpy(stream.file.write_cursor, from, bytes);
  stream.file.write_limit = stream.file.write_cursor += bytes;
  return true;
}

std::size_t write_unbuffered(Stream& stream, const unsigned char* from, std::size_t bytes) {
  if (!flush_dirty(stream)) return 0;
  std::size_t written = 0;
  write_out(stream, from, bytes, written);
  restart_block(stream);
  return written;
}

// Not a part of its caller, so that a byte in the middle of a line needs no place on the stack.
[[gnu::noinline]] int put_through(Stream& stream, unsigned char byte) {
  return write_bytes(stream, &byte, 1) == 1 ? byte : EOF;
}

}  // namespace

std::size_t write_bytes(Stream& stream, const unsigned char* from, std::size_t bytes) {
  if (!begin_writing(stream)) return 0;
  switch (stream.buffering) {
    case Buffering::none: return write_unbuffered(stream, from, bytes);
    case Buffering::line: return write_lines(stream, from, bytes);
    default: return write_buffered(stream, from, bytes);
  }
}

void flush_lines_of_standard_output() {
  Stream& output = stream_of(sluice_stdio_streams[1]);
  const bool is_locked = std::atomic_ref(output.is_used_with_lock).load(std::memory_order_relaxed);
  const pthread_t writer = std::atomic_ref(output.line_writer).load(std::memory_order_relaxed);
  if (!is_locked && pthread_equal(writer, this_thread()) == 0) return;
  // A thread that writes to standard output now may itself wait for the lock of the stream that is
  // read.
  if (sluice_stdio_ftrylockfile(&output.file) != 0) return;
  ++output.locks;
  if (output.is_writing && output.buffering == Buffering::line) flush_dirty(output);
  sluice_stdio_unlock(&output.file);
}

}  // namespace sluice::stdio

using namespace sluice::stdio;  // NOLINT(google-build-using-namespace): the C names are global

int sluice_stdio_put_slow(int value, sluice_FILE* file) {
  Stream& stream = stream_of(file);
  const auto byte = static_cast<unsigned char>(value);
  if (byte != '\n' && has_room_in_line(stream, 1)) {
    std::atomic_ref(stream.line_writer).store(this_thread(), std::memory_order_relaxed);
    unsigned char* const at = file->write_cursor;
    // Between the two stores: one store of both pointers would make the next call wait for it.
    file->write_cursor = at + 1;
    *at = byte;
    file->write_limit = at + 1;
    return byte;
  }
  return put_through(stream, byte);
}

size_t sluice_stdio_write_slow(const void* from, size_t size, size_t count, sluice_FILE* file) {
  std::size_t bytes = 0;
  if (__builtin_mul_overflow(size, count, &bytes)) {
    errno = EOVERFLOW;
    stream_of(file).has_failed = true;
    return 0;
  }
  if (bytes == 0) return 0;
  const auto* const first = static_cast<const unsigned char*>(from);
  if (append_to_line(stream_of(file), first, bytes)) return count;
  const std::size_t written = write_bytes(stream_of(file), first, bytes);
  return written == bytes ? count : written / size;
}

int sluice_stdio_fputs_of_any_length(const char* text, sluice_FILE* file) {
  const std::size_t bytes = std::strlen(text);
  if (bytes == 0) return expect_open(stream_of(file)) ? 1 : EOF;
  return sluice_stdio_fwrite(text, bytes, 1, file) == 1 ? 1 : EOF;
}

int sluice_stdio_puts(const char* text) {
  sluice_FILE* const file = sluice_stdio_streams[1];
  const bool ok = sluice_stdio_fputs(text, file) != EOF && sluice_stdio_fputc('\n', file) != EOF;
  return ok ? static_cast<int>(std::min<std::size_t>(std::strlen(text) + 1, 0x7fffffff)) : EOF;
}

int sluice_stdio_putw(int value, sluice_FILE* file) {
  return sluice_stdio_fwrite(&value, sizeof value, 1, file) == 1 ? 0 : EOF;
}
