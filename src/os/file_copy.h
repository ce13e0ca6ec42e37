// What the kernel can do to copy a file without its bytes passing through this process.
//
// All of it may fail for reasons of the file systems, which differ: who calls it then reads and
// writes. A failure that is real shows there again, and says which of the two files has it.
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
  std::uint64_t bytes = 0;
  dev_t device = 0;
  ino_t inode = 0;

  bool is_same_as(const FileFacts& other) const {
    return exists && other.exists && device == other.device && inode == other.inode;
  }
};

Status find_facts(const File& file, FileFacts& facts);
Status find_facts(const std::string& path, FileFacts& facts);  // ok where there is no such file

// True when `to`, which is empty, has all bytes of `from` now and shares their place on the disk.
bool clone(const File& from, const File& to);

// Copies bytes to the same position of `to`, at most 1 GiB. 0 when the kernel cannot do it, and at
// the end.
std::uint64_t copy_range(const File& from, const File& to, std::uint64_t position,
                         std::uint64_t bytes);

struct Extent {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

// The next bytes from `position` on that are no hole; all of them, without an end, where nobody can
// tell. False where there are none: extent.end is then the end of the file.
bool find_data(const File& file, std::uint64_t position, Extent& extent);

}  // namespace sluice::os
