// The open handles of standard output and standard error. A C program has no object with static
// lifetime, so the handles that are still open when the program ends are closed here.
#pragma once

#include <cstddef>

#include "sluice/writer.h"

namespace sluice::c {

inline constexpr std::size_t max_standard_handles = 16;  // more than a program opens at one time

// The Writer is closed when the program ends by exit(). forget() must come before the Writer is
// destroyed; it may be called with any Writer. Returns false, and does nothing, if as many handles
// are open already as have a place.
bool close_at_exit(Writer* writer) noexcept;
void forget(const Writer* writer) noexcept;

}  // namespace sluice::c
