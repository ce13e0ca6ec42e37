// Target: the name that a path leads to, and what stands under it.
#pragma once

#include <cstdint>
#include <string>

#include "os/directory.h"
#include "sluice/status.h"

namespace sluice {

struct Target {
  os::Directory directory;
  std::string name;  // in the directory, and no symbolic link
  os::Entry old;     // the file that is there, if there is one
};

// Follows the path, by directory descriptors, to the name that a program would open: symbolic links
// are resolved, also one whose target does not exist yet. What cannot be replaced is refused, and
// so is a directory that cannot be read. ELOOP after 40 links.
Status find_target(const std::string& path, Target& target);

// Whether open() resolves a path that is a symbolic link itself.
enum class LastLink : std::uint8_t { followed, kept };

// Asked before a file is made whose name has to be durable: EACCES where its directory cannot be
// read, which a sync needs. A file that stayed behind such a refusal would be taken for an old one
// by the next open, which would call its name durable. Ok where there is a file already.
Status expect_durable_name(const std::string& path, LastLink last_link);

// Looks at the name again, because another file may have come to stand there, or a symbolic link,
// which is refused. When there is nothing any more, `target.old` stays what it was.
Status look_again(Target& target);

}  // namespace sluice
