#include "run/logs.h"

#include <algorithm>
#include <string>

#include "sluice/files.h"

namespace sluice::run {

std::vector<preload::Counters> read_logs(const LogFolder& folder) {
  std::vector<preload::Counters> logs;
  for (const std::string& file : folder.files()) {
    preload::Counters counters;
    std::size_t got = 0;
    const MutableBytesView memory(reinterpret_cast<std::byte*>(&counters), sizeof counters);
    const Status status = read_into(file, memory, got);
    if (!status.ok() || got < sizeof counters) continue;  // the process had not begun to count
    if (counters.format == preload::log_format) logs.push_back(counters);
  }
  std::sort(logs.begin(), logs.end(),
            [](const auto& a, const auto& b) { return a.process < b.process; });
  return logs;
}

}  // namespace sluice::run
