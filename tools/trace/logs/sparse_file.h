// The written parts of a large file that is mostly holes.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "sluice/status.h"

namespace sluice::trace {

// A copy in memory, with zeros for holes and for bytes past the file's end. The file itself is
// not mapped: touching its holes would take room, and on a full disk a signal would follow.
class SparseFile {
 public:
  SparseFile() = default;
  ~SparseFile();
  SparseFile(const SparseFile&) = delete;
  SparseFile& operator=(const SparseFile&) = delete;

  // Reads at most the first `bytes` bytes. Afterwards memory() has `bytes` bytes, at the place of
  // the file before if that file had as many: the kernel needs longer to give the memory of a log
  // than the log is read in.
  Status read(const std::string& path, std::size_t bytes);

  const void* memory() const { return memory_; }
  std::size_t file_bytes() const { return file_bytes_; }

 private:
  Status make_room(const std::string& path, std::size_t bytes);
  Status read_data(int descriptor, const std::string& path);

  void* memory_ = nullptr;
  std::size_t bytes_ = 0;
  std::size_t file_bytes_ = 0;
  std::vector<std::span<char>> written_;  // the parts of the memory that are no holes
};

}  // namespace sluice::trace
