// Call sites: the places in the program's own code that calls come from.
#pragma once

#include <stdint.h>

#include "hook.h"
#include "log.h"
#include "range.h"

namespace sluice::preload {

// To be called once, before the program runs: finds the program and the C and C++ libraries. Frames
// in these libraries are not call sites.
void look_at_modules();

// To be called in a forked child: its log has no sites yet.
void forget_sites();

// The code of the program's own file.
[[gnu::visibility("hidden")]] extern Range program;

// Where the addresses of a library's callers lie on this thread's stack. Walking the stack takes
// longer than most calls. But a library that comes to its call in the same frame mostly comes by
// frames of the same sizes.
struct KnownPlaces {
  static constexpr size_t most = 4;
  Caller caller;
  const uintptr_t* place[most];

  // The path, if the call comes by these frames.
  uint64_t path() const {
    auto hash = reinterpret_cast<uint64_t>(caller.address);
    for (const uintptr_t* const address : place) hash = (hash << 23 | hash >> 41) + *address;
    return hash;
  }
};

struct KnownStack {
  static constexpr int bits = 5;
  static constexpr size_t ways = 4;
  Range range;  // as far as it is known
  uint32_t added;
  KnownPlaces places[1 << bits][ways];

  // For calls out of a library. Callers lie near each other, and so do frames: their sum alone is
  // the same for many of them.
  KnownPlaces (&places_of(Caller caller))[ways] {
    const auto both =
        reinterpret_cast<uint64_t>(caller.address) ^ reinterpret_cast<uint64_t>(caller.frame) << 13;
    return places[both * 0x9E3779B97F4A7C15 >> (64 - bits)];
  }
};

// A number that tells call paths apart. For a call from the program's own code it is the return
// address. For a call out of a library that hides its caller, it is a hash of its callers'
// addresses on the stack above the frame. Each page of the thread's stack that is not known is
// checked before it is read.
uint64_t path_of(Caller caller, KnownStack& stack);

// Memory that is needed to find a call site.
struct Unwound {
  uint64_t frames[max_frames];
  size_t count;
};

// Gives the return addresses of the stack to keep_frame(), the innermost first, until keep_frame()
// returns false. (In unwind.cc, and where glibc may be old in old_unwind.cc.)
void unwind(Unwound& room);
bool keep_frame(Unwound& room, uintptr_t address);

// The site of the present call, with its stack, or with its caller alone if the stack may not be
// unwound. The same stack gives the same site.
uint32_t site_of_this_call(Caller caller, bool may_unwind, Unwound& room);

// True if the address lies in this object.
bool is_own(const void* address);

}  // namespace sluice::preload
