// The one-line switch: unchanged C or C++ source uses sluice's FILE instead of the C library's.
//
//   cc -include sluice/stdio.h -c old_tool.c     or, after <stdio.h>: #include "sluice/stdio.h"
//   cc -o old_tool old_tool.o -lsluice                (no C++ library is needed for this header)
//
// In the source that follows, FILE, stdin, stdout, stderr and the functions of <stdio.h> that take
// or open a FILE are sluice's. Return values, errno, ferror(), feof() and the bytes in files are as
// with the C library. These things differ:
//  - A call that reads, writes or seeks does not take the lock of its FILE, as if its name ended in
//    _unlocked. If threads share a FILE, define SLUICE_STDIO_LOCKED before this header in each file
//    that uses the FILE; with -include, by -DSLUICE_STDIO_LOCKED. fopen(), fclose(), freopen() and
//    fflush(NULL) always take the locks of the FILEs that they use.
//  - A file is buffered in 64 KiB. setvbuf() can ask for line buffering, for no buffering and for a
//    larger buffer, of at most 16 MiB. The memory that setvbuf() and setbuf() are given is not
//    used, and a smaller size than 64 KiB is ignored.
//  - fseek() and ftell() usually make no system call if the position is in the buffer. So the
//    offset of the descriptor may be another one than the position of the FILE. A seek to the
//    beginning, fflush() and exit() set the offset. fclose() sets it for stdin and for a stream
//    that fdopen() has made. If a child process is to read the descriptor after a seek to another
//    place, call fflush() before the child starts.
//  - In one program, sources that were compiled with this header and sources that were not have two
//    buffers for each standard stream, and output may come in another order: see "Two buffers".
//  - After ungetc(), fflush() sets the offset of the descriptor to the place before the byte that
//    was given back. If ungetc() was called at position 0, ftell() gives 0. With glibc, fflush()
//    can fail or go to another place, and ftell() can give -1.
//  - If another handle moves the descriptor (such as a child process that shares it) without a
//    fflush() before, ftell() may give another position than with glibc, and the stream may read
//    other bytes after a seek.
//  - After a call has found the end of the file, every call that reads gives the end again until
//    clearerr() or a seek, as C17 demands. The C library's fread() differs: it asks the file again.
//  - A socket is opened for both ways, and a call that writes follows a call that reads. If the
//    stream has bytes that the program has not read, the call that writes fails with ESPIPE. With
//    the C library that call succeeds, and fflush() fails.
//  - ungetc() fails with EBADF if its FILE was not opened for reading. The C library gives the
//    character back, although no call can read it.
//  - If a write fails, fwrite() counts only bytes that reached the file. The C library also counts
//    bytes that filled its buffer and are lost.
//  - A mode with a character set, such as "r,ccs=UTF-8", fails with EINVAL.
//  - On Windows, a ^Z in a text file is a byte like any other, and scanf() has no %ls, %lc and %m.
//  - The pipe of popen() is closed in programs that exec() starts.
//  - printf, scanf and some other names are macros with arguments. A struct member of such a name
//    is called by (o.printf)("text"). In C++, define a class with such a member after this header.
//    If a namespace `tool` has `using std::printf`, a call of tool::printf() does not compile.
//
// With -include, <stdio.h> always declares all of GNU's names, also getline, dprintf, asprintf and
// vasprintf. A source with functions of its own of these names does not compile: rename them. For
// all other headers of the system, a C source may ask for features in its own lines (#define
// _GNU_SOURCE). The compiler must know C99 or gnu89: -std=c89 refuses the // comments.
//
// In C++ most of these functions are overloads, so a program cannot take their address without a
// type: &fgetc needs a cast. fopen, fdopen, freopen, tmpfile, fclose and pclose have an address.
//
// Not switched: wide characters, fopencookie, fmemopen, open_memstream and a few old calls. A
// source that uses one of these calls does not compile, and the compiler's message says how to
// change the source.
//
// Two buffers: these parts of a program use the buffers of the C library and not those of sluice.
//  - In C++: std::cin, std::cout, std::cerr and std::clog. Before the program changes from printf()
//    to std::cout, call fflush(stdout). Before it changes back, call std::cout.flush(), or once at
//    the start std::cout << std::unitbuf. For input no call helps, because each buffer keeps what
//    it has read: use either std::cin or getchar(), scanf() and the like.
//  - Function pointers: &printf, and printf as an argument of a function, are the C library's
//    function, and (printf)() calls it. This also holds for scanf, and in C++ for puts, putchar,
//    getchar, vprintf, vscanf and perror. In C++ &fprintf, &fscanf and &fflush do not compile. Put
//    the call into a function of your own and take its address. For output, calls of fflush() do
//    not help: they flush sluice's buffer.
//  - err(), warn() and error() of the C library, and sources that are not switched. Call
//    fflush(stdout) before such a call. After it, a source that is not switched calls fflush().
//
// Mixing: sluice's FILE and the C library's FILE are two types. The compiler refuses to mix them,
// in C too, for example in a call of getmntent() (but the compiler's option -w hides this error in
// C). If a library has functions that take a FILE, the compiler refuses calls of these functions in
// three cases: if the library's header comes before this header; in C, if the library's header is
// below /usr/include or /usr/local/include; in C and C++11, if the library's header is below the
// folder that SLUICE_STDIO_LIBRARIES_IN names, such as
// -DSLUICE_STDIO_LIBRARIES_IN='"/opt/tool/include/"'. In C++ `using std::FILE` does not compile
// with this macro. If the library was itself compiled with this header, define
// SLUICE_STDIO_LIBRARIES_SWITCHED. In all other cases the compiler cannot see the mistake. If the
// library then gives sluice's FILE to glibc, most of glibc's calls end the program with a message.
// But ferror() and feof() give 0, fileno() gives -1, and flockfile() ends the program by SIGSEGV.
//
// In C, a call of a function without a declaration is an error, because the compiler cannot see
// whether the function takes a FILE. Old sources call functions of their own so: compile them with
// -DSLUICE_STDIO_IMPLICIT_CALLS. Then the compiler only warns.
//
// argp: a program that brings its own copy of argp, as many GNU programs do, needs nothing. A
// source that uses the argp of the C library does not link: the linker names SLUICE_STDIO_ARGP.
// Compile with -DSLUICE_STDIO_ARGP: then the compiler refuses the streams of argp and nothing else.
//
// Failures: EBADF means that the FILE was closed before. EINVAL means that the mode makes no sense.
// ENOTSUP from a call that opens a FILE means that the program was compiled with the header of
// another release.
//
// exit() and a return from main() write the buffered bytes, after the functions of atexit().
// _exit(), abort() and a fatal signal lose these bytes. fork() copies the buffers: a child that
// calls exit() writes its copy, as with the C library.
//
// If other threads hold the locks of streams, exit() waits for them, up to a second for all
// streams. Then exit() writes the bytes without the lock, as the C library does. A stream in which
// a thread waits for input is left alone.
//
// pthread_cancel: calls that wait are cancellation points, as in the C library. A call that is
// cancelled gives its own lock back. A lock of flockfile() stays until the program's handler calls
// funlockfile(). Part of a cancelled write may have reached a pipe or a socket, and the next flush
// writes this part again. A thread that must know what was written holds cancellation off by
// pthread_setcancelstate() before the call.
//
// Portable pair: sluice_fwrite_unlocked and sluice_fread_unlocked call the C library's functions
// without a lock: fwrite_unlocked and fread_unlocked (glibc), or _fwrite_nolock and _fread_nolock
// (Windows with the universal C runtime). With any other C library they call fwrite and fread. To
// have only this pair, define SLUICE_STDIO_PAIR_ONLY before this header.
#pragma once

