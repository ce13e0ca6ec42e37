// What a report says of languages that have buffers of their own.
#pragma once

#include <string>

#include "trace/profile/profile.h"

namespace sluice::trace {

// A language may spend much time on small calls that stay in its own buffers: no hook sees them. If
// such a language worked for long, the text says so, and names the file, if there is one, between
// whose reads it did most of its work. Empty if no such language worked for long.
std::string own_buffers_text(const Profile& profile);

}  // namespace sluice::trace
