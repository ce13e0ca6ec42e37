#include "run/records.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "sluice/files.h"

namespace sluice::run {

RecordFolder::RecordFolder()
    : path_((std::filesystem::temp_directory_path() / "sluice-run-XXXXXX").string()) {
  if (::mkdtemp(path_.data()) == nullptr) {
    throw std::system_error(errno, std::generic_category(), "create " + path_);
  }
}

RecordFolder::~RecordFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::vector<preload::Counters> RecordFolder::read() const {
  std::vector<preload::Counters> records;
  for (const auto& entry : std::filesystem::directory_iterator(path_)) {
    preload::Counters counters;
    std::size_t got = 0;
    const MutableBytes memory(reinterpret_cast<std::byte*>(&counters), sizeof counters);
    const Status status = read_into(entry.path().string(), memory, got);
    if (!status.ok() || got < sizeof counters) continue;  // a process that was just beginning
    if (counters.format == preload::record_format) records.push_back(counters);
  }
  std::sort(records.begin(), records.end(),
            [](const auto& a, const auto& b) { return a.process < b.process; });
  return records;
}

}  // namespace sluice::run
