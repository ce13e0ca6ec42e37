// Target: the name that a path leads to, and the file under that name.
#pragma once

#include <cstdint>
#include <string>

#include "os/directory.h"
#include "sluice/status.h"

namespace sluice {

struct Target {
  os::Directory directory;
  std::string name;  // in the directory; never a symbolic link
  os::Entry old;     // the file that exists, if there is one
};

// Follows the path, by directory descriptors, to the name that a program would open. Symbolic links
// are resolved, even a link whose target does not exist yet. Targets that cannot be replaced are
// refused, and so is a directory that cannot be read. ELOOP after 40 links.
Status find_target(const std::string& path, Target& target);

// Says whether open() follows the path if the path itself is a symbolic link.
enum class LastLink : std::uint8_t { followed, kept };

// Call this before creating a file whose name has to be durable. EACCES if the directory cannot be
// read, because then it cannot be synced. If the file were created before this refusal, it would
// stay, and the next open would take its name for durable. Ok if the file exists already.
Status expect_durable_name(const std::string& path, LastLink last_link);

// Looks the name up again, because another file may have taken the name. A symbolic link is
// refused. If the name no longer exists, `target.old` stays as it was.
Status look_again(Target& target);

}  // namespace sluice
