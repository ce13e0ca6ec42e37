// The functions of <stdio.h> with a lock around each call. sluice/stdio.h includes this header if
// SLUICE_STDIO_LOCKED is defined.
//
// Threads: any number of threads may share a stream. flockfile() holds the lock over several calls.
#pragma once

#include "sluice/stdio_stream.h"

// While the process has one thread, a call needs no lock. The first call of each stream takes it
// nevertheless: the library then knows that other threads may use the stream later.
#if defined(__SANITIZE_THREAD__)
#define SLUICE_STDIO_TELLS_SANITIZER
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define SLUICE_STDIO_TELLS_SANITIZER
#endif
#endif
#if defined(__GLIBC__) && !defined(SLUICE_STDIO_TELLS_SANITIZER)
#if __GLIBC_PREREQ(2, 32)
#include <sys/single_threaded.h>
#define SLUICE_STDIO_NEEDS_NO_LOCK(stream) (__libc_single_threaded && (stream)->takes_locks)
#endif
#endif
#ifndef SLUICE_STDIO_NEEDS_NO_LOCK
#define SLUICE_STDIO_NEEDS_NO_LOCK(stream) 0
#endif

// The first macro is for a call that gives a result, and the second macro is for a call that gives
// no result.
#define SLUICE_STDIO_LOCKED_CALL(type, name, parameters, arguments)               \
  static inline type sluice_stdio_locked_##name parameters {                      \
    if (SLUICE_STDIO_NEEDS_NO_LOCK(stream)) return sluice_stdio_##name arguments; \
    sluice_stdio_locked_begin(stream);                                            \
    type result = sluice_stdio_##name arguments;                                  \
    sluice_stdio_locked_end(stream);                                              \
    return result;                                                                \
  }
#define SLUICE_STDIO_LOCKED_ACT(name, parameters, arguments) \
  static inline void sluice_stdio_locked_##name parameters { \
    if (SLUICE_STDIO_NEEDS_NO_LOCK(stream)) {                \
      sluice_stdio_##name arguments;                         \
      return;                                                \
    }                                                        \
    sluice_stdio_locked_begin(stream);                       \
    sluice_stdio_##name arguments;                           \
    sluice_stdio_locked_end(stream);                         \
  }

