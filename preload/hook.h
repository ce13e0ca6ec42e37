// How a function of the C library is replaced.
#pragma once

// Before the definition of a function that the program is to call in the C library's place.
#define SLUICE_HOOK extern "C" __attribute__((visibility("default")))

// Defines `arguments`: `count` longs behind `last`, whether the caller gave them or not, as the C
// library itself passes them on. Needs <stdarg.h>.
#define SLUICE_LONGS_BEHIND(last, count)                            \
  long arguments[count];                                            \
  {                                                                 \
    va_list list;                                                   \
    va_start(list, last);                                           \
    for (long& argument : arguments) argument = va_arg(list, long); \
    va_end(list);                                                   \
  }

// open()'s last argument, which is there when the file may be created. Needs <stdarg.h>, <fcntl.h>.
#define SLUICE_MODE_OF(flags)                   \
  mode_t mode = 0;                              \
  if (((flags) & (O_CREAT | O_TMPFILE)) != 0) { \
    va_list list;                               \
    va_start(list, flags);                      \
    mode = va_arg(list, mode_t);                \
    va_end(list);                               \
  }
