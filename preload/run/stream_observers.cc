// stdio itself: bytes that it writes to a pipe or a terminal tell somebody something, and it waits
// for bytes from there. The hooks do not see the system calls that glibc makes. So before a call
// that may lead to one, the program's other files are brought up to date for others.
//
// The calls that copy do this only if there is nothing to copy (before_slow_write() and similar
// functions). The calls here are never answered from the buffer.
#include <err.h>
#include <error.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <wchar.h>

#include "buffers.h"
#include "observe.h"

#define SLUICE_ON_STREAM(RESULT, NAME, PARAMETERS, ARGUMENTS) \
  SLUICE_HOOK RESULT NAME PARAMETERS {                        \
    SLUICE_REAL(NAME)                                         \
    settle_for_stream(stream);                                \
    return real_function ARGUMENTS;                           \
  }

#define SLUICE_ON_STANDARD(RESULT, NAME, PARAMETERS, ARGUMENTS, STREAM) \
  SLUICE_HOOK RESULT NAME PARAMETERS {                                  \
    SLUICE_REAL(NAME)                                                   \
    settle_for_stream(STREAM);                                          \
    return real_function ARGUMENTS;                                     \
  }

// printf(FORMAT, ...) is vprintf(FORMAT, list): NAME calls WITH_LIST with the arguments. LAST is
// the parameter before the dots.
#define SLUICE_VARIADIC(NAME, PARAMETERS, LAST, WITH_LIST, ...) \
  SLUICE_HOOK int NAME PARAMETERS {                             \
    va_list list;                                               \
    va_start(list, LAST);                                       \
    const int result = WITH_LIST(__VA_ARGS__);                  \
    va_end(list);                                               \
    return result;                                              \
  }

// The C library's headers declare these in fortified programs only, or under other names.
extern "C" {
int __vprintf_chk(int flag, const char* format, va_list list);
int __vwprintf_chk(int flag, const wchar_t* format, va_list list);
int __vfwprintf_chk(FILE* stream, int flag, const wchar_t* format, va_list list);
wchar_t* __fgetws_chk(wchar_t* line, size_t line_bytes, int count, FILE* stream);
wchar_t* __fgetws_unlocked_chk(wchar_t* line, size_t line_bytes, int count, FILE* stream);
int __isoc99_vfscanf(FILE* stream, const char* format, va_list list);
int __isoc99_vscanf(const char* format, va_list list);
int __isoc99_vfwscanf(FILE* stream, const wchar_t* format, va_list list);
int __isoc99_vwscanf(const wchar_t* format, va_list list);
int __isoc23_vfscanf(FILE* stream, const char* format, va_list list);
int __isoc23_vscanf(const char* format, va_list list);
int __isoc23_vfwscanf(FILE* stream, const wchar_t* format, va_list list);
int __isoc23_vwscanf(const wchar_t* format, va_list list);
}

