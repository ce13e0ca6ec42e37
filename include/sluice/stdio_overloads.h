// The overloads and macros that switch C++ source to sluice's FILE. Include sluice/stdio.h instead
// of this header.
#pragma once

#include "sluice/stdio_names.h"  // SLUICE_STDIO_NAME
#include "sluice/stdio_stream.h"

#ifdef __cplusplus

#undef putc
#undef getc
#undef fputc
#undef fgetc
#undef fwrite
#undef fread
#undef fputs
#undef fgets
#undef putchar
#undef getchar
#undef putc_unlocked
#undef getc_unlocked
#undef fputc_unlocked
#undef fgetc_unlocked
#undef fwrite_unlocked
#undef fread_unlocked
#undef fputs_unlocked
#undef fgets_unlocked
#undef fflush_unlocked
#undef ferror
#undef feof
#undef ferror_unlocked
#undef feof_unlocked
#undef clearerr
#undef clearerr_unlocked
#undef fileno
#undef fseeko
#undef ftello
#undef fileno_unlocked
#ifndef __MINGW32__
#undef fseeko64
#undef ftello64
#undef fgetpos64
#undef fsetpos64
#endif
static inline int fputc(int value, sluice_FILE* stream) {
  return SLUICE_STDIO_NAME(fputc)(value, stream);
}
static inline int fgetc(sluice_FILE* stream) { return SLUICE_STDIO_NAME(fgetc)(stream); }
static inline size_t fwrite(const void* from, size_t size, size_t count, sluice_FILE* stream) {
  return SLUICE_STDIO_NAME(fwrite)(from, size, count, stream);
}
static inline size_t fread(void* into, size_t size, size_t count, sluice_FILE* stream) {
  return SLUICE_STDIO_NAME(fread)(into, size, count, stream);
}
static inline int fputs(const char* text, sluice_FILE* stream) {
  return SLUICE_STDIO_NAME(fputs)(text, stream);
}
static inline char* fgets(char* into, int bytes, sluice_FILE* stream) {
  return SLUICE_STDIO_NAME(fgets)(into, bytes, stream);
}
static inline int ungetc(int value, sluice_FILE* stream) {
  return SLUICE_STDIO_NAME(ungetc)(value, stream);
}
static inline int getw(sluice_FILE* stream) { return SLUICE_STDIO_NAME(getw)(stream); }
static inline int putw(int value, sluice_FILE* stream) {
  return SLUICE_STDIO_NAME(putw)(value, stream);
}
static inline int vfprintf(sluice_FILE* stream, const char* format, va_list arguments) {
  return SLUICE_STDIO_NAME(vfprintf)(stream, format, arguments);
}
static inline int vfscanf(sluice_FILE* stream, const char* format, va_list arguments) {
  return SLUICE_STDIO_NAME(vfscanf)(stream, format, arguments);
}
static inline int fseeko(sluice_FILE* stream, int64_t offset, int whence) {
  return SLUICE_STDIO_NAME(fseeko)(stream, offset, whence);
}
static inline int fseek(sluice_FILE* stream, long offset, int whence) {
  return SLUICE_STDIO_NAME(fseek)(stream, offset, whence);
}
static inline int64_t ftello(sluice_FILE* stream) { return SLUICE_STDIO_NAME(ftello)(stream); }
static inline long ftell(sluice_FILE* stream) { return SLUICE_STDIO_NAME(ftell)(stream); }
static inline void rewind(sluice_FILE* stream) { SLUICE_STDIO_NAME(rewind)(stream); }
static inline int fgetpos(sluice_FILE* stream, sluice_fpos_t* position) {
  return SLUICE_STDIO_NAME(fgetpos)(stream, position);
}
static inline int fsetpos(sluice_FILE* stream, const sluice_fpos_t* position) {
  return SLUICE_STDIO_NAME(fsetpos)(stream, position);
}
static inline int ferror(sluice_FILE* stream) { return SLUICE_STDIO_NAME(ferror)(stream); }
static inline int feof(sluice_FILE* stream) { return SLUICE_STDIO_NAME(feof)(stream); }
static inline void clearerr(sluice_FILE* stream) { SLUICE_STDIO_NAME(clearerr)(stream); }
static inline int fileno(sluice_FILE* stream) { return SLUICE_STDIO_NAME(fileno)(stream); }
static inline int setvbuf(sluice_FILE* stream, char* memory, int mode, size_t bytes) {
  return SLUICE_STDIO_NAME(setvbuf)(stream, memory, mode, bytes);
}
static inline void setbuf(sluice_FILE* stream, char* memory) {
  SLUICE_STDIO_NAME(setbuf)(stream, memory);
}
static inline int putc(int value, sluice_FILE* stream) {
  return SLUICE_STDIO_NAME(fputc)(value, stream);
}
static inline int getc(sluice_FILE* stream) { return SLUICE_STDIO_NAME(fgetc)(stream); }
#ifndef __MINGW32__  // which has no such names, so the source may have functions of its own
static inline ssize_t getdelim(char** line, size_t* bytes, int delimiter, sluice_FILE* stream) {
  return SLUICE_STDIO_NAME(getdelim)(line, bytes, delimiter, stream);
}
static inline ssize_t getline(char** line, size_t* bytes, sluice_FILE* stream) {
  return SLUICE_STDIO_NAME(getline)(line, bytes, stream);
}
static inline void setbuffer(sluice_FILE* stream, char* memory, size_t bytes) {
  SLUICE_STDIO_NAME(setbuffer)(stream, memory, bytes);
}
static inline void setlinebuf(sluice_FILE* stream) { SLUICE_STDIO_NAME(setlinebuf)(stream); }
static inline int putc_unlocked(int value, sluice_FILE* stream) {
  return sluice_stdio_fputc(value, stream);
}
static inline int fputc_unlocked(int value, sluice_FILE* stream) {
  return sluice_stdio_fputc(value, stream);
}
static inline int getc_unlocked(sluice_FILE* stream) { return sluice_stdio_fgetc(stream); }
static inline int fgetc_unlocked(sluice_FILE* stream) { return sluice_stdio_fgetc(stream); }
static inline size_t fwrite_unlocked(const void* from, size_t size, size_t count,
                                     sluice_FILE* stream) {
  return sluice_stdio_fwrite(from, size, count, stream);
}
static inline size_t fread_unlocked(void* into, size_t size, size_t count, sluice_FILE* stream) {
  return sluice_stdio_fread(into, size, count, stream);
}
static inline int fputs_unlocked(const char* text, sluice_FILE* stream) {
  return sluice_stdio_fputs(text, stream);
}
static inline char* fgets_unlocked(char* into, int bytes, sluice_FILE* stream) {
  return sluice_stdio_fgets(into, bytes, stream);
}
static inline int ferror_unlocked(sluice_FILE* stream) { return sluice_stdio_ferror(stream); }
static inline int feof_unlocked(sluice_FILE* stream) { return sluice_stdio_feof(stream); }
static inline void clearerr_unlocked(sluice_FILE* stream) { sluice_stdio_clearerr(stream); }
static inline int fileno_unlocked(sluice_FILE* stream) { return sluice_stdio_fileno(stream); }
static inline void flockfile(sluice_FILE* stream) { sluice_stdio_flockfile(stream); }
static inline int ftrylockfile(sluice_FILE* stream) { return sluice_stdio_ftrylockfile(stream); }
static inline void funlockfile(sluice_FILE* stream) { sluice_stdio_funlockfile(stream); }
static inline int fseeko64(sluice_FILE* stream, int64_t offset, int whence) {
  return SLUICE_STDIO_NAME(fseeko)(stream, offset, whence);
}
static inline int64_t ftello64(sluice_FILE* stream) { return SLUICE_STDIO_NAME(ftello)(stream); }
static inline int fgetpos64(sluice_FILE* stream, sluice_fpos_t* position) {
  return SLUICE_STDIO_NAME(fgetpos)(stream, position);
}
static inline int fsetpos64(sluice_FILE* stream, const sluice_fpos_t* position) {
  return SLUICE_STDIO_NAME(fsetpos)(stream, position);
}
static inline size_t __fpending(sluice_FILE* stream) { return sluice_stdio_fpending(stream); }
static inline void __fpurge(sluice_FILE* stream) { sluice_stdio_fpurge(stream); }
static inline int __freading(sluice_FILE* stream) { return sluice_stdio_freading(stream); }
static inline int __fwriting(sluice_FILE* stream) { return sluice_stdio_fwriting(stream); }
#endif

