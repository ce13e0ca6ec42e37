// The macros that switch C source to sluice's FILE. Include sluice/stdio.h instead of this header.
#pragma once

#include "sluice/stdio_names.h"  // SLUICE_STDIO_NAME

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
#undef fclose
#define fclose sluice_stdio_fclose
#undef pclose
#define pclose sluice_stdio_pclose
#undef fputc
#define fputc SLUICE_STDIO_NAME(fputc)
#undef fgetc
#define fgetc SLUICE_STDIO_NAME(fgetc)
#undef fwrite
#define fwrite SLUICE_STDIO_NAME(fwrite)
#undef fread
#define fread SLUICE_STDIO_NAME(fread)
#undef fputs
#define fputs SLUICE_STDIO_NAME(fputs)
#undef fgets
#define fgets SLUICE_STDIO_NAME(fgets)
#undef ungetc
#define ungetc SLUICE_STDIO_NAME(ungetc)
#undef getw
#define getw SLUICE_STDIO_NAME(getw)
#undef putw
#define putw SLUICE_STDIO_NAME(putw)
#undef vfprintf
#define vfprintf SLUICE_STDIO_NAME(vfprintf)
#undef vfscanf
#define vfscanf SLUICE_STDIO_NAME(vfscanf)
#undef fseeko
#define fseeko SLUICE_STDIO_NAME(fseeko)
#undef fseek
#define fseek SLUICE_STDIO_NAME(fseek)
#undef ftello
#define ftello SLUICE_STDIO_NAME(ftello)
#undef ftell
#define ftell SLUICE_STDIO_NAME(ftell)
#undef rewind
#define rewind SLUICE_STDIO_NAME(rewind)
#undef fgetpos
#define fgetpos SLUICE_STDIO_NAME(fgetpos)
#undef fsetpos
#define fsetpos SLUICE_STDIO_NAME(fsetpos)
#undef ferror
#define ferror SLUICE_STDIO_NAME(ferror)
#undef feof
#define feof SLUICE_STDIO_NAME(feof)
#undef clearerr
#define clearerr SLUICE_STDIO_NAME(clearerr)
#undef fileno
#define fileno SLUICE_STDIO_NAME(fileno)
#undef setvbuf
#define setvbuf SLUICE_STDIO_NAME(setvbuf)
#undef setbuf
#define setbuf SLUICE_STDIO_NAME(setbuf)
#undef fflush
#define fflush SLUICE_STDIO_NAME(fflush)
#undef puts
#define puts SLUICE_STDIO_NAME(puts)
#undef putchar
#define putchar SLUICE_STDIO_NAME(putchar)
#undef getchar
#define getchar SLUICE_STDIO_NAME(getchar)
#undef vprintf
#define vprintf SLUICE_STDIO_NAME(vprintf)
#undef vscanf
#define vscanf SLUICE_STDIO_NAME(vscanf)
#undef fprintf
#define fprintf SLUICE_STDIO_NAME(fprintf)
#undef fscanf
#define fscanf SLUICE_STDIO_NAME(fscanf)
#undef putc
#define putc SLUICE_STDIO_NAME(fputc)
#undef getc
#define getc SLUICE_STDIO_NAME(fgetc)
#undef perror
#define perror SLUICE_STDIO_NAME(perror)
#undef printf
#define printf(...) SLUICE_STDIO_NAME(printf)(__VA_ARGS__)
#undef scanf
#define scanf(...) SLUICE_STDIO_NAME(scanf)(__VA_ARGS__)

#ifndef __MINGW32__  // which has no such names, so the source may have functions of its own
#undef getdelim
#define getdelim SLUICE_STDIO_NAME(getdelim)
#undef getline
#define getline SLUICE_STDIO_NAME(getline)
#undef setbuffer
#define setbuffer SLUICE_STDIO_NAME(setbuffer)
#undef setlinebuf
#define setlinebuf SLUICE_STDIO_NAME(setlinebuf)
#undef fputc_unlocked
#define fputc_unlocked sluice_stdio_fputc
#undef fgetc_unlocked
#define fgetc_unlocked sluice_stdio_fgetc
#undef fwrite_unlocked
#define fwrite_unlocked sluice_stdio_fwrite
#undef fread_unlocked
#define fread_unlocked sluice_stdio_fread
#undef fputs_unlocked
#define fputs_unlocked sluice_stdio_fputs
#undef fgets_unlocked
#define fgets_unlocked sluice_stdio_fgets
#undef fflush_unlocked
#define fflush_unlocked sluice_stdio_fflush
#undef ferror_unlocked
#define ferror_unlocked sluice_stdio_ferror
#undef feof_unlocked
#define feof_unlocked sluice_stdio_feof
#undef clearerr_unlocked
#define clearerr_unlocked sluice_stdio_clearerr
#undef fileno_unlocked
#define fileno_unlocked sluice_stdio_fileno
#undef putchar_unlocked
#define putchar_unlocked sluice_stdio_putchar
#undef getchar_unlocked
#define getchar_unlocked sluice_stdio_getchar
#undef putc_unlocked
#define putc_unlocked sluice_stdio_fputc
#undef getc_unlocked
#define getc_unlocked sluice_stdio_fgetc
#undef flockfile
#define flockfile sluice_stdio_flockfile
#undef ftrylockfile
#define ftrylockfile sluice_stdio_ftrylockfile
#undef funlockfile
#define funlockfile sluice_stdio_funlockfile
#define __fpending sluice_stdio_fpending
#define __fpurge sluice_stdio_fpurge
#define __freading sluice_stdio_freading
#define __fwriting sluice_stdio_fwriting
#undef fopen64
#define fopen64 sluice_stdio_fopen
#undef freopen64
#define freopen64 sluice_stdio_freopen
#undef fseeko64
#define fseeko64 SLUICE_STDIO_NAME(fseeko)
#undef ftello64
#define ftello64 SLUICE_STDIO_NAME(ftello)
#undef fgetpos64
#define fgetpos64 SLUICE_STDIO_NAME(fgetpos)
#undef fsetpos64
#define fsetpos64 SLUICE_STDIO_NAME(fsetpos)
#undef tmpfile64
#define tmpfile64 sluice_stdio_tmpfile

