// Counts the calls that only look a name up: stat(), access(), and openings that fail.
#pragma once

#include <fcntl.h>

#include "account.h"

namespace sluice::preload {

struct Name {
  const char* text;
  int folder = AT_FDCWD;  // in which the call looks for it
};

// To be called when a call to open a file has failed.
void count_failed_open(const Arguments& arguments, const SlowCall& stopped, const Name& name);

// Makes the system call of statx() with these arguments.
long statx_by_number(const long* given, const void* caller, const void* frame);

}  // namespace sluice::preload
