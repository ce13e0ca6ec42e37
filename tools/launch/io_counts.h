// What the kernel has counted of a program's reads and writes.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>

namespace sluice {

// Of a process and those of its children that it has waited for: system calls that read or write,
// and the bytes that they moved.
struct IoCounts {
  std::uint64_t reads = 0;
  std::uint64_t writes = 0;
  std::uint64_t read_bytes = 0;
  std::uint64_t written_bytes = 0;
};

// Of a process that has ended and was not yet waited for; nothing where the kernel does not count.
std::optional<IoCounts> io_counts_of(pid_t process);

}  // namespace sluice
