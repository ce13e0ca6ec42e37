#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>

#include "stdio/stream.h"

namespace sluice::stdio {
namespace {

constexpr std::size_t first_line_bytes = 120;

std::size_t waiting(const Stream& stream) {
  return static_cast<std::size_t>(stream.file.read_limit - stream.file.read_cursor);
}

std::size_t take(Stream& stream, unsigned char* into, std::size_t bytes) {
  const std::size_t taken = std::min(bytes, waiting(stream));
  if (taken != 0) std::memcpy(into, stream.file.read_cursor, taken);
  stream.file.read_cursor += taken;
  return taken;
}

bool fetch_if_empty(Stream& stream) { return waiting(stream) != 0 || fetch(stream); }

// True if so many bytes are wanted that the block would only be a detour: the copy then takes
// longer than the system calls that larger reads save.
bool is_large(const Stream& stream, std::size_t bytes) {
  return bytes >= stream.block_bytes / 4 || stream.buffering == Buffering::none;
}

bool read_directly(Stream& stream, unsigned char* into, std::size_t bytes, std::size_t& got) {
  if (stream.at_end) return false;
  drop_data(stream, stream.data_position);
  if (!read_through(stream, into, bytes, got)) return false;
  drop_data(stream, stream.data_position);
  stream.at_end = got == 0;
  return got != 0;
}

std::size_t read_bytes(Stream& stream, unsigned char* into, std::size_t bytes) {
  if (!prepare_reading(stream)) return 0;
  std::size_t done = take(stream, into, bytes);
  while (done < bytes) {
    const std::size_t wanted = bytes - done;
    if (is_large(stream, wanted) && !reads_text(stream)) {
      std::size_t got = 0;
      if (!read_directly(stream, into + done, wanted, got)) break;
      done += got;
    } else {
      if (!fetch(stream)) break;
      done += take(stream, into + done, wanted);
    }
  }
  return done;
}

// The bytes of the window up to and with the delimiter, and at most `bytes` bytes.
std::size_t piece(const Stream& stream, int delimiter, std::size_t bytes, bool& ends) {
  const std::size_t limit = std::min(bytes, waiting(stream));
  const void* const found = std::memchr(stream.file.read_cursor, delimiter, limit);
  ends = found != nullptr;
  if (!ends) return limit;
  return static_cast<std::size_t>(static_cast<const unsigned char*>(found) + 1 -
                                  stream.file.read_cursor);
}

// What most lines need: the line is whole in the window, and the caller's memory is large enough.
// Returns the bytes of the line, or 0 if something else is needed.
std::size_t take_whole_line(Stream& stream, char* line, std::size_t room, int delimiter) {
  if (line == nullptr || room == 0 || stream.has_failed) return 0;
  const std::size_t limit = std::min(room - 1, waiting(stream));
  if (limit == 0) return 0;
  const auto* const from = stream.file.read_cursor;
  const void* const found = std::memchr(from, delimiter, limit);
  if (found == nullptr) return 0;
  stream.file.read_cursor += static_cast<const unsigned char*>(found) + 1 - from;
  const auto bytes = static_cast<std::size_t>(stream.file.read_cursor - from);
  std::memcpy(line, from, bytes);
  line[bytes] = '\0';
  return bytes;
}

// As with glibc, a size of 0 says that `*line` is not memory, whatever it is.
bool begin_line(char** line, std::size_t* bytes) {
  if (*line != nullptr && *bytes != 0) return true;
  *line = static_cast<char*>(std::malloc(first_line_bytes));
  *bytes = *line == nullptr ? 0 : first_line_bytes;
  return *line != nullptr;
}

bool grow_line(char** line, std::size_t* bytes, std::size_t needed) {
  if (*bytes >= needed) return true;
  const std::size_t grown = std::max(needed, *bytes * 2);
  auto* const memory = static_cast<char*>(std::realloc(*line, grown));
  if (memory == nullptr) return false;
  *line = memory;
  *bytes = grown;
  return true;
}

// Moves the bytes that wait to the end of the memory, so that there is room before them.
bool make_pushback_room(Stream& stream) {
  const std::size_t bytes = waiting(stream);
  const auto pushed_back = stream.data_begin - stream.file.read_cursor;
  if (stream.memory + bytes == stream.end) {
    const auto size = static_cast<std::size_t>(stream.end - stream.memory);
    auto* const memory = static_cast<unsigned char*>(std::malloc(2 * size));
    if (memory == nullptr) return false;
    std::memcpy(memory, stream.file.read_cursor, bytes);
    std::free(stream.memory);
    stream.memory = stream.file.read_cursor = memory;
    stream.begin = memory + pushback_bytes;
    stream.end = memory + 2 * size;
    stream.block_bytes = 2 * size - pushback_bytes;
  }
  std::memmove(stream.end - bytes, stream.file.read_cursor, bytes);
  stream.file.read_cursor = stream.end - bytes;
  stream.data_begin = stream.file.read_cursor + pushed_back;
  stream.file.read_limit = stream.data_end = stream.end;
  return true;
}

}  // namespace
}  // namespace sluice::stdio

