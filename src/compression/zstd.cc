#include "sluice/zstd.h"

#include <zstd.h>
#include <zstd_errors.h>

#include <cerrno>
#include <utility>

#include "backend/pieces.h"
#include "compression/codec.h"
#include "compression/little_endian.h"
#include "compression/magic.h"
#include "compression/problems.h"
#include "compression/shrink_guess.h"
#include "compression/stored_frame.h"
#include "compression/zstd_contexts.h"

// Compiled into this file alone, so that no program needs libxxhash.
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace sluice {
namespace {

constexpr std::size_t block_bytes = 128 * 1024;
constexpr std::size_t checksum_bytes = 4;

std::uint64_t checksum_of(std::span<const BytesView> pieces) {
  XXH64_state_t state;
  XXH64_reset(&state, 0);
  for (const BytesView piece : pieces) XXH64_update(&state, piece.data(), piece.size());
  return XXH64_digest(&state);
}

class ZstdCompressor final : public Compressor {
 public:
  ZstdCompressor(ZstdCompressionContext context, int level, bool checksums)
      : context_(std::move(context)), checksums_(checksums) {
    ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_compressionLevel, level);
    ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_checksumFlag, checksums ? 1 : 0);
  }

  std::size_t max_frame_bytes(std::size_t bytes) const noexcept override {
    return ZSTD_compressBound(bytes);
  }

  bool will_store(std::span<const BytesView> pieces) noexcept override {
    return !guess_.is_worth_trying(pieces);
  }

  bool compress(std::span<const BytesView> pieces, MutableBytesView room,
                FrameParts& frame) noexcept override {
    const std::size_t bytes = bytes_in(pieces);
    if (guess_.is_tried()) {
      const std::size_t compressed_bytes = pieces.size() == 1 ? compress_whole(pieces.front(), room)
                                                              : compress_each(pieces, bytes, room);
      if (compressed_bytes == 0) return false;
      const bool shrinks = is_worth_compressing(bytes, compressed_bytes);
      guess_.tried(shrinks);
      if (shrinks) {
        frame.add(room.first(compressed_bytes));
        return true;
      }
    }
    store(pieces, bytes, room, frame);
    return true;
  }

 private:
  // Takes less memory than compress_each(), because libzstd copies no byte of the piece.
  std::size_t compress_whole(BytesView piece, MutableBytesView frame) noexcept {
    const std::size_t result =
        ZSTD_compress2(context_.get(), frame.data(), frame.size(), piece.data(), piece.size());
    return ZSTD_isError(result) != 0 ? 0 : result;
  }

  std::size_t compress_each(std::span<const BytesView> pieces, std::size_t bytes,
                            MutableBytesView frame) noexcept {
    ZSTD_CCtx_reset(context_.get(), ZSTD_reset_session_only);
    if (ZSTD_isError(ZSTD_CCtx_setPledgedSrcSize(context_.get(), bytes)) != 0) return 0;
    ZSTD_outBuffer out{frame.data(), frame.size(), 0};
    for (const BytesView piece : pieces) {
      if (!add(piece, ZSTD_e_continue, out)) return 0;
    }
    return add({}, ZSTD_e_end, out) ? out.pos : 0;
  }

  bool add(BytesView piece, ZSTD_EndDirective directive, ZSTD_outBuffer& out) noexcept {
    ZSTD_inBuffer in{piece.data(), piece.size(), 0};
    std::size_t left = 0;
    do {
      left = ZSTD_compressStream2(context_.get(), &out, &in, directive);
      if (ZSTD_isError(left) != 0) return false;
    } while (directive == ZSTD_e_end ? left != 0 : in.pos != in.size);
    return true;
  }

  // libzstd itself stores a block of 128 KiB only if compression saves less than 1.6 %.
  void store(std::span<const BytesView> pieces, std::size_t bytes, MutableBytesView room,
             FrameParts& frame) const noexcept {
    std::byte* const begin = room.data();
    std::byte* end = put_number(begin, zstd_magic, 4);
    // One segment, whose size has 4 bytes; bit 2 says whether there is a checksum.
    end = put_number(end, checksums_ ? 0xA4 : 0xA0, 1);
    end = put_number(end, bytes, 4);
    frame.add({begin, end});
    end = store_blocks<block_bytes>(pieces, end, frame,
                                    [](std::byte* header, std::size_t size, bool is_last) {
                                      return put_number(header, size << 3 | (is_last ? 1 : 0), 3);
                                    });
    if (!checksums_) return;
    frame.add({end, put_number(end, checksum_of(pieces), checksum_bytes)});
  }

  const ZstdCompressionContext context_;
  const bool checksums_;
  ShrinkGuess guess_{ShrinkGuess::Codes::bytes_too};
};

