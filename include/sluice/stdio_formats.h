// Calls of printf() and fprintf() whose format the compiler knows. Include sluice/stdio.h instead
// of this header.
//
// GCC replaces the C library's printf() of a plain text, "%c", "%s" or "%s\n" by a simpler call if
// it optimizes. These functions do the same for sluice's printf(). The result is the one of
// printf(), and GCC checks each format as before. Clang knows another way to do so, which is used
// for a text alone and for "%c". With that way Clang, if it optimizes, gives no warning of its
// -Wformat for a number that "%c" converts, such as 1.5. Other compilers, and calls through a
// pointer, use the functions of the library.
#pragma once

#include "sluice/stdio_stream.h"
#ifdef SLUICE_STDIO_LOCKED
#include "sluice/stdio_locked.h"
#endif

#if defined(__GNUC__) && !defined(__clang__) && defined(__OPTIMIZE__) && defined(__ELF__)

#define SLUICE_STDIO_IS_FORMAT(format, text) \
  (__builtin_constant_p(__builtin_strcmp(format, text)) && __builtin_strcmp(format, text) == 0)
// An empty text is left to the library, which tells whether the stream is open.
#define SLUICE_STDIO_IS_TEXT(format)                                                   \
  (__builtin_constant_p(!__builtin_strchr(format, '%')) &&                             \
   __builtin_constant_p(__builtin_strlen(format)) && !__builtin_strchr(format, '%') && \
   __builtin_strlen(format) - 1 < 0xffff)

// `name` is the prefix of the functions with a lock or without, and `is_free` is true if the stream
// needs no lock now.
#define SLUICE_STDIO_KNOWN_FORMAT(name, call, parameters, file, text, is_free)                 \
  extern int call##_of_any_format parameters __asm__(#call);                                   \
  extern __inline                                                                              \
      __attribute__((__always_inline__, __gnu_inline__, __artificial__,                        \
                     __format__(SLUICE_STDIO_PRINTF, text, (text) + 1))) int call parameters { \
    if (SLUICE_STDIO_IS_TEXT(format)) {                                                        \
      sluice_FILE* const known = file;                                                         \
      const size_t bytes = __builtin_strlen(format);                                           \
      if (is_free(known)) {                                                                    \
        unsigned char* const at = known->write_cursor;                                         \
        if (SLUICE_STDIO_CAST(size_t, known->write_limit - at) >= bytes) {                     \
          known->write_cursor = at + bytes;                                                    \
          __builtin_memcpy(at, format, bytes);                                                 \
          return SLUICE_STDIO_CAST(int, bytes);                                                \
        }                                                                                      \
      }                                                                                        \
      return name##print_text(known, format, bytes);                                           \
    }                                                                                          \
    if (SLUICE_STDIO_IS_FORMAT(format, "%c"))                                                  \
      return name##print_character(file, __builtin_va_arg_pack());                             \
    if (SLUICE_STDIO_IS_FORMAT(format, "%s"))                                                  \
      return name##print_string(file, __builtin_va_arg_pack());                                \
    if (SLUICE_STDIO_IS_FORMAT(format, "%s\n"))                                                \
      return name##print_line(file, __builtin_va_arg_pack());                                  \
    return SLUICE_STDIO_ANY_FORMAT_##text(call);                                               \
  }
#define SLUICE_STDIO_IS_FREE(stream) 1
#define SLUICE_STDIO_ANY_FORMAT_1(call) call##_of_any_format(format, __builtin_va_arg_pack())
#define SLUICE_STDIO_ANY_FORMAT_2(call) \
  call##_of_any_format(stream, format, __builtin_va_arg_pack())

#ifdef __cplusplus
extern "C" {
#endif

#ifdef SLUICE_STDIO_LOCKED
SLUICE_STDIO_KNOWN_FORMAT(sluice_stdio_locked_, sluice_stdio_locked_fprintf,
                          (sluice_FILE * stream, const char* format, ...), stream, 2,
                          SLUICE_STDIO_NEEDS_NO_LOCK)
SLUICE_STDIO_KNOWN_FORMAT(sluice_stdio_locked_, sluice_stdio_locked_printf,
                          (const char* format, ...), sluice_stdio_streams[1], 1,
                          SLUICE_STDIO_NEEDS_NO_LOCK)
#else
SLUICE_STDIO_KNOWN_FORMAT(sluice_stdio_, sluice_stdio_fprintf,
                          (sluice_FILE * stream, const char* format, ...), stream, 2,
                          SLUICE_STDIO_IS_FREE)
SLUICE_STDIO_KNOWN_FORMAT(sluice_stdio_, sluice_stdio_printf, (const char* format, ...),
                          sluice_stdio_streams[1], 1, SLUICE_STDIO_IS_FREE)
#endif

#ifdef __cplusplus
}
#endif

#elif defined(__clang__) && defined(__OPTIMIZE__) && defined(__ELF__)

// Clang chooses these overloads if it knows the format and the condition is true. It warns of such
// a choice, which only Clang can make, with -Wpedantic.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wgcc-compat"

#define SLUICE_STDIO_OVERLOAD __attribute__((__overloadable__, __always_inline__)) static inline int
#define SLUICE_STDIO_IF(condition) __attribute__((__enable_if__(condition, "")))
#define SLUICE_STDIO_IS_CHARACTER(format) (!__builtin_strcmp(format, "%c"))
#define SLUICE_STDIO_IS_TEXT(format) \
  (__builtin_strlen(format) - 1 < 0xffff && !__builtin_strchr(format, '%'))

#ifdef SLUICE_STDIO_LOCKED
#define SLUICE_STDIO_OF_KNOWN(name) sluice_stdio_locked_##name
#else
#define SLUICE_STDIO_OF_KNOWN(name) sluice_stdio_##name
#endif

SLUICE_STDIO_OVERLOAD SLUICE_STDIO_OF_KNOWN(fprintf)(sluice_FILE* stream, const char* format)
    SLUICE_STDIO_IF(SLUICE_STDIO_IS_TEXT(format)) {
  const size_t bytes = __builtin_strlen(format);
  const size_t written = SLUICE_STDIO_OF_KNOWN(fwrite)(format, 1, bytes, stream);
  return written == bytes ? SLUICE_STDIO_CAST(int, bytes) : -1;
}
SLUICE_STDIO_OVERLOAD SLUICE_STDIO_OF_KNOWN(fprintf)(sluice_FILE* stream, const char* format,
                                                     int value)
    SLUICE_STDIO_IF(SLUICE_STDIO_IS_CHARACTER(format)) {
  (void)format;
  return SLUICE_STDIO_OF_KNOWN(fputc)(value, stream) < 0 ? -1 : 1;
}
SLUICE_STDIO_OVERLOAD SLUICE_STDIO_OF_KNOWN(printf)(const char* format)
    SLUICE_STDIO_IF(SLUICE_STDIO_IS_TEXT(format)) {
  const size_t bytes = __builtin_strlen(format);
  const size_t written = SLUICE_STDIO_OF_KNOWN(fwrite)(format, 1, bytes, sluice_stdio_streams[1]);
  return written == bytes ? SLUICE_STDIO_CAST(int, bytes) : -1;
}
SLUICE_STDIO_OVERLOAD SLUICE_STDIO_OF_KNOWN(printf)(const char* format, int value)
    SLUICE_STDIO_IF(SLUICE_STDIO_IS_CHARACTER(format)) {
  (void)format;
  return SLUICE_STDIO_OF_KNOWN(fputc)(value, sluice_stdio_streams[1]) < 0 ? -1 : 1;
}

#pragma clang diagnostic pop

#endif
