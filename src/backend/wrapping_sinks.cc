#include <cerrno>
#include <limits>
#include <new>
#include <string>
#include <utility>

#include "backend/pieces.h"
#include "backend/wrapping_sink.h"
#include "os/guarded.h"
#include "sluice/sinks.h"

namespace sluice {
namespace {

class NullSink final : public Sink {
 public:
  Status write(std::uint64_t, std::span<const BytesView> pieces, std::size_t& written) override {
    written = bytes_in(pieces);
    return {};
  }
  Status write_at(std::uint64_t, BytesView bytes, std::size_t& written) override {
    written = bytes.size();
    return {};
  }
  Status seek(std::uint64_t) override { return {}; }
  Status sync() override { return {}; }
  Status close() override { return {}; }
  const std::string& path() const override { return path_; }

 private:
  const std::string path_ = "(the null Sink)";
};

class CountingSink final : public WrappingSink {
 public:
  CountingSink(std::unique_ptr<Sink> to, std::uint64_t& bytes)
      : WrappingSink(std::move(to)), bytes_(bytes) {}

  Status write(std::uint64_t position, std::span<const BytesView> pieces,
               std::size_t& written) override {
    Status status = WrappingSink::write(position, pieces, written);
    bytes_ += written;
    return status;
  }
  Status write_at(std::uint64_t position, BytesView bytes, std::size_t& written) override {
    Status status = WrappingSink::write_at(position, bytes, written);
    bytes_ += written;
    return status;
  }

 private:
  std::uint64_t& bytes_;
};

class LimitingSink final : public WrappingSink {
 public:
  LimitingSink(std::unique_ptr<Sink> to, std::uint64_t max_bytes)
      : WrappingSink(std::move(to)), max_bytes_(max_bytes) {
    const std::uint64_t start = wrapped().start_position();
    end_ = start + std::min(max_bytes, std::numeric_limits<std::uint64_t>::max() - start);
  }

  Status write(std::uint64_t position, std::span<const BytesView> pieces,
               std::size_t& written) override {
    const std::uint64_t room = room_at(position);
    if (bytes_in(pieces) <= room) return WrappingSink::write(position, pieces, written);
    written = 0;
    return os::guarded_status(path(), [&] {
      Status status = WrappingSink::write(position, first_bytes(pieces, room), written);
      return status.ok() ? limit_reached(position + written) : status;
    });
  }

  Status write_at(std::uint64_t position, BytesView bytes, std::size_t& written) override {
    const std::uint64_t room = room_at(position);
    if (bytes.size() <= room) return WrappingSink::write_at(position, bytes, written);
    Status status = WrappingSink::write_at(position, bytes.first(room), written);
    return status.ok() ? limit_reached(position + written) : status;
  }

 private:
  std::uint64_t room_at(std::uint64_t position) const {
    return position < end_ ? end_ - position : 0;
  }
  Status limit_reached(std::uint64_t position) const {
    return os::guarded_status(path(), [&] {
      return Status::failure(Operation::write, path(), EFBIG, position,
                             "the limit of " + std::to_string(max_bytes_) + " bytes is reached");
    });
  }

  const std::uint64_t max_bytes_;
  std::uint64_t end_;  // the first position that may not be written
};

class ChecksummingSink final : public WrappingSink {
 public:
  ChecksummingSink(std::unique_ptr<Sink> to, Checksum& checksum)
      : WrappingSink(std::move(to)), checksum_(checksum) {}

  Status write(std::uint64_t position, std::span<const BytesView> pieces,
               std::size_t& written) override {
    Status status = WrappingSink::write(position, pieces, written);
    for_first_bytes(pieces, written, [this](BytesView part) { checksum_.add(part); });
    return status;
  }
  Status write_at(std::uint64_t position, BytesView, std::size_t& written) override {
    written = 0;
    return in_sequence_only(Operation::write, position);
  }
  Status seek(std::uint64_t position) override {
    return in_sequence_only(Operation::seek, position);
  }

 private:
  Status in_sequence_only(Operation operation, std::uint64_t position) const {
    return Status::failure(operation, path(), ESPIPE, position,
                           "it has no positions, because its checksum needs the bytes in sequence");
  }

  Checksum& checksum_;
};

template <typename Wrapping, typename Argument>
std::unique_ptr<Sink> wrap(std::unique_ptr<Sink> to, Argument& argument) {
  if (!to) return nullptr;
  return std::unique_ptr<Sink>(new (std::nothrow) Wrapping(std::move(to), argument));
}

}  // namespace

std::unique_ptr<Sink> make_null_sink() {
  return os::guarded([]() -> std::unique_ptr<Sink> { return std::make_unique<NullSink>(); },
                     []() -> std::unique_ptr<Sink> { return nullptr; });
}

std::unique_ptr<Sink> make_counting_sink(std::unique_ptr<Sink> to, std::uint64_t& bytes) {
  return wrap<CountingSink>(std::move(to), bytes);
}

std::unique_ptr<Sink> make_limiting_sink(std::unique_ptr<Sink> to, std::uint64_t max_bytes) {
  return wrap<LimitingSink>(std::move(to), max_bytes);
}

std::unique_ptr<Sink> make_checksumming_sink(std::unique_ptr<Sink> to, Checksum& checksum) {
  return wrap<ChecksummingSink>(std::move(to), checksum);
}

}  // namespace sluice
