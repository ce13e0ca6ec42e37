#include "stdio/stream.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

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

bool allocate(Stream& stream) {
  stream.memory = static_cast<unsigned char*>(std::malloc(pushback_bytes + stream.block_bytes));
  if (stream.memory == nullptr) {
    stream.has_failed = true;
    return false;
  }
  stream.begin = stream.memory + pushback_bytes;
  stream.end = stream.begin + stream.block_bytes;
  return true;
}

void look_at_target(Stream& stream) {
  struct stat status;
  const int saved_errno = errno;
  if (fstat(stream.descriptor, &status) != 0) status.st_mode = S_IFREG;
  stream.is_regular = S_ISREG(status.st_mode);
  const bool is_terminal = S_ISCHR(status.st_mode) && isatty(stream.descriptor) == 1;
  if (stream.buffering == Buffering::not_chosen) {
    stream.buffering = is_terminal ? Buffering::line : Buffering::full;
  }
  stream.is_seekable = !is_terminal && !S_ISFIFO(status.st_mode) && !S_ISSOCK(status.st_mode);
  if (stream.is_seekable && (stream.is_shared || !stream.is_regular || stream.appends)) {
    stream.kernel_position = lseek(stream.descriptor, 0, SEEK_CUR);
    stream.is_seekable = stream.kernel_position >= 0;
  }
  if (!stream.is_seekable) stream.kernel_position = 0;
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
  const std::int64_t end = lseek(stream.descriptor, 0, has_dirty_bytes ? SEEK_END : SEEK_CUR);
  if (end < 0) return false;
  stream.kernel_position = stream.dirty_position = end;
  return true;
}

}  // namespace

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
  stream.is_started = true;
  drop_data(stream, stream.kernel_position);
  return true;
}

void drop_data(Stream& stream, std::int64_t position) {
  stream.data_begin = stream.data_end = stream.begin;
  stream.file.read_cursor = stream.file.read_limit = stream.begin;
  stream.data_position = position;
}

bool find_position(Stream& stream, std::int64_t& position) {
  if (!start(stream)) return false;
  if (!stream.is_seekable) {
    errno = ESPIPE;
    return false;
  }
  if (!stream.is_writing) {
    position = stream.data_position - (stream.data_end - stream.file.read_cursor);
    return true;
  }
  const auto bytes = stream.file.write_cursor - stream.dirty;
  if (stream.appends && !find_end_of_appended(stream, bytes != 0)) return false;
  position = stream.dirty_position + bytes;
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
  std::int64_t position = stream.data_position - (stream.data_end - at);
  if (!stream.is_seekable && at != stream.data_end) {
    errno = ESPIPE;
    stream.has_failed = true;
    return false;
  }
  if (!stream.is_seekable || stream.appends || at < stream.data_begin || at == stream.end) {
    position = std::max<std::int64_t>(position, 0);
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

bool write_through(Stream& stream, const unsigned char* from, std::size_t bytes,
                   std::size_t& written) {
  written = 0;
  while (written < bytes) {
    const bool in_sequence =
        stream.appends || !stream.is_seekable || stream.kernel_position == stream.dirty_position;
    const ssize_t result = in_sequence ? write(stream.descriptor, from + written, bytes - written)
                                       : pwrite(stream.descriptor, from + written, bytes - written,
                                                stream.dirty_position);
    if (result == 0) errno = EIO;  // no progress: to try again might never end
    if (result <= 0) {
      stream.has_failed = true;
      return false;
    }
    written += static_cast<std::size_t>(result);
    stream.dirty_position += result;
    if (in_sequence) stream.kernel_position = stream.dirty_position;
    if (stream.appends && stream.is_seekable) {
      stream.kernel_position = stream.dirty_position = unknown_position;
    }
  }
  return true;
}

bool flush_dirty(Stream& stream) {
  if (!stream.is_writing) return true;
  const auto bytes = static_cast<std::size_t>(stream.file.write_cursor - stream.dirty);
  std::size_t written = 0;
  const bool ok = bytes == 0 || write_through(stream, stream.dirty, bytes, written);
  if (ok && stream.readable && stream.is_seekable && !stream.appends &&
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
  stream.is_writing = false;
  unsigned char* const at = stream.file.write_cursor;
  close_windows(stream);
  if (!stream.readable || !stream.is_seekable || stream.appends) {
    drop_data(stream, stream.dirty_position);
  } else {
    stream.file.read_cursor = at;
    stream.file.read_limit = stream.data_end;
  }
  return true;
}

bool prepare_reading(Stream& stream) {
  if (!stream.readable) {
    errno = EBADF;
    stream.has_failed = true;
    return false;
  }
  return start(stream) && end_writing(stream);
}

bool read_through(Stream& stream, unsigned char* into, std::size_t bytes, std::size_t& got) {
  if (stream.buffering != Buffering::full) flush_lines_of_standard_output();
  const bool in_sequence = !stream.is_seekable || stream.kernel_position == stream.data_position;
  const std::atomic_ref is_being_read(stream.is_being_read);
  is_being_read = true;
  const ssize_t result = in_sequence ? read(stream.descriptor, into, bytes)
                                     : pread(stream.descriptor, into, bytes, stream.data_position);
  is_being_read = false;
  if (result < 0) {
    stream.has_failed = true;
    return false;
  }
  got = static_cast<std::size_t>(result);
  stream.data_position += result;
  if (in_sequence) stream.kernel_position = stream.data_position;
  return true;
}

// After a seek the block begins at a page, so that the program can go back a little.
bool fetch(Stream& stream) {
  if (stream.at_end) return false;
  const std::int64_t position = stream.data_position;
  const bool has_jumped = stream.is_regular && stream.kernel_position != position &&
                          stream.buffering != Buffering::none;
  const std::int64_t before = has_jumped ? position % page_bytes : 0;
  drop_data(stream, position - before);
  std::size_t bytes = std::min(stream.fetch_bytes, stream.block_bytes);
  if (stream.buffering == Buffering::none) bytes = 1;
  std::size_t got = 0;
  if (!read_through(stream, stream.begin, bytes, got)) {
    drop_data(stream, position);
    return false;
  }
  stream.fetch_bytes = std::min(stream.fetch_bytes * 2, stream.block_bytes);
  if (static_cast<std::int64_t>(got) <= before) {
    drop_data(stream, position);
    stream.at_end = true;
    return false;
  }
  stream.data_end = stream.file.read_limit = stream.begin + got;
  stream.file.read_cursor = stream.begin + before;
  return true;
}

bool synchronize(Stream& stream) {
  if (!expect_open(stream) || !flush_dirty(stream)) return false;
  if (!stream.is_started || !stream.is_seekable) return true;
  if (stream.is_writing && stream.appends) return true;
  std::int64_t position = 0;
  if (!find_position(stream, position)) return false;
  position = std::max<std::int64_t>(position, 0);
  if (position != stream.kernel_position) {
    if (lseek(stream.descriptor, position, SEEK_SET) < 0) {
      if (errno == ESPIPE) return true;
      stream.has_failed = true;
      return false;
    }
    stream.kernel_position = position;
  }
  if (!stream.is_writing) drop_data(stream, position);
  return true;
}

}  // namespace sluice::stdio
