#include "sluice/series.h"

#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <cstdio>
#include <optional>
#include <string>
#include <utility>

#include "backend/pieces.h"
#include "compression/adler32.h"
#include "compression/codec.h"
#include "compression/little_endian.h"
#include "compression/magic.h"
#include "compression/problems.h"
#include "compression/series_choice.h"
#include "compression/series_filter.h"
#include "compression/series_frame.h"
#include "compression/zstd_contexts.h"

namespace sluice {
namespace {

// Makes room for so many bytes and no more: resize() alone would take half as much again.
bool make_room(Bytes& room, std::size_t bytes) { return room.reserve(bytes) && room.resize(bytes); }

static_assert(SeriesFrame::max_bytes <= Decompressor::max_room_bytes);

std::string_view name_or_unknown(SeriesType type) {
  const std::string_view name = name_of(type);
  return name.empty() ? "an unknown type" : name;
}

class SeriesCompressor final : public Compressor {
 public:
  SeriesCompressor(ZstdCompressionContext context, ZstdCompressionContext for_samples,
                   SeriesType type, bool checksums, std::unique_ptr<SeriesScratch> scratch)
      : context_(std::move(context)),
        checksums_(checksums),
        type_(type),
        scratch_(std::move(scratch)),
        chooser_(std::move(for_samples), number_bytes_of(type), *scratch_) {}

  std::size_t max_frame_bytes(std::size_t bytes) const noexcept override {
    return SeriesFrame::header_bytes + ZSTD_compressBound(bytes);
  }

  bool compress(std::span<const BytesView> pieces, MutableBytesView room,
                FrameParts& frame) noexcept override {
    BytesView plain;
    if (!join(pieces, plain)) return false;
    const SeriesChooser::Choice choice = chooser_.choose(plain);
    SeriesFrame header{
        type_, choice.filter, choice.head_bytes, static_cast<std::uint32_t>(plain.size()), 0, 0};
    BytesView filtered;
    if (!filter(header, plain, filtered)) return false;
    const MutableBytesView payload = room.subspan(SeriesFrame::header_bytes);
    const std::size_t bytes = ZSTD_compress2(context_.get(), payload.data(), payload.size(),
                                             filtered.data(), filtered.size());
    if (ZSTD_isError(bytes) != 0) return false;
    header.payload_bytes = static_cast<std::uint32_t>(bytes);
    if (checksums_) header.payload_checksum = adler32(payload.first(bytes));
    header.encode(room.first(SeriesFrame::header_bytes));
    frame.add(room.first(SeriesFrame::header_bytes + bytes));
    return true;
  }

 private:
  // Both return false if there is no memory.
  bool join(std::span<const BytesView> pieces, BytesView& joined) noexcept {
    if (pieces.size() == 1) {
      joined = pieces.front();
      return true;
    }
    if (!make_room(joined_, bytes_in(pieces))) return false;
    std::byte* to = joined_.data();
    for (const BytesView piece : pieces) to = std::ranges::copy(piece, to).out;
    joined = joined_;
    return true;
  }

  bool filter(const SeriesFrame& header, BytesView plain, BytesView& filtered) noexcept {
    if (header.filter == SeriesFilter{}) {
      filtered = plain;
      return true;
    }
    if (!make_room(filtered_, plain.size())) return false;
    assert(header.head_bytes <= header.bytes);
    const std::size_t begin = header.head_bytes;
    const std::size_t bytes = header.numbers_bytes();
    const std::size_t end = begin + bytes;
    const MutableBytesView to(filtered_.data(), plain.size());
    std::ranges::copy(plain.first(begin), to.begin());
    const std::size_t number_bytes = number_bytes_of(type_);
    fastest_series_way().filter(header.filter, number_bytes, plain.subspan(begin, bytes), 0,
                                bytes / number_bytes, to.subspan(begin, bytes), *scratch_);
    std::ranges::copy(plain.subspan(end), to.subspan(end).begin());
    filtered = to;
    return true;
  }

  const ZstdCompressionContext context_;
  const bool checksums_;
  const SeriesType type_;
  const std::unique_ptr<SeriesScratch> scratch_;
  SeriesChooser chooser_;
  Bytes joined_;
  Bytes filtered_;
};

// Collects a whole frame, and then decompresses it into the caller's room.
class SeriesDecompressor final : public Decompressor {
 public:
  // Without a type it takes frames of every type.
  SeriesDecompressor(ZstdDecompressionContext context, std::unique_ptr<SeriesScratch> scratch,
                     std::optional<SeriesType> type)
      : context_(std::move(context)), scratch_(std::move(scratch)), type_(type) {}