// With -std=gnu89 -Wpedantic the compiler would warn of everything that these headers have from
// C99. GCC still prints one line for each header, about its comments.
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wvariadic-macros"
#ifndef __cplusplus
#pragma GCC diagnostic ignored "-Wdeclaration-after-statement"
#endif
#endif

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

// A program may have headers of its own from gnulib, which stop if the source has not included
// config.h. With these macros they pass on to the headers of the system and do nothing else.
#pragma push_macro("_GL_ALREADY_INCLUDING_STDIO_H")
#pragma push_macro("_GL_ALREADY_INCLUDING_WCHAR_H")
#undef _GL_ALREADY_INCLUDING_STDIO_H
#undef _GL_ALREADY_INCLUDING_WCHAR_H
#define _GL_ALREADY_INCLUDING_STDIO_H
#define _GL_ALREADY_INCLUDING_WCHAR_H
#ifdef __cplusplus
#include <cstdarg>
#include <cstdio>
#include <cwchar>
#endif
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

// The older C library of Windows (msvcrt) has no such functions.
#if defined(_MSC_VER) || (defined(__MINGW32__) && defined(_UCRT))
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
#ifdef _MSC_VER
#error \
    "sluice/stdio.h switches stdio on Linux, and on Windows with mingw-w64. For the portable pair \
define SLUICE_STDIO_PAIR_ONLY before this header, or use sluice/c.h instead of a FILE"
#endif
#include "sluice/stdio_stream.h"
#ifndef SLUICE_STDIO_KEEP_NAMES
#include "sluice/stdio_names.h"
#endif
#endif

#pragma pop_macro("_GL_ALREADY_INCLUDING_STDIO_H")
#pragma pop_macro("_GL_ALREADY_INCLUDING_WCHAR_H")
#ifdef SLUICE_STDIO_IS_FIRST
SLUICE_STDIO_EACH_FEATURE(SLUICE_STDIO_RESTORE_FEATURE)
#undef _FEATURES_H
#endif

#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

// In C the compiler only warns if a pointer has another type. These lines make such a warning an
// error.
#if defined(__GNUC__) && !defined(__cplusplus) && !defined(SLUICE_STDIO_PAIR_ONLY) && \
    !defined(SLUICE_STDIO_KEEP_NAMES)
#pragma GCC diagnostic error "-Wincompatible-pointer-types"
#pragma GCC diagnostic error "-Wint-conversion"
// A call without a declaration would hide what type the function expects.
#ifndef SLUICE_STDIO_IMPLICIT_CALLS
#pragma GCC diagnostic error "-Wimplicit-function-declaration"
#endif
#endif
