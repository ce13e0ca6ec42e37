#include "run/logs.h"

#include <algorithm>
#include <string>

#include "sluice/files.h"

namespace sluice::run {

Logs read_logs(const LogFolder& folder) {
  Logs logs;
  for (const std::string& file : folder.files()) {
    preload::Counters counters;
    std::size_t got = 0;
    const MutableBytesView memory(reinterpret_cast<std::byte*>(&counters), sizeof counters);
    const Status status = read_into(file, memory, got);
    if (!status.ok()) continue;
    if (got < sizeof counters) ++logs.empty;
    if (got == sizeof counters && counters.format == preload::log_format) {
      logs.processes.push_back(counters);
    }
  }
  std::ranges::sort(logs.processes, {}, &preload::Counters::process);
  return logs;
}

}  // namespace sluice::run
