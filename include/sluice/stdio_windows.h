// The names of <stdio.h> that only Windows has, for a source that is switched to sluice's FILE.
// Include sluice/stdio.h instead of this header.
#pragma once

#include "sluice/stdio_names.h"  // SLUICE_STDIO_NAME
#include "sluice/stdio_stream.h"

#ifdef __MINGW32__

// The offsets of these calls have 64 bits.
#undef _fseeki64
#define _fseeki64 SLUICE_STDIO_NAME(fseeko)
#undef _ftelli64
#define _ftelli64 SLUICE_STDIO_NAME(ftello)
#undef fseeko64
#define fseeko64 SLUICE_STDIO_NAME(fseeko)
#undef ftello64
#define ftello64 SLUICE_STDIO_NAME(ftello)
#undef fgetpos64
#define fgetpos64 SLUICE_STDIO_NAME(fgetpos)
#undef fsetpos64
#define fsetpos64 SLUICE_STDIO_NAME(fsetpos)

#undef fopen64
#define fopen64 sluice_stdio_fopen
#undef _fileno
#define _fileno SLUICE_STDIO_NAME(fileno)
#undef _fdopen
#define _fdopen sluice_stdio_fdopen
#undef _popen
#define _popen sluice_stdio_popen
#undef _pclose
#define _pclose sluice_stdio_pclose
#undef _getw
#define _getw SLUICE_STDIO_NAME(getw)
#undef _putw
#define _putw SLUICE_STDIO_NAME(putw)
#undef _lock_file
#define _lock_file sluice_stdio_flockfile
#undef _unlock_file
#define _unlock_file sluice_stdio_funlockfile
#undef _fgetc_nolock
#define _fgetc_nolock sluice_stdio_fgetc
#undef _getc_nolock
#define _getc_nolock sluice_stdio_fgetc
#undef _fputc_nolock
#define _fputc_nolock sluice_stdio_fputc
#undef _putc_nolock
#define _putc_nolock sluice_stdio_fputc
#undef _getchar_nolock
#define _getchar_nolock sluice_stdio_getchar
#undef _putchar_nolock
#define _putchar_nolock sluice_stdio_putchar
#undef _ungetc_nolock
#define _ungetc_nolock sluice_stdio_ungetc
#undef _fread_nolock
#define _fread_nolock sluice_stdio_fread
#undef _fwrite_nolock
#define _fwrite_nolock sluice_stdio_fwrite
#undef _fflush_nolock
#define _fflush_nolock sluice_stdio_fflush
#undef _fclose_nolock
#define _fclose_nolock sluice_stdio_fclose
#undef _fseek_nolock
#define _fseek_nolock sluice_stdio_fseek
#undef _ftell_nolock
#define _ftell_nolock sluice_stdio_ftell
#undef _fseeki64_nolock
#define _fseeki64_nolock sluice_stdio_fseeko
#undef _ftelli64_nolock
#define _ftelli64_nolock sluice_stdio_ftello

#undef fopen_s
#define fopen_s(...) SLUICE_STDIO_REFUSED("sluice/stdio.h has no fopen_s(): use fopen()")
#undef freopen_s
#define freopen_s(...) SLUICE_STDIO_REFUSED("sluice/stdio.h has no freopen_s(): use freopen()")
#undef tmpfile_s
#define tmpfile_s(...) SLUICE_STDIO_REFUSED("sluice/stdio.h has no tmpfile_s(): use tmpfile()")
#undef _fsopen
#define _fsopen(...) \
  SLUICE_STDIO_REFUSED("sluice/stdio.h has no _fsopen(): use _sopen() and fdopen()")
#undef _wfopen
#define _wfopen(...) \
  SLUICE_STDIO_REFUSED("sluice/stdio.h has no _wfopen(): use _wopen() and fdopen()")
#undef _wfopen_s
#define _wfopen_s(...) \
  SLUICE_STDIO_REFUSED("sluice/stdio.h has no _wfopen_s(): use _wopen() and fdopen()")
#undef _wfsopen
#define _wfsopen(...) \
  SLUICE_STDIO_REFUSED("sluice/stdio.h has no _wfsopen(): use _wsopen() and fdopen()")
#undef _wfdopen
#define _wfdopen(...) SLUICE_STDIO_REFUSED("sluice/stdio.h has no _wfdopen(): use fdopen()")
#undef _wfreopen
#define _wfreopen(...) \
  SLUICE_STDIO_REFUSED("sluice/stdio.h has no _wfreopen(): use _wopen() and _dup2()")
#undef _wpopen
#define _wpopen(...) SLUICE_STDIO_REFUSED("sluice/stdio.h has no _wpopen(): use _popen()")
#undef _wperror
#define _wperror(...) SLUICE_STDIO_REFUSED("sluice/stdio.h has no _wperror(): use perror()")
#undef _fcloseall
#define _fcloseall(...) \
  SLUICE_STDIO_REFUSED("sluice/stdio.h has no _fcloseall(): call fclose() for each FILE")
#undef _flushall
#define _flushall(...) SLUICE_STDIO_REFUSED("sluice/stdio.h has no _flushall(): use fflush(NULL)")
#undef flushall
#define flushall(...) SLUICE_STDIO_REFUSED("sluice/stdio.h has no flushall(): use fflush(NULL)")
#undef _fgetchar
#define _fgetchar(...) SLUICE_STDIO_REFUSED("sluice/stdio.h has no _fgetchar(): use getchar()")
#undef fgetchar
#define fgetchar(...) SLUICE_STDIO_REFUSED("sluice/stdio.h has no fgetchar(): use getchar()")
#undef _fputchar
#define _fputchar(...) SLUICE_STDIO_REFUSED("sluice/stdio.h has no _fputchar(): use putchar()")
#undef fputchar
#define fputchar(...) SLUICE_STDIO_REFUSED("sluice/stdio.h has no fputchar(): use putchar()")
#undef gets_s
#define gets_s(...) SLUICE_STDIO_REFUSED("sluice/stdio.h has no gets_s(): use fgets()")
#undef printf_s
#define printf_s(...) SLUICE_STDIO_REFUSED("sluice/stdio.h has no printf_s(): use printf()")
#undef fprintf_s
#define fprintf_s(...) SLUICE_STDIO_REFUSED("sluice/stdio.h has no fprintf_s(): use fprintf()")
#undef vprintf_s
#define vprintf_s(...) SLUICE_STDIO_REFUSED("sluice/stdio.h has no vprintf_s(): use vprintf()")
#undef vfprintf_s
#define vfprintf_s(...) SLUICE_STDIO_REFUSED("sluice/stdio.h has no vfprintf_s(): use vfprintf()")
#undef scanf_s
#define scanf_s(...) \
  SLUICE_STDIO_REFUSED("sluice/stdio.h has no scanf_s(): use scanf() with widths")
#undef fscanf_s
#define fscanf_s(...) \
  SLUICE_STDIO_REFUSED("sluice/stdio.h has no fscanf_s(): use fscanf() with widths")
#undef _getws
#define _getws(...) \
  SLUICE_STDIO_REFUSED("sluice/stdio.h has no _getws(): use fgets() and mbsrtowcs()")
#undef _putws
#define _putws(...) \
  SLUICE_STDIO_REFUSED("sluice/stdio.h has no _putws(): use wcsrtombs() and puts()")

// A member of a class in C++ may have this name, so it is no macro.
#ifdef __cplusplus
extern "C"
#endif
    char*
    gets(char* into) __attribute__((__error__("sluice/stdio.h has no gets(): use fgets()")));

#endif
