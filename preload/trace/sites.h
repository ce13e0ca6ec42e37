// Call sites: where in the program's own code a call comes from.
#pragma once

#include <stdint.h>

#include "log.h"

namespace sluice::preload {

// Remembers what is loaded, and that frames in the C and C++ libraries are nobody's call sites.
void remember_modules();

struct Range {
  uintptr_t begin;
  uintptr_t end;
  bool contains(uintptr_t address) const { return address - begin < end - begin; }
};

// The addresses of the program's own file.
[[gnu::visibility("hidden")]] extern Range program;

uint64_t path_from_library(const void* caller, const void* frame, const Range& stack);

// The call comes out of this object itself: it is not the program's.
bool is_own(const void* caller);

// A number that tells call paths apart. For a call from the program's own code it is the return
// address; for one out of a library that hides who called it, a hash of the addresses of the
// program that lie on the stack above `frame`. `stack` is what is known to be the thread's stack;
// elsewhere each page is asked for before it is looked at.
inline uint64_t path_of(const void* caller, const void* frame, const Range& stack) {
  const auto address = reinterpret_cast<uintptr_t>(caller);
  if (program.contains(address)) [[likely]]
    return address;
  return path_from_library(caller, frame, stack);
}

// Room for what a call site is found by.
struct Unwound {
  void* stack[max_frames + 8];
  uint64_t frames[max_frames];
};

// The site of the call that is being made, with its stack; the same stack gives the same site.
uint32_t site_of_this_call(Unwound& room);

// The site of a call of which no more is known than where it returns to.
uint32_t site_of_address(const void* caller, Unwound& room);

}  // namespace sluice::preload
