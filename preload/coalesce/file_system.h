// Which files consist of bytes alone.
#pragma once

namespace sluice::preload {

// True if a write to the file stores bytes and does nothing else. In the kernel's own file systems
// (/proc, /sys, cgroups, ...) each write is a command, and in FUSE a program receives each write. A
// file system that is not known here counts as one of these.
bool writes_only_store(int descriptor);

}  // namespace sluice::preload
