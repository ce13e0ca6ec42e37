#include "trace/profile/files_in_the_end.h"

#include <dirent.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>

#include "trace/costs/call_set.h"
#include "trace/profile/profile.h"

namespace sluice::trace {
using preload::Call;

namespace {

constexpr std::uint64_t many_removals = 30;

// True if a file of the same folder, with another name, is this file: it was renamed. The number of
// a file that is gone may come again, so the sizes are compared too.
bool has_another_name(const std::string& name, const preload::FileEntry& entry,
                      std::uint64_t written_bytes) {
  const std::string folder = name.substr(0, name.rfind('/') + 1);
  DIR* const names = folder.empty() ? nullptr : ::opendir(folder.c_str());
  if (names == nullptr) return false;
  bool found = false;
  while (const dirent* const one = ::readdir(names)) {
    struct stat status {};
    if (one->d_ino != entry.inode || ::stat((folder + one->d_name).c_str(), &status) != 0) continue;
    const auto bytes = static_cast<std::uint64_t>(status.st_size);
    found = found || (status.st_dev == entry.device && status.st_ino == entry.inode &&
                      (bytes == entry.size_bytes || bytes == written_bytes));
  }
  ::closedir(names);
  return found;
}

}  // namespace

void FilesInTheEnd::add(const preload::Usage& usage) {
  constexpr CallSet keeping =
      all_reads | CallSet{Call::fopen, Call::open,   Call::fclose, Call::close, Call::fstat,
                          Call::fseek, Call::ungetc, Call::lseek,  Call::ftell};
  if (usage.call == Call::unlink) removals_ += usage.slow_calls - usage.failures;
  const bool has_file = files_without_descriptor(usage.call) == nullptr;
  if (!has_file || usage.file >= preload::max_files) return;
  if (usage.file >= seen_.size()) {
    seen_.resize(usage.file + 1);
    written_bytes_.resize(usage.file + 1);
  }
  if (!all_reads.contains(usage.call)) written_bytes_[usage.file] += usage.system_bytes;
  Calls& seen = seen_[usage.file];
  if (!keeping.contains(usage.call)) seen = Calls::others;
  if (seen == Calls::none) seen = Calls::keeping_size;
}

FileInTheEnd FilesInTheEnd::of(std::uint32_t number, const std::string& name,
                               const preload::FileEntry& entry) {
  const bool is_only_read = S_ISREG(entry.kind) && entry.flags == 0;
  const bool stays_empty = number < seen_.size() && seen_[number] == Calls::keeping_size;
  const bool is_known = is_only_read && (entry.size_bytes > 0 || stays_empty);
  if (is_known && removals_ < many_removals) return {entry.size_bytes, false, false};
  struct stat status {};
  const bool is_there = ::stat(name.c_str(), &status) == 0;
  const bool same = is_there && status.st_dev == entry.device && status.st_ino == entry.inode;
  const std::int64_t bytes = same && !is_known ? status.st_size : 0;
  const bool is_gone = !is_there && errno == ENOENT;
  const bool may_be_result = is_gone && S_ISREG(entry.kind) && !is_only_read;
  const std::uint64_t written_bytes = number < seen_.size() ? written_bytes_[number] : 0;
  const bool is_renamed =
      may_be_result && searches_ > 0 && has_another_name(name, entry, written_bytes);
  if (may_be_result && searches_ > 0) --searches_;
  return {std::max(static_cast<std::uint64_t>(bytes), entry.size_bytes),
          (is_there && !is_only_read) || is_renamed, is_gone && !is_renamed};
}

}  // namespace sluice::trace
