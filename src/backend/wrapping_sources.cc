#include <algorithm>
#include <cerrno>
#include <new>
#include <string>
#include <utility>

#include "os/guarded.h"
#include "sluice/sources.h"

namespace sluice {
namespace {

class NullSource final : public Source {
 public:
  Status read(std::uint64_t, MutableBytesView, std::size_t& got) override {
    got = 0;
    return {};
  }
  Status seek(std::uint64_t) override { return {}; }
  Status size(std::uint64_t& bytes) override {
    bytes = 0;
    return {};
  }
  Status close() override { return {}; }
  const std::string& path() const override { return path_; }

 private:
  const std::string path_ = "(the null Source)";
};

class WrappingSource : public Source {
 public:
  explicit WrappingSource(std::unique_ptr<Source> wrapped) : wrapped_(std::move(wrapped)) {}

  Status read(std::uint64_t position, MutableBytesView into, std::size_t& got) override {
    return wrapped_->read(position, into, got);
  }
  Status seek(std::uint64_t position) override { return wrapped_->seek(position); }
  Status size(std::uint64_t& bytes) override { return wrapped_->size(bytes); }
  bool reads_anywhere() override { return wrapped_->reads_anywhere(); }
  std::size_t bypass_bytes() override { return wrapped_->bypass_bytes(); }
  Status close() override { return wrapped_->close(); }
  const std::string& path() const override { return wrapped_->path(); }

 private:
  const std::unique_ptr<Source> wrapped_;
};

class CountingSource final : public WrappingSource {
 public:
  CountingSource(std::unique_ptr<Source> from, std::uint64_t& bytes)
      : WrappingSource(std::move(from)), bytes_(bytes) {}

  Status read(std::uint64_t position, MutableBytesView into, std::size_t& got) override {
    Status status = WrappingSource::read(position, into, got);
    if (status.ok()) bytes_ += got;
    return status;
  }

 private:
  std::uint64_t& bytes_;
};

class LimitingSource final : public WrappingSource {
 public:
  LimitingSource(std::unique_ptr<Source> from, std::uint64_t max_bytes)
      : WrappingSource(std::move(from)), max_bytes_(max_bytes) {}

  Status read(std::uint64_t position, MutableBytesView into, std::size_t& got) override {
    got = 0;
    if (position >= max_bytes_) return {};
    const std::uint64_t room = std::min<std::uint64_t>(into.size(), max_bytes_ - position);
    return WrappingSource::read(position, into.first(room), got);
  }
  Status size(std::uint64_t& bytes) override {
    Status status = WrappingSource::size(bytes);
    if (status.ok()) bytes = std::min(bytes, max_bytes_);
    return status;
  }

 private:
  const std::uint64_t max_bytes_;
};

class ChecksummingSource final : public WrappingSource {
 public:
  ChecksummingSource(std::unique_ptr<Source> from, Checksum& checksum)
      : WrappingSource(std::move(from)), checksum_(checksum) {}

  Status read(std::uint64_t position, MutableBytesView into, std::size_t& got) override {
    Status status = WrappingSource::read(position, into, got);
    if (status.ok()) checksum_.add(into.first(std::min(got, into.size())));
    return status;
  }
  Status seek(std::uint64_t position) override {
    return Status::failure(Operation::seek, path(), ESPIPE, position,
                           "it has no positions, because its checksum needs the bytes in sequence");
  }
  bool reads_anywhere() override { return false; }

 private:
  Checksum& checksum_;
};

template <typename Wrapping, typename Argument>
std::unique_ptr<Source> wrap(std::unique_ptr<Source> from, Argument& argument) {
  if (!from) return nullptr;
  return std::unique_ptr<Source>(new (std::nothrow) Wrapping(std::move(from), argument));
}

}  // namespace

std::unique_ptr<Source> make_null_source() {
  return os::guarded([]() -> std::unique_ptr<Source> { return std::make_unique<NullSource>(); },
                     []() -> std::unique_ptr<Source> { return nullptr; });
}

std::unique_ptr<Source> make_counting_source(std::unique_ptr<Source> from, std::uint64_t& bytes) {
  return wrap<CountingSource>(std::move(from), bytes);
}

std::unique_ptr<Source> make_limiting_source(std::unique_ptr<Source> from,
                                             std::uint64_t max_bytes) {
  return wrap<LimitingSource>(std::move(from), max_bytes);
}

std::unique_ptr<Source> make_checksumming_source(std::unique_ptr<Source> from, Checksum& checksum) {
  return wrap<ChecksummingSource>(std::move(from), checksum);
}

}  // namespace sluice
