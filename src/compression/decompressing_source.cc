#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "compression/codec.h"
#include "compression/other_formats.h"
#include "compression/seek_table.h"
#include "os/failed_call.h"
#include "os/guarded.h"
#include "sluice/compression.h"

namespace sluice {
namespace {

constexpr std::size_t fetch_bytes = 128 * 1024;
constexpr std::size_t first_plain_bytes = 256 * 1024;
constexpr std::size_t max_verified_bytes = Decompressor::max_room_bytes;  // sluice/compression.h
constexpr std::size_t beginning_bytes = 4;                                // that tell the codec
constexpr std::uint64_t min_distance = std::uint64_t{1} << 20;  // of frames that are remembered
constexpr std::size_t max_seen = 1024;                          // frames that are remembered

// Bytes that are not compressed, of a Source without positions: the first of them were fetched to
// tell the codec.
class BegunSource final : public Source {
 public:
  BegunSource(std::unique_ptr<Source> from, Bytes beginning)
      : from_(std::move(from)), beginning_(std::move(beginning)) {}

  Status read(std::uint64_t position, MutableBytesView into, std::size_t& got) override {
    if (position >= beginning_.size()) return from_->read(position, into, got);
    got = std::min(into.size(), beginning_.size() - static_cast<std::size_t>(position));
    std::memcpy(into.data(), beginning_.data() + position, got);
    return {};
  }
  Status close() override { return from_->close(); }
  const std::string& path() const override { return from_->path(); }

 private:
  const std::unique_ptr<Source> from_;
  const Bytes beginning_;
};

bool can_read(const Codec& codec, BytesView beginning) {
  return codec.recognises(beginning) && codec.refusal(beginning).empty();
}

// The first codec that can read the bytes. If there is none, the first that recognises them.
const Codec* codec_of(BytesView beginning, std::span<const Codec* const> codecs) {
  const Codec* recognising = nullptr;
  for (const Codec* codec : codecs) {
    if (can_read(*codec, beginning)) return codec;
    if (recognising == nullptr && codec->recognises(beginning)) recognising = codec;
  }
  return recognising;
}

// The number of first bytes that tell which of the codecs can read them.
std::size_t bytes_to_tell(BytesView beginning, std::span<const Codec* const> codecs) {
  std::size_t bytes = beginning_bytes;
  for (const Codec* codec : codecs) {
    if (codec->recognises(beginning)) bytes = std::max(bytes, codec->refusal_bytes());
  }
  return bytes;
}

class DecompressingSource final : public Source {
 public:
  // `fetched` has the first bytes of the file.
  DecompressingSource(std::unique_ptr<Source> from, std::vector<const Codec*> codecs,
                      const Codec& first, std::unique_ptr<Decompressor> decompressor, Bytes fetched,
                      std::size_t fetched_bytes)
      : from_(std::move(from)),
        codecs_(std::move(codecs)),
        codec_(&first),
        decompressor_(std::move(decompressor)),
        fetched_(std::move(fetched)),
        fetched_end_(fetched_bytes),
        fetched_position_(fetched_bytes) {}

  Status read(std::uint64_t, MutableBytesView into, std::size_t& got) override {
    got = 0;
    return os::guarded_status(path(), [&] { return give(into, got); });
  }

  Status seek(std::uint64_t position) override {
    return os::guarded_status(path(), [&] { return go_to(position); });
  }

  Status size(std::uint64_t& bytes) override {
    const Status status = os::guarded_status(path(), [&] { return find_table(); });
    if (!status.ok() && status.code().value() != ESPIPE) return status;
    if (!has_table_) {
      return Status::failure(Operation::stat, path(), ESPIPE, std::nullopt,
                             "the file has no seek table of sluice, so its uncompressed size is "
                             "not known");
    }
    bytes = table_.bytes();
    return {};
  }

  Status close() override { return from_->close(); }
  const std::string& path() const override { return from_->path(); }

 private:
  Status give(MutableBytesView into, std::size_t& got) {
    for (;;) {
      const std::size_t skipped =
          static_cast<std::size_t>(std::min<std::uint64_t>(skip_bytes_, plain_end_ - plain_begin_));
      plain_begin_ += skipped;
      position_ += skipped;
      skip_bytes_ -= skipped;
      if (plain_begin_ != plain_end_) break;
      if (Status status = fill(); !status.ok()) return status;
      if (plain_end_ == 0) return {};  // the end; the file may have grown at the next read
    }
    got = std::min(into.size(), plain_end_ - plain_begin_);
    std::memcpy(into.data(), plain_.data() + plain_begin_, got);
    plain_begin_ += got;
    position_ += got;
    return {};
  }