// Programs take the address of fclose and pclose, as in decltype(&fclose), which an overload does
// not allow. So these are macros.
#undef fclose
#define fclose sluice_stdio_fclose
#undef pclose
#define pclose sluice_stdio_pclose

// In a variadic overload the compiler could not check the format. So the calls that print and scan
// are macros.

#undef fopen
#define fopen sluice_stdio_fopen
#undef fdopen
#define fdopen sluice_stdio_fdopen
#undef freopen
#define freopen sluice_stdio_freopen
#undef tmpfile
#define tmpfile sluice_stdio_tmpfile
#undef popen
#define popen sluice_stdio_popen
#undef fprintf
#define fprintf(...) SLUICE_STDIO_NAME(fprintf)(__VA_ARGS__)
#undef fscanf
#define fscanf(...) SLUICE_STDIO_NAME(fscanf)(__VA_ARGS__)
#undef printf
#define printf(...) SLUICE_STDIO_NAME(printf)(__VA_ARGS__)
#undef scanf
#define scanf(...) SLUICE_STDIO_NAME(scanf)(__VA_ARGS__)
#undef vprintf
#define vprintf(...) SLUICE_STDIO_NAME(vprintf)(__VA_ARGS__)
#undef vscanf
#define vscanf(...) SLUICE_STDIO_NAME(vscanf)(__VA_ARGS__)
#undef puts
#define puts(...) SLUICE_STDIO_NAME(puts)(__VA_ARGS__)
#undef putchar
#define putchar(...) SLUICE_STDIO_NAME(putchar)(__VA_ARGS__)
#undef getchar
#define getchar(...) SLUICE_STDIO_NAME(getchar)(__VA_ARGS__)
#undef fflush
#define fflush(...) SLUICE_STDIO_NAME(fflush)(__VA_ARGS__)
#undef perror
#define perror(...) SLUICE_STDIO_NAME(perror)(__VA_ARGS__)
#ifndef __MINGW32__
#undef fopen64
#define fopen64 sluice_stdio_fopen
#undef freopen64
#define freopen64 sluice_stdio_freopen
#undef tmpfile64
#define tmpfile64 sluice_stdio_tmpfile
#define putchar_unlocked(...) sluice_stdio_putchar(__VA_ARGS__)
#define getchar_unlocked(...) sluice_stdio_getchar(__VA_ARGS__)
#define fflush_unlocked(...) sluice_stdio_fflush(__VA_ARGS__)
#endif

