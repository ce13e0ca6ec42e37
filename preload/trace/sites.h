// Call sites: the places in the program's own code that calls come from.
#pragma once

#include <link.h>
#include <stdint.h>

#include "log.h"

namespace sluice::preload {

// To be called once, before the program runs: finds the program and the C and C++ libraries. Frames
// in these libraries are not call sites.
void look_at_modules();

// To be called in a forked child: its log has no sites yet.
void forget_sites();

struct Range {
  uintptr_t begin;
  uintptr_t end;
  bool contains(uintptr_t address) const { return address - begin < end - begin; }
};

// The addresses of a loaded file.
Range range_of(const dl_phdr_info& info);

// The addresses of the program's own file.
[[gnu::visibility("hidden")]] extern Range program;

// A path of this thread out of a library: where on the stack its callers' addresses are. Walking
// the stack takes longer than most calls, and a loop comes by the same paths again and again. Then
// the same addresses lie in the same places.
struct KnownPath {
  static constexpr int max_found = 4;
  const void* caller;
  const void* frame;
  const uintptr_t* places[max_found];
  uintptr_t addresses[max_found];
  int found;
  uint64_t hash;
};

struct KnownStack {
  static constexpr size_t max_paths = 32;
  Range range;  // as far as it is known
  KnownPath path[max_paths];

  KnownPath& path_of(const void* caller, const void* frame) {
    const auto hash = reinterpret_cast<uintptr_t>(caller) ^ reinterpret_cast<uintptr_t>(frame) >> 4;
    return path[(hash ^ hash >> 5) % max_paths];
  }
};

uint64_t path_from_library(const void* caller, const void* frame, KnownStack& stack);

// A number that tells call paths apart. For a call from the program's own code it is the return
// address. For a call out of a library that hides its caller, it is a hash of its callers'
// addresses on the stack above `frame`. Each page of the thread's stack that is not known is
// checked before it is read.
inline uint64_t path_of(const void* caller, const void* frame, KnownStack& stack) {
  const auto address = reinterpret_cast<uintptr_t>(caller);
  if (program.contains(address)) [[likely]]
    return address;
  return path_from_library(caller, frame, stack);
}

// Memory that is needed to find a call site.
struct Unwound {
  uint64_t frames[max_frames];
  size_t count;
};

// Gives the return addresses of the stack to keep_frame(), the innermost first, until keep_frame()
// returns false. (In trace/unwind.cc, and where glibc may be old in old_glibc.cc.)
void unwind(Unwound& room);
bool keep_frame(Unwound& room, uintptr_t address);

// The site of the present call, with its stack. The same stack gives the same site.
uint32_t site_of_this_call(Unwound& room);

// The site of a call if only its return address is known.
uint32_t site_of_address(const void* caller, Unwound& room);

}  // namespace sluice::preload