using namespace sluice::stdio;  // NOLINT(google-build-using-namespace): the C names are global

int sluice_stdio_get_slow(sluice_FILE* file) {
  Stream& stream = stream_of(file);
  if (!prepare_reading(stream) || !fetch_if_empty(stream)) return EOF;
  return *file->read_cursor++;
}

size_t sluice_stdio_read_slow(void* into, size_t size, size_t count, sluice_FILE* file) {
  std::size_t bytes = 0;
  if (__builtin_mul_overflow(size, count, &bytes)) {
    errno = EOVERFLOW;
    stream_of(file).has_failed = true;
    return 0;
  }
  if (bytes == 0) return 0;
  const std::size_t got = read_bytes(stream_of(file), static_cast<unsigned char*>(into), bytes);
  return got == bytes ? count : got / size;
}

char* sluice_stdio_fgets(char* into, int bytes, sluice_FILE* file) {
  Stream& stream = stream_of(file);
  if (bytes > 1 && take_whole_line(stream, into, static_cast<std::size_t>(bytes), '\n') != 0) {
    return into;
  }
  if (bytes <= 0 || !expect_open(stream)) return nullptr;
  if (bytes == 1) {
    *into = '\0';
    return into;
  }
  if (!prepare_reading(stream)) return nullptr;
  const bool had_failed = stream.has_failed;
  stream.has_failed = false;
  const auto limit = static_cast<std::size_t>(bytes - 1);
  std::size_t done = 0;
  bool ends = false;
  while (!ends && done < limit && fetch_if_empty(stream)) {
    const std::size_t next = piece(stream, '\n', limit - done, ends);
    done += take(stream, reinterpret_cast<unsigned char*>(into) + done, next);
  }
  const bool has_line = done != 0 && (!stream.has_failed || errno == EAGAIN);
  stream.has_failed = stream.has_failed || had_failed;
  if (!has_line) return nullptr;
  into[done] = '\0';
  return into;
}

ssize_t sluice_stdio_getdelim(char** line, size_t* bytes, int delimiter, sluice_FILE* file) {
  Stream& stream = stream_of(file);
  if (line == nullptr || bytes == nullptr) {
    errno = EINVAL;
    return -1;
  }
  if (const std::size_t whole = take_whole_line(stream, *line, *bytes, delimiter); whole != 0) {
    return static_cast<ssize_t>(whole);
  }
  if (!expect_open(stream) || stream.has_failed || !prepare_reading(stream)) return -1;
  if (!begin_line(line, bytes)) return -1;
  std::size_t done = 0;
  bool ends = false;
  while (!ends && fetch_if_empty(stream)) {
    const std::size_t next = piece(stream, delimiter, SIZE_MAX, ends);
    if (!grow_line(line, bytes, done + next + 1)) return -1;
    done += take(stream, reinterpret_cast<unsigned char*>(*line) + done, next);
  }
  if (done == 0) return -1;
  (*line)[done] = '\0';
  return static_cast<ssize_t>(done);
}

ssize_t sluice_stdio_getline(char** line, size_t* bytes, sluice_FILE* file) {
  return sluice_stdio_getdelim(line, bytes, '\n', file);
}

int sluice_stdio_ungetc(int value, sluice_FILE* file) {
  Stream& stream = stream_of(file);
  // The byte that was read last lies in the block already.
  if (file->read_cursor > stream.data_begin && value == file->read_cursor[-1]) {
    stream.at_end = false;
    return *--file->read_cursor;
  }
  if (value == EOF) return EOF;
  if (!stream.readable) errno = EBADF;
  if (!stream.readable || !start(stream) || !end_writing(stream)) return EOF;
  const auto byte = static_cast<unsigned char>(value);
  if (file->read_cursor == stream.memory && !make_pushback_room(stream)) return EOF;
  stream.data_begin = std::max(stream.data_begin, file->read_cursor);
  *--file->read_cursor = byte;
  stream.at_end = false;
  return byte;
}

int sluice_stdio_getw(sluice_FILE* file) {
  int value = 0;
  return sluice_stdio_fread(&value, sizeof value, 1, file) == 1 ? value : EOF;
}
