#include "trace/profile/files_in_the_end.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>

#include "trace/costs/call_set.h"
#include "trace/profile/profile.h"

namespace sluice::trace {
using preload::Call;

namespace {

constexpr std::uint64_t many_removals = 30;

}  // namespace

void FilesInTheEnd::add(const preload::Usage& usage) {
  constexpr CallSet keeping =
      all_reads | CallSet{Call::fopen, Call::open,   Call::fclose, Call::close, Call::fstat,
                          Call::fseek, Call::ungetc, Call::lseek,  Call::ftell};
  if (usage.call == Call::unlink) removals_ += usage.slow_calls - usage.failures;
  const bool has_file = files_without_descriptor(usage.call) == nullptr;
  if (!has_file || usage.file >= preload::max_files) return;
  if (usage.file >= seen_.size()) seen_.resize(usage.file + 1);
  Calls& seen = seen_[usage.file];
  if (!keeping.contains(usage.call)) seen = Calls::others;
  if (seen == Calls::none) seen = Calls::keeping_size;
}

FileInTheEnd FilesInTheEnd::of(std::uint32_t number, const std::string& name,
                               const preload::FileEntry& entry) const {
  const bool is_only_read = S_ISREG(entry.kind) && entry.flags == 0;
  const bool stays_empty = number < seen_.size() && seen_[number] == Calls::keeping_size;
  const bool is_known = is_only_read && (entry.size_bytes > 0 || stays_empty);
  if (is_known && removals_ < many_removals) return {entry.size_bytes, false, false};
  struct stat status {};
  const bool is_there = ::stat(name.c_str(), &status) == 0;
  const bool same = is_there && status.st_dev == entry.device && status.st_ino == entry.inode;
  const std::int64_t bytes = same && !is_known ? status.st_size : 0;
  return {std::max(static_cast<std::uint64_t>(bytes), entry.size_bytes), is_there && !is_only_read,
          !is_there && errno == ENOENT};
}

}  // namespace sluice::trace
