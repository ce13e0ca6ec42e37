#include "backend/target.h"

#include <cerrno>
#include <string_view>
#include <utility>

#include "os/failed_call.h"

namespace sluice {
namespace {

constexpr int max_links = 40;  // the kernel's own limit

// Fails as the kernel does for names under which no file can be created.
Status check_name(const std::string& name, const std::string& path) {
  if (path.empty()) return Status::failure(Operation::open, path, ENOENT);
  if (name.empty() || name == "." || name == "..") {
    return Status::failure(Operation::open, path, EISDIR);
  }
  return {};
}

// One step: opens the directory of `leads_to`, relative to the present directory, and looks the
// name up. To follow a link, a directory that may only be searched is enough. `readable` then gets
// the failure to open it for reading.
Status step(const std::string& leads_to, const std::string& path, Target& target, bool first,
            Status& readable) {
  auto [folder, name] = os::split_path(leads_to);
  if (Status status = check_name(name, path); !status.ok()) return status;
  const os::Directory* const from = first ? nullptr : &target.directory;
  os::Directory next;
  readable = os::Directory::open(from, folder, path, next);
  Status status = readable;
  if (status.code().value() == EACCES) {
    status = os::Directory::open_for_search(from, folder, path, next);
  }
  if (!status.ok()) return status;
  target.directory = std::move(next);
  target.name = std::move(name);
  return target.directory.look_up(target.name, target.old);
}

Status check_replaceable(Operation during, const std::string& path, const os::Entry& old) {
  using Kind = os::Entry::Kind;
  if (old.kind == Kind::directory) return Status::failure(during, path, EISDIR);
  if (old.kind == Kind::other) {
    return Status::failure(during, path, EINVAL, std::nullopt,
                           "it is no regular file, and only a regular file can be replaced");
  }
  if (old.kind == Kind::regular && old.links > 1) {
    return Status::failure(during, path, EMLINK, std::nullopt,
                           "it has " + std::to_string(old.links) +
                               " names (hard links), and the other names would keep the old bytes");
  }
  return {};
}

// Refuses a file or directory that chattr has fixed. Without this check only the rename would fail,
// after everything is written. In an append-only directory the temporary file would also stay,
// because no name can be removed there.
Status refuse_fixed(const std::string& path, const Target& target) {
  const auto refused = [&path](std::string_view what, std::string_view how) {
    const std::string reason = std::string(what) + std::string(how) + " (chattr)";
    return Status::failure(Operation::open, path, EPERM, std::nullopt,
                           reason + ": it cannot be replaced");
  };
  const std::string_view directory = os::fixed_as(target.directory.file());
  if (!directory.empty()) return refused("its directory is ", directory);
  if (!target.old.exists()) return {};
  const std::string_view old = os::fixed_as(target.old.file);
  return old.empty() ? Status() : refused("it is ", old);
}

// `target.old` is known even if the directory is refused because it cannot be read.
Status find_name(const std::string& path, LastLink last_link, Target& target) {
  if (Status status = os::check_path(Operation::open, path); !status.ok()) return status;
  std::string leads_to = path;
  Status readable;
  for (int links = 0; links <= max_links; ++links) {
    Status status = step(leads_to, path, target, links == 0, readable);
    if (!status.ok()) return status;
    if (target.old.kind != os::Entry::Kind::symbolic_link || last_link == LastLink::kept) {
      return links == 0 || !readable.ok() ? readable : os::expect_at(path, target.old);
    }
    status = target.directory.read_link(target.old, leads_to);
    if (!status.ok()) return status;
  }
  return Status::failure(Operation::open, path, ELOOP);
}

}  // namespace

Status expect_durable_name(const std::string& path, LastLink last_link) {
  Target target;
  Status status = find_name(path, last_link, target);
  if (status.ok()) return target.directory.close();
  if (status.code().value() != EACCES) return status;
  if (target.old.exists()) return {};
  return os::failed_call(Operation::open, path, EACCES,
                         {"its directory cannot be opened, so its name cannot be made durable"});
}

Status find_target(const std::string& path, Target& target) {
  if (Status status = find_name(path, LastLink::followed, target); !status.ok()) return status;
  Status status = check_replaceable(Operation::open, path, target.old);
  return status.ok() ? refuse_fixed(path, target) : status;
}

Status look_again(Target& target) {
  const std::string& path = target.directory.path();
  os::Entry now;
  if (Status status = target.directory.look_up(target.name, now); !status.ok()) return status;
  if (now.kind == os::Entry::Kind::symbolic_link) {
    return Status::failure(Operation::replace, path, ELOOP, std::nullopt,
                           "it has become a symbolic link since it was opened");
  }
  Status status = check_replaceable(Operation::replace, path, now);
  if (!status.ok()) return status;
  if (now.exists()) target.old = std::move(now);
  return {};
}

}  // namespace sluice
