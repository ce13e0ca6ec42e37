// Copying from a Reader to a Writer, and copying whole files.
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

// Copies the next `bytes` bytes of `from` to `to`. If fewer bytes are left, copy() copies these
// bytes and returns ok. `copied` is the number of copied bytes. Whole blocks of the Reader go to
// the target without a further copy. Smaller pieces may wait in the Writer, as after every write().
//
// A failure is a failure of the Reader or of the Writer; its operation and path say which one has
// failed. If the Writer has failed, `copied` counts every byte that the Writer accepted, and the
// Reader stands right after the last of these bytes. Some accepted bytes may not be in the target:
// the Writer's position() is the first of them.
//
// If the Reader or the Writer had failed before the call, copy() copies nothing and returns that
// failure. If the Reader or the Writer is not open, copy() fails with EBADF.
//
// Threads: each Reader and Writer belongs to one thread at a time.
Status copy(Reader& from, Writer& to, std::uint64_t bytes, std::uint64_t& copied);
Status copy(Reader& from, Writer& to, std::uint64_t bytes = UINT64_MAX);

// How copy_file() treats an old file, and which bytes survive a power cut.
struct CopyOptions {
  // With append and existing, and with Durability::every_write, the library reads the bytes and
  // writes them. In all other cases the kernel copies the bytes if it can, and the copy has the
  // same holes (parts of a file that take no room on the disk).
  CreateMode create = CreateMode::truncate;
  // Which of the copied bytes survive a power cut.
  Durability durability = Durability::none;
  // Permission bits of a file that is created, before the process's umask. By default these are the
  // bits of the file that is copied, without its set-id and sticky bits.
  std::optional<unsigned> permissions = std::nullopt;
};

// Copies the bytes of the file at `from` to the file at `to`, as a Writer with these options would
// write them. CreateMode and Durability say whether `to` may exist before, and which bytes it has
// after a failure or a crash.
//
// copy_file() uses the first of three ways that works here:
//  - The copy shares the bytes of the original on the disk until one of the two files is changed
//    (a reflink).
//  - The kernel copies the bytes.
//  - The bytes are read and written.
//
// A file's size is only a hint: copy_file() copies until it finds the end. So files in /proc,
// FIFOs, devices, and files that grow or shrink meanwhile are copied too. Symbolic links are
// followed.
//
// A directory fails with EISDIR, and a file that is copied onto itself fails with EINVAL. Both fail
// before anything is changed. Every failure names the file in which it happened.
//
// Threads: several threads may copy at the same time if their files are distinct. pthread_cancel():
// a thread that is cancelled finishes its call first.
Status copy_file(const std::string& from, const std::string& to, const CopyOptions& options = {});

}  // namespace sluice
