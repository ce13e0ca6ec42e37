#include "trace/logs/sizes.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "preload/trace/sizes.h"
#include "trace/logs/sparse_file.h"

namespace sluice::trace {
namespace {

// The writes of one process, in order.
std::vector<preload::EqualWrites> writes_of(const std::string& path, std::uint64_t& lost) {
  SparseFile file;
  if (!file.read(path, sizeof(preload::SizeLog)).ok()) return {};
  const auto* const log = static_cast<const preload::SizeLog*>(file.memory());
  if (log->magic != preload::sizes_magic) return {};
  lost += log->lost;
  return {log->writes, log->writes + std::min(log->used, preload::max_equal_writes)};
}

}  // namespace

std::string sizes_in(const std::vector<std::string>& logs, std::vector<std::string>& problems) {
  std::uint64_t lost = 0;
  fmt::memory_buffer text;
  fmt::format_to(std::back_inserter(text), "# SIZE COUNT: COUNT writes of SIZE bytes each\n");
  for (const std::string& log : logs) {
    if (!log.ends_with(".sizes")) continue;
    for (const preload::EqualWrites& writes : writes_of(log, lost)) {
      if (writes.bytes > 0)
        fmt::format_to(std::back_inserter(text), "{} {}\n", writes.bytes, writes.count);
    }
  }
  if (lost > 0) {
    problems.push_back(fmt::format(
        "--sizes: {} writes are left out, because they were made at the same time as other writes, "
        "or after the size of the writes of their process had changed {} times, or because they "
        "wrote more than 4 GiB",
        lost, preload::max_equal_writes));
  }
  return fmt::to_string(text);
}

}  // namespace sluice::trace
