#include "sluice/lz4.h"

#include <lz4frame.h>

#include <cerrno>
#include <string_view>
#include <utility>

#include "backend/pieces.h"
#include "compression/codec.h"
#include "compression/little_endian.h"
#include "compression/magic.h"
#include "compression/problems.h"
#include "compression/shrink_guess.h"
#include "compression/stored_frame.h"

// Compiled into this file alone, so that no program needs libxxhash.
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace sluice {
namespace {

// lz4 looks back 64 KiB, so larger blocks would compress little better.
constexpr LZ4F_blockSizeID_t block_size = LZ4F_max256KB;
constexpr std::size_t block_bytes = 256 * 1024;
constexpr std::size_t checksum_bytes = 4;
constexpr std::uint64_t stored_flag = 0x8000'0000;

std::uint32_t checksum_of(std::span<const BytesView> pieces) {
  XXH32_state_t state;
  XXH32_reset(&state, 0);
  for (const BytesView piece : pieces) XXH32_update(&state, piece.data(), piece.size());
  return XXH32_digest(&state);
}

struct FreeContext {
  void operator()(LZ4F_cctx* context) const noexcept { LZ4F_freeCompressionContext(context); }
  void operator()(LZ4F_dctx* context) const noexcept { LZ4F_freeDecompressionContext(context); }
};

using CompressionContext = std::unique_ptr<LZ4F_cctx, FreeContext>;
using DecompressionContext = std::unique_ptr<LZ4F_dctx, FreeContext>;

class Lz4Compressor final : public Compressor {
 public:
  Lz4Compressor(CompressionContext context, int level, bool checksums)
      : context_(std::move(context)) {
    preferences_.compressionLevel = level;
    preferences_.frameInfo.blockSizeID = block_size;
    preferences_.frameInfo.blockMode = LZ4F_blockIndependent;
    preferences_.frameInfo.contentChecksumFlag =
        checksums ? LZ4F_contentChecksumEnabled : LZ4F_noContentChecksum;
  }

  std::size_t max_frame_bytes(std::size_t bytes) const noexcept override {
    return LZ4F_HEADER_SIZE_MAX + LZ4F_compressBound(bytes, &preferences_);
  }

  bool will_store(std::span<const BytesView> pieces) noexcept override {
    return !guess_.is_worth_trying(pieces);
  }

  bool compress(std::span<const BytesView> pieces, MutableBytesView room,
                FrameParts& frame) noexcept override {
    const std::size_t bytes = bytes_in(pieces);
    preferences_.frameInfo.contentSize = bytes;
    MutableBytesView left = room;
    if (!made(left, LZ4F_compressBegin(context_.get(), left.data(), left.size(), &preferences_))) {
      return false;
    }
    const std::size_t header_bytes = room.size() - left.size();
    if (guess_.is_tried()) {
      if (!compress_blocks(pieces, left)) return false;
      const std::size_t compressed_bytes = room.size() - left.size();
      const bool shrinks = is_worth_compressing(bytes, compressed_bytes);
      guess_.tried(shrinks);
      if (shrinks) {
        frame.add(room.first(compressed_bytes));
        return true;
      }
    }
    store(pieces, room, header_bytes, frame);
    return true;
  }

 private:
  static bool made(MutableBytesView& left, std::size_t result) noexcept {
    if (LZ4F_isError(result) != 0) return false;
    left = left.subspan(result);
    return true;
  }

  bool compress_blocks(std::span<const BytesView> pieces, MutableBytesView& left) noexcept {
    for (const BytesView piece : pieces) {
      if (!made(left, LZ4F_compressUpdate(context_.get(), left.data(), left.size(), piece.data(),
                                          piece.size(), nullptr))) {
        return false;
      }
    }
    return made(left, LZ4F_compressEnd(context_.get(), left.data(), left.size(), nullptr));
  }

  // The header of the compressed frame is the header of the stored frame too.
  void store(std::span<const BytesView> pieces, MutableBytesView room, std::size_t header_bytes,
             FrameParts& frame) const noexcept {
    frame.add(room.first(header_bytes));
    std::byte* const end = store_blocks<block_bytes>(
        pieces, room.data() + header_bytes, frame, [](std::byte* header, std::size_t bytes, bool) {
          return put_number(header, bytes | stored_flag, 4);
        });
    frame.add({end, put_number(end, 0, 4)});  // the end mark
    if (preferences_.frameInfo.contentChecksumFlag != LZ4F_contentChecksumEnabled) return;
    frame.add({end + 4, put_number(end + 4, checksum_of(pieces), checksum_bytes)});
  }

  const CompressionContext context_;
  LZ4F_preferences_t preferences_ = LZ4F_INIT_PREFERENCES;
  ShrinkGuess guess_{ShrinkGuess::Codes::repetitions};
};

// The library gives only names of its errors.
const char* problem_of(std::string_view error) {
  if (error == "ERROR_allocation_failed") return no_memory_problem;
  if (error == "ERROR_headerVersion_wrong" || error == "ERROR_reservedFlag_set") {
    return damaged_or_later_problem;
  }
  if (error.starts_with("ERROR_header")) return damaged_header_problem;
  if (error.ends_with("Checksum_invalid")) return checksum_problem;
  return damaged_problem;
}

class Lz4Decompressor final : public Decompressor {
 public:
  explicit Lz4Decompressor(DecompressionContext context) : context_(std::move(context)) {}

  Progress decompress(BytesView from, MutableBytesView into) noexcept override {
    std::size_t consumed = from.size();
    std::size_t produced = into.size();
    const std::size_t hint =
        LZ4F_decompress(context_.get(), into.data(), &produced, from.data(), &consumed, nullptr);
    if (LZ4F_isError(hint) == 0) return {consumed, produced, hint == 0, 0, nullptr};
    const char* const problem = problem_of(LZ4F_getErrorName(hint));
    return {0, 0, false, problem == no_memory_problem ? ENOMEM : EBADMSG, problem};
  }

  void begin_frame() noexcept override { LZ4F_resetDecompressionContext(context_.get()); }

 private:
  const DecompressionContext context_;
};

class Lz4 final : public Codec {
 public:
  std::string_view name() const noexcept override { return "lz4"; }
  bool recognises(BytesView beginning) const noexcept override {
    return begins_with(beginning, lz4_magic) || begins_with_skippable_frame(beginning);
  }
  int default_level() const noexcept override { return 1; }
  int min_level() const noexcept override { return -10; }
  int max_level() const noexcept override { return LZ4F_compressionLevel_max(); }
  bool compresses() const noexcept override { return true; }
  std::unique_ptr<Compressor> make_compressor(int level, bool checksums) const override {
    LZ4F_cctx* context = nullptr;
    if (LZ4F_isError(LZ4F_createCompressionContext(&context, LZ4F_VERSION)) != 0) return nullptr;
    return std::make_unique<Lz4Compressor>(CompressionContext(context), level, checksums);
  }
  std::unique_ptr<Decompressor> make_decompressor() const override {
    LZ4F_dctx* context = nullptr;
    if (LZ4F_isError(LZ4F_createDecompressionContext(&context, LZ4F_VERSION)) != 0) return nullptr;
    return std::make_unique<Lz4Decompressor>(DecompressionContext(context));
  }
};

}  // namespace

const Codec& lz4() noexcept {
  static constinit Lz4 codec;
  return codec;
}

}  // namespace sluice
