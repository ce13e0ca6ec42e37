#include <utility>

#include "sluice/iostream.h"

namespace sluice {

// The buffer is a member, and is made after the base. So the base begins without a buffer.
IStreamReader::IStreamReader() : std::istream(nullptr) {
  std::ios::rdbuf(&buffer_);
  buffer_.set_stream(this);
}

IStreamReader::IStreamReader(const std::string& path, const ReaderOptions& options)
    : IStreamReader() {
  static_cast<void>(open(path, options));
}

IStreamReader::IStreamReader(Reader&& reader) : std::istream(nullptr), buffer_(std::move(reader)) {
  std::ios::rdbuf(&buffer_);
  buffer_.set_stream(this);
}

IStreamReader::IStreamReader(Reader& reader) : std::istream(nullptr), buffer_(reader) {
  std::ios::rdbuf(&buffer_);
  buffer_.set_stream(this);
}

IStreamReader::~IStreamReader() = default;

IStreamReader::IStreamReader(IStreamReader&& other) noexcept
    // The constructor of the base moves the base alone. NOLINTNEXTLINE(bugprone-use-after-move)
    : std::istream(std::move(other)), buffer_(std::move(other.buffer_)) {
  set_rdbuf(&buffer_);
  buffer_.set_stream(this);
}

IStreamReader& IStreamReader::operator=(IStreamReader&& other) noexcept {
  std::istream::operator=(std::move(other));  // moves the base alone
  buffer_ = std::move(other.buffer_);         // NOLINT(bugprone-use-after-move)
  return *this;
}

void IStreamReader::swap(IStreamReader& other) {
  std::istream::swap(other);
  buffer_.swap(other.buffer_);
}

Status IStreamReader::opened(Status status) {
  status.ok() ? clear() : setstate(failbit);
  return status;
}

Status IStreamReader::open(const std::string& path, const ReaderOptions& options) {
  return opened(buffer_.open(path, options));
}

Status IStreamReader::open(std::unique_ptr<Source> source, const ReaderOptions& options) {
  return opened(buffer_.open(std::move(source), options));
}

Status IStreamReader::attach(int descriptor, const std::string& name,
                             const ReaderOptions& options) {
  return opened(buffer_.attach(descriptor, name, options));
}

Status IStreamReader::close() {
  Status status = buffer_.close();
  if (!status.ok()) setstate(badbit | failbit);
  return status;
}

}  // namespace sluice
