#include "bench/free_memory.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <limits>
#include <optional>
#include <stdexcept>

#include "command_line/quantity.h"

namespace sluice::bench {
namespace {

std::uint64_t available_bytes() {
  const long pages = ::sysconf(_SC_AVPHYS_PAGES);
  const long page_bytes = ::sysconf(_SC_PAGESIZE);
  if (pages <= 0 || page_bytes <= 0) return 0;
  return static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page_bytes);
}

// The free memory and the memory that the kernel can take back from its caches.
std::optional<std::uint64_t> obtainable_bytes() {
  std::ifstream file("/proc/meminfo");
  std::uint64_t kibibytes = 0;
  for (std::string name; file >> name;) {
    if (name == "MemAvailable:" && file >> kibibytes) return kibibytes * 1024;
    file.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  }
  return std::nullopt;
}

}  // namespace

void expect_memory(std::uint64_t needed_bytes, const std::string& purpose) {
  const auto available = obtainable_bytes();
  if (!available || needed_bytes <= *available) return;
  throw std::runtime_error(
      fmt::format("{} of memory are available but {} needs {}: choose a smaller --size",
                  format_bytes(*available), purpose, format_bytes(needed_bytes)));
}

void touch_free_memory(std::uint64_t bytes) {
  const auto size = static_cast<std::size_t>(std::min(bytes, available_bytes() / 2));
  if (size == 0) return;
  void* const memory =
      ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return;
  // Asks for small pages. Huge pages would come only from the large pieces of free memory, and the
  // small pieces would stay untouched.
  ::madvise(memory, size, MADV_NOHUGEPAGE);
  ::madvise(memory, size, MADV_POPULATE_WRITE);
  ::munmap(memory, size);
}

}  // namespace sluice::bench
