#include "launch/io_counts.h"

#include <fmt/format.h>

#include <fstream>
#include <string>

namespace sluice {

std::optional<IoCounts> io_counts_of(pid_t process) {
  std::ifstream file(fmt::format("/proc/{}/io", process));
  IoCounts counts;
  int found = 0;
  std::string name;
  for (std::uint64_t value = 0; file >> name >> value;) {
    ++found;
    if (name == "rchar:") {
      counts.read_bytes = value;
    } else if (name == "wchar:") {
      counts.written_bytes = value;
    } else if (name == "syscr:") {
      counts.reads = value;
    } else if (name == "syscw:") {
      counts.writes = value;
    }
  }
  return found > 0 ? std::optional(counts) : std::nullopt;
}

}  // namespace sluice
