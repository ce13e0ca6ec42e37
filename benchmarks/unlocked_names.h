// The calls of stdio that glibc also has without a lock, under their usual names.
#pragma once

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <stdio.h>

#undef putc
#undef getc
#undef putchar
#undef getchar
#undef feof
#undef ferror
#undef clearerr
#define fputc fputc_unlocked
#define putc putc_unlocked
#define putchar putchar_unlocked
#define fgetc fgetc_unlocked
#define getc getc_unlocked
#define getchar getchar_unlocked
#define fwrite fwrite_unlocked
#define fread fread_unlocked
#define fputs fputs_unlocked
#define fgets fgets_unlocked
#define fflush fflush_unlocked
#define feof feof_unlocked
#define ferror ferror_unlocked
#define clearerr clearerr_unlocked
