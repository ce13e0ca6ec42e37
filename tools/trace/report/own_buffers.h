// What a report says of work that lies between calls, in a language's own buffers or in streams in
// memory.
#pragma once

#include <string>

#include "trace/profile/profile.h"

namespace sluice::trace {

// A language may spend much time on small calls that stay in its own buffers, and a C++ program on
// streams in memory: no hook sees them.
struct OwnBuffers {
  std::string hint;  // what may save much; empty if most of the work lies elsewhere
  std::string note;  // empty if no such language worked for long
};

OwnBuffers own_buffers_of(const Profile& profile);

}  // namespace sluice::trace
