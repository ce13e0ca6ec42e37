// The names of <stdio.h> for a source that is switched to sluice's FILE. Include sluice/stdio.h
// instead of this header.
#pragma once

#include "sluice/stdio_stream.h"

// These headers of the system declare functions that take the C library's FILE. A C source may
// define names that these headers also declare. So C includes only the headers above the line
// `#ifdef __cplusplus`: see stdio_macros.h.
#ifdef __has_include
#if __has_include(<wchar.h>)
#include <wchar.h>
#endif
#ifdef SLUICE_STDIO_ARGP
#include <argp.h>
#endif
#if __has_include(<stdio_ext.h>)
#include <stdio_ext.h>
#endif

#ifdef __cplusplus
#if __has_include(<pwd.h>)
#include <pwd.h>
#endif
#if __has_include(<grp.h>)
#include <grp.h>
#endif
#if __has_include(<shadow.h>)
#include <shadow.h>
#endif
#if __has_include(<gshadow.h>)
#include <gshadow.h>
#endif
#if __has_include(<mntent.h>)
#include <mntent.h>
#endif
#if __has_include(<printf.h>)
#include <printf.h>
#endif
#if __has_include(<malloc.h>)
#include <malloc.h>
#endif
#endif
#endif

#ifdef SLUICE_STDIO_LOCKED
#include "sluice/stdio_locked.h"
#define SLUICE_STDIO_NAME(name) sluice_stdio_locked_##name
#else
#define SLUICE_STDIO_NAME(name) sluice_stdio_##name
#endif
#include "sluice/stdio_formats.h"

// A library's header may come after this one, and its functions were compiled with the C library's
// FILE. So in C a FILE in a file below /usr/include or /usr/local/include, or below the folder that
// the program names, is the C library's. In C++ many libraries have inline code, which is switched,
// and the name FILE must stay one identifier for `using std::FILE`. So C++ looks only for a folder
// that the program names. C++98 cannot do that.
#if defined(__GNUC__) && !defined(__MINGW32__) && !defined(SLUICE_STDIO_LIBRARIES_SWITCHED)
#if !defined(__cplusplus) || (defined(SLUICE_STDIO_LIBRARIES_IN) && __cplusplus >= 201103L)
#define SLUICE_STDIO_TELLS_LIBRARIES
#endif
#endif

#define SLUICE_STDIO_BEGINS(file, folder) (__builtin_strncmp(file, folder, sizeof(folder) - 1) == 0)
#ifndef SLUICE_STDIO_TELLS_LIBRARIES
typedef sluice_FILE sluice_FILE_of_libraries;
#define SLUICE_STDIO_FILE sluice_FILE
#elif defined(__cplusplus)
template <bool is_in_a_library>
struct sluice_FILE_of {
  typedef sluice_FILE type;
};
template <>
struct sluice_FILE_of<true> {
  typedef FILE type;
};
namespace std {
using ::sluice_FILE_of;
}
#define SLUICE_STDIO_FILE \
  sluice_FILE_of<SLUICE_STDIO_BEGINS(__FILE__, SLUICE_STDIO_LIBRARIES_IN)>::type
#else
typedef FILE sluice_FILE_of_libraries;
#ifndef SLUICE_STDIO_LIBRARIES_IN
#define SLUICE_STDIO_LIBRARIES_IN "/usr/include/"
#endif
#define SLUICE_STDIO_IN_A_LIBRARY(file)                \
  (SLUICE_STDIO_BEGINS(file, "/usr/include/") ||       \
   SLUICE_STDIO_BEGINS(file, "/usr/local/include/") || \
   SLUICE_STDIO_BEGINS(file, SLUICE_STDIO_LIBRARIES_IN))
#define SLUICE_STDIO_FILE                                                \
  __typeof__(*__builtin_choose_expr(SLUICE_STDIO_IN_A_LIBRARY(__FILE__), \
                                    (sluice_FILE_of_libraries*)0, (sluice_FILE*)0))
#endif

#undef FILE
#undef stdin
#undef stdout
#undef stderr
#define FILE SLUICE_STDIO_FILE
#define fpos_t sluice_fpos_t
#define stdin (sluice_stdio_streams[0])
#define stdout (sluice_stdio_streams[1])
#define stderr (sluice_stdio_streams[2])

