// Facts about a file on a disk: how much of it is in the kernel's cache, and whether it has direct
// I/O.
#pragma once

#include <cstdint>
#include <string>

#include "testing/scratch_directory.h"

namespace sluice::testing {

// The bytes of the pages of the file that are in the cache. The file must belong to this user.
std::uint64_t cached_bytes(const std::string& path);

// Puts the whole file into the cache, or takes it out. The bytes must be on the disk for that.
void read_into_cache(const std::string& path);
void take_out_of_cache(const std::string& path);

// True if files in ScratchDirectory::on_disk have direct I/O, and lie on a disk.
bool disk_has_direct_io();

}  // namespace sluice::testing
