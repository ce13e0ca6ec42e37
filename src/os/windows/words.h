// The words in which os::SystemCalls talks to the system, and what the system can do: Windows.
//
// mingw-w64 has a part of the words of POSIX. The other words are here, with values of our own.
#pragma once

#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>

#ifndef ESTALE
#define ESTALE 116
#endif

inline constexpr int O_CLOEXEC = 0;  // no handle is inherited
inline constexpr int O_NOCTTY = 0;
inline constexpr int O_NONBLOCK = 0;  // no call of os::SystemCalls is refused because it would wait
inline constexpr int O_DIRECT = 0;    // no file has direct I/O
inline constexpr int O_DSYNC = 0x100000;
inline constexpr int O_DIRECTORY = 0x200000;
inline constexpr int O_NOFOLLOW = 0x400000;
inline constexpr int O_PATH = 0x800000;
inline constexpr int AT_FDCWD = -100;

inline constexpr short POLLIN = 1;
inline constexpr short POLLOUT = 4;

inline constexpr unsigned SYNC_FILE_RANGE_WAIT_BEFORE = 1;
inline constexpr unsigned SYNC_FILE_RANGE_WRITE = 2;
inline constexpr unsigned SYNC_FILE_RANGE_WAIT_AFTER = 4;
inline constexpr std::uint64_t STATX_ATTR_IMMUTABLE = 0x10;
inline constexpr std::uint64_t STATX_ATTR_APPEND = 0x20;

inline constexpr unsigned symbolic_link_mode = 0xa000;
constexpr bool S_ISLNK(unsigned mode) { return (mode & 0xf000) == symbolic_link_mode; }
constexpr bool S_ISSOCK(unsigned) { return false; }

using uid_t = unsigned;
using gid_t = unsigned;

struct iovec {
  void* iov_base;
  std::size_t iov_len;
};

namespace sluice::os {

// The facts about a file that the library asks for.
struct FileStat {
  std::uint64_t st_dev;
  std::uint64_t st_ino;
  unsigned st_mode;
  std::uint64_t st_nlink;
  unsigned st_uid;  // 0: Windows has no numbers for owners
  unsigned st_gid;
  std::int64_t st_size;
};

// A name in a directory, as SystemCalls::read_directory() gives it.
struct DirectoryEntry {
  unsigned short d_reclen;  // from this entry to the next one
  char d_name[1];           // goes on after the end of the struct, and ends with a NUL
};

// No system call writes several pieces of memory to a file that is cached.
inline constexpr bool gathers = false;
// NTFS writes the names to its journal, and writes the journal when a file is synced. It has no
// sync for a directory.
inline constexpr bool names_need_a_sync = false;

// False if other threads may be running. Windows does not tell.
inline bool has_one_thread() noexcept { return false; }

}  // namespace sluice::os
