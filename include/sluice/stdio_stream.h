// The stream behind sluice/stdio.h, and its functions under names of their own. Include
// sluice/stdio.h instead of this header.
//
// A stream begins with its windows, which the inline functions of this header use. If the layout
// changes, SLUICE_STDIO_WINDOW must change too. Then the calls that open a stream refuse a program
// that was compiled with another header (ENOTSUP), and the number in the symbol of stdin, stdout
// and stderr must change with it.
//
// Threads: one thread at a time uses a stream, unless every thread takes the stream's lock
// (flockfile). Any thread may open and close streams of its own. fclose(), pclose(), freopen(), and
// fflush(NULL) take the locks of the streams that they use.
//
// A stream that was closed refuses every call with EBADF. After 256 more streams were closed,
// fopen() may use the memory of the stream for a new stream. A pointer to the closed stream then
// reaches the new stream.
#pragma once

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#define SLUICE_STDIO_WINDOW 1u
#define sluice_stdio_streams sluice_stdio_streams_1

#ifdef __cplusplus
#define SLUICE_STDIO_CAST(type, value) static_cast<type>(value)
extern "C" {
#else
#define SLUICE_STDIO_CAST(type, value) ((type)(value))
#endif
// The formats are the ones of C17, also with Microsoft's C library.
#if defined(__MINGW32__) && !defined(__clang__)
#define SLUICE_STDIO_PRINTF __gnu_printf__
#define SLUICE_STDIO_SCANF __gnu_scanf__
#else
#define SLUICE_STDIO_PRINTF __printf__
#define SLUICE_STDIO_SCANF __scanf__
#endif
#define SLUICE_STDIO_UNLIKELY(condition) __builtin_expect(!!(condition), 0)

// The bytes [read_cursor, read_limit) wait for the program. The room [write_cursor, write_limit)
// waits for bytes of the program. At least one of the two is empty.
//
// A glibc function that is given this stream as its own FILE finds flags that tell it to use no
// lock and no buffer, and finds no table of functions. It then ends the program with the message
// "Fatal error: glibc detected an invalid stdio handle".
typedef struct sluice_FILE {
  int glibc_flags;
  int takes_locks;  // the calls of stdio_locked.h use this stream: see there
  void* glibc_members[27];
  unsigned char* read_cursor;
  unsigned char* read_limit;
  unsigned char* write_cursor;
  unsigned char* write_limit;
} sluice_FILE;

typedef struct sluice_fpos_t {
  int64_t position;
} sluice_fpos_t;

extern sluice_FILE* sluice_stdio_streams[3];

sluice_FILE* sluice_stdio_fopen_for(const char* path, const char* mode, unsigned window);
sluice_FILE* sluice_stdio_fdopen_for(int descriptor, const char* mode, unsigned window);
sluice_FILE* sluice_stdio_freopen_for(const char* path, const char* mode, sluice_FILE* stream,
                                      unsigned window);
sluice_FILE* sluice_stdio_tmpfile_for(unsigned window);
sluice_FILE* sluice_stdio_popen_for(const char* command, const char* mode, unsigned window);
int sluice_stdio_fclose(sluice_FILE* stream);
int sluice_stdio_pclose(sluice_FILE* stream);

int sluice_stdio_put_slow(int value, sluice_FILE* stream);
int sluice_stdio_get_slow(sluice_FILE* stream);
size_t sluice_stdio_write_slow(const void* from, size_t size, size_t count, sluice_FILE* stream);
size_t sluice_stdio_read_slow(void* into, size_t size, size_t count, sluice_FILE* stream);

int sluice_stdio_fputs_of_any_length(const char* text, sluice_FILE* stream);
int sluice_stdio_puts(const char* text);
char* sluice_stdio_fgets(char* into, int bytes, sluice_FILE* stream);
ssize_t sluice_stdio_getdelim(char** line, size_t* bytes, int delimiter, sluice_FILE* stream);
ssize_t sluice_stdio_getline(char** line, size_t* bytes, sluice_FILE* stream);
int sluice_stdio_ungetc(int value, sluice_FILE* stream);
int sluice_stdio_getw(sluice_FILE* stream);
int sluice_stdio_putw(int value, sluice_FILE* stream);

int sluice_stdio_vfprintf(sluice_FILE* stream, const char* format, va_list arguments)
    __attribute__((__format__(SLUICE_STDIO_PRINTF, 2, 0)));
int sluice_stdio_fprintf(sluice_FILE* stream, const char* format, ...)
    __attribute__((__format__(SLUICE_STDIO_PRINTF, 2, 3)));
int sluice_stdio_vprintf(const char* format, va_list arguments)
    __attribute__((__format__(SLUICE_STDIO_PRINTF, 1, 0)));
int sluice_stdio_printf(const char* format, ...)
    __attribute__((__format__(SLUICE_STDIO_PRINTF, 1, 2)));
// fprintf() of a format that is a text alone, of so many bytes.
int sluice_stdio_print_text(sluice_FILE* stream, const char* text, size_t bytes);
// fprintf() with the format "%c", "%s" or "%s\n", and its one argument: see stdio_formats.h.
int sluice_stdio_print_character(sluice_FILE* stream, ...);
int sluice_stdio_print_string(sluice_FILE* stream, ...);
int sluice_stdio_print_line(sluice_FILE* stream, ...);
int sluice_stdio_vfscanf(sluice_FILE* stream, const char* format, va_list arguments)
    __attribute__((__format__(SLUICE_STDIO_SCANF, 2, 0)));
int sluice_stdio_fscanf(sluice_FILE* stream, const char* format, ...)
    __attribute__((__format__(SLUICE_STDIO_SCANF, 2, 3)));
int sluice_stdio_vscanf(const char* format, va_list arguments)
    __attribute__((__format__(SLUICE_STDIO_SCANF, 1, 0)));
int sluice_stdio_scanf(const char* format, ...)
    __attribute__((__format__(SLUICE_STDIO_SCANF, 1, 2)));
void sluice_stdio_perror(const char* text);

int sluice_stdio_fseeko(sluice_FILE* stream, int64_t offset, int whence);
int sluice_stdio_fseek(sluice_FILE* stream, long offset, int whence);
int64_t sluice_stdio_ftello(sluice_FILE* stream);
long sluice_stdio_ftell(sluice_FILE* stream);
void sluice_stdio_rewind(sluice_FILE* stream);
int sluice_stdio_fgetpos(sluice_FILE* stream, sluice_fpos_t* position);
int sluice_stdio_fsetpos(sluice_FILE* stream, const sluice_fpos_t* position);
int sluice_stdio_fflush(sluice_FILE* stream);
int sluice_stdio_setvbuf(sluice_FILE* stream, char* memory, int mode, size_t bytes);
void sluice_stdio_setbuf(sluice_FILE* stream, char* memory);
void sluice_stdio_setbuffer(sluice_FILE* stream, char* memory, size_t bytes);
void sluice_stdio_setlinebuf(sluice_FILE* stream);
int sluice_stdio_ferror(sluice_FILE* stream);
int sluice_stdio_feof(sluice_FILE* stream);
void sluice_stdio_clearerr(sluice_FILE* stream);
int sluice_stdio_fileno(sluice_FILE* stream);
size_t sluice_stdio_fpending(sluice_FILE* stream);
void sluice_stdio_fpurge(sluice_FILE* stream);
int sluice_stdio_freading(sluice_FILE* stream);
int sluice_stdio_fwriting(sluice_FILE* stream);
void sluice_stdio_flockfile(sluice_FILE* stream);
int sluice_stdio_ftrylockfile(sluice_FILE* stream);
void sluice_stdio_funlockfile(sluice_FILE* stream);
// The lock of one call of this header, which is given back if the thread is cancelled in the call.
void sluice_stdio_lock(sluice_FILE* stream);
void sluice_stdio_unlock(sluice_FILE* stream);

static inline sluice_FILE* sluice_stdio_fopen(const char* path, const char* mode) {
  return sluice_stdio_fopen_for(path, mode, SLUICE_STDIO_WINDOW);
}
static inline sluice_FILE* sluice_stdio_fdopen(int descriptor, const char* mode) {
  return sluice_stdio_fdopen_for(descriptor, mode, SLUICE_STDIO_WINDOW);
}
static inline sluice_FILE* sluice_stdio_freopen(const char* path, const char* mode,
                                                sluice_FILE* stream) {
  return sluice_stdio_freopen_for(path, mode, stream, SLUICE_STDIO_WINDOW);
}
static inline sluice_FILE* sluice_stdio_tmpfile(void) {
  return sluice_stdio_tmpfile_for(SLUICE_STDIO_WINDOW);
}

static inline sluice_FILE* sluice_stdio_popen(const char* command, const char* mode) {
  return sluice_stdio_popen_for(command, mode, SLUICE_STDIO_WINDOW);
}

static inline int sluice_stdio_fputc(int value, sluice_FILE* stream) {
  unsigned char* const at = stream->write_cursor;
  if (SLUICE_STDIO_UNLIKELY(at == stream->write_limit)) return sluice_stdio_put_slow(value, stream);
  stream->write_cursor = at + 1;
  return *at = SLUICE_STDIO_CAST(unsigned char, value);
}

// After the slow call the byte is read once more, from the place before the cursor. Then both ways
// end with the same store of the cursor, and the compiler can keep the cursor of a loop in a
// register.
static inline int sluice_stdio_fgetc(sluice_FILE* stream) {
  unsigned char* at = stream->read_cursor;
  if (SLUICE_STDIO_UNLIKELY(at == stream->read_limit)) {
    if (sluice_stdio_get_slow(stream) < 0) return EOF;
    at = stream->read_cursor - 1;
  }
  stream->read_cursor = at + 1;
  return *at;
}

// The product of size and count cannot overflow if both are so small.
#define SLUICE_STDIO_SMALL(size, count) (((size) | (count)) <= 0xffffu)

// True if the compiler knows that the call moves one byte. Such a byte goes by value, so that the
// caller's variable can stay in a register.
#define SLUICE_STDIO_ONE_BYTE(size, count) \
  (__builtin_constant_p((size) | (count)) && (size) == 1 && (count) == 1)

static inline size_t sluice_stdio_fwrite(const void* from, size_t size, size_t count,
                                         sluice_FILE* stream) {
  if (SLUICE_STDIO_ONE_BYTE(size, count)) {
    const unsigned char* const first = SLUICE_STDIO_CAST(const unsigned char*, from);
    return sluice_stdio_fputc(*first, stream) >= 0;
  }
  const size_t bytes = size * count;
  unsigned char* const at = stream->write_cursor;
  if (SLUICE_STDIO_UNLIKELY(!SLUICE_STDIO_SMALL(size, count) || bytes == 0 ||
                            SLUICE_STDIO_CAST(size_t, stream->write_limit - at) < bytes)) {
    return sluice_stdio_write_slow(from, size, count, stream);
  }
  stream->write_cursor = at + bytes;
  __builtin_memcpy(at, from, bytes);
  return count;
}

// The compiler often knows the length of the text.
static inline int sluice_stdio_fputs(const char* text, sluice_FILE* stream) {
  if (__builtin_constant_p(__builtin_strlen(text)) && *text != '\0') {
    const size_t bytes = __builtin_strlen(text);
    return sluice_stdio_fwrite(text, 1, bytes, stream) == bytes ? 1 : EOF;
  }
  return sluice_stdio_fputs_of_any_length(text, stream);
}

static inline size_t sluice_stdio_fread(void* into, size_t size, size_t count,
                                        sluice_FILE* stream) {
  if (SLUICE_STDIO_ONE_BYTE(size, count)) {
    const int got = sluice_stdio_fgetc(stream);
    if (got < 0) return 0;
    *SLUICE_STDIO_CAST(unsigned char*, into) = SLUICE_STDIO_CAST(unsigned char, got);
    return 1;
  }
  const size_t bytes = size * count;
  unsigned char* const at = stream->read_cursor;
  if (SLUICE_STDIO_UNLIKELY(!SLUICE_STDIO_SMALL(size, count) || bytes == 0 ||
                            SLUICE_STDIO_CAST(size_t, stream->read_limit - at) < bytes)) {
    return sluice_stdio_read_slow(into, size, count, stream);
  }
  stream->read_cursor = at + bytes;
  __builtin_memcpy(into, at, bytes);
  return count;
}

static inline int sluice_stdio_putchar(int value) {
  return sluice_stdio_fputc(value, sluice_stdio_streams[1]);
}
static inline int sluice_stdio_getchar(void) { return sluice_stdio_fgetc(sluice_stdio_streams[0]); }

#ifdef __cplusplus
}
#endif
