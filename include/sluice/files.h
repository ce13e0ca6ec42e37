// Whole files in one call: reading into memory, sizes, mapping.
//
// Opening, finding the size and reading are separate duties with separate errors; an empty file is
// ok and empty, a missing one is a failure. Thread-safe as long as the out-parameters are distinct.
// pthread_cancel(): a thread that is cancelled finishes its call first. Cancellation is to be
// deferred, as it is by default; the asynchronous kind is not supported.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "sluice/bytes.h"
#include "sluice/options.h"
#include "sluice/status.h"

namespace sluice {

// The whole file at `path`, replacing what `out` held; the capacity of `out` is reused. On failure
// `out` holds the bytes read until then. Sizes are hints: files in /proc, FIFOs and files that grow
// or shrink meanwhile read right. Bytes is the fastest: its memory is never zero-filled.
Status read_file(const std::string& path, std::string& out);
Status read_file(const std::string& path, Bytes& out);

// The file's bytes into memory of the caller's. `got` is their number. A file that does not fit
// fails with EFBIG after filling `into`.
Status read_into(const std::string& path, MutableBytesView into, std::size_t& got);

// The size in bytes. For a descriptor, its file offset stays where it is.
// What has no size (a pipe, a terminal) fails with ESPIPE.
Status file_size(const std::string& path, std::uint64_t& bytes);
Status file_size(int descriptor, std::uint64_t& bytes);

// Writes `data` to the file at `path`: all of what it then holds, unless options.create is append
// or existing.
// With create = replace_atomically it holds either that or, after a failure, what it held before.
Status write_file(const std::string& path, std::string_view data,
                  const WriterOptions& options = {});

// Takes away the files that killed replacements (CreateMode::replace_atomically) have left in
// `directory`, and says how many: regular files with names of `.sluice-` and 16 of the letters a to
// z and digits 0 to 5, which no living process writes. A writer holds a lock (flock) on its file,
// so this may be called at any time; but not where writers on other machines share the directory
// and the file system keeps locks on each machine alone. Where it has no locks every file stays, as
// do those that this process may not open or remove. After a failure the other files are still
// taken away.
Status remove_abandoned_replacements(const std::string& directory, std::uint64_t& removed);

// A file mapped read-only. Reading it after another process has cut the file short kills the
// program with SIGBUS: that is why a map is never chosen by itself.
class MappedFile {
 public:
  MappedFile() noexcept = default;
  ~MappedFile();
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;

  BytesView bytes() const noexcept { return bytes_; }

 private:
  friend Status map_file(const std::string& path, MappedFile& out);
  BytesView bytes_;
};

// Maps the regular file at `path`; an empty file gives an empty map.
Status map_file(const std::string& path, MappedFile& out);

}  // namespace sluice