  Progress decompress(BytesView from, MutableBytesView into) noexcept override {
    const std::size_t consumed = state_ == State::header ? take_header(from) : 0;
    if (problem_ != nullptr) return failed(consumed);
    switch (state_) {
      case State::header: break;
      case State::skipping: return skip(from, consumed);
      case State::payload: return take_payload(from, into, consumed);
    }
    return unfinished(consumed);
  }

  void begin_frame() noexcept override {
    state_ = State::header;
    header_bytes_ = payload_bytes_ = 0;
    problem_ = nullptr;
  }

 private:
  enum class State : std::uint8_t { header, skipping, payload };
  static constexpr std::size_t skippable_header_bytes = 8;

  void fail(int code, const char* problem) noexcept {
    code_ = code;
    problem_ = problem;
  }

  static Progress unfinished(std::size_t consumed, std::size_t wanted_room = 0) noexcept {
    return {consumed, 0, false, 0, nullptr, wanted_room};
  }
  static Progress finished(std::size_t consumed, std::size_t produced) noexcept {
    return {consumed, produced, true, 0, nullptr};
  }
  Progress failed(std::size_t consumed) const noexcept {
    return {consumed, 0, false, code_, problem_};
  }

  Progress skip(BytesView from, std::size_t consumed) noexcept {
    const std::size_t skipped = std::min<std::size_t>(left_to_skip_, from.size() - consumed);
    left_to_skip_ -= static_cast<std::uint32_t>(skipped);
    consumed += skipped;
    return left_to_skip_ == 0 ? finished(consumed, 0) : unfinished(consumed);
  }

  Progress take_payload(BytesView from, MutableBytesView into, std::size_t consumed) noexcept {
    if (into.size() < frame_.bytes) return unfinished(consumed, frame_.bytes);
    consumed += take(from.subspan(consumed), frame_.payload_bytes, payload_bytes_, payload_.data());
    if (payload_bytes_ < frame_.payload_bytes) return unfinished(consumed);
    unpack(into.first(frame_.bytes));
    return problem_ != nullptr ? failed(consumed) : finished(consumed, frame_.bytes);
  }

  std::size_t take(BytesView from, std::size_t wanted, std::size_t& have, std::byte* to) noexcept {
    if (have >= wanted) return 0;  // the first part of a header may have come earlier
    const std::size_t taken = std::min(from.size(), wanted - have);
    std::copy_n(from.data(), taken, to + have);
    have += taken;
    return taken;
  }

  // Takes the header of a frame, or of a skippable frame.
  std::size_t take_header(BytesView from) noexcept {
    std::size_t taken = take(from, 4, header_bytes_, header_);
    if (header_bytes_ < 4) return taken;
    const bool is_skippable = begins_with_skippable_frame({header_, 4});
    SeriesType type;
    if (!is_skippable && !find_series_type({header_, 4}, type)) {
      fail(EBADMSG, "no frame of a series begins here");
      return taken;
    }
    const std::size_t wanted = is_skippable ? skippable_header_bytes : SeriesFrame::header_bytes;
    taken += take(from.subspan(taken), wanted, header_bytes_, header_);
    if (header_bytes_ < wanted) return taken;
    if (is_skippable) {
      left_to_skip_ = number_at(header_ + 4);
      state_ = State::skipping;
    } else {
      begin_payload();
    }
    return taken;
  }

  void begin_payload() noexcept {
    const char* problem = nullptr;
    if (const int code = frame_.decode({header_, SeriesFrame::header_bytes}, problem); code != 0) {
      return fail(code, problem);
    }
    if (type_ && frame_.type != *type_) return fail(EINVAL, other_type());
    if (frame_.payload_bytes > ZSTD_compressBound(frame_.bytes)) {
      return fail(EBADMSG, damaged_header_problem);
    }
    if (!make_room(payload_, frame_.payload_bytes) || !make_room(filtered_, frame_.bytes)) {
      return fail(ENOMEM, no_memory_problem);
    }
    state_ = State::payload;
  }

  const char* other_type() noexcept {
    std::snprintf(text_, sizeof text_, "the frame is a series of %s, not of %s",
                  name_or_unknown(frame_.type).data(), name_or_unknown(*type_).data());
    return text_;
  }

  void unpack(MutableBytesView plain) noexcept {
    if (frame_.payload_checksum != 0 && frame_.payload_checksum != adler32(payload_)) {
      return fail(EBADMSG, checksum_problem);
    }
    const std::size_t bytes = ZSTD_decompressDCtx(context_.get(), filtered_.data(), frame_.bytes,
                                                  payload_.data(), payload_.size());
    if (ZSTD_isError(bytes) != 0) {
      const bool is_memory = ZSTD_getErrorCode(bytes) == ZSTD_error_memory_allocation;
      return is_memory ? fail(ENOMEM, no_memory_problem) : fail(EBADMSG, damaged_problem);
    }
    if (bytes != frame_.bytes) return fail(EBADMSG, damaged_problem);
    undo_filter(plain);
  }