// A call without a counterpart does not compile. The compiler's message says how to change the
// source.
#define SLUICE_STDIO_MESSAGE(text) _Pragma(#text)
#define SLUICE_STDIO_REFUSED(text) SLUICE_STDIO_MESSAGE(GCC error text) 0
#undef fcloseall
#define fcloseall(...) \
  SLUICE_STDIO_REFUSED("sluice/stdio.h has no fcloseall(): call fclose() for each FILE")
#ifndef __MINGW32__  // which has no such names
#define fpos64_t sluice_fpos_t
#undef fmemopen
#define fmemopen(...) SLUICE_STDIO_REFUSED("sluice/stdio.h has no fmemopen(): use tmpfile()")
#undef open_memstream
#define open_memstream(...) \
  SLUICE_STDIO_REFUSED(     \
      "sluice/stdio.h has no open_memstream(): use tmpfile(), or vsnprintf() into your memory")
#undef open_wmemstream
#define open_wmemstream(...) \
  SLUICE_STDIO_REFUSED(      \
      "sluice/stdio.h has no open_wmemstream(): use vswprintf() into memory of your own")
#undef fopencookie
#define fopencookie(...) \
  SLUICE_STDIO_REFUSED("sluice/stdio.h has no fopencookie(): use a pipe() and fdopen()")
#undef __fbufsize
#define __fbufsize(...) \
  SLUICE_STDIO_REFUSED( \
      "sluice/stdio.h has no __fbufsize(): a buffer has 64 KiB, or what setvbuf() has asked for")
#undef __flbf
#define __flbf(...) \
  SLUICE_STDIO_REFUSED("sluice/stdio.h has no __flbf(): use isatty(fileno(stream))")
#undef __freadable
#define __freadable(...) \
  SLUICE_STDIO_REFUSED("sluice/stdio.h has no __freadable(): use fcntl(fileno(stream), F_GETFL)")
#undef __fwritable
#define __fwritable(...) \
  SLUICE_STDIO_REFUSED("sluice/stdio.h has no __fwritable(): use fcntl(fileno(stream), F_GETFL)")
#undef _flushlbf
#define _flushlbf(...) SLUICE_STDIO_REFUSED("sluice/stdio.h has no _flushlbf(): use fflush(NULL)")
#undef __fsetlocking
#define __fsetlocking(...) \
  SLUICE_STDIO_REFUSED(    \
      "sluice/stdio.h has no __fsetlocking(): define SLUICE_STDIO_LOCKED if threads share a FILE")
#undef fgetwc_unlocked
#define fgetwc_unlocked(...) \
  SLUICE_STDIO_REFUSED(      \
      "sluice/stdio.h has no fgetwc_unlocked(): use fgetc_unlocked() and mbrtowc()")
#undef getwc_unlocked
#define getwc_unlocked(...) \
  SLUICE_STDIO_REFUSED("sluice/stdio.h has no getwc_unlocked(): use getc() and mbrtowc()")
#undef getwchar_unlocked
#define getwchar_unlocked(...) \
  SLUICE_STDIO_REFUSED(        \
      "sluice/stdio.h has no getwchar_unlocked(): use getchar_unlocked() and mbrtowc()")
#undef fputwc_unlocked
#define fputwc_unlocked(...) \
  SLUICE_STDIO_REFUSED(      \
      "sluice/stdio.h has no fputwc_unlocked(): use wcrtomb() and fwrite_unlocked()")
#undef putwc_unlocked
#define putwc_unlocked(...) \
  SLUICE_STDIO_REFUSED(     \
      "sluice/stdio.h has no putwc_unlocked(): use wcrtomb() and fwrite_unlocked()")
#undef putwchar_unlocked
#define putwchar_unlocked(...) \
  SLUICE_STDIO_REFUSED(        \
      "sluice/stdio.h has no putwchar_unlocked(): use wcrtomb() and fwrite_unlocked()")
#undef fgetws_unlocked
#define fgetws_unlocked(...) \
  SLUICE_STDIO_REFUSED(      \
      "sluice/stdio.h has no fgetws_unlocked(): use fgets_unlocked() and mbsrtowcs()")
