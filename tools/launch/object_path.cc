#include "launch/object_path.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
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

// Makes a new folder. Returns "" if `parent` is not safe.
std::string make_folder(const char* parent) {
  if (parent == nullptr || *parent == '\0') return "";
  std::error_code unknown;
  const fs::path real = fs::canonical(parent, unknown);
  if (unknown || !is_plain(real.string()) || !is_guarded_up_to_root(real)) return "";
  std::string folder = (real / "sluice-XXXXXX").string();
  if (::mkdtemp(folder.data()) == nullptr) return "";
  constexpr mode_t all_may_enter = 0755;
  if (::chmod(folder.c_str(), all_may_enter) == 0) return folder;
  ::rmdir(folder.c_str());
  return "";
}

std::string make_folder_somewhere() {
  const char* const parents[] = {std::getenv("TMPDIR"), std::getenv("XDG_RUNTIME_DIR"), "/run",
                                 std::getenv("HOME")};
  for (const char* const parent : parents) {
    if (std::string folder = make_folder(parent); !folder.empty()) return folder;
  }
  return "";
}

}  // namespace

ObjectPath::ObjectPath(const std::string& file) : path_(file) {
  if (is_plain(file)) return;
  folder_ = make_folder_somewhere();
  path_ = folder_ + "/" + fs::path(file).filename().string();
  if (!folder_.empty() && ::symlink(file.c_str(), path_.c_str()) == 0) return;
  if (!folder_.empty()) ::rmdir(folder_.c_str());
  throw std::runtime_error(fmt::format(
      "{}: the loader accepts no preloaded object whose path has a colon, a space or a dollar "
      "sign, and no folder is safe for a link to it: install sluice elsewhere, or set TMPDIR to a "
      "folder in which only you can write",
      file));
}

ObjectPath::~ObjectPath() {
  if (folder_.empty()) return;
  ::unlink(path_.c_str());
  ::rmdir(folder_.c_str());
}

}  // namespace sluice
