// The buffer of a FILE as glibc's own macros have always seen it. getc and putc were compiled into
// programs with these fields, so the fields cannot move.
//
// A call may be answered from the buffer only if glibc would do nothing but copy: the stream is
// byte-oriented, and the bytes fit. Some streams have no room here, so their calls go to the real
// function without a further test: unbuffered and line-buffered streams, streams that change
// between reading and writing, and streams that were not used yet. A stream that becomes
// line-buffered while it is written to keeps its room, and glibc's own putc() goes on using this
// room; all other functions test the flag.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

namespace sluice::preload {

// Bits of FILE::_flags, unchanged in glibc's libio since 2.1. glibc's headers define three further
// flags.
enum StreamFlag : int {
  stream_unbuffered = 0x0002,
  stream_no_reads = 0x0004,
  stream_no_writes = 0x0008,
  stream_in_backup = 0x0100,
  stream_line_buffered = 0x0200,
  stream_putting = 0x0800,
  stream_appending = 0x1000,
  stream_is_file = 0x2000,
  stream_user_lock = 0x8000,
};

// A bit of FILE::_flags2, since 2.28. It is set for every stream when the program starts a thread.
inline constexpr int stream_needs_lock = 128;

inline bool byte_oriented(const FILE* stream) { return stream->_mode < 0; }

// A stream that fseek() has filled has no orientation yet. glibc's functions for bytes read from
// its buffer, and leave it so.
inline bool may_read_bytes(const FILE* stream) { return stream->_mode <= 0; }

inline bool room_for(const FILE* stream, size_t bytes) {
  const auto end = reinterpret_cast<uintptr_t>(stream->_IO_write_end);
  const auto next = reinterpret_cast<uintptr_t>(stream->_IO_write_ptr);
  size_t room = 0;
  if (__builtin_sub_overflow(end, next, &room)) return false;
  // 0 bytes become the largest number, which fits nowhere.
  return bytes - 1 < room && byte_oriented(stream) && (stream->_flags & stream_line_buffered) == 0;
}

inline size_t held_bytes(const FILE* stream) {
  const ptrdiff_t held = stream->_IO_read_end - stream->_IO_read_ptr;
  return held > 0 && may_read_bytes(stream) ? static_cast<size_t>(held) : 0;
}

// 0 bytes become the largest number, as above.
inline bool holds(const FILE* stream, size_t bytes) { return bytes - 1 < held_bytes(stream); }

// For a single byte glibc itself does little more than this while the program has one thread. So
// these functions make only the tests that glibc makes.
inline bool has_room_for_byte(const FILE* stream) {
  return stream->_IO_write_ptr < stream->_IO_write_end;
}
inline bool has_byte(const FILE* stream) { return stream->_IO_read_ptr < stream->_IO_read_end; }

// Call has_room_for_byte(stream) first.
inline int put_byte(FILE* stream, int byte) {
  *stream->_IO_write_ptr++ = static_cast<char>(byte);
  return static_cast<unsigned char>(byte);
}

// Call has_byte(stream) first.
inline int take_byte(FILE* stream) { return static_cast<unsigned char>(*stream->_IO_read_ptr++); }

// Call room_for(stream, bytes) first.
inline void append(FILE* stream, const void* data, size_t bytes) {
  memcpy(stream->_IO_write_ptr, data, bytes);
  stream->_IO_write_ptr += bytes;
}

// Call holds(stream, bytes) first.
inline void take(FILE* stream, void* data, size_t bytes) {
  memcpy(data, stream->_IO_read_ptr, bytes);
  stream->_IO_read_ptr += bytes;
}

}  // namespace sluice::preload
