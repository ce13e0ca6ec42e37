// SharedFile: the file of one rank, opened by this rank alone and used by blocking, independent
// calls of MPI.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "sluice/bytes.h"
#include "sluice/status.h"

namespace sluice {

// Threads: one at a time, but not always the same thread if MPI allows several.
// The destructor closes nothing, and in a forked child close() calls nothing: the child must not
// call MPI.
class SharedFile {
 public:
  explicit SharedFile(std::string path);
  SharedFile(const SharedFile&) = delete;
  SharedFile& operator=(const SharedFile&) = delete;

  // `mode` is an MPI_MODE_... value.
  Status open(int mode, MPI_Info hints);
  Status size(std::uint64_t& bytes);
  Status set_size(std::uint64_t bytes);
  Status sync();
  Status close();  // ok if the file is not open

  // Writes all bytes, in as many calls as it takes. `written` counts the bytes before the first
  // byte that was not written.
  Status write(std::uint64_t position, BytesView bytes, std::size_t& written);
  // Reads some bytes; 0 is the end of the file.
  Status read(std::uint64_t position, MutableBytesView into, std::size_t& got);

  const std::string& path() const noexcept { return path_; }
  // True in a forked child.
  bool is_of_parent() const noexcept;

 private:
  const std::string path_;
  const std::int64_t process_;
  MPI_File file_ = MPI_FILE_NULL;
  bool is_sent_at_close_ = false;
};

}  // namespace sluice
