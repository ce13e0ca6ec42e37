#include <algorithm>
#include <array>
#include <cerrno>
#include <optional>
#include <utility>
#include <vector>

#include "backend/options.h"
#include "compression/codec.h"
#include "compression/seek_table.h"
#include "core/engine.h"
#include "os/failed_call.h"
#include "os/guarded.h"
#include "os/memory.h"
#include "os/process.h"
#include "sluice/compression.h"

namespace sluice {
namespace {

constexpr std::size_t min_frame_bytes = 4096;
constexpr std::size_t max_frame_bytes = std::size_t{8} << 20;
constexpr std::size_t max_frames_at_a_time = 16;
constexpr std::size_t most_frames_by_default = 8;
constexpr std::size_t max_blocks_in_flight = 2;  // each is as large as all frames of the ring

// The number of frames that are compressed at the same time.
std::size_t frames_of(const CompressionOptions& options) {
  if (options.frames_at_a_time != 0) return options.frames_at_a_time;
  return std::min(os::processors(), most_frames_by_default);
}

// A frame that is being made, by a thread of the Engine or by the thread that writes.
class Frame final : public Engine::Task {
 public:
  bool prepare(const Codec& codec, int level, bool checksums) {
    if (!compressor_) compressor_ = codec.make_compressor(level, checksums);
    return compressor_ != nullptr;
  }

  // Takes at most `most` bytes from the front of the pieces, which must stay valid until the frame
  // has been made. Throws std::bad_alloc.
  void take(std::vector<BytesView>& from, std::size_t& begun, std::size_t most) {
    pieces_.clear();
    bytes_ = 0;
    for (; begun < from.size() && bytes_ < most; ++begun) {
      BytesView& piece = from[begun];
      const std::size_t taken = std::min(piece.size(), most - bytes_);
      if (taken != 0) pieces_.push_back(piece.first(taken));
      bytes_ += taken;
      piece = piece.subspan(taken);
      if (!piece.empty()) return;
    }
  }

  // False if there is no memory, or throws std::bad_alloc.
  bool begin() {
    const std::size_t room = compressor_->max_frame_bytes(bytes_);
    if (room_.size() < room && !room_.resize(room)) return false;
    parts_.begin(bytes_, pieces_.size());
    is_running_ = !compressor_->will_store(pieces_) && Engine::for_compression().submit(*this);
    if (!is_running_) run();
    return true;
  }

  void wait() {
    if (std::exchange(is_running_, false)) Engine::for_compression().wait_for(*this);
  }

  void run() noexcept override {
    is_made_ = compressor_->compress(pieces_, {room_.data(), room_.size()}, parts_);
  }

  bool is_running() const { return is_running_; }
  bool is_made() const { return is_made_; }
  const FrameParts& compressed() const { return parts_; }
  std::size_t bytes() const { return bytes_; }

 private:
  std::unique_ptr<Compressor> compressor_;
  std::vector<BytesView> pieces_;
  std::size_t bytes_ = 0;
  Bytes room_;
  FrameParts parts_;  // in the room and in the pieces
  bool is_made_ = false;
  bool is_running_ = false;
};

class CompressingSink final : public Sink {
 public:
  CompressingSink(const Codec& codec, const CompressionOptions& options)
      : codec_(codec),
        level_(options.level.value_or(codec.default_level())),
        checksums_(options.checksums),
        frame_bytes_(options.frame_bytes),
        frames_(frames_of(options)) {}

  // Called once, before every other call. Needs no memory.
  void write_to(std::unique_ptr<Sink> to) {
    to_ = std::move(to);
    compressed_position_ = to_->start_position();
  }

  Status write(std::uint64_t position, std::span<const BytesView> pieces,
               std::size_t& written) override {
    written = 0;
    const Status status = os::guarded_status(path(), [&] { return compress_all(pieces, written); });
    end_position_ = position + written;
    return status.at(end_position_);  // the target's Sink counts compressed bytes
  }

  Status write_at(std::uint64_t position, BytesView, std::size_t& written) override {
    written = 0;
    return without_positions(Operation::write, position);
  }

  Status seek(std::uint64_t position) override {
    return without_positions(Operation::seek, position);
  }

  // The frames are in the target already.
  Status sync() override {
    Status status = to_->sync();
    is_durable_ = is_durable_ || status.ok();
    return in_plain_bytes(status);
  }

