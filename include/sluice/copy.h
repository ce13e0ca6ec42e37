// Copying: from a Reader to a Writer, and whole files.
//
//   if (Status status = sluice::copy(reader, writer); !status.ok()) return status;
//   return sluice::copy_file("settings", "settings.old", {.durability = Durability::on_close});
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sluice/options.h"
#include "sluice/reader.h"
#include "sluice/status.h"
#include "sluice/writer.h"

namespace sluice {

// Passes on the next bytes of `from`: as many as `bytes` says, or all that are left where these are
// fewer, which is ok. `copied` is the number of bytes that were passed on. Whole blocks of the
// Reader go to the target without being copied once more; smaller pieces may wait in the Writer as
// after every write().
// A failure is the Reader's or the Writer's own, and its operation and path say which. The Reader
// then stands behind the last byte that was passed on, a failed Writer at the first byte that was
// not written. One of them that is not open is EBADF.
// Threads: each Reader and Writer belongs to one thread at a time.
Status copy(Reader& from, Writer& to, std::uint64_t bytes, std::uint64_t& copied);
Status copy(Reader& from, Writer& to, std::uint64_t bytes = UINT64_MAX);

struct CopyOptions {
  // With append and existing the bytes are read and written like any others; otherwise the kernel
  // copies them, where it can, and holes are kept.
  CreateMode create = CreateMode::truncate;
  Durability durability = Durability::none;
  // Permission bits of a file that is created, before the process's umask. By themselves those of
  // the file that is copied, without its set-id and sticky bits.
  std::optional<unsigned> permissions = std::nullopt;
};

// Copies the bytes of the file at `from` to the one at `to`, as a Writer with these options would
// write them: see CreateMode and Durability for what may be there before, and after a failure or a
// crash. Where the file system can, the copy shares the bytes of the original on the disk until one
// of them is changed (a reflink); elsewhere the kernel copies, and where it cannot do that either
// they are read and written.
// Sizes are hints: files in /proc, FIFOs, devices, and files that grow or shrink meanwhile are
// copied to the end that is found. Symbolic links are followed. A directory is EISDIR, a file onto
// itself EINVAL, both before anything is changed. A failure names the file that has it.
// Thread-safe as long as the files are distinct. pthread_cancel(): a thread that is cancelled
// finishes its call first.
Status copy_file(const std::string& from, const std::string& to, const CopyOptions& options = {});

}  // namespace sluice