  // Decompresses the bytes that follow. A failure in the middle of a frame leaves the Decompressor
  // there, so it stays until a seek begins at the beginning of a frame.
  Status fill() {
    if (failure_.ok()) {
      failure_ = os::guarded_status(path(), [&] { return decompress_next(); });
    }
    return failure_;
  }

  // Decompresses up to the end of a frame, or max_verified_bytes of it. No bytes follow at the end
  // of the file.
  Status decompress_next() {
    plain_begin_ = plain_end_ = 0;
    std::size_t bytes = 0;
    for (bool is_done = false; !is_done;) {
      if (waiting().empty()) {
        if (Status status = fetch(); !status.ok()) return status;
        if (waiting().empty()) return end();
      }
      Status status = is_in_frame_ ? Status() : begin_frame(bytes);
      if (status.ok()) status = decompress_some(bytes, is_done);
      if (!status.ok()) return status;
    }
    plain_end_ = bytes;
    return {};
  }

  // Decompresses bytes that wait, behind the `bytes` bytes that are decompressed already.
  Status decompress_some(std::size_t& bytes, bool& is_done) {
    const bool is_full = bytes == max_verified_bytes;
    if (bytes == plain_.size() && !is_full && !make_room(plain_.size() * 2)) {
      return os::no_memory(path());
    }
    const Decompressor::Progress progress =
        decompressor_->decompress(waiting(), {plain_.data() + bytes, plain_.size() - bytes});
    if (progress.code != 0) return failed(progress.code, progress.problem);
    if (progress.wanted_room > plain_.size() && !make_room(progress.wanted_room)) {
      return os::no_memory(path());
    }
    fetched_begin_ += progress.consumed;
    bytes += progress.produced;
    is_in_frame_ = !progress.frame_ended;
    // A frame may end without a further byte. If it does not, it is larger than what is verified.
    is_done = is_full && is_in_frame_ && progress.consumed == 0;
    if (is_in_frame_ || bytes == 0) return {};
    is_done = true;
    // Frames behind the table have come since it was read.
    if (has_table_ && position_ < table_.bytes() && !table_.has_end_at(position_ + bytes)) {
      return failed(EBADMSG, "the seek table does not fit the frames");
    }
    return {};
  }

  // A frame begins at the next byte. It may have another format than the frame before it: two files
  // may have been joined. `bytes` bytes before it have not been given yet.
  Status begin_frame(std::size_t bytes) {
    frame_begin_ = fetched_position_ - waiting().size();
    remember_frame(bytes);
    if (Status status = fetch_at_least(beginning_bytes); !status.ok()) return status;
    if (waiting().size() < beginning_bytes) {
      return failed(EBADMSG, "the file ends within a compressed frame");
    }
    const std::size_t wanted = bytes_to_tell(waiting(), codecs_);
    if (Status status = fetch_at_least(wanted); !status.ok()) return status;
    const BytesView beginning = waiting();
    if (!can_read(*codec_, beginning)) {
      const Codec* const codec = codec_of(beginning, codecs_);
      if (codec == nullptr) {
        return no_frame("no compressed frame begins at byte ",
                        ": the bytes there are damaged, or do not belong to the compressed file");
      }
      std::unique_ptr<Decompressor> decompressor = codec->make_decompressor();
      if (!decompressor) return os::no_memory(path());
      decompressor_ = std::move(decompressor);
      codec_ = codec;
    }
    decompressor_->begin_frame();
    return {};
  }

  bool make_room(std::size_t bytes) {
    return plain_.resize(std::min(std::max(bytes, first_plain_bytes), max_verified_bytes));
  }

  BytesView waiting() const {
    return {fetched_.data() + fetched_begin_, fetched_end_ - fetched_begin_};
  }

  // Fetches until so many bytes wait, or all bytes of the file.
  Status fetch_at_least(std::size_t bytes) {
    while (waiting().size() < bytes) {
      const std::size_t before = waiting().size();
      if (Status status = fetch(); !status.ok()) return status;
      if (waiting().size() == before) break;
    }
    return {};
  }

