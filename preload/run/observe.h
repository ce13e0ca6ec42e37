// Macros for calls by which somebody may look at the program's files: before the call, the bytes
// that glibc would have written by now are written.
#pragma once

#include "held.h"
#include "hook.h"
#include "real.h"

// EXCEPT is noexcept where the C library's header says so.
#define SLUICE_BY_NAME(RESULT, NAME, PARAMETERS, ARGUMENTS, EXCEPT) \
  SLUICE_HOOK RESULT NAME PARAMETERS EXCEPT {                       \
    SLUICE_REAL(NAME)                                               \
    settle_written();                                               \
    return real_function ARGUMENTS;                                 \
  }

#define SLUICE_BY_DESCRIPTOR(RESULT, NAME, PARAMETERS, ARGUMENTS, EXCEPT) \
  SLUICE_HOOK RESULT NAME PARAMETERS EXCEPT {                             \
    SLUICE_REAL(NAME)                                                     \
    settle_for(descriptor);                                               \
    return real_function ARGUMENTS;                                       \
  }
