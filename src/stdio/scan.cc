// scanf: scan_plain() scans what most calls scan. The rest glibc reads from a FILE of its own, the
// scanner, whose bytes come from the stream. With another C library scan_bytes() reads it.
//
// The scanner is lent the stream's window: its pointers are set to the bytes that wait, and what it
// has read of them shows in its pointers afterwards. Beyond the window it asks for one byte at a
// time. So the stream loses exactly the bytes that the scanner has read, and a byte that the
// scanner has put back.
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstring>

#include "stdio/scan_plain.h"
#include "stdio/stream.h"

#ifdef __GLIBC__
#include <stdio_ext.h>
#else
#include "stdio/scan_bytes.h"
#endif

namespace sluice::stdio {
namespace {

#ifdef __GLIBC__

ssize_t give_byte(void* cookie, char* into, size_t) {
  auto& stream = *static_cast<Stream*>(cookie);
  if (stream.scanned_limit != nullptr) {
    stream.file.read_cursor = stream.file.read_limit;
    stream.scanned_limit = nullptr;
  }
  const int byte = sluice_stdio_fgetc(&stream.file);
  if (byte == EOF) return stream.has_failed && !stream.at_end ? -1 : 0;
  *into = static_cast<char>(byte);
  return 1;
}

bool make_scanner(Stream& stream) {
  if (stream.scanner != nullptr) return true;
  cookie_io_functions_t calls{};
  calls.read = give_byte;
  stream.scanner = fopencookie(&stream, "r", calls);
  if (stream.scanner == nullptr) return false;
  std::setvbuf(stream.scanner, nullptr, _IONBF, 0);
  __fsetlocking(stream.scanner, FSETLOCKING_BYCALLER);
  return true;
}

void lend_window(Stream& stream) {
  clearerr_unlocked(stream.scanner);
  stream.scanned_limit = nullptr;
  FILE& scanner = *stream.scanner;
  scanner._IO_read_base = scanner._IO_read_ptr = reinterpret_cast<char*>(stream.file.read_cursor);
  scanner._IO_read_end = reinterpret_cast<char*>(stream.file.read_limit);
  if (stream.file.read_cursor != stream.file.read_limit) {
    stream.scanned_limit = stream.file.read_limit;
  }
}

void take_window_back(Stream& stream) {
  FILE& scanner = *stream.scanner;
  if (stream.scanned_limit != nullptr) {
    stream.file.read_cursor = reinterpret_cast<unsigned char*>(scanner._IO_read_ptr);
  } else {
    stream.file.read_cursor -= scanner._IO_read_end - scanner._IO_read_ptr;
  }
  scanner._IO_read_base = scanner._IO_read_ptr = scanner._IO_read_end = scanner._IO_buf_base;
  stream.scanned_limit = nullptr;
}

int scan(Stream& stream, const char* format, va_list arguments) {
  if (!make_scanner(stream)) return EOF;
  lend_window(stream);
  const int result = std::vfscanf(stream.scanner, format, arguments);
  take_window_back(stream);
  return result;
}

#else

int scan(Stream& stream, const char* format, va_list arguments) {
  return scan_bytes(stream, format, arguments);
}

#endif

}  // namespace

void free_scanner(Stream& stream) {
  if (stream.scanner != nullptr) std::fclose(stream.scanner);
  stream.scanner = nullptr;
}

}  // namespace sluice::stdio

using namespace sluice::stdio;  // NOLINT(google-build-using-namespace): the C names are global

int sluice_stdio_vfscanf(sluice_FILE* file, const char* format, va_list arguments) {
  Stream& stream = stream_of(file);
  if (!stream.readable) {
    errno = EBADF;  // glibc does not set the error indicator here
    return EOF;
  }
  const PlainScan plain = scan_plain(file->read_cursor, file->read_limit, format, arguments);
  if (plain.stored >= 0) {
    file->read_cursor = const_cast<unsigned char*>(plain.end);
    return plain.stored;
  }
  return prepare_reading(stream) ? scan(stream, format, arguments) : EOF;
}

int sluice_stdio_fscanf(sluice_FILE* file, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int result = sluice_stdio_vfscanf(file, format, arguments);
  va_end(arguments);
  return result;
}

int sluice_stdio_vscanf(const char* format, va_list arguments) {
  return sluice_stdio_vfscanf(sluice_stdio_streams[0], format, arguments);
}

int sluice_stdio_scanf(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int result = sluice_stdio_vscanf(format, arguments);
  va_end(arguments);
  return result;
}
