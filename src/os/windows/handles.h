// The handles of Windows behind the descriptors of os::SystemCalls.
//
// A descriptor below first_own_descriptor belongs to the program and is the C runtime's, as
// _fileno() gives it. Every other descriptor is made of a handle that this layer has opened.
// Windows promises that handles are multiples of 4 and that 32 bits hold them. So no table of
// handles is needed, and there is no limit on their number.
#pragma once

#include "os/system_calls.h"

namespace sluice::os {

// The C runtime has at most 8192 descriptors.
inline constexpr int first_own_descriptor = 16384;

inline bool is_own(int descriptor) noexcept { return descriptor >= first_own_descriptor; }

// Null if the program has no such descriptor. Every call of Windows refuses null. Some calls take
// INVALID_HANDLE_VALUE for the process itself.
void* handle_of(int descriptor) noexcept;

// The result of a call that has opened the handle. The handle is closed if no descriptor can be
// made of it.
CallResult descriptor_of(void* handle) noexcept;

// True if reads and writes can have positions: for files on disks, not for pipes and consoles.
bool has_positions(int descriptor) noexcept;

}  // namespace sluice::os