constexpr const char* window_problem =
    "the frame needs a window above 128 MiB: decompress it with zstd -d --long=31";

int code_of(ZSTD_ErrorCode error) {
  switch (error) {
    case ZSTD_error_memory_allocation: return ENOMEM;
    case ZSTD_error_frameParameter_windowTooLarge: return ENOTSUP;
    default: return EBADMSG;
  }
}

const char* problem_of(ZSTD_ErrorCode error) {
  switch (error) {
    case ZSTD_error_memory_allocation: return no_memory_problem;
    case ZSTD_error_frameParameter_windowTooLarge: return window_problem;
    case ZSTD_error_version_unsupported:
    case ZSTD_error_frameParameter_unsupported: return damaged_or_later_problem;
    case ZSTD_error_dictionary_wrong: return dictionary_problem;
    case ZSTD_error_checksum_wrong: return checksum_problem;
    default: return damaged_problem;
  }
}

class ZstdDecompressor final : public Decompressor {
 public:
  explicit ZstdDecompressor(ZstdDecompressionContext context) : context_(std::move(context)) {}

  Progress decompress(BytesView from, MutableBytesView into) noexcept override {
    ZSTD_inBuffer in{from.data(), from.size(), 0};
    ZSTD_outBuffer out{into.data(), into.size(), 0};
    const std::size_t hint = ZSTD_decompressStream(context_.get(), &out, &in);
    if (ZSTD_isError(hint) == 0) return {in.pos, out.pos, hint == 0, 0, nullptr};
    const ZSTD_ErrorCode error = ZSTD_getErrorCode(hint);
    return {in.pos, out.pos, false, code_of(error), problem_of(error)};
  }

  void begin_frame() noexcept override { ZSTD_DCtx_reset(context_.get(), ZSTD_reset_session_only); }

 private:
  const ZstdDecompressionContext context_;
};

class Zstd final : public Codec {
 public:
  std::string_view name() const noexcept override { return "zstd"; }
  bool recognises(BytesView beginning) const noexcept override {
    return begins_with(beginning, zstd_magic) || begins_with_skippable_frame(beginning);
  }
  int default_level() const noexcept override { return 1; }
  int min_level() const noexcept override { return -7; }
  int max_level() const noexcept override { return ZSTD_maxCLevel(); }
  bool compresses() const noexcept override { return true; }
  std::unique_ptr<Compressor> make_compressor(int level, bool checksums) const override {
    ZstdCompressionContext context(ZSTD_createCCtx());
    if (!context) return nullptr;
    return std::make_unique<ZstdCompressor>(std::move(context), level, checksums);
  }
  std::unique_ptr<Decompressor> make_decompressor() const override {
    ZstdDecompressionContext context(ZSTD_createDCtx());
    if (!context) return nullptr;
    // libzstd refuses windows above 128 MiB, for which the zstd command needs `--long`.
    return std::make_unique<ZstdDecompressor>(std::move(context));
  }
};

}  // namespace

const Codec& zstd() noexcept {
  static constinit Zstd codec;
  return codec;
}

}  // namespace sluice
