// The words in which os::SystemCalls talks to the system, and what the system can do: Linux.
#pragma once

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sys/single_threaded.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

namespace sluice::os {

using FileStat = struct stat;
using DirectoryEntry = struct dirent64;

// One system call writes several pieces of memory.
inline constexpr bool gathers = true;
// After a power cut, a new name is only safe if its directory was synced.
inline constexpr bool names_need_a_sync = true;

// False if other threads may be running.
inline bool has_one_thread() noexcept { return __libc_single_threaded; }

}  // namespace sluice::os