#ifdef __cplusplus
extern "C" {
#endif

// The thread sanitizer does not see the locks of a library that was compiled without it.
#ifdef SLUICE_STDIO_TELLS_SANITIZER
void __tsan_acquire(void* place);
void __tsan_release(void* place);
static inline void sluice_stdio_locked_begin(sluice_FILE* stream) {
  sluice_stdio_lock(stream);
  __tsan_acquire(stream);
}
static inline void sluice_stdio_locked_end(sluice_FILE* stream) {
  __tsan_release(stream);
  sluice_stdio_unlock(stream);
}
#else
#define sluice_stdio_locked_begin sluice_stdio_lock
#define sluice_stdio_locked_end sluice_stdio_unlock
#endif

SLUICE_STDIO_LOCKED_CALL(int, fputc, (int value, sluice_FILE* stream), (value, stream))
SLUICE_STDIO_LOCKED_CALL(int, fgetc, (sluice_FILE * stream), (stream))
SLUICE_STDIO_LOCKED_CALL(size_t, fwrite,
                         (const void* from, size_t size, size_t count, sluice_FILE* stream),
                         (from, size, count, stream))
SLUICE_STDIO_LOCKED_CALL(size_t, fread,
                         (void* into, size_t size, size_t count, sluice_FILE* stream),
                         (into, size, count, stream))
SLUICE_STDIO_LOCKED_CALL(int, fputs, (const char* text, sluice_FILE* stream), (text, stream))
SLUICE_STDIO_LOCKED_CALL(char*, fgets, (char* into, int bytes, sluice_FILE* stream),
                         (into, bytes, stream))
SLUICE_STDIO_LOCKED_CALL(ssize_t, getdelim,
                         (char** line, size_t* bytes, int delimiter, sluice_FILE* stream),
                         (line, bytes, delimiter, stream))
SLUICE_STDIO_LOCKED_CALL(ssize_t, getline, (char** line, size_t* bytes, sluice_FILE* stream),
                         (line, bytes, stream))
SLUICE_STDIO_LOCKED_CALL(int, ungetc, (int value, sluice_FILE* stream), (value, stream))
SLUICE_STDIO_LOCKED_CALL(int, getw, (sluice_FILE * stream), (stream))
SLUICE_STDIO_LOCKED_CALL(int, putw, (int value, sluice_FILE* stream), (value, stream))
SLUICE_STDIO_LOCKED_CALL(int, vfprintf,
                         (sluice_FILE * stream, const char* format, va_list arguments),
                         (stream, format, arguments))
SLUICE_STDIO_LOCKED_CALL(int, vfscanf,
                         (sluice_FILE * stream, const char* format, va_list arguments),
                         (stream, format, arguments))
SLUICE_STDIO_LOCKED_CALL(int, fseeko, (sluice_FILE * stream, int64_t offset, int whence),
                         (stream, offset, whence))
SLUICE_STDIO_LOCKED_CALL(int, fseek, (sluice_FILE * stream, long offset, int whence),
                         (stream, offset, whence))
SLUICE_STDIO_LOCKED_CALL(int64_t, ftello, (sluice_FILE * stream), (stream))
SLUICE_STDIO_LOCKED_CALL(long, ftell, (sluice_FILE * stream), (stream))
SLUICE_STDIO_LOCKED_ACT(rewind, (sluice_FILE * stream), (stream))
SLUICE_STDIO_LOCKED_CALL(int, fgetpos, (sluice_FILE * stream, sluice_fpos_t* position),
                         (stream, position))
SLUICE_STDIO_LOCKED_CALL(int, fsetpos, (sluice_FILE * stream, const sluice_fpos_t* position),
                         (stream, position))
SLUICE_STDIO_LOCKED_CALL(int, ferror, (sluice_FILE * stream), (stream))
SLUICE_STDIO_LOCKED_CALL(int, feof, (sluice_FILE * stream), (stream))
SLUICE_STDIO_LOCKED_ACT(clearerr, (sluice_FILE * stream), (stream))
SLUICE_STDIO_LOCKED_CALL(int, setvbuf, (sluice_FILE * stream, char* memory, int mode, size_t bytes),
                         (stream, memory, mode, bytes))
SLUICE_STDIO_LOCKED_ACT(setbuf, (sluice_FILE * stream, char* memory), (stream, memory))
SLUICE_STDIO_LOCKED_ACT(setbuffer, (sluice_FILE * stream, char* memory, size_t bytes),
                        (stream, memory, bytes))
SLUICE_STDIO_LOCKED_ACT(setlinebuf, (sluice_FILE * stream), (stream))

static inline int sluice_stdio_locked_fflush(sluice_FILE* stream) {
  if (!stream || SLUICE_STDIO_NEEDS_NO_LOCK(stream)) return sluice_stdio_fflush(stream);
  sluice_stdio_locked_begin(stream);
  const int result = sluice_stdio_fflush(stream);
  sluice_stdio_locked_end(stream);
  return result;
}
// As in the C library, this call takes no lock.
static inline int sluice_stdio_locked_fileno(sluice_FILE* stream) {
  return sluice_stdio_fileno(stream);
}
static inline int sluice_stdio_locked_puts(const char* text) {
  if (SLUICE_STDIO_NEEDS_NO_LOCK(sluice_stdio_streams[1])) return sluice_stdio_puts(text);
  sluice_stdio_locked_begin(sluice_stdio_streams[1]);
  const int result = sluice_stdio_puts(text);
  sluice_stdio_locked_end(sluice_stdio_streams[1]);
  return result;
}
static inline int sluice_stdio_locked_putchar(int value) {
  return sluice_stdio_locked_fputc(value, sluice_stdio_streams[1]);
}
static inline int sluice_stdio_locked_getchar(void) {
  return sluice_stdio_locked_fgetc(sluice_stdio_streams[0]);
}
static inline void sluice_stdio_locked_perror(const char* text) {
  sluice_stdio_locked_begin(sluice_stdio_streams[2]);
  sluice_stdio_perror(text);
  sluice_stdio_locked_end(sluice_stdio_streams[2]);
}
static inline int sluice_stdio_locked_vprintf(const char* format, va_list arguments) {
  return sluice_stdio_locked_vfprintf(sluice_stdio_streams[1], format, arguments);
}
static inline int sluice_stdio_locked_vscanf(const char* format, va_list arguments) {
  return sluice_stdio_locked_vfscanf(sluice_stdio_streams[0], format, arguments);
}

int sluice_stdio_locked_fprintf(sluice_FILE* stream, const char* format, ...)
    __attribute__((__format__(SLUICE_STDIO_PRINTF, 2, 3)));
int sluice_stdio_locked_printf(const char* format, ...)
    __attribute__((__format__(SLUICE_STDIO_PRINTF, 1, 2)));
int sluice_stdio_locked_fscanf(sluice_FILE* stream, const char* format, ...)
    __attribute__((__format__(SLUICE_STDIO_SCANF, 2, 3)));
int sluice_stdio_locked_scanf(const char* format, ...)
    __attribute__((__format__(SLUICE_STDIO_SCANF, 1, 2)));
int sluice_stdio_locked_print_text(sluice_FILE* stream, const char* text, size_t bytes);
int sluice_stdio_locked_print_character(sluice_FILE* stream, ...);
int sluice_stdio_locked_print_string(sluice_FILE* stream, ...);
int sluice_stdio_locked_print_line(sluice_FILE* stream, ...);

#ifdef __cplusplus
}
#endif