#undef fputws_unlocked
#define fputws_unlocked(...) \
  SLUICE_STDIO_REFUSED(      \
      "sluice/stdio.h has no fputws_unlocked(): use wcsrtombs() and fputs_unlocked()")
#endif
#undef fwide
#define fwide(...)      \
  SLUICE_STDIO_REFUSED( \
      "sluice/stdio.h has no fwide(): open the file in a source that is not switched")
#undef fgetwc
#define fgetwc(...) \
  SLUICE_STDIO_REFUSED("sluice/stdio.h has no fgetwc(): use fgetc() and mbrtowc()")
#undef getwc
#define getwc(...) SLUICE_STDIO_REFUSED("sluice/stdio.h has no getwc(): use getc() and mbrtowc()")
#undef getwchar
#define getwchar(...) \
  SLUICE_STDIO_REFUSED("sluice/stdio.h has no getwchar(): use getchar() and mbrtowc()")
#undef fputwc
#define fputwc(...) \
  SLUICE_STDIO_REFUSED("sluice/stdio.h has no fputwc(): use wcrtomb() and fwrite()")
#undef putwc
#define putwc(...) SLUICE_STDIO_REFUSED("sluice/stdio.h has no putwc(): use wcrtomb() and fwrite()")
#undef putwchar
#define putwchar(...) \
  SLUICE_STDIO_REFUSED("sluice/stdio.h has no putwchar(): use wcrtomb() and fwrite()")
#undef fgetws
#define fgetws(...) \
  SLUICE_STDIO_REFUSED("sluice/stdio.h has no fgetws(): use fgets() and mbsrtowcs()")
#undef fputws
#define fputws(...) \
  SLUICE_STDIO_REFUSED("sluice/stdio.h has no fputws(): use wcsrtombs() and fputs()")
#undef ungetwc
#define ungetwc(...) SLUICE_STDIO_REFUSED("sluice/stdio.h has no ungetwc(): use ungetc()")
#undef fwprintf
#define fwprintf(...) \
  SLUICE_STDIO_REFUSED("sluice/stdio.h has no fwprintf(): use fprintf() with %ls")
#undef wprintf
#define wprintf(...) SLUICE_STDIO_REFUSED("sluice/stdio.h has no wprintf(): use printf() with %ls")
#undef vfwprintf
#define vfwprintf(...) \
  SLUICE_STDIO_REFUSED("sluice/stdio.h has no vfwprintf(): use vfprintf() with %ls")
#undef vwprintf
#define vwprintf(...) \
  SLUICE_STDIO_REFUSED("sluice/stdio.h has no vwprintf(): use vprintf() with %ls")
#undef fwscanf
#define fwscanf(...) SLUICE_STDIO_REFUSED("sluice/stdio.h has no fwscanf(): use fscanf() with %ls")
#undef wscanf
#define wscanf(...) SLUICE_STDIO_REFUSED("sluice/stdio.h has no wscanf(): use scanf() with %ls")
#undef vfwscanf
#define vfwscanf(...) \
  SLUICE_STDIO_REFUSED("sluice/stdio.h has no vfwscanf(): use vfscanf() with %ls")
#undef vwscanf
#define vwscanf(...) SLUICE_STDIO_REFUSED("sluice/stdio.h has no vwscanf(): use vscanf() with %ls")

// The C library's argp uses the C library's FILE, but many programs bundle a copy of argp that is
// switched as they are. The header cannot tell the two apart, and including <argp.h> here would
// stop at a copy that expects config.h. So the linker does it: a copy is renamed where it is called
// and where it is defined, and the C library has no functions of these names.
#if !defined(_ARGP_H) && !defined(__MINGW32__)
#define argp_parse sluice_argp_parse_needs_SLUICE_STDIO_ARGP
#define argp_help sluice_argp_help_needs_SLUICE_STDIO_ARGP
#define argp_state_help sluice_argp_state_help_needs_SLUICE_STDIO_ARGP
#endif

// A class in C++ may have a member of such a name, for example `putc`, which a macro would break.
// So C++ has overloads instead of most macros.
#ifdef __cplusplus
#include "sluice/stdio_overloads.h"
#else
#include "sluice/stdio_macros.h"
#endif
#ifdef __MINGW32__
#include "sluice/stdio_windows.h"
#endif
