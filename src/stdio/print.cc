// printf: print_plain() formats most texts. The C library formats the others, straight into the
// block if the text fits. glibc does so in a FILE of its own, the printer, which is lent the room:
// vsnprintf() would make such a FILE anew for each text.
#include <cerrno>
#include <climits>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "stdio/print_plain.h"
#include "stdio/recursive_lock.h"
#include "stdio/stream.h"

namespace sluice::stdio {
namespace {

constexpr std::size_t local_bytes = 1024;

int emit(Stream& stream, const char* text, int bytes) {
  const auto size = static_cast<std::size_t>(bytes);
  const auto* const from = reinterpret_cast<const unsigned char*>(text);
  return write_bytes(stream, from, size) == size ? bytes : -1;
}

#ifdef __GLIBC__

// Called if a text does not fit into the room.
ssize_t note_overflow(void* cookie, const char* /*text*/, std::size_t bytes) {
  static_cast<Stream*>(cookie)->print_overflows = true;
  return static_cast<ssize_t>(bytes);
}

// The first byte lets the printer make its buffer. Afterwards it is in the state of writing, and
// takes its pointers as they are.
bool make_printer(Stream& stream) {
  if (stream.printer != nullptr) return true;
  cookie_io_functions_t calls{};
  calls.write = note_overflow;
  stream.printer = fopencookie(&stream, "w", calls);
  if (stream.printer == nullptr) return false;
  if (std::fputc(' ', stream.printer) != EOF && std::fflush(stream.printer) == 0) return true;
  free_printer(stream);
  return false;
}

void set_room(FILE& printer, char* begin, char* end) {
  printer._IO_read_base = printer._IO_read_ptr = printer._IO_read_end = begin;
  printer._IO_write_base = printer._IO_write_ptr = begin;
  printer._IO_write_end = end;
}

// glibc takes no lock of a FILE with this mark (_IO_USER_LOCK).
constexpr int needs_no_lock = 0x8000;

// The mark must not stay. If a lock is taken without it and given back with it, or the other way
// round, the FILE's lock is wrong from then on: fflush(NULL) of another thread does that.
class PrinterLock {
 public:
  explicit PrinterLock(FILE& printer) : printer_(printer), is_marked_(is_alone()) {
    if (is_marked_) {
      printer_._flags |= needs_no_lock;
    } else {
      flockfile(&printer_);
    }
  }
  ~PrinterLock() {
    if (is_marked_) {
      printer_._flags &= ~needs_no_lock;
    } else {
      funlockfile(&printer_);
    }
  }
  PrinterLock(const PrinterLock&) = delete;
  PrinterLock& operator=(const PrinterLock&) = delete;