  void undo_filter(MutableBytesView plain) noexcept {
    const BytesView filtered(filtered_.data(), plain.size());
    const std::size_t begin = frame_.head_bytes;
    const std::size_t bytes = frame_.numbers_bytes();
    const std::size_t end = begin + bytes;
    std::ranges::copy(filtered.first(begin), plain.begin());
    fastest_series_way().undo(frame_.filter, number_bytes_of(frame_.type),
                              filtered.subspan(begin, bytes), plain.subspan(begin, bytes),
                              *scratch_);
    std::ranges::copy(filtered.subspan(end), plain.subspan(end).begin());
  }

  const ZstdDecompressionContext context_;
  const std::unique_ptr<SeriesScratch> scratch_;
  const std::optional<SeriesType> type_;
  State state_ = State::header;
  std::byte header_[SeriesFrame::header_bytes];
  std::size_t header_bytes_ = 0;
  std::uint32_t left_to_skip_ = 0;
  SeriesFrame frame_;
  Bytes payload_;
  std::size_t payload_bytes_ = 0;  // that were taken
  Bytes filtered_;
  int code_ = 0;
  const char* problem_ = nullptr;
  char text_[80];
};

class Series final : public Codec {
 public:
  // Without a type it reads each of them.
  constexpr explicit Series(std::string_view name, std::optional<SeriesType> type = std::nullopt)
      : name_(name), type_(type) {}

  std::optional<SeriesType> type() const { return type_; }
  std::string_view name() const noexcept override { return name_; }
  std::string_view mistake() const noexcept override {
    if (!type_ || !name_of(*type_).empty()) return {};
    return "series_of() was given a value that is none of SeriesType";
  }
  // A file without numbers begins with its seek table.
  bool recognises(BytesView beginning) const noexcept override {
    SeriesType type;
    return begins_with_skippable_frame(beginning) || find_series_type(beginning, type);
  }
  // In a damaged header the type may be wrong. The Decompressor then says that it is damaged.
  std::string refusal(BytesView beginning) const override {
    SeriesType type;
    if (!type_ || !find_series_type(beginning, type) || type == *type_) return {};
    if (!SeriesFrame::is_whole(beginning)) return {};
    return "the file is a series of " + std::string(name_or_unknown(type)) + ", and not of " +
           std::string(name_or_unknown(*type_));
  }
  std::size_t refusal_bytes() const noexcept override { return SeriesFrame::header_bytes; }
  int default_level() const noexcept override { return 1; }
  int min_level() const noexcept override { return -7; }
  int max_level() const noexcept override { return ZSTD_maxCLevel(); }
  bool compresses() const noexcept override { return type_ && mistake().empty(); }

  std::unique_ptr<Compressor> make_compressor(int level, bool checksums) const override {
    ZstdCompressionContext context(ZSTD_createCCtx());
    ZstdCompressionContext for_samples(ZSTD_createCCtx());
    if (!context || !for_samples || !type_) return nullptr;
    ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, level);
    ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, checksums ? 1 : 0);
    ZSTD_CCtx_setParameter(for_samples.get(), ZSTD_c_compressionLevel, 1);
    return std::make_unique<SeriesCompressor>(std::move(context), std::move(for_samples), *type_,
                                              checksums, std::make_unique<SeriesScratch>());
  }

  std::unique_ptr<Decompressor> make_decompressor() const override {
    ZstdDecompressionContext context(ZSTD_createDCtx());
    if (!context) return nullptr;
    return std::make_unique<SeriesDecompressor>(std::move(context),
                                                std::make_unique<SeriesScratch>(), type_);
  }

 private:
  const std::string_view name_;
  const std::optional<SeriesType> type_;
};

constinit const Series every_series[] = {
    Series("series:uint8", SeriesType::uint8),   Series("series:uint16", SeriesType::uint16),
    Series("series:uint32", SeriesType::uint32), Series("series:uint64", SeriesType::uint64),
    Series("series:int8", SeriesType::int8),     Series("series:int16", SeriesType::int16),
    Series("series:int32", SeriesType::int32),   Series("series:int64", SeriesType::int64),
    Series("series:float", SeriesType::float32), Series("series:double", SeriesType::float64),
};
constinit const Series series_of_any_type("series");
constinit const Series series_of_no_type("series of no type", SeriesType{});

}  // namespace

const Codec& series_of(SeriesType type) noexcept {
  for (const Series& series : every_series) {
    if (series.type() == type) return series;
  }
  return series_of_no_type;
}

const Codec& any_series() noexcept { return series_of_any_type; }

const Codec* series_named(std::string_view name) noexcept {
  for (const Series& series : every_series) {
    if (series.name() == name) return &series;
  }
  return nullptr;
}

}  // namespace sluice