namespace sluice::preload {

// ---- flushing and closing ----
SLUICE_ON_STREAM(int, fflush, (FILE * stream), (stream))
SLUICE_ON_STREAM(int, fflush_unlocked, (FILE * stream), (stream))
SLUICE_ON_STREAM(int, pclose, (FILE * stream), (stream))
SLUICE_ON_STREAM(int, __overflow, (FILE * stream, int byte), (stream, byte))
SLUICE_ON_STREAM(int, __uflow, (FILE * stream), (stream))
SLUICE_BY_NAME(int, fcloseall, (), (), )

// ---- writing ----
SLUICE_ON_STREAM(int, vfprintf, (FILE * stream, const char* format, va_list list),
                 (stream, format, list))
SLUICE_ON_STREAM(int, __vfprintf_chk, (FILE * stream, int flag, const char* format, va_list list),
                 (stream, flag, format, list))
SLUICE_ON_STANDARD(int, vprintf, (const char* format, va_list list), (format, list), stdout)
SLUICE_ON_STANDARD(int, __vprintf_chk, (int flag, const char* format, va_list list),
                   (flag, format, list), stdout)
SLUICE_VARIADIC(fprintf, (FILE * stream, const char* format, ...), format, vfprintf, stream, format,
                list)
SLUICE_VARIADIC(__fprintf_chk, (FILE * stream, int flag, const char* format, ...), format,
                __vfprintf_chk, stream, flag, format, list)
SLUICE_VARIADIC(printf, (const char* format, ...), format, vprintf, format, list)
SLUICE_VARIADIC(__printf_chk, (int flag, const char* format, ...), format, __vprintf_chk, flag,
                format, list)
SLUICE_ON_STREAM(int, vfwprintf, (FILE * stream, const wchar_t* format, va_list list),
                 (stream, format, list))
SLUICE_ON_STREAM(int, __vfwprintf_chk,
                 (FILE * stream, int flag, const wchar_t* format, va_list list),
                 (stream, flag, format, list))
SLUICE_ON_STANDARD(int, vwprintf, (const wchar_t* format, va_list list), (format, list), stdout)
SLUICE_ON_STANDARD(int, __vwprintf_chk, (int flag, const wchar_t* format, va_list list),
                   (flag, format, list), stdout)
SLUICE_VARIADIC(fwprintf, (FILE * stream, const wchar_t* format, ...), format, vfwprintf, stream,
                format, list)
SLUICE_VARIADIC(__fwprintf_chk, (FILE * stream, int flag, const wchar_t* format, ...), format,
                __vfwprintf_chk, stream, flag, format, list)
SLUICE_VARIADIC(wprintf, (const wchar_t* format, ...), format, vwprintf, format, list)
SLUICE_VARIADIC(__wprintf_chk, (int flag, const wchar_t* format, ...), format, __vwprintf_chk, flag,
                format, list)
SLUICE_ON_STREAM(int, putw, (int word, FILE* stream), (word, stream))
SLUICE_ON_STREAM(wint_t, fputwc, (wchar_t letter, FILE* stream), (letter, stream))
SLUICE_ON_STREAM(wint_t, fputwc_unlocked, (wchar_t letter, FILE* stream), (letter, stream))
SLUICE_ON_STREAM(wint_t, putwc, (wchar_t letter, FILE* stream), (letter, stream))
SLUICE_ON_STREAM(wint_t, putwc_unlocked, (wchar_t letter, FILE* stream), (letter, stream))
SLUICE_ON_STANDARD(wint_t, putwchar, (wchar_t letter), (letter), stdout)
SLUICE_ON_STANDARD(wint_t, putwchar_unlocked, (wchar_t letter), (letter), stdout)
SLUICE_ON_STREAM(int, fputws, (const wchar_t* text, FILE* stream), (text, stream))
SLUICE_ON_STREAM(int, fputws_unlocked, (const wchar_t* text, FILE* stream), (text, stream))

// ---- questions about the buffer ----
// The answer is about glibc's own buffer, which the stream gets back for good.
#define SLUICE_ABOUT_BUFFER(NAME)         \
  SLUICE_HOOK size_t NAME(FILE* stream) { \
    SLUICE_REAL(NAME)                     \
    return_to_plain_buffer(stream);       \
    return real_function(stream);         \
  }
SLUICE_ABOUT_BUFFER(__fbufsize)
SLUICE_ABOUT_BUFFER(__fpending)

// ---- messages on standard error ----
SLUICE_BY_NAME(void, perror, (const char* text), (text), )
SLUICE_BY_NAME(void, psignal, (int number, const char* text), (number, text), )
SLUICE_BY_NAME(void, psiginfo, (const siginfo_t* facts, const char* text), (facts, text), )
SLUICE_BY_NAME(void, vwarn, (const char* format, va_list list), (format, list), )
SLUICE_BY_NAME(void, vwarnx, (const char* format, va_list list), (format, list), )

#define SLUICE_LAST_MESSAGE(NAME)                                     \
  SLUICE_HOOK void NAME(int code, const char* format, va_list list) { \
    SLUICE_REAL(NAME)                                                 \
    settle_written();                                                 \
    real_function(code, format, list);                                \
    __builtin_unreachable();                                          \
  }
SLUICE_LAST_MESSAGE(verr)
SLUICE_LAST_MESSAGE(verrx)

#define SLUICE_MESSAGE(NAME, PARAMETERS, WITH_LIST, ...) \
  SLUICE_HOOK void NAME PARAMETERS {                     \
    va_list list;                                        \
    va_start(list, format);                              \
    WITH_LIST(__VA_ARGS__);                              \
    va_end(list);                                        \
  }
SLUICE_MESSAGE(warn, (const char* format, ...), vwarn, format, list)
SLUICE_MESSAGE(warnx, (const char* format, ...), vwarnx, format, list)
SLUICE_MESSAGE(err, (int code, const char* format, ...), verr, code, format, list)
SLUICE_MESSAGE(errx, (int code, const char* format, ...), verrx, code, format, list)

// There is no form of error() that takes a list.
namespace {

char* text_of(const char* format, va_list list) {
  char* text = nullptr;
  return vasprintf(&text, format, list) < 0 ? nullptr : text;
}

}  // namespace

SLUICE_HOOK void error(int status, int number, const char* format, ...) {
  SLUICE_REAL(error)
  settle_written();
  va_list list;
  va_start(list, format);
  char* const text = text_of(format, list);
  va_end(list);
  real_function(status, number, "%s", text == nullptr ? format : text);
  free(text);  // NOLINT(*-no-malloc): glibc allocated it
}

SLUICE_HOOK void error_at_line(int status, int number, const char* file, unsigned line,
                               const char* format, ...) {
  SLUICE_REAL(error_at_line)
  settle_written();
  va_list list;
  va_start(list, format);
  char* const text = text_of(format, list);
  va_end(list);
  real_function(status, number, file, line, "%s", text == nullptr ? format : text);
  free(text);  // NOLINT(*-no-malloc): glibc allocated it
}

// ---- reading ----
SLUICE_ON_STREAM(int, getw, (FILE * stream), (stream))
SLUICE_ON_STREAM(wint_t, fgetwc, (FILE * stream), (stream))
SLUICE_ON_STREAM(wint_t, fgetwc_unlocked, (FILE * stream), (stream))
SLUICE_ON_STREAM(wint_t, getwc, (FILE * stream), (stream))
SLUICE_ON_STREAM(wint_t, getwc_unlocked, (FILE * stream), (stream))
SLUICE_ON_STANDARD(wint_t, getwchar, (), (), stdin)
SLUICE_ON_STANDARD(wint_t, getwchar_unlocked, (), (), stdin)
SLUICE_ON_STREAM(wchar_t*, fgetws, (wchar_t * line, int count, FILE* stream), (line, count, stream))
SLUICE_ON_STREAM(wchar_t*, fgetws_unlocked, (wchar_t * line, int count, FILE* stream),
                 (line, count, stream))
SLUICE_ON_STREAM(wchar_t*, __fgetws_chk,
                 (wchar_t * line, size_t line_bytes, int count, FILE* stream),
                 (line, line_bytes, count, stream))
SLUICE_ON_STREAM(wchar_t*, __fgetws_unlocked_chk,
                 (wchar_t * line, size_t line_bytes, int count, FILE* stream),
                 (line, line_bytes, count, stream))

// These have other names under the standard that the program was compiled for.
#define SLUICE_SCANNING(PREFIX)                                                                   \
  SLUICE_ON_STREAM(int, PREFIX##vfscanf, (FILE * stream, const char* format, va_list list),       \
                   (stream, format, list))                                                        \
  SLUICE_ON_STANDARD(int, PREFIX##vscanf, (const char* format, va_list list), (format, list),     \
                     stdin)                                                                       \
  SLUICE_VARIADIC(PREFIX##fscanf, (FILE * stream, const char* format, ...), format,               \
                  PREFIX##vfscanf, stream, format, list)                                          \
  SLUICE_VARIADIC(PREFIX##scanf, (const char* format, ...), format, PREFIX##vscanf, format, list) \
  SLUICE_ON_STREAM(int, PREFIX##vfwscanf, (FILE * stream, const wchar_t* format, va_list list),   \
                   (stream, format, list))                                                        \
  SLUICE_ON_STANDARD(int, PREFIX##vwscanf, (const wchar_t* format, va_list list), (format, list), \
                     stdin)                                                                       \
  SLUICE_VARIADIC(PREFIX##fwscanf, (FILE * stream, const wchar_t* format, ...), format,           \
                  PREFIX##vfwscanf, stream, format, list)                                         \
  SLUICE_VARIADIC(PREFIX##wscanf, (const wchar_t* format, ...), format, PREFIX##vwscanf, format,  \
                  list)
SLUICE_SCANNING()
SLUICE_SCANNING(__isoc99_)
SLUICE_SCANNING(__isoc23_)

}  // namespace sluice::preload