 private:
  FILE& printer_;
  const bool is_marked_;
};

// As vsnprintf(), but without a NUL at the end. While the printer has the room, its lock keeps the
// fflush(NULL) of another thread away. That call looks at each FILE of the C library.
int format_into(Stream& stream, char* into, std::size_t room, const char* format,
                va_list arguments) {
  if (!make_printer(stream)) return std::vsnprintf(into, room, format, arguments);
  FILE& printer = *stream.printer;
  const PrinterLock lock(printer);
  stream.print_overflows = false;
  set_room(printer, into, into + room);
  const int result = std::vfprintf(&printer, format, arguments);
  set_room(printer, printer._IO_buf_base, printer._IO_buf_end);
  return result;
}

bool fits(const Stream& stream, int bytes, std::size_t room) {
  return static_cast<std::size_t>(bytes) < room && !stream.print_overflows;
}

ssize_t take_piece(void* cookie, const char* text, std::size_t bytes) {
  auto& stream = *static_cast<Stream*>(cookie);
  return static_cast<ssize_t>(
      write_bytes(stream, reinterpret_cast<const unsigned char*>(text), bytes));
}

// A width may make a text of gigabytes, which needs no memory if it is written piece by piece.
int print_in_pieces(Stream& stream, const char* format, va_list arguments) {
  cookie_io_functions_t calls{};
  calls.write = take_piece;
  FILE* const pieces = fopencookie(&stream, "w", calls);
  if (pieces == nullptr) {
    stream.has_failed = true;
    return -1;
  }
  const int result = std::vfprintf(pieces, format, arguments);
  return std::fclose(pieces) == 0 ? result : -1;
}

#else

int format_into(Stream& /*stream*/, char* into, std::size_t room, const char* format,
                va_list arguments) {
  return std::vsnprintf(into, room, format, arguments);
}

bool fits(const Stream& /*stream*/, int bytes, std::size_t room) {
  return static_cast<std::size_t>(bytes) < room;
}

#endif

// The text did not fit at the first try: it is formatted again.
int print_to_heap(Stream& stream, int bytes, const char* format, va_list arguments) {
#ifdef __GLIBC__
  constexpr int most_at_once = 1 << 20;
  if (bytes > most_at_once) return print_in_pieces(stream, format, arguments);
#endif
  const std::size_t size = static_cast<std::size_t>(bytes) + 1;
  auto* const memory = static_cast<char*>(std::malloc(size));
  if (memory == nullptr) {
    stream.has_failed = true;
    return -1;
  }
  const int result = std::vsnprintf(memory, size, format, arguments);
  const int emitted = result < 0 ? -1 : emit(stream, memory, result);
  std::free(memory);
  return emitted;
}

// vsnprintf() does not say how much it has written before a failure. It ends its text with a NUL,
// and the text may have NULs itself. So this function looks for the last byte that has changed.
std::size_t length_of_beginning(char* memory, std::size_t size, const char* format,
                                va_list arguments) {
  constexpr char unchanged = '\xff';
  std::memset(memory, unchanged, size);
  va_list again;
  va_copy(again, arguments);
  std::vsnprintf(memory, size, format, again);
  va_end(again);
  std::size_t end = size;
  while (end > 1 && memory[end - 1] == unchanged) --end;
  return end - 1;
}

// A conversion has failed, for example because the locale has no such character. As with glibc, the
// text before this conversion is written.
int print_beginning(Stream& stream, const char* format, va_list arguments) {
  const int code = errno;
  std::size_t size = local_bytes;
  std::size_t length = size;
  char* memory = nullptr;
  while (length + 1 >= size && size < INT_MAX / 2) {
    size *= 2;
    auto* const larger = static_cast<char*>(std::realloc(memory, size));
    if (larger == nullptr) break;
    memory = larger;
    length = length_of_beginning(memory, size, format, arguments);
  }
  if (memory != nullptr && length != 0) emit(stream, memory, static_cast<int>(length));
  std::free(memory);
  errno = code;
  return -1;
}

int print_through(Stream& stream, const char* format, va_list arguments) {
  char text[local_bytes];
  const std::ptrdiff_t plain =
      print_plain(reinterpret_cast<unsigned char*>(text), sizeof text, format, arguments);
  if (plain > 0) return emit(stream, text, static_cast<int>(plain));
  va_list again;
  va_copy(again, arguments);
  int result = format_into(stream, text, sizeof text, format, arguments);
  if (result < 0) {
    result = print_beginning(stream, format, again);
  } else if (!fits(stream, result, sizeof text)) {
    result = print_to_heap(stream, result, format, again);
  } else if (result > 0) {
    result = emit(stream, text, result);
  }
  va_end(again);
  return result;
}

// The compiler replaces these two formats by fputs() and puts() in a source that is not switched.
bool is_text_alone(const char* format) {
  return format[0] == '%' && format[1] == 's' &&
         (format[2] == '\0' || (format[2] == '\n' && format[3] == '\0'));
}

int print_text(Stream& stream, const char* text, bool has_newline) {
  const std::size_t bytes = std::strlen(text);
  if (bytes >= INT_MAX) {
    errno = EOVERFLOW;
    return -1;
  }
  const int emitted = emit(stream, text, static_cast<int>(bytes));
  if (emitted < 0 || !has_newline) return emitted;
  return emit(stream, "\n", 1) < 0 ? -1 : emitted + 1;
}

// Returns 0 if the text does not fit, or if it is empty: then the stream may be closed.
int print_into_window(sluice_FILE& file, const char* text, bool has_newline) {
  if (text == nullptr) return 0;
  const std::string_view whole(text);
  const auto room = static_cast<std::size_t>(file.write_limit - file.write_cursor);
  if (whole.size() + (has_newline ? 1 : 0) > room) return 0;
  unsigned char* const at = file.write_cursor;
  std::memcpy(at, whole.data(), whole.size());
  file.write_cursor = at + whole.size();
  if (has_newline) *file.write_cursor++ = '\n';
  return static_cast<int>(file.write_cursor - at);
}

// A text that does not fit, or a conversion that fails, leaves the room as it is.
int print_into_room(Stream& stream, std::size_t room, const char* format, va_list arguments) {
  unsigned char*& cursor = stream.file.write_cursor;
  va_list again;
  va_copy(again, arguments);
  int result = format_into(stream, reinterpret_cast<char*>(cursor), room, format, arguments);
  if (result < 0) {
    result = print_beginning(stream, format, again);
  } else if (!fits(stream, result, room)) {
    result = print_to_heap(stream, result, format, again);
  } else {
    cursor += result;
  }
  va_end(again);
  return result;
}

}  // namespace

void free_printer(Stream& stream) {
  if (stream.printer != nullptr) std::fclose(stream.printer);
  stream.printer = nullptr;
}

}  // namespace sluice::stdio

