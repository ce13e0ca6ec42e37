// Source: where a Reader's blocks come from (a file, memory, a decompressor, an object store).
//
// A Source is called by one thread at a time, once per block. It must not throw.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "sluice/bytes.h"
#include "sluice/options.h"
#include "sluice/status.h"

namespace sluice {

class Source {
 public:
  virtual ~Source() = default;

  // Fetches at most into.size() bytes (at least 1) from byte `position`. Positions are contiguous:
  // each call starts where the last one ended, the first one at 0, or where seek() said. `got` is
  // the number of bytes fetched; fewer than asked for is no sign of the end, 0 with an ok Status
  // is.
  virtual Status read(std::uint64_t position, MutableBytesView into, std::size_t& got) = 0;

  // The next read() starts at byte `position`, which may lie behind the end: then that read finds
  // the end. A Source without positions fails with ESPIPE, as this one does, and can be read on.
  virtual Status seek(std::uint64_t position);

  // Bytes from position 0 to the end. The size is a hint: the end is where read() gives 0 bytes. A
  // Source that cannot know fails with ESPIPE, as this one does, and can be read on.
  virtual Status size(std::uint64_t& bytes);

  // Releases the source. Called at most once, and last. The destructor releases it too.
  virtual Status close() = 0;

  // The name used in messages.
  virtual const std::string& path() const = 0;
};

// Opens the file at `path` for reading, as a Reader would. A directory fails with EISDIR.
Status open_file_source(const std::string& path, const ReaderOptions& options,
                        std::unique_ptr<Source>& source);

// Reads from an open descriptor, which stays the caller's. One that is not open for reading fails
// with EBADF. `name` is used in messages.
Status open_descriptor_source(int descriptor, const std::string& name,
                              std::unique_ptr<Source>& source);

// Reads `bytes`, which must outlive the Source. Null when there is no memory for the Source.
std::unique_ptr<Source> make_memory_source(BytesView bytes);

}  // namespace sluice
