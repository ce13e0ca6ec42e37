// The kernel's counts of a program's reads and writes.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>

namespace sluice {

// The counts of a process and of those children that it has waited for: system calls that read or
// write, and the bytes that they moved.
struct IoCounts {
  std::uint64_t reads = 0;
  std::uint64_t writes = 0;
  std::uint64_t read_bytes = 0;
  std::uint64_t written_bytes = 0;
};

// Returns the counts of a process that has ended and that nobody has waited for. Returns nothing if
// the kernel does not count.
std::optional<IoCounts> io_counts_of(pid_t process);

}  // namespace sluice
