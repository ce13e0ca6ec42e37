#include "stdio/stream.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "stdio/text.h"

namespace sluice::stdio {
namespace {

void close_windows(Stream& stream) { stream.file.write_cursor = stream.file.write_limit = nullptr; }

// The room for inline calls ends at a page of the file, so that later writes begin at a page.
void show_room(Stream& stream) {
  stream.file.write_limit = stream.file.write_cursor;
  if (stream.buffering != Buffering::full) return;
  const std::int64_t past = (stream.dirty_position + (stream.end - stream.dirty)) % page_bytes;
  stream.file.write_limit = stream.end;
  if (stream.is_seekable && stream.end - stream.file.write_cursor > past) {
    stream.file.write_limit = stream.end - past;
  }
}

// The block begins at a line of the processor's cache. src/core/reader_core.cc tells what another
// place may cost.
bool allocate(Stream& stream) {
  constexpr std::size_t spare_bytes = pushback_bytes + cache_line_bytes;
  stream.memory = static_cast<unsigned char*>(std::malloc(spare_bytes + stream.block_bytes));
  if (stream.memory == nullptr) {
    stream.has_failed = true;
    return false;
  }
  const auto first = reinterpret_cast<std::uintptr_t>(stream.memory) + pushback_bytes;
  stream.begin = stream.memory + pushback_bytes + (-first) % cache_line_bytes;
  stream.end = stream.begin + stream.block_bytes;
  return true;
}

void look_at_target(Stream& stream) {
  const int saved_errno = errno;
  const Target target = look_at(stream.descriptor);
  stream.is_regular = target.is_regular;
  stream.is_volatile = stream.is_regular && !stream.writable && target.bytes == 0;
  if (stream.buffering == Buffering::not_chosen) {
    stream.buffering = target.is_terminal ? Buffering::line : Buffering::full;
  }
  stream.is_seekable = target.may_have_positions;
  const bool may_differ = stream.is_shared || (stream.appends && is_known(stream));
  if (stream.is_seekable && (may_differ || !stream.is_regular)) {
    stream.kernel_position = seek(stream.descriptor, 0, SEEK_CUR);
    stream.is_seekable = stream.kernel_position >= 0;
  }
  if (!stream.is_seekable) stream.kernel_position = 0;
  // Such as standard output in `program >> file`.
  if (stream.is_shared && stream.is_seekable && stream.writable && !stream.appends) {
    stream.follows_end = always_appends(stream.descriptor);
  }
  errno = saved_errno;
}

void merge_written(Stream& stream) {
  if (stream.file.write_cursor > stream.data_end) {
    stream.data_position += stream.file.write_cursor - stream.data_end;
    stream.data_end = stream.file.write_cursor;
  }
  stream.dirty = stream.file.write_cursor;
}

// Bytes that are appended go to the end, wherever that is by then.
bool find_end_of_appended(Stream& stream, bool has_dirty_bytes) {
  if (!has_dirty_bytes && stream.dirty_position != unknown_position) return true;
  const std::int64_t end = seek(stream.descriptor, 0, has_dirty_bytes ? SEEK_END : SEEK_CUR);
  if (end < 0) return false;
  stream.kernel_position = stream.dirty_position = end;
  return true;
}

bool has_bytes(const Stream& stream) {
  if (stream.is_writing) return stream.file.write_cursor != stream.dirty;
  return stream.file.read_cursor != stream.data_end;
}

bool is_at_offset(const Stream& stream) {
  if (stream.holds_return) return false;
  return stream.kernel_position ==
         (stream.is_writing ? stream.dirty_position : stream.data_position);
}

// True if the offset of the descriptor may be another one than the stream knows.
bool may_have_moved(const Stream& stream) {
  if (stream.appends || (!stream.is_writing && has_bytes(stream))) return false;
  return stream.is_synchronized || stream.follows_end || stream.buffering == Buffering::none;
}

// The offset of the descriptor becomes the position of the stream. Accepted bytes stay in the
// block.
bool take_offset(Stream& stream) {
  const std::int64_t offset = seek(stream.descriptor, 0, SEEK_CUR);
  if (offset < 0) {
    if (errno == ESPIPE) stream.is_seekable = false;  // dup2() has put a pipe there
    return false;
  }
  if (offset == stream.kernel_position) return true;
  stream.kernel_position = offset;
  if (!stream.is_writing) {
    drop_data(stream, offset);
    return true;
  }
  stream.dirty_position = stream.data_position = offset;
  if (has_bytes(stream)) {
    stream.data_begin = stream.data_end = stream.dirty;
  } else {
    restart_block(stream);
  }
  return true;
}

}  // namespace

void give_locks_back(void* argument) {
  Stream& stream = *static_cast<Stream*>(argument);
  std::atomic_ref(stream.is_being_read) = false;
  for (unsigned locks = std::exchange(stream.locks, 0); locks > 0; --locks) {
    stream.lock.unlock();
  }
}

bool expect_open(Stream& stream) {
  if (stream.descriptor >= 0) return true;
  errno = EBADF;
  stream.has_failed = true;
  return false;
}

void restart_block(Stream& stream) {
  stream.data_begin = stream.data_end = stream.begin;
  stream.data_position = stream.dirty_position;
  stream.dirty = stream.file.write_cursor = stream.begin;
  show_room(stream);
}

bool start(Stream& stream) {
  if (stream.is_started) return true;
  if (!expect_open(stream)) return false;
  look_at_target(stream);
  if (!allocate(stream)) return false;
  stream.is_started = stream.is_synchronized = stream.reads_again = true;
  stream.translates = translates_lines(stream.descriptor);
  drop_data(stream, stream.kernel_position);
  return true;
}

void drop_data(Stream& stream, std::int64_t position) {
  stream.data_begin = stream.data_end = stream.begin;
  stream.file.read_cursor = stream.file.read_limit = stream.begin;
  stream.data_position = position;
  stream.holds_return = false;
}

bool learn_offset(Stream& stream) {
  if (!start(stream)) return false;
  if (!stream.is_seekable) {
    errno = ESPIPE;
    return false;
  }
  return !may_have_moved(stream) || take_offset(stream);
}

namespace {

bool find_position_in_block(Stream& stream, const unsigned char* at, std::int64_t& position) {
  if (stream.translates) return find_text_position(stream, at, position);
  position = std::max<std::int64_t>(stream.data_position - (stream.data_end - at), 0);
  return true;
}

}  // namespace

bool find_position(Stream& stream, std::int64_t& position) {
  if (!learn_offset(stream)) return false;
  if (!stream.is_writing) {
    return find_position_in_block(stream, stream.file.read_cursor, position);
  }
  const unsigned char* const end = stream.file.write_cursor;
  if (stream.appends && !find_end_of_appended(stream, end != stream.dirty)) return false;
  position = stream.dirty_position +
             (stream.translates ? bytes_in_file(stream.dirty, end) : end - stream.dirty);
  return true;
}

bool begin_writing(Stream& stream) {
  if (!stream.writable) {
    errno = EBADF;
    stream.has_failed = true;
    return false;
  }
  if (!start(stream)) return false;
  if (stream.is_writing) return true;
  unsigned char* at = stream.file.read_cursor;
  std::int64_t position = 0;
  const bool can_turn = stream.is_seekable || at == stream.data_end;
  if (!can_turn) errno = ESPIPE;
  if (!can_turn || !find_position_in_block(stream, at, position)) {
    stream.has_failed = true;
    return false;
  }
  if (!stream.is_seekable || stream.appends || stream.translates || at < stream.data_begin ||
      at == stream.end) {
    drop_data(stream, position);
    at = stream.begin;
  }
  stream.file.read_cursor = stream.file.read_limit = nullptr;
  stream.file.write_cursor = stream.dirty = at;
  stream.dirty_position = position;
  stream.is_writing = true;
  show_room(stream);
  return true;
}

namespace {

std::ptrdiff_t write_once(Stream& stream, const unsigned char* from, std::size_t bytes,
                          bool in_sequence) {
  if (stream.appends && stream.is_seekable) return write_at_end(stream.descriptor, from, bytes);
  if (in_sequence) return write_next(stream.descriptor, from, bytes);
  return write_at(stream.descriptor, from, bytes, stream.dirty_position, stream.kernel_position);
}

}  // namespace

bool write_through(Stream& stream, const unsigned char* from, std::size_t bytes,
                   std::size_t& written) {
  written = 0;
  while (written < bytes) {
    const bool in_sequence = stream.appends || stream.follows_end || !stream.is_seekable ||
                             stream.kernel_position == stream.dirty_position;
    const std::ptrdiff_t result = call_that_waits(
        stream, [&] { return write_once(stream, from + written, bytes - written, in_sequence); });
    if (result == 0) errno = EIO;  // no progress: to try again might never end
    if (result <= 0) {
      stream.has_failed = true;
      return false;
    }
    stream.is_synchronized = false;
    written += static_cast<std::size_t>(result);
    stream.dirty_position += result;
    if (in_sequence) stream.kernel_position = stream.dirty_position;
    if (stream.appends && stream.is_seekable) {
      stream.kernel_position = stream.dirty_position = unknown_position;
    }
  }
  return true;
}

bool write_out(Stream& stream, const unsigned char* from, std::size_t bytes, std::size_t& written) {
  stream.translates = translates_lines(stream.descriptor);
  return stream.translates ? write_text(stream, from, bytes, written)
                           : write_through(stream, from, bytes, written);
}

bool flush_dirty(Stream& stream) {
  std::size_t written = 0;
  return flush_dirty(stream, written);
}

bool flush_dirty(Stream& stream, std::size_t& written) {
  written = 0;
  if (!stream.is_writing) return true;
  const auto bytes = static_cast<std::size_t>(stream.file.write_cursor - stream.dirty);
  const bool ok = bytes == 0 || write_out(stream, stream.dirty, bytes, written);
  if (ok && stream.readable && stream.is_seekable && !stream.appends && !stream.translates &&
      stream.file.write_cursor != stream.end) {
    merge_written(stream);
  } else if (bytes != 0 || stream.file.write_cursor == stream.end) {
    // As with glibc, the bytes that could not be written are gone.
    restart_block(stream);
  }
  show_room(stream);
  return ok;
}

bool end_writing(Stream& stream) {
  if (!stream.is_writing) return true;
  if (!flush_dirty(stream)) return false;
  if (stream.dirty_position == unknown_position && !find_end_of_appended(stream, false))
    return false;
  if (stream.follows_end && !take_offset(stream)) return false;
  stream.is_writing = false;
  unsigned char* const at = stream.file.write_cursor;
  close_windows(stream);
  if (!stream.readable || !stream.is_seekable || stream.appends || stream.translates) {
    drop_data(stream, stream.dirty_position);
  } else {
    stream.file.read_cursor = at;
    stream.file.read_limit = stream.data_end;
  }
  return true;
}

namespace {

// Bytes are read where the descriptor is, if the program may have moved it. Without this look the
// bytes would be right, and their position would be wrong.
bool follow_descriptor(Stream& stream) {
  const bool may_use_descriptor = is_known(stream) || stream.is_shared;
  if (!may_use_descriptor || !stream.is_synchronized || !stream.is_seekable) return true;
  if (!may_have_moved(stream)) return true;
  if (take_offset(stream) || !stream.is_seekable) return true;
  stream.has_failed = true;
  return false;
}

}  // namespace

bool prepare_reading(Stream& stream) {
  if (!stream.readable) {
    errno = EBADF;
    stream.has_failed = true;
    return false;
  }
  const bool was_started = stream.is_started;
  if (!start(stream) || !end_writing(stream)) return false;
  // start() has just looked where a shared descriptor is.
  return (!was_started && stream.is_shared) || follow_descriptor(stream);
}

bool read_through(Stream& stream, unsigned char* into, std::size_t bytes, std::size_t& got) {
  const bool in_sequence = !stream.is_seekable || stream.kernel_position == stream.data_position;
  const std::ptrdiff_t result = call_that_waits(stream, [&] {
    if (stream.buffering != Buffering::full) flush_lines_of_standard_output();
    std::atomic_ref(stream.is_being_read) = true;
    return in_sequence ? read_next(stream.descriptor, into, bytes)
                       : read_at(stream.descriptor, into, bytes, stream.data_position,
                                 stream.kernel_position);
  });
  std::atomic_ref(stream.is_being_read) = false;
  if (result < 0) {
    stream.has_failed = true;
    return false;
  }
  stream.is_synchronized = false;
  got = static_cast<std::size_t>(result);
  stream.data_position += result;
  if (in_sequence) stream.kernel_position = stream.data_position;
  return true;
}

namespace {

bool fetch_from(Stream& stream, std::int64_t position, std::size_t& got) {
  drop_data(stream, position);
  std::size_t bytes = std::min(stream.fetch_bytes, stream.block_bytes);
  if (stream.buffering == Buffering::none) bytes = 1;
  if (!read_through(stream, stream.begin, bytes, got)) return false;
  stream.fetch_bytes = std::min(stream.fetch_bytes * 2, stream.block_bytes);
  return true;
}

}  // namespace

bool reads_text(Stream& stream) {
  stream.translates = stream.holds_return || translates_lines(stream.descriptor);
  return stream.translates;
}

// After a seek the block begins at a page, so that the program can go back a little.
bool fetch(Stream& stream) {
  if (stream.at_end) return false;
  if (reads_text(stream)) return fetch_text(stream);
  const std::int64_t position = stream.data_position;
  const bool has_jumped = stream.is_regular && stream.kernel_position != position &&
                          stream.buffering != Buffering::none;
  std::int64_t before = has_jumped ? position % page_bytes : 0;
  std::size_t got = 0;
  bool is_read = fetch_from(stream, position - before, got);
  if (is_read && got != 0 && static_cast<std::int64_t>(got) <= before) {
    // Not the end: some file systems, such as that of /proc, give few bytes at a time.
    before = 0;
    is_read = fetch_from(stream, position, got);
  }
  stream.at_end = is_read && static_cast<std::int64_t>(got) <= before;
  if (!is_read || stream.at_end) {
    drop_data(stream, position);
    return false;
  }
  stream.data_end = stream.file.read_limit = stream.begin + got;
  stream.file.read_cursor = stream.begin + before;
  return true;
}

namespace {

// Other users of the descriptor may change the bytes that are in the block.
void forget_block(Stream& stream, std::int64_t position) {
  if (stream.is_writing) {
    restart_block(stream);
    show_room(stream);
  } else {
    drop_data(stream, position);
    stream.fetch_bytes = first_fetch_bytes;  // as after a seek: another program may read on
  }
}

}  // namespace

bool synchronize(Stream& stream) {
  if (!expect_open(stream) || !flush_dirty(stream)) return false;
  if (!stream.is_started || !stream.is_seekable) return true;
  if (stream.is_writing && stream.appends) {
    stream.is_synchronized = true;
    return true;
  }
  std::int64_t position = 0;
  // Nothing to write and nothing read ahead: as with glibc, the offset is left alone.
  if (!has_bytes(stream) && is_at_offset(stream)) {
    stream.is_synchronized = true;
    return true;
  }
  if (!find_position(stream, position)) return errno == ESPIPE;
  if (position != stream.kernel_position) {
    if (seek(stream.descriptor, position, SEEK_SET) < 0) {
      if (errno == ESPIPE) return true;
      stream.has_failed = true;
      return false;
    }
    stream.kernel_position = position;
  }
  forget_block(stream, position);
  stream.is_synchronized = true;
  return true;
}

}  // namespace sluice::stdio
