// The calls that open a file by name. Before an object uses SLUICE_OPEN_CALLS, it defines its own
// work as SLUICE_OPENED(CALL). CALL is the program's call.
#pragma once

#include <fcntl.h>
#include <stdarg.h>

#include "fortified.h"
#include "hook.h"
#include "real.h"

#define SLUICE_OPEN(NAME)                                  \
  SLUICE_HOOK int NAME(const char* path, int flags, ...) { \
    SLUICE_MODE_OF(flags)                                  \
    SLUICE_OPENED(real().NAME(path, flags, mode));         \
  }

#define SLUICE_OPEN_AT(NAME)                                           \
  SLUICE_HOOK int NAME(int folder, const char* path, int flags, ...) { \
    SLUICE_MODE_OF(flags)                                              \
    SLUICE_OPENED(real().NAME(folder, path, flags, mode));             \
  }

// The functions that fortified programs call if they give no mode. These calls create no file.
#define SLUICE_OPEN_CHECKED(NAME) \
  SLUICE_HOOK int NAME(const char* path, int flags) { SLUICE_OPENED(real().NAME(path, flags)); }

#define SLUICE_OPEN_AT_CHECKED(NAME)                              \
  SLUICE_HOOK int NAME(int folder, const char* path, int flags) { \
    SLUICE_OPENED(real().NAME(folder, path, flags));              \
  }

#define SLUICE_CREATE(NAME) \
  SLUICE_HOOK int NAME(const char* path, mode_t mode) { SLUICE_OPENED(real().NAME(path, mode)); }

#define SLUICE_OPEN_CALLS              \
  SLUICE_OPEN(open)                    \
  SLUICE_OPEN(open64)                  \
  SLUICE_OPEN_AT(openat)               \
  SLUICE_OPEN_AT(openat64)             \
  SLUICE_OPEN_CHECKED(__open_2)        \
  SLUICE_OPEN_CHECKED(__open64_2)      \
  SLUICE_OPEN_AT_CHECKED(__openat_2)   \
  SLUICE_OPEN_AT_CHECKED(__openat64_2) \
  SLUICE_CREATE(creat)                 \
  SLUICE_CREATE(creat64)
