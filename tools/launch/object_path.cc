#include "launch/object_path.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <stdexcept>
#include <system_error>

namespace sluice {
namespace {

namespace fs = std::filesystem;

bool is_plain(const std::string& path) { return path.find_first_of(": $") == std::string::npos; }

enum class Others { may_add, may_not_add };

// True if only this user and root can rename or remove their own entries of the folder. In a sticky
// folder other users may still add entries.
bool is_guarded(const fs::path& folder, Others others) {
  struct stat status {};
  if (::lstat(folder.c_str(), &status) != 0) return false;
  const bool others_write = (status.st_mode & (S_IWGRP | S_IWOTH)) != 0;
  const bool is_sticky = (status.st_mode & S_ISVTX) != 0;
  return (status.st_uid == 0 || status.st_uid == ::geteuid()) &&
         (!others_write || (is_sticky && others == Others::may_add));
}

// Checks all folders up to the root, because a user who can rename one of them can replace our
// folder. Other users must not be able to add entries to `folder` either: processes may still use
// the link's name after the link is removed.
bool is_guarded_up_to_root(const fs::path& folder) {
  Others others = Others::may_not_add;
  for (fs::path part = folder;; part = part.parent_path()) {
    if (!is_guarded(part, others)) return false;
    if (part == part.root_path()) return true;
    others = Others::may_add;
  }
}

// Makes a new folder. False if `parent` is not safe.
bool make_folder(TemporaryFolder& folder, const char* parent) {
  if (parent == nullptr || *parent == '\0') return false;
  std::error_code unknown;
  const fs::path real = fs::canonical(parent, unknown);
  if (unknown || !is_plain(real.string()) || !is_guarded_up_to_root(real)) return false;
  return folder.make(real.string(), "sluice-link-");
}

bool make_folder_somewhere(TemporaryFolder& folder) {
  const char* const parents[] = {std::getenv("TMPDIR"), std::getenv("XDG_RUNTIME_DIR"), "/run",
                                 std::getenv("HOME")};
  return std::any_of(std::begin(parents), std::end(parents),
                     [&folder](const char* parent) { return make_folder(folder, parent); });
}

}  // namespace

ObjectPath::ObjectPath(const std::string& file) : path_(file) {
  if (is_plain(file)) return;
  constexpr mode_t all_may_enter = 0755;
  if (make_folder_somewhere(folder_)) {
    path_ = folder_.path() + "/" + fs::path(file).filename().string();
    if (::chmod(folder_.path().c_str(), all_may_enter) == 0 &&
        ::symlink(file.c_str(), path_.c_str()) == 0) {
      return;
    }
  }
  throw std::runtime_error(fmt::format(
      "{}: the loader accepts no preloaded object whose path has a colon, a space or a dollar "
      "sign, and no folder is safe for a link to it: install sluice elsewhere, or set TMPDIR to a "
      "folder in which only you can write",
      file));
}

}  // namespace sluice
