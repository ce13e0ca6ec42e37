// Target: the name that a path leads to, and what stands under it.
#pragma once

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
// are resolved, also one whose target does not exist yet. The directory with that name is opened
// for reading: EACCES when that is not permitted. ELOOP after 40 links.
Status find_name(const std::string& path, Target& target);

// The same for what is to be replaced: refuses what cannot be.
Status find_target(const std::string& path, Target& target);

// Looks at the name again, because another file may have come to stand there, or a symbolic link,
// which is refused. When there is nothing any more, `target.old` stays what it was.
Status look_again(Target& target);

}  // namespace sluice
