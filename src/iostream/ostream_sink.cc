#include <algorithm>
#include <array>
#include <cerrno>
#include <limits>
#include <new>
#include <utility>

#include "iostream/succeeds.h"
#include "sluice/iostream.h"

namespace sluice {
namespace {

class OStreamSink final : public Sink {
 public:
  OStreamSink(std::ostream& target, const std::string& name) : target_(target), name_(name) {
    std::streamoff start = -1;
    succeeds([&] { return (start = target_.tellp()) >= 0; });
    has_positions_ = start >= 0;
    start_ = next_ = has_positions_ ? static_cast<std::uint64_t>(start) : 0;
  }

  Status write(std::uint64_t position, std::span<const BytesView> pieces,
               std::size_t& written) override {
    written = 0;
    std::size_t wanted = 0;
    for (const BytesView piece : pieces) wanted += piece.size();
    if (wanted == 0) return {};
    if (!move_to(position)) return refused(position);
    for (const BytesView piece : pieces) {
      const std::size_t bytes = put(piece);
      written += bytes;
      if (bytes != piece.size()) return refused(position + written);
    }
    next_ = position + written;
    if (flushes()) return {};
    written = 0;  // the bytes may be anywhere
    return refused(position);
  }

  Status write_at(std::uint64_t position, BytesView bytes, std::size_t& written) override {
    written = 0;
    if (!has_positions_) return no_positions(Operation::write, position);
    if (bytes.empty()) return {};
    const std::uint64_t next = next_;
    Status status = write(position, {&bytes, 1}, written);
    // The next write() goes back.
    if (status.ok() && !move_to(next)) status = refused(next);
    return status;
  }

  // The stream itself moves when the next byte comes, because a stream in memory refuses positions
  // behind its end.
  Status seek(std::uint64_t position) override {
    if (!has_positions_) return no_positions(Operation::seek, position);
    if (position > largest) return Status::failure(Operation::seek, name_, EFBIG, position);
    return {};
  }

  Status sync() override {
    if (!flushes()) return Status::failure(Operation::sync, name_, EIO);
    return Status::failure(Operation::sync, name_, ENOTSUP, std::nullopt,
                           "a std::ostream cannot be made durable");
  }

  Status close() override {
    return flushes() ? Status() : Status::failure(Operation::close, name_, EIO);
  }

  std::uint64_t start_position() override { return start_; }
  const std::string& path() const override { return name_; }

 private:
  static constexpr auto largest =
      static_cast<std::uint64_t>(std::numeric_limits<std::streamoff>::max());

  Status refused(std::uint64_t position) const {
    return Status::failure(Operation::write, name_, EIO, position,
                           "the std::ostream refuses the bytes");
  }
  Status no_positions(Operation operation, std::uint64_t position) const {
    return Status::failure(operation, name_, ESPIPE, position);
  }

  // The number of bytes that the stream has taken. If they are too few, the stream gets badbit, as
  // from std::ostream::write, which does not tell the number.
  std::size_t put(BytesView bytes) {
    std::streamsize taken = 0;
    static_cast<void>(succeeds([&] {
                        const std::ostream::sentry ready(target_);
                        if (!ready) return false;
                        const auto count = static_cast<std::streamsize>(bytes.size());
                        taken = target_.rdbuf()->sputn(reinterpret_cast<const char*>(bytes.data()),
                                                       count);
                        return taken == count;
                      }) ||
                      fail());
    return static_cast<std::size_t>(std::max<std::streamsize>(taken, 0));
  }

  bool fail() {
    return succeeds([&] { return target_.setstate(std::ios_base::badbit), false; });
  }

  bool flushes() {
    return succeeds([&] { return target_.flush().good(); });
  }

  bool move_to(std::uint64_t position) {
    if (!has_positions_ || position == next_) return true;
    if (!goes_to(position) && !fills_up_to(position)) return false;
    next_ = position;
    return true;
  }

  bool goes_to(std::uint64_t position) {
    const auto to = static_cast<std::streamoff>(position);
    const auto sought = [&] { return target_.rdbuf()->pubseekpos(to, std::ios_base::out) == to; };
    return position <= largest && target_.good() && succeeds(sought);
  }

  // Writes zeros from the end of the stream to a position behind it. A stream in memory refuses all
  // positions there. Where the next position is accepted, this one is beyond the largest.
  bool fills_up_to(std::uint64_t position) {
    std::streamoff end = -1;
    const auto sought = [&] {
      end = target_.rdbuf()->pubseekoff(0, std::ios_base::end, std::ios_base::out);
      return end >= 0;
    };
    if (!target_.good() || !succeeds(sought)) return false;
    if (goes_to(static_cast<std::uint64_t>(end) + 1)) return false;
    constexpr std::array<std::byte, 4096> zeros{};
    for (auto at = static_cast<std::uint64_t>(end); at < position;) {
      const auto bytes = std::min<std::uint64_t>(position - at, zeros.size());
      if (put(BytesView(zeros).first(bytes)) != bytes) return false;
      at += bytes;
    }
    return static_cast<std::uint64_t>(end) <= position;
  }

  std::ostream& target_;
  const std::string name_;
  bool has_positions_ = false;
  std::uint64_t start_ = 0;
  std::uint64_t next_ = 0;  // the position of the stream itself
};

}  // namespace

std::unique_ptr<Sink> make_ostream_sink(std::ostream& target, const std::string& name) {
  std::unique_ptr<Sink> sink;
  succeeds([&] {
    sink = std::make_unique<OStreamSink>(target, name);
    return true;
  });
  return sink;
}

}  // namespace sluice
