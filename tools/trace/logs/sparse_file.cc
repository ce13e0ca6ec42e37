#include "trace/logs/sparse_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "trace/logs/large_pages.h"

namespace sluice::trace {
namespace {

Status failure(Operation operation, const std::string& path) {
  return Status::failure(operation, path, errno);
}

}  // namespace

SparseFile::~SparseFile() {
  if (memory_ != nullptr) ::munmap(memory_, bytes_);
}

Status SparseFile::make_room(const std::string& path, std::size_t bytes) {
  for (const std::span<char> part : written_) std::ranges::fill(part, '\0');
  written_.clear();
  if (memory_ != nullptr && bytes_ == bytes) return {};
  if (memory_ != nullptr) ::munmap(memory_, bytes_);
  memory_ = nullptr;
  bytes_ = 0;
  if (bytes == 0) return {};  // mmap() refuses this
  void* const memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return failure(Operation::map, path);
  memory_ = memory;
  bytes_ = bytes;
  return {};
}

Status SparseFile::read(const std::string& path, std::size_t bytes) {
  file_bytes_ = 0;
  if (Status status = make_room(path, bytes); !status.ok()) return status;
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return failure(Operation::open, path);
  Status status = read_data(descriptor, path);
  ::close(descriptor);
  return status;
}

Status SparseFile::read_data(int descriptor, const std::string& path) {
  file_bytes_ = static_cast<std::size_t>(std::max<off_t>(0, ::lseek(descriptor, 0, SEEK_END)));
  const auto end = static_cast<off_t>(std::min(bytes_, file_bytes_));
  for (off_t at = 0; at < end;) {
    const off_t data = ::lseek(descriptor, at, SEEK_DATA);
    if (data < 0 || data >= end) break;  // only a hole is left
    const off_t hole = std::min(end, ::lseek(descriptor, data, SEEK_HOLE));
    char* const begin = static_cast<char*>(memory_) + data;
    use_large_pages(begin, static_cast<std::size_t>(hole - data));
    const ssize_t got = ::pread(descriptor, begin, static_cast<std::size_t>(hole - data), data);
    if (got > 0) written_.emplace_back(begin, static_cast<std::size_t>(got));
    if (got < 0) return failure(Operation::read, path);
    if (got == 0) break;
    at = data + got;
  }
  return {};
}

}  // namespace sluice::trace
