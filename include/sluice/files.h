// Whole files in one call: reading, writing, sizes, mapping.
//
// Status::operation() says which step has failed, such as open, stat (finding the size) or read. A
// missing file is a failure; an empty file is not.
// Threads: different threads may call everything at the same time, with different out-parameters.
// pthread_cancel(): a thread that is cancelled finishes its call first. Only deferred cancellation
// (the default) is supported, asynchronous cancellation is not.
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

// Reads the whole file at `path` into `out`. The file's bytes replace the old contents of `out`,
// whose capacity is reused. After a failure `out` holds the bytes that were read before the
// failure. The file's size is only a hint: read_file() reads until it finds the end. So files in
// /proc, FIFOs, and files that grow or shrink meanwhile are read correctly. Bytes is faster than
// std::string, because its memory is never zero-filled.
Status read_file(const std::string& path, std::string& out);
Status read_file(const std::string& path, Bytes& out);

// Reads the file at `path` into the caller's memory. `got` is the number of bytes that were read. A
// file that does not fit fails with EFBIG after filling `into`.
Status read_into(const std::string& path, MutableBytesView into, std::size_t& got);

// The size of a file in bytes. The file offset of a descriptor stays where it is. A target without
// a size (a pipe, a terminal) fails with ESPIPE.
Status file_size(const std::string& path, std::uint64_t& bytes);
Status file_size(int descriptor, std::uint64_t& bytes);

// Writes `data` to the file at `path`. The file then holds `data` and nothing else, unless
// options.create is append or existing.
// With create = replace_atomically the file holds its old bytes after a failure. There is one
// exception: after a failure with Operation::sync_directory the file holds `data` (see CreateMode).
Status write_file(const std::string& path, std::string_view data,
                  const WriterOptions& options = {});

// Removes the temporary files that processes have left in `directory` because they were killed
// while they replaced a file (CreateMode::replace_atomically). `removed` is the number of removed
// files. A file is removed if it is regular, its name is `.sluice-` and 16 of the letters a to z
// and digits 0 to 5, and no living process writes it. A living writer holds a lock (flock) on its
// file, so this function may be called at any time. There is one exception: do not call it if other
// machines write to the directory over a network and this machine does not see their locks. A file
// also stays, and this is no failure, if the file system has no locks, or if this process may not
// open or remove the file. If a file cannot be removed for another reason, the call removes the
// other files, and then returns the failure.
Status remove_abandoned_replacements(const std::string& directory, std::uint64_t& removed);

// A file mapped read-only. If another process cuts the file short, reading the lost bytes kills the
// program with SIGBUS. For this reason sluice maps a file only when map_file() is called.
class MappedFile {
 public:
  // A MappedFile can be moved, and not copied. A MappedFile that was moved from maps nothing.
  MappedFile() noexcept = default;
  ~MappedFile();
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;

  // The bytes of the file, valid until the MappedFile is destroyed, assigned to, or given to
  // map_file().
  BytesView bytes() const noexcept { return bytes_; }

 private:
  // Implementation details follow.
  friend Status map_file(const std::string& path, MappedFile& out);
  BytesView bytes_;
};

// Maps the regular file at `path`; an empty file gives an empty map.
Status map_file(const std::string& path, MappedFile& out);

}  // namespace sluice