  // Fetches bytes behind those that wait.
  Status fetch() {
    if (is_elsewhere_) {
      if (Status status = from_->seek(fetched_position_); !status.ok()) {
        return status.at(position_ + skip_bytes_);
      }
      is_elsewhere_ = false;
    }
    const std::size_t waiting = fetched_end_ - fetched_begin_;
    if (waiting != 0) std::memmove(fetched_.data(), fetched_.data() + fetched_begin_, waiting);
    fetched_begin_ = 0;
    fetched_end_ = waiting;
    if (fetched_.size() < fetch_bytes && !fetched_.resize(fetch_bytes)) {
      return os::no_memory(path());
    }
    std::size_t got = 0;
    Status status =
        from_->read(fetched_position_, {fetched_.data() + waiting, fetched_.size() - waiting}, got);
    if (!status.ok()) return status.at(position_ + skip_bytes_);
    fetched_end_ += got;
    fetched_position_ += got;
    return {};
  }

  // A file may have been cut after its seek table was read.
  Status end() {
    if (is_in_frame_) return failed(EBADMSG, "the file ends within a compressed frame");
    if (!has_table_ || position_ >= table_.bytes()) return {};
    frame_begin_ = fetched_position_;
    return no_frame("the file was cut: its seek table had a frame at byte ", "");
  }

  // The failure names the first byte that cannot be given.
  Status failed(int code, std::string_view problem) {
    if (code == ENOMEM) return os::no_memory(path());
    const std::string reason = std::string(problem) + " (" + std::string(codec_->name()) +
                               ", in the frame at byte " + std::to_string(frame_begin_) +
                               " of the file)";
    return Status::failure(Operation::read, path(), code, position_ + skip_bytes_, reason);
  }

  // There is no frame at frame_begin_.
  Status no_frame(std::string_view before, std::string_view after) const {
    const std::string reason =
        std::string(before) + std::to_string(frame_begin_) + " of the file" + std::string(after);
    return Status::failure(Operation::read, path(), EBADMSG, position_ + skip_bytes_, reason);
  }

  void remember_frame(std::size_t bytes) {
    const std::uint64_t position = position_ + bytes;
    if (has_table_ || (!seen_.empty() && position < seen_.back().position + seen_distance_)) return;
    if (seen_.size() == max_seen) forget_every_second_frame();
    seen_.push_back({frame_begin_, position});
  }

  void forget_every_second_frame() {
    for (std::size_t i = 0; i < max_seen / 2; ++i) seen_[i] = seen_[2 * i];
    seen_.resize(max_seen / 2);
    seen_distance_ *= 2;
  }

  Status go_to(std::uint64_t position) {
    if (Status status = find_table(); !status.ok()) return status.at(position);
    const SeekTable::Frame frame = frame_before(position);
    const bool is_ahead = failure_.ok() && position >= position_ && frame.position <= position_;
    if (!is_ahead) {
      if (Status status = from_->seek(frame.compressed_position); !status.ok()) {
        return status.at(position);
      }
      is_elsewhere_ = false;
      begin_at(frame);
    }
    skip_bytes_ = position - position_;
    return {};
  }

  SeekTable::Frame frame_before(std::uint64_t position) const {
    if (has_table_) return table_.frame_at(position);
    SeekTable::Frame last{};
    for (const SeekTable::Frame& frame : seen_) {
      if (frame.position <= position) last = frame;
    }
    return last;
  }

  void begin_at(const SeekTable::Frame& frame) {
    fetched_begin_ = fetched_end_ = plain_begin_ = plain_end_ = 0;
    fetched_position_ = frame.compressed_position;
    position_ = frame.position;
    is_in_frame_ = false;
    failure_ = {};
  }

  // Looks for the seek table, once. Fails if the Source has no positions.
  Status find_table() {
    if (looked_for_table_) return {};
    if (Status status = from_->seek(fetched_position_); !status.ok()) return status;
    is_elsewhere_ = true;  // whatever happens now
    std::uint64_t bytes = 0;
    Status status = from_->size(bytes);
    if (status.ok()) status = read_table(bytes);
    if (!status.ok() && status.code().value() != ESPIPE) return status;
    looked_for_table_ = true;
    return {};
  }

  // A table that does not fit the file is none.
  Status read_table(std::uint64_t file_bytes) {
    if (file_bytes < SeekTable::footer_bytes) return {};
    std::byte footer[SeekTable::footer_bytes];
    bool is_whole = false;
    Status status = read_at(file_bytes - sizeof footer, footer, is_whole);
    if (!status.ok() || !is_whole) return status;
    const std::uint64_t wanted = SeekTable::encoded_bytes(footer);
    if (wanted == 0 || wanted > file_bytes) return {};
    Bytes encoded;
    if (!encoded.resize(static_cast<std::size_t>(wanted))) return os::no_memory(path());
    status = read_at(file_bytes - wanted, {encoded.data(), encoded.size()}, is_whole);
    if (!status.ok() || !is_whole) return status;
    has_table_ = table_.decode(std::move(encoded), file_bytes);
    return {};
  }

