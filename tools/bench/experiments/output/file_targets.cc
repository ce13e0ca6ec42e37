#include "bench/experiments/output/file_targets.h"

#include <fcntl.h>

#include <array>
#include <utility>

namespace sluice::bench {
namespace {

// Streams report that they have failed, but not always the reason.
int reason() { return errno != 0 ? errno : EIO; }

}  // namespace

RawOutput::RawOutput(std::string path, int extra_flags)
    : path_(std::move(path)),
      descriptor_(
          ::open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | extra_flags, 0666)) {
  if (descriptor_ < 0) fail("open", path_);
}

RawOutput::~RawOutput() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

RawOutput::RawOutput(RawOutput&& other) noexcept
    : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

void RawOutput::write_gathered(const void* first, std::size_t first_bytes, const void* second,
                               std::size_t second_bytes) {
  const std::array pieces = {iovec{const_cast<void*>(first), first_bytes},
                             iovec{const_cast<void*>(second), second_bytes}};
  ssize_t result;
  do {
    result = ::writev(descriptor_, pieces.data(), static_cast<int>(pieces.size()));
  } while (result < 0 && errno == EINTR);
  if (result < 0) fail("write", path_);
  auto written = static_cast<std::size_t>(result);
  if (written < first_bytes) {
    write(static_cast<const char*>(first) + written, first_bytes - written);
    written = first_bytes;
  }
  const std::size_t of_second = written - first_bytes;
  write(static_cast<const char*>(second) + of_second, second_bytes - of_second);
}

void RawOutput::synchronize() {
  if (::fdatasync(descriptor_) != 0) fail("synchronize", path_);
}

void RawOutput::close() {
  if (::close(std::exchange(descriptor_, -1)) != 0) fail("close", path_);
}

StdioFile::StdioFile(std::string path, const char* mode, std::size_t buffer_bytes)
    : path_(std::move(path)), file_(std::fopen(path_.c_str(), mode)) {
  if (file_ == nullptr) fail("open", path_);
  if (buffer_bytes == 0) return;
  buffer_ = std::make_unique_for_overwrite<char[]>(buffer_bytes);
  if (std::setvbuf(file_, buffer_.get(), _IOFBF, buffer_bytes) == 0) return;
  std::fclose(file_);  // the destructor does not run if the constructor throws
  fail("set the buffer of", path_, EINVAL);
}

StdioFile::~StdioFile() {
  if (file_ != nullptr) std::fclose(file_);
}

StdioFile::StdioFile(StdioFile&& other) noexcept
    : path_(std::move(other.path_)),
      buffer_(std::move(other.buffer_)),
      file_(std::exchange(other.file_, nullptr)) {}

void StdioFile::synchronize() {
  if (std::fflush(file_) != 0) fail("flush", path_);
  if (::fdatasync(::fileno(file_)) != 0) fail("synchronize", path_);
}

void StdioFile::close() {
  const bool failed = std::ferror(file_) != 0;
  const int error = reason();
  // fclose reports only a failure of its last flush.
  if (std::fclose(std::exchange(file_, nullptr)) != 0) fail("close", path_);
  if (failed) fail("use", path_, error);
}

OutputStream::OutputStream(std::string path)
    : path_(std::move(path)), stream_(path_, std::ios::binary | std::ios::trunc) {
  if (!stream_) fail("open", path_, reason());
}

void OutputStream::close() {
  stream_.close();
  if (!stream_) fail("write", path_, reason());
}

}  // namespace sluice::bench