using namespace sluice::stdio;  // NOLINT(google-build-using-namespace): the C names are global

int sluice_stdio_vfprintf(sluice_FILE* file, const char* format, va_list arguments) {
  Stream& stream = stream_of(file);
  if (!stream.is_writing && !begin_writing(stream)) return -1;
  // Without a buffer the text and its newline would be two writes.
  if (is_text_alone(format) && stream.buffering == Buffering::full) {
    const char* const text = va_arg(arguments, const char*);
    return print_text(stream, text != nullptr ? text : "(null)", format[2] == '\n');
  }
  const auto room = static_cast<std::size_t>(file->write_limit - file->write_cursor);
  // A text that does not fit would spoil the bytes of the file that follow in the block.
  if (room < local_bytes || stream.data_end > file->write_cursor) {
    return print_through(stream, format, arguments);
  }
  const std::ptrdiff_t bytes = print_plain(file->write_cursor, room, format, arguments);
  if (bytes >= 0) {
    file->write_cursor += bytes;
    return static_cast<int>(bytes);
  }
  return print_into_room(stream, room, format, arguments);
}

int sluice_stdio_fprintf(sluice_FILE* file, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int result = sluice_stdio_vfprintf(file, format, arguments);
  va_end(arguments);
  return result;
}

int sluice_stdio_print_text(sluice_FILE* file, const char* text, size_t bytes) {
  return sluice_stdio_fwrite(text, 1, bytes, file) == bytes ? static_cast<int>(bytes) : -1;
}

int sluice_stdio_print_character(sluice_FILE* file, ...) {
  va_list arguments;
  va_start(arguments, file);
  const int value = va_arg(arguments, int);
  va_end(arguments);
  return sluice_stdio_fputc(value, file) < 0 ? -1 : 1;
}

int sluice_stdio_print_string(sluice_FILE* file, ...) {
  va_list arguments;
  va_start(arguments, file);
  const char* const text = va_arg(arguments, const char*);
  va_end(arguments);
  const int bytes = print_into_window(*file, text, false);
  return bytes != 0 ? bytes : sluice_stdio_fprintf(file, "%s", text);
}

int sluice_stdio_print_line(sluice_FILE* file, ...) {
  va_list arguments;
  va_start(arguments, file);
  const char* const text = va_arg(arguments, const char*);
  va_end(arguments);
  const int bytes = print_into_window(*file, text, true);
  return bytes != 0 ? bytes : sluice_stdio_fprintf(file, "%s\n", text);
}

int sluice_stdio_vprintf(const char* format, va_list arguments) {
  return sluice_stdio_vfprintf(sluice_stdio_streams[1], format, arguments);
}

int sluice_stdio_printf(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int result = sluice_stdio_vprintf(format, arguments);
  va_end(arguments);
  return result;
}
