// Macros that replace a function of the C library.
#pragma once

// Stands before the definition of a function that the program should call instead of the C
// library's.
#define SLUICE_HOOK extern "C" __attribute__((visibility("default")))

// Defines `arguments`: the `count` values of type long after the parameter `last`. Values that the
// caller has not given are undefined. The C library itself passes arguments on in this way. Needs
// <stdarg.h>.
#define SLUICE_LONGS_BEHIND(last, count)                            \
  long arguments[count];                                            \
  {                                                                 \
    va_list list;                                                   \
    va_start(list, last);                                           \
    for (long& argument : arguments) argument = va_arg(list, long); \
    va_end(list);                                                   \
  }

// Returns the value of CALL, which uses `list`: the arguments after the parameter `last`. Needs
// <stdarg.h>.
#define SLUICE_RETURN_WITH_LIST(last, CALL) \
  va_list list;                             \
  va_start(list, last);                     \
  const auto result = CALL;                 \
  va_end(list);                             \
  return result

// open()'s last argument, which exists if the call may create the file. Needs <stdarg.h>,
// <fcntl.h>.
#define SLUICE_MODE_OF(flags)                   \
  mode_t mode = 0;                              \
  if (((flags) & (O_CREAT | O_TMPFILE)) != 0) { \
    va_list list;                               \
    va_start(list, flags);                      \
    mode = va_arg(list, mode_t);                \
    va_end(list);                               \
  }