  Status read_at(std::uint64_t position, MutableBytesView into, bool& is_whole) {
    is_whole = false;
    if (Status status = from_->seek(position); !status.ok()) return status;
    while (!into.empty()) {
      std::size_t got = 0;
      Status status = from_->read(position, into, got);
      if (!status.ok() || got == 0) return status;
      position += got;
      into = into.subspan(got);
    }
    is_whole = true;
    return {};
  }

  const std::unique_ptr<Source> from_;
  const std::vector<const Codec*> codecs_;
  // Of the present frame, or of the last one.
  const Codec* codec_;
  std::unique_ptr<Decompressor> decompressor_;
  // Compressed bytes that wait: those from fetched_begin_ to fetched_end_. The bytes after them are
  // at fetched_position_ in the file.
  Bytes fetched_;
  std::size_t fetched_begin_ = 0;
  std::size_t fetched_end_;
  std::uint64_t fetched_position_;
  bool is_elsewhere_ = false;  // the next byte of from_ is another one: fetch() must seek
  // Uncompressed bytes that wait: those from plain_begin_ to plain_end_.
  Bytes plain_;
  std::size_t plain_begin_ = 0;
  std::size_t plain_end_ = 0;
  std::uint64_t position_ = 0;     // of the next byte in plain_
  std::uint64_t skip_bytes_ = 0;   // from there to the byte that is given next
  std::uint64_t frame_begin_ = 0;  // in the file, of the present frame or of the last one
  bool is_in_frame_ = false;
  bool looked_for_table_ = false;
  bool has_table_ = false;
  SeekTable table_;
  std::vector<SeekTable::Frame> seen_;  // some of the frames that were read
  std::uint64_t seen_distance_ = min_distance;
  Status failure_;  // of the last fill()
};

// Fetches the first bytes of the file, at least those that tell the codec. It has room for more: a
// socket or a device may give whole records, and loses the bytes for which there is no room.
Status fetch_beginning(Source& from, std::span<const Codec* const> codecs, Bytes& beginning) {
  if (!beginning.resize(fetch_bytes)) return os::no_memory(from.path());
  std::size_t bytes = 0;
  std::size_t wanted = beginning_bytes;
  while (bytes < wanted) {
    std::size_t got = 0;
    Status status = from.read(bytes, {beginning.data() + bytes, fetch_bytes - bytes}, got);
    if (!status.ok()) return status;
    if (got == 0) break;
    bytes += got;
    if (bytes >= beginning_bytes) wanted = bytes_to_tell({beginning.data(), bytes}, codecs);
  }
  return beginning.resize(bytes) ? Status() : os::no_memory(from.path());
}

// A program may have asked codec_named() for a Codec that there is not, or series_of() for one of
// no type.
Status check(std::span<const Codec* const> codecs, const std::string& path) {
  const auto wrong = std::ranges::find_if(
      codecs, [](const Codec* codec) { return codec == nullptr || !codec->mistake().empty(); });
  if (wrong == codecs.end()) return {};
  const std::string_view problem = *wrong == nullptr ? "is null" : (*wrong)->mistake();
  const std::string reason = "codec " + std::to_string(wrong - codecs.begin() + 1) + " of " +
                             std::to_string(codecs.size()) + (*wrong == nullptr ? " " : ": ") +
                             std::string(problem);
  return Status::failure(Operation::open, path, EINVAL, std::nullopt, reason);
}

// `beginning` has the first bytes of the file.
Status make_source(std::unique_ptr<Source> from, const std::vector<const Codec*>& codecs,
                   Bytes beginning, std::unique_ptr<Source>& source) {
  const BytesView bytes(beginning.data(), beginning.size());
  const std::size_t fetched_bytes = beginning.size();
  if (const Codec* const codec = codec_of(bytes, codecs); codec != nullptr) {
    if (const std::string refusal = codec->refusal(bytes); !refusal.empty()) {
      return Status::failure(Operation::open, from->path(), EINVAL, std::nullopt, refusal);
    }
    std::unique_ptr<Decompressor> decompressor = codec->make_decompressor();
    if (!decompressor) return os::no_memory(from->path());
    source = std::make_unique<DecompressingSource>(std::move(from), codecs, *codec,
                                                   std::move(decompressor), std::move(beginning),
                                                   fetched_bytes);
  } else if (Status plain = refuse_unless_plain(bytes, from->path()); !plain.ok()) {
    return plain;
  } else if (from->seek(0).ok()) {
    source = std::move(from);
  } else {
    source = std::make_unique<BegunSource>(std::move(from), std::move(beginning));
  }
  return {};
}

// A file that had no bytes when it was opened. It may have grown at a later read(), whose first
// bytes tell the codec.
class EmptySource final : public Source {
 public:
  EmptySource(std::unique_ptr<Source> from, std::vector<const Codec*> codecs)
      : path_(from->path()), codecs_(std::move(codecs)), source_(std::move(from)) {}

