#include <utility>

#include "sluice/iostream.h"

namespace sluice {

// The buffer is a member, and is made after the base. So the base begins without a buffer.
OStreamWriter::OStreamWriter() : std::ostream(nullptr) { std::ios::rdbuf(&buffer_); }

OStreamWriter::OStreamWriter(const std::string& path, const WriterOptions& options)
    : OStreamWriter() {
  static_cast<void>(open(path, options));
}

OStreamWriter::OStreamWriter(Writer&& writer) : std::ostream(nullptr), buffer_(std::move(writer)) {
  std::ios::rdbuf(&buffer_);
}

OStreamWriter::OStreamWriter(Writer& writer) : std::ostream(nullptr), buffer_(writer) {
  std::ios::rdbuf(&buffer_);
}

// A failure of the stream alone, by which text was dropped, is a failure of its Writer too.
void OStreamWriter::fail_owned_writer() noexcept {
  if (fail() && buffer_.owns_writer()) buffer_.fail_with_stream();
}

OStreamWriter::~OStreamWriter() { fail_owned_writer(); }

OStreamWriter::OStreamWriter(OStreamWriter&& other) noexcept
    // The constructor of the base moves the base alone. NOLINTNEXTLINE(bugprone-use-after-move)
    : std::ostream(std::move(other)), buffer_(std::move(other.buffer_)) {
  set_rdbuf(&buffer_);
}

OStreamWriter& OStreamWriter::operator=(OStreamWriter&& other) noexcept {
  fail_owned_writer();
  std::ostream::operator=(std::move(other));  // moves the base alone
  buffer_ = std::move(other.buffer_);         // NOLINT(bugprone-use-after-move)
  return *this;
}

void OStreamWriter::swap(OStreamWriter& other) {
  std::ostream::swap(other);
  buffer_.swap(other.buffer_);
}

void OStreamWriter::insert(char byte) { static_cast<std::ostream&>(*this) << byte; }

void OStreamWriter::insert(std::string_view text) { static_cast<std::ostream&>(*this) << text; }

Status OStreamWriter::opened(Status status) {
  status.ok() ? clear() : setstate(failbit);
  return status;
}

Status OStreamWriter::open(const std::string& path, const WriterOptions& options) {
  return opened(buffer_.open(path, options));
}

Status OStreamWriter::open(std::unique_ptr<Sink> sink, const WriterOptions& options) {
  return opened(buffer_.open(std::move(sink), options));
}

Status OStreamWriter::attach(int descriptor, const std::string& name,
                             const WriterOptions& options) {
  return opened(buffer_.attach(descriptor, name, options));
}

Status OStreamWriter::close() {
  if (fail()) buffer_.fail_with_stream();
  Status status = buffer_.close();
  if (!status.ok()) setstate(badbit | failbit);
  return status;
}

}  // namespace sluice