  bool is_staged() override { return to_->is_staged(); }

  // A call after a failed sync of the directory writes no second table.
  Status publish() override {
    if (!has_table_) {
      if (Status status = write_table(); !status.ok()) {
        return status.at(end_position_);  // all bytes can be read back
      }
      has_table_ = true;
    }
    // If the frames are durable, the table becomes durable too: after a power cut, a torn table
    // would look like a damaged end.
    Status status = is_durable_ ? to_->sync() : Status();
    if (status.ok()) status = to_->publish();
    return in_plain_bytes(status);
  }

  Status close() override { return in_plain_bytes(to_->close()); }
  bool allows_write_behind() override { return to_->allows_write_behind(); }
  bool is_compute_bound() override { return true; }
  bool wants_full_blocks() override { return true; }  // one frame after another would be slower
  bool is_ordinary_end(const Status& failure) override { return to_->is_ordinary_end(failure); }
  Durability durability() override { return to_->durability(); }
  const std::string& path() const override { return to_->path(); }

 private:
  // If a sync, publish or close fails, every accepted byte is in a frame, so the failure names the
  // end. The target's Sink counts compressed bytes.
  Status in_plain_bytes(const Status& status) const {
    return status.offset() ? status.at(end_position_) : status;
  }

  // The target may be a file that has positions.
  Status without_positions(Operation operation, std::uint64_t position) const {
    return os::refused_call(operation, path(), ESPIPE,
                            {"a compressed file is written from its beginning to its end"})
        .at(position);
  }

  // However a write ends, no thread may still read the pieces, because they are the caller's.
  struct WaitForAll {
    explicit WaitForAll(std::vector<Frame>& frames) : frames_(frames) {}
    ~WaitForAll() {
      for (Frame& frame : frames_) frame.wait();
    }
    WaitForAll(const WaitForAll&) = delete;
    WaitForAll& operator=(const WaitForAll&) = delete;
    std::vector<Frame>& frames_;
  };

  // frames_ is a ring: as soon as the oldest frame is in the target, the next one begins.
  Status compress_all(std::span<const BytesView> pieces, std::size_t& written) {
    const WaitForAll wait_for_all(frames_);
    std::vector<BytesView> left(pieces.begin(), pieces.end());
    std::size_t taken = 0;  // the pieces before this one are in frames
    std::size_t oldest = 0;
    std::size_t running = 0;
    Status status;
    for (;;) {
      while (status.ok() && (running == 0 || frames_[oldest].is_running()) &&
             running != frames_.size()) {
        Frame& next = frames_[(oldest + running) % frames_.size()];
        status = begin_frame(next, left, taken);
        if (next.bytes() == 0 || !status.ok()) break;
        ++running;
      }
      if (running == 0) return status;
      if (Status failed = end_frame(frames_[oldest], written); !failed.ok()) return failed;
      oldest = (oldest + 1) % frames_.size();
      --running;
    }
  }

  // The frame has no bytes if none are left.
  Status begin_frame(Frame& frame, std::vector<BytesView>& left, std::size_t& taken) {
    frame.take(left, taken, frame_bytes_);
    if (frame.bytes() == 0) return {};
    return frame.prepare(codec_, level_, checksums_) && frame.begin() ? Status() : no_memory();
  }

  Status end_frame(Frame& frame, std::size_t& written) {
    frame.wait();
    Status status = write_frame(frame);
    if (status.ok()) written += frame.bytes();
    return status;
  }

  Status write_frame(const Frame& frame) {
    if (!frame.is_made()) return no_memory();
    const std::size_t bytes = frame.compressed().bytes();
    if (!table_.add(static_cast<std::uint32_t>(bytes), static_cast<std::uint32_t>(frame.bytes()))) {
      return no_memory();
    }
    return write_compressed(frame.compressed().parts(), bytes);
  }

  Status write_compressed(std::span<const BytesView> parts, std::size_t bytes) {
    std::size_t got = 0;
    Status status = to_->write(compressed_position_, parts, got);
    compressed_position_ += got;
    if (status.ok() && got != bytes) {
      status = Status::failure(Operation::write, path(), EIO, std::nullopt,
                               "the Sink reported success without having written everything");
    }
    return status;
  }