// Headers of the system declare these functions. They are not included here, because the source may
// include them later, or may define names that they also declare. A call of one of these functions
// does not compile.
#define SLUICE_STDIO_ELSEWHERE(call)                                           \
  __attribute__((SLUICE_STDIO_UNAVAILABLE("sluice/stdio.h has no " call "(): " \
                                          "call it in a source that is not switched")))
#if __has_attribute(__unavailable__)
#define SLUICE_STDIO_UNAVAILABLE __unavailable__
#else
#define SLUICE_STDIO_UNAVAILABLE __error__
#endif
#ifndef _PWD_H
struct passwd;
struct passwd* fgetpwent(sluice_FILE_of_libraries* stream) SLUICE_STDIO_ELSEWHERE("fgetpwent");
int fgetpwent_r(sluice_FILE_of_libraries* stream, struct passwd* entry, char* memory, size_t bytes,
                struct passwd** result) SLUICE_STDIO_ELSEWHERE("fgetpwent_r");
int putpwent(const struct passwd* entry, sluice_FILE_of_libraries* stream)
    SLUICE_STDIO_ELSEWHERE("putpwent");
#endif
#ifndef _GRP_H
struct group;
struct group* fgetgrent(sluice_FILE_of_libraries* stream) SLUICE_STDIO_ELSEWHERE("fgetgrent");
int fgetgrent_r(sluice_FILE_of_libraries* stream, struct group* entry, char* memory, size_t bytes,
                struct group** result) SLUICE_STDIO_ELSEWHERE("fgetgrent_r");
int putgrent(const struct group* entry, sluice_FILE_of_libraries* stream)
    SLUICE_STDIO_ELSEWHERE("putgrent");
#endif
#ifndef _SHADOW_H
struct spwd;
struct spwd* fgetspent(sluice_FILE_of_libraries* stream) SLUICE_STDIO_ELSEWHERE("fgetspent");
int fgetspent_r(sluice_FILE_of_libraries* stream, struct spwd* entry, char* memory, size_t bytes,
                struct spwd** result) SLUICE_STDIO_ELSEWHERE("fgetspent_r");
int putspent(const struct spwd* entry, sluice_FILE_of_libraries* stream)
    SLUICE_STDIO_ELSEWHERE("putspent");
#endif
#ifndef _GSHADOW_H
struct sgrp;
struct sgrp* fgetsgent(sluice_FILE_of_libraries* stream) SLUICE_STDIO_ELSEWHERE("fgetsgent");
int fgetsgent_r(sluice_FILE_of_libraries* stream, struct sgrp* entry, char* memory, size_t bytes,
                struct sgrp** result) SLUICE_STDIO_ELSEWHERE("fgetsgent_r");
int putsgent(const struct sgrp* entry, sluice_FILE_of_libraries* stream)
    SLUICE_STDIO_ELSEWHERE("putsgent");
#endif
#ifndef _MNTENT_H
struct mntent;
sluice_FILE_of_libraries* setmntent(const char* path, const char* mode)
    SLUICE_STDIO_ELSEWHERE("setmntent");
struct mntent* getmntent(sluice_FILE_of_libraries* stream) SLUICE_STDIO_ELSEWHERE("getmntent");
struct mntent* getmntent_r(sluice_FILE_of_libraries* stream, struct mntent* entry, char* memory,
                           int bytes) SLUICE_STDIO_ELSEWHERE("getmntent_r");
int addmntent(sluice_FILE_of_libraries* stream, const struct mntent* entry)
    SLUICE_STDIO_ELSEWHERE("addmntent");
int endmntent(sluice_FILE_of_libraries* stream) SLUICE_STDIO_ELSEWHERE("endmntent");
#endif
#ifndef _MALLOC_H
int malloc_info(int options, sluice_FILE_of_libraries* stream)
    SLUICE_STDIO_ELSEWHERE("malloc_info");
#endif
#ifndef _PRINTF_H
struct printf_info;
int register_printf_function(int letter,
                             int (*print)(sluice_FILE_of_libraries*, const struct printf_info*,
                                          const void* const*),
                             int (*types)(const struct printf_info*, size_t, int*))
    SLUICE_STDIO_ELSEWHERE("register_printf_function");
int register_printf_specifier(int letter,
                              int (*print)(sluice_FILE_of_libraries*, const struct printf_info*,
                                           const void* const*),
                              int (*types)(const struct printf_info*, size_t, int*, int*))
    SLUICE_STDIO_ELSEWHERE("register_printf_specifier");
#endif
#endif
