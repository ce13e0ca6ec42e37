// Copying a file by the kernel, without its bytes passing through this process.
//
// Every call may fail for reasons that depend on the file systems. The caller then reads and writes
// the bytes itself. A real failure then happens again, and its message names the file that has it.
#pragma once

#include <cstdint>
#include <string>

#include "os/file.h"
#include "sluice/status.h"

namespace sluice::os {

struct FileFacts {
  bool exists = false;
  bool is_regular = false;
  unsigned permissions = 0;  // without the set-id and sticky bits
  std::uint64_t device = 0;
  std::uint64_t inode = 0;

  bool is_same_as(const FileFacts& other) const {
    return exists && other.exists && device == other.device && inode == other.inode;
  }
};

Status find_facts(const File& file, FileFacts& facts);
Status find_facts(const std::string& path, FileFacts& facts);  // ok if there is no such file

// Makes `to`, which is empty, share all bytes of `from` on the disk. Returns false if this fails.
bool clone(const File& from, const File& to);

// Copies bytes to the same position of `to`, at most 1 GiB, and returns their number. Returns 0 if
// the kernel cannot copy them, and at the end.
std::uint64_t copy_range(const File& from, const File& to, std::uint64_t position,
                         std::uint64_t bytes);

struct Extent {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

// Finds the next bytes from `position` on that are not in a hole. If the file system does not know
// holes, `extent` has all bytes from `position` on, without an end. Returns false if there are no
// such bytes: extent.end is then the end of the file.
bool find_data(const File& file, std::uint64_t position, Extent& extent);

}  // namespace sluice::os
