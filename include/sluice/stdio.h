// The one-line switch: unchanged C or C++ source uses sluice's FILE instead of the C library's.
//
//   cc -include sluice/stdio.h -c old_tool.c     or, after <stdio.h>: #include "sluice/stdio.h"
//   cc -o old_tool old_tool.o -lsluice                (no C++ library is needed for this header)
//
// In the source that follows, FILE, stdin, stdout, stderr and the functions of <stdio.h> that take
// or open a FILE are sluice's. Return values, errno, ferror(), feof() and the bytes in files are as
// with the C library. These things differ:
//  - No call takes a lock, as if all calls ended in _unlocked. If threads share a FILE, define
//    SLUICE_STDIO_LOCKED before this header (in each file that uses the FILE).
//  - A file is buffered in 64 KiB. setvbuf() can ask for line buffering, for no buffering and for a
//    larger buffer. The memory that setvbuf() and setbuf() are given is not used, and a smaller
//    size than 64 KiB is ignored.
//  - fseek() and ftell() make no system call if the position is in the buffer. As POSIX allows, the
//    offset of the descriptor follows at fflush(), fclose() and exit(). (fclose() sets the offset
//    only of a stream that fdopen() has made, and of stdin.)
//  - Two sources of one program that are switched and not switched have two standard outputs, each
//    with its own buffer. So do functions of the C library that print by themselves (err, error):
//    call fflush() between them.
//
// With -include, a C source may still ask for features of the system's headers in its own lines
// (#define _GNU_SOURCE). <stdio.h> itself has all of GNU's names then, also asprintf and vasprintf.
//
// Not switched: wide characters, fopencookie, fmemopen, open_memstream and a few old calls.
// A source that uses one of these calls does not compile, and the message says what to write
// instead.
//
// Mixing: FILE is another type here. So a FILE of code that was not switched is a compile error, in
// C too (but the compiler's option -w hides this error in C). So is a call of the system's other
// functions that take a FILE (getmntent). Include the header of any other library whose functions
// take a FILE before this header: in a C program, the compiler cannot see that a function which is
// declared later was compiled with another FILE. If such a function passes sluice's FILE to glibc,
// glibc ends the program with a message.
//
// Failures: EBADF means that the FILE was closed before. EINVAL means that the mode makes no sense.
// ENOTSUP from a call that opens a FILE means that the program was compiled with the header of
// another release.
//
// exit() and a return from main() write what is buffered, after the functions of atexit(). _exit(),
// abort() and a fatal signal lose it. fork() copies the buffers: a child that calls exit() writes
// its copy, as with the C library.
//
// Portable pair: sluice_fwrite_unlocked and sluice_fread_unlocked are fwrite_unlocked and
// fread_unlocked, or _fwrite_nolock and _fread_nolock, of the C library. To have only this pair,
// define SLUICE_STDIO_PAIR_ONLY before this header.
#pragma once

// With -include, this header comes before the lines in which a C source asks for features
// (#define _GNU_SOURCE, #include "config.h"). The system's headers would then take no notice of
// these lines. So the headers below are included with all features, and the end of this header puts
// the macros back as they were. The next header of the system then reads the macros of the source.
// A C++ compiler itself asks for all features.
#if !defined(__cplusplus) && !defined(_FEATURES_H) && defined(__has_include)
#if __has_include(<features.h>)
#define SLUICE_STDIO_IS_FIRST
// The macros that ask for features, and that <features.h> sets.
// clang-format off
#define SLUICE_STDIO_EACH_FEATURE(act) \
  act(_GNU_SOURCE) act(_DEFAULT_SOURCE) act(_ATFILE_SOURCE) \
  act(_POSIX_SOURCE) act(_POSIX_C_SOURCE) \
  act(_XOPEN_SOURCE) act(_XOPEN_SOURCE_EXTENDED) \
  act(_LARGEFILE_SOURCE) act(_LARGEFILE64_SOURCE) \
  act(_DYNAMIC_STACK_SIZE_SOURCE) \
  act(_ISOC95_SOURCE) act(_ISOC99_SOURCE) act(_ISOC11_SOURCE) \
  act(_ISOC2X_SOURCE) act(_ISOC23_SOURCE) act(_ISOC2Y_SOURCE)
// clang-format on
#define SLUICE_STDIO_PRAGMA(text) _Pragma(#text)
#define SLUICE_STDIO_KEEP_FEATURE(name) SLUICE_STDIO_PRAGMA(push_macro(#name))
#define SLUICE_STDIO_RESTORE_FEATURE(name) SLUICE_STDIO_PRAGMA(pop_macro(#name))
SLUICE_STDIO_EACH_FEATURE(SLUICE_STDIO_KEEP_FEATURE)
#undef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#endif

#ifdef __cplusplus
#include <cstdarg>
#include <cstdio>
#include <cwchar>
#endif
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#if defined(_MSC_VER) || defined(__MINGW32__)
#define sluice_fwrite_unlocked _fwrite_nolock
#define sluice_fread_unlocked _fread_nolock
#elif defined(__GLIBC__)
// fwrite() of the C library without its lock.
#define sluice_fwrite_unlocked fwrite_unlocked
// fread() of the C library without its lock.
#define sluice_fread_unlocked fread_unlocked
#else
#define sluice_fwrite_unlocked fwrite
#define sluice_fread_unlocked fread
#endif

#ifndef SLUICE_STDIO_PAIR_ONLY
#include "sluice/stdio_stream.h"
#ifndef SLUICE_STDIO_KEEP_NAMES
#include "sluice/stdio_names.h"
#endif
#endif

#ifdef SLUICE_STDIO_IS_FIRST
SLUICE_STDIO_EACH_FEATURE(SLUICE_STDIO_RESTORE_FEATURE)
#undef _FEATURES_H
#endif
