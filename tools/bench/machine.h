// Facts about the machine that was measured.
#pragma once

#include <cstdint>
#include <string>

namespace sluice::bench {

// A fact that cannot be found out is "unknown" or 0.
struct Machine {
  std::string cpu;
  unsigned cores = 0;  // the cores that this process may use
  std::uint64_t memory_bytes = 0;
  std::string kernel;
  std::string libc;
  std::string compiler;                // the compiler of this program
  std::string transparent_huge_pages;  // "always", "madvise" or "never"
  std::string date;                    // now, in UTC: "2024-05-17T12:34:56Z"
};

Machine this_machine();

// The file system of the folder: "ext4", "tmpfs", ..., or its magic number in hexadecimal. Throws
// std::runtime_error.
std::string filesystem_of(const std::string& directory);

// "ext4" for 0xef53. ext2 and ext3 have the same magic number, and today also the same driver.
std::string filesystem_name(std::uint64_t magic);

}  // namespace sluice::bench