  Status write_table() {
    const std::array<BytesView, 3> parts = table_.encode();
    const std::size_t bytes = parts[0].size() + parts[1].size() + parts[2].size();
    if (bytes == 0) return {};  // a Reader then finds positions by reading
    return write_compressed(parts, bytes);
  }

  Status no_memory() const { return os::no_memory(path()); }

  std::unique_ptr<Sink> to_;
  const Codec& codec_;
  const int level_;
  const bool checksums_;
  const std::size_t frame_bytes_;
  std::vector<Frame> frames_;  // a ring
  NewSeekTable table_{SeekTable::max_frames};
  std::uint64_t compressed_position_ = 0;
  std::uint64_t end_position_ = 0;
  bool is_durable_ = false;
  bool has_table_ = false;
};

Status refused(const std::string& path, std::string_view reason) {
  return os::refused_call(Operation::open, path, EINVAL, {reason});
}

Status check(const Codec& codec, const CompressionOptions& options, const std::string& path) {
  const std::string_view name = codec.name();
  if (!codec.mistake().empty()) return refused(path, codec.mistake());
  if (!codec.compresses()) {
    return os::refused_call(Operation::open, path, ENOTSUP, {name, " only decompresses"});
  }
  if (options.level && (*options.level < codec.min_level() || *options.level > codec.max_level())) {
    const std::string limits = std::to_string(*options.level) + " is not between " +
                               std::to_string(codec.min_level()) + " and " +
                               std::to_string(codec.max_level());
    return os::refused_call(Operation::open, path, EINVAL, {"the level of ", name, ": ", limits});
  }
  if (options.frame_bytes < min_frame_bytes || options.frame_bytes > max_frame_bytes) {
    return refused(path, "frame_bytes is not between 4 KiB and 8 MiB");
  }
  if (options.frames_at_a_time > max_frames_at_a_time) {
    return refused(path, "frames_at_a_time is larger than 16");
  }
  return {};
}

}  // namespace

std::optional<CompressionLevels> levels_of(const Codec& codec) noexcept {
  if (!codec.compresses()) return std::nullopt;
  return CompressionLevels{codec.min_level(), codec.max_level(), codec.default_level()};
}

std::size_t block_bytes_of(const CompressionOptions& compression) noexcept {
  return compression.frame_bytes * frames_of(compression);
}

Status make_compressing_sink(std::unique_ptr<Sink> to, const Codec& codec,
                             const CompressionOptions& compression, std::unique_ptr<Sink>& sink) {
  if (!to) return os::no_memory("(no Sink)");
  const std::string& path = to->path();
  return os::guarded_status(path, [&] {
    Status status = check(codec, compression, path);
    if (!status.ok()) return status;
    auto compressing = std::make_unique<CompressingSink>(codec, compression);
    compressing->write_to(std::move(to));
    sink = std::move(compressing);
    return Status();
  });
}

// Everything that needs memory comes before the file is opened, because opening empties the file.
Status open_compressed(Writer& writer, const std::string& path, const Codec& codec,
                       const CompressionOptions& compression, const WriterOptions& options) {
  std::unique_ptr<CompressingSink> sink;
  Status status = os::guarded_status(path, [&] {
    Status checked = check(codec, compression, path);
    if (checked.ok()) checked = check_options(options, path);
    const bool goes_on =
        options.create == CreateMode::append || options.create == CreateMode::existing;
    if (checked.ok() && goes_on) {
      checked = refused(path,
                        "a compressed file is written from its beginning: use another "
                        "CreateMode");
    }
    if (checked.ok()) sink = std::make_unique<CompressingSink>(codec, compression);
    return checked;
  });
  WriterOptions of_blocks = options;
  std::size_t least = block_bytes_of(compression);
  if (options.direct != Direct::off) least = os::round_up(least, os::page_bytes);
  of_blocks.block_bytes = std::max(options.block_bytes, least);
  of_blocks.blocks_in_flight = std::min(options.blocks_in_flight, max_blocks_in_flight);
  return writer.open_wrapped(path, of_blocks, std::move(status), std::move(sink),
                             [](Sink& wrapper, std::unique_ptr<Sink> file) {
                               static_cast<CompressingSink&>(wrapper).write_to(std::move(file));
                             });
}

}  // namespace sluice