  Status read(std::uint64_t position, MutableBytesView into, std::size_t& got) override {
    got = 0;
    if (is_empty_ && failure_.ok()) failure_ = os::guarded_status(path_, [&] { return begin(); });
    if (is_empty_ || !failure_.ok()) return failure_;
    return source_->read(position, into, got);
  }

  Status seek(std::uint64_t position) override {
    if (!source_) return failure_;
    if (Status status = source_->seek(is_empty_ ? 0 : position); !status.ok()) return status;
    position_ = position;
    failure_ = {};
    return {};
  }

  Status size(std::uint64_t& bytes) override {
    if (!source_) return failure_;
    std::uint64_t now = 0;
    if (Status status = source_->size(now); !status.ok()) return status;
    if (is_empty_ && now != 0) {
      return Status::failure(Operation::stat, path_, ESPIPE, std::nullopt,
                             "the file was empty and has grown: its size is known after a read");
    }
    bytes = now;
    return {};
  }

  Status close() override { return source_ ? source_->close() : Status(); }
  const std::string& path() const override { return path_; }

 private:
  Status begin() {
    Bytes beginning;
    Status status = fetch_beginning(*source_, codecs_, beginning);
    if (!status.ok() || beginning.empty()) return status;
    std::unique_ptr<Source> from = std::move(source_);
    status = make_source(std::move(from), codecs_, std::move(beginning), source_);
    if (!status.ok()) return status;
    is_empty_ = false;
    return position_ == 0 ? Status() : source_->seek(position_);
  }

  const std::string path_;
  const std::vector<const Codec*> codecs_;
  // As long as the file is empty, the Source of its bytes. Null after a failure to begin.
  std::unique_ptr<Source> source_;
  Status failure_;
  bool is_empty_ = true;
  std::uint64_t position_ = 0;  // that was sought while the file was empty
};

Status open_source(std::unique_ptr<Source> from, std::vector<const Codec*> codecs,
                   std::unique_ptr<Source>& source) {
  if (Status status = check(codecs, from->path()); !status.ok()) return status;
  Bytes beginning;
  if (Status status = fetch_beginning(*from, codecs, beginning); !status.ok()) return status;
  if (!beginning.empty()) {
    return make_source(std::move(from), codecs, std::move(beginning), source);
  }
  source = std::make_unique<EmptySource>(std::move(from), std::move(codecs));
  return {};
}

}  // namespace

Status make_decompressing_source(std::unique_ptr<Source> from, std::span<const Codec* const> codecs,
                                 std::unique_ptr<Source>& source) {
  if (!from) return os::no_memory("(no Source)");
  return os::guarded_status("(a decompressing Source)", [&] {
    return open_source(std::move(from), {codecs.begin(), codecs.end()}, source);
  });
}

Status make_decompressing_source(std::unique_ptr<Source> from,
                                 std::initializer_list<const Codec*> codecs,
                                 std::unique_ptr<Source>& source) {
  return make_decompressing_source(std::move(from), std::span(codecs.begin(), codecs.size()),
                                   source);
}

Status open_decompressed(Reader& reader, const std::string& path,
                         std::span<const Codec* const> codecs, const ReaderOptions& options) {
  if (reader.is_open()) return reader.open(path, options);  // says that it is open
  std::unique_ptr<Source> file;
  std::unique_ptr<Source> source;
  Status status = open_file_source(path, options, file);
  if (status.ok()) status = make_decompressing_source(std::move(file), codecs, source);
  return status.ok() ? reader.open(std::move(source), options) : reader.refuse(status);
}

Status open_decompressed(Reader& reader, const std::string& path,
                         std::initializer_list<const Codec*> codecs, const ReaderOptions& options) {
  return open_decompressed(reader, path, std::span(codecs.begin(), codecs.size()), options);
}

}  // namespace sluice
