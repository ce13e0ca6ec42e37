// How a call by which somebody may look is stood in front of: before it, what glibc would have
// written by now is written.
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
