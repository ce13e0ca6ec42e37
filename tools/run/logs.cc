#include "run/logs.h"

#include <algorithm>
#include <set>
#include <string>

#include "sluice/files.h"

namespace sluice::run {
namespace {

// "/folder/1234.0.counters" is of process 1234.
std::string process_of(const std::string& file) {
  const std::size_t begin = file.rfind('/') + 1;
  return file.substr(begin, file.find('.', begin) - begin);
}

}  // namespace

Logs read_logs(const LogFolder& folder) {
  Logs logs;
  std::set<std::string> empty;  // a process may become several programs
  for (const std::string& file : folder.files()) {
    preload::Counters counters;
    std::size_t got = 0;
    const MutableBytesView memory(reinterpret_cast<std::byte*>(&counters), sizeof counters);
    const Status status = read_into(file, memory, got);
    if (!status.ok()) continue;
    if (got < sizeof counters) empty.insert(process_of(file));
    if (got == sizeof counters && counters.format == preload::log_format) {
      logs.processes.push_back(counters);
    }
  }
  logs.empty = empty.size();
  std::ranges::sort(logs.processes, {}, &preload::Counters::process);
  return logs;
}

}  // namespace sluice::run
