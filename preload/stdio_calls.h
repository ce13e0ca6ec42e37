// The functions of stdio whose hooks `sluice run` and `sluice trace` generate. Each prototype is
// written only here. Each group of similar functions is a list. A macro X defines the hook for each
// entry of a list, and gets
//
//   LOCKING     whether the function takes the stream's lock
//   NAME, PARAMETERS, ARGUMENTS
//   what the hooks of this list need to know besides
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

namespace sluice::preload {

// by_call: the function takes the stream's lock. by_caller: the function takes no lock, and its
// name says so.
enum class Locking { by_call, by_caller };

}  // namespace sluice::preload

// A comma and the arguments of a call; nothing if the call has no arguments.
#define SLUICE_BEHIND(...) __VA_OPT__(, ) __VA_ARGS__

// clang-format off

// int NAME: reads a byte of STREAM.
#define SLUICE_BYTE_READS(X) \
  X(by_call, fgetc, (FILE* stream), (stream), stream) \
  X(by_call, getc, (FILE* stream), (stream), stream) \
  X(by_call, getchar, (), (), stdin) \
  X(by_caller, fgetc_unlocked, (FILE* stream), (stream), stream) \
  X(by_caller, getc_unlocked, (FILE* stream), (stream), stream) \
  X(by_caller, getchar_unlocked, (), (), stdin)

// size_t NAME: reads `count` objects of `size` bytes to `data`. MOST is the size of the memory
// there, if the function knows it.
#define SLUICE_BLOCK_READS(X) \
  X(by_call, fread, (void* data, size_t size, size_t count, FILE* stream), \
    (data, size, count, stream), SIZE_MAX) \
  X(by_caller, fread_unlocked, (void* data, size_t size, size_t count, FILE* stream), \
    (data, size, count, stream), SIZE_MAX) \
  X(by_call, __fread_chk, \
    (void* data, size_t data_bytes, size_t size, size_t count, FILE* stream), \
    (data, data_bytes, size, count, stream), data_bytes) \
  X(by_caller, __fread_unlocked_chk, \
    (void* data, size_t data_bytes, size_t size, size_t count, FILE* stream), \
    (data, data_bytes, size, count, stream), data_bytes)

// char* NAME: reads a line of at most `count` - 1 bytes. MOST is as above.
#define SLUICE_LINE_READS(X) \
  X(by_call, fgets, (char* line, int count, FILE* stream), (line, count, stream), SIZE_MAX) \
  X(by_caller, fgets_unlocked, (char* line, int count, FILE* stream), (line, count, stream), \
    SIZE_MAX) \
  X(by_call, __fgets_chk, (char* line, size_t line_bytes, int count, FILE* stream), \
    (line, line_bytes, count, stream), line_bytes) \
  X(by_caller, __fgets_unlocked_chk, (char* line, size_t line_bytes, int count, FILE* stream), \
    (line, line_bytes, count, stream), line_bytes)

// ssize_t NAME: reads to the DELIMITER, into memory that grows. glibc's headers turn getline()
// into __getdelim() in optimised programs.
#define SLUICE_DELIMITED_READS(X) \
  X(by_call, getline, (char** line, size_t* line_bytes, FILE* stream), \
    (line, line_bytes, stream), '\n') \
  X(by_call, getdelim, (char** line, size_t* line_bytes, int delimiter, FILE* stream), \
    (line, line_bytes, delimiter, stream), delimiter) \
  X(by_call, __getdelim, (char** line, size_t* line_bytes, int delimiter, FILE* stream), \
    (line, line_bytes, delimiter, stream), delimiter)

// int NAME: writes a byte to STREAM.
#define SLUICE_BYTE_WRITES(X) \
  X(by_call, fputc, (int byte, FILE* stream), (byte, stream), stream) \
  X(by_call, putc, (int byte, FILE* stream), (byte, stream), stream) \
  X(by_call, putchar, (int byte), (byte), stdout) \
  X(by_caller, fputc_unlocked, (int byte, FILE* stream), (byte, stream), stream) \
  X(by_caller, putc_unlocked, (int byte, FILE* stream), (byte, stream), stream) \
  X(by_caller, putchar_unlocked, (int byte), (byte), stdout)

// size_t NAME: writes `count` objects of `size` bytes from `data`.
#define SLUICE_BLOCK_WRITES(X) \
  X(by_call, fwrite, (const void* data, size_t size, size_t count, FILE* stream), \
    (data, size, count, stream)) \
  X(by_caller, fwrite_unlocked, (const void* data, size_t size, size_t count, FILE* stream), \
    (data, size, count, stream))

// int NAME: writes `text` to STREAM, and then so many ENDS of a line.
#define SLUICE_TEXT_WRITES(X) \
  X(by_call, puts, (const char* text), (text), stdout, 1) \
  X(by_call, fputs, (const char* text, FILE* stream), (text, stream), stream, 0) \
  X(by_caller, fputs_unlocked, (const char* text, FILE* stream), (text, stream), stream, 0)

// X gets the type of the offset, too.
#define SLUICE_SEEKS(X) \
  X(by_call, fseek, long) X(by_call, fseeko, off_t) X(by_call, fseeko64, off64_t)

#define SLUICE_STDIO_CALLS(X) \
  SLUICE_BYTE_READS(X) SLUICE_BLOCK_READS(X) SLUICE_LINE_READS(X) SLUICE_DELIMITED_READS(X) \
  SLUICE_BYTE_WRITES(X) SLUICE_BLOCK_WRITES(X) SLUICE_TEXT_WRITES(X) SLUICE_SEEKS(X)

// clang-format on

// Defines the hooks of printf or scanf and of their kin. The program gives the stream to the
// functions with an f, the others use STANDARD, and those with a v get a list. Their names begin
// with BEFORE and end with AFTER. FLAG is a parameter before the format, or nothing. The headers
// give some of these functions other names, so NAME is that of the definition. CALL(stream)
// uses `format` and `list`. Needs hook.h and <stdarg.h>.
#define SLUICE_FORMATTED(NAME, BEFORE, AFTER, FLAG, STANDARD, CALL)                        \
  SLUICE_NAMED(vf##NAME, BEFORE "vf" AFTER,                                                \
               (FILE * stream, FLAG const char* format, va_list list)) {                   \
    return CALL(stream);                                                                   \
  }                                                                                        \
  SLUICE_NAMED(v##NAME, BEFORE "v" AFTER, (FLAG const char* format, va_list list)) {       \
    return CALL(STANDARD);                                                                 \
  }                                                                                        \
  SLUICE_NAMED(f##NAME, BEFORE "f" AFTER, (FILE * stream, FLAG const char* format, ...)) { \
    SLUICE_RETURN_WITH_LIST(format, CALL(stream));                                         \
  }                                                                                        \
  SLUICE_NAMED(NAME, BEFORE AFTER, (FLAG const char* format, ...)) {                       \
    SLUICE_RETURN_WITH_LIST(format, CALL(STANDARD));                                       \
  }
#define SLUICE_NAMED(NAME, SYMBOL, PARAMETERS)     \
  SLUICE_HOOK int NAME PARAMETERS __asm__(SYMBOL); \
  SLUICE_HOOK int NAME PARAMETERS