namespace std {
using ::clearerr;
using ::feof;
using ::ferror;
using ::fgetc;
using ::fgetpos;
using ::fgets;
using ::fputc;
using ::fputs;
using ::fread;
using ::fseek;
using ::fsetpos;
using ::ftell;
using ::fwrite;
using ::getc;
using ::putc;
using ::rewind;
using ::setbuf;
using ::setvbuf;
using ::sluice_FILE;
using ::sluice_fpos_t;
using ::sluice_stdio_fclose;
using ::sluice_stdio_fdopen;
using ::sluice_stdio_fflush;
using ::sluice_stdio_fopen;
using ::sluice_stdio_fprintf;
using ::sluice_stdio_freopen;
using ::sluice_stdio_fscanf;
using ::sluice_stdio_getchar;
using ::sluice_stdio_perror;
using ::sluice_stdio_printf;
using ::sluice_stdio_putchar;
using ::sluice_stdio_puts;
using ::sluice_stdio_scanf;
using ::sluice_stdio_tmpfile;
using ::sluice_stdio_vprintf;
using ::sluice_stdio_vscanf;
using ::ungetc;
using ::vfprintf;
using ::vfscanf;
#ifdef SLUICE_STDIO_LOCKED
using ::sluice_stdio_locked_fflush;
using ::sluice_stdio_locked_fprintf;
using ::sluice_stdio_locked_fscanf;
using ::sluice_stdio_locked_getchar;
using ::sluice_stdio_locked_perror;
using ::sluice_stdio_locked_printf;
using ::sluice_stdio_locked_putchar;
using ::sluice_stdio_locked_puts;
using ::sluice_stdio_locked_scanf;
using ::sluice_stdio_locked_vprintf;
using ::sluice_stdio_locked_vscanf;
#endif
}  // namespace std

#endif
