#include "sluice/zstd.h"

#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <cerrno>
#include <iterator>

#include "compression/codec.h"

namespace sluice {
namespace {

struct FreeContext {
  void operator()(ZSTD_CCtx* context) const noexcept { ZSTD_freeCCtx(context); }
  void operator()(ZSTD_DCtx* context) const noexcept { ZSTD_freeDCtx(context); }
};

class ZstdCompressor final : public Compressor {
 public:
  ZstdCompressor(ZSTD_CCtx* context, int level, bool checksums) : context_(context) {
    ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, level);
    ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, checksums ? 1 : 0);
  }

  std::size_t max_frame_bytes(std::size_t bytes) const noexcept override {
    return ZSTD_compressBound(bytes);
  }

  std::size_t compress(std::span<const BytesView> pieces,
                       MutableBytesView frame) noexcept override {
    std::size_t bytes = 0;
    for (const BytesView piece : pieces) bytes += piece.size();
    ZSTD_CCtx_reset(context_.get(), ZSTD_reset_session_only);
    if (ZSTD_isError(ZSTD_CCtx_setPledgedSrcSize(context_.get(), bytes)) != 0) return 0;
    ZSTD_outBuffer out{frame.data(), frame.size(), 0};
    for (const BytesView piece : pieces) {
      if (!add(piece, ZSTD_e_continue, out)) return 0;
    }
    return add({}, ZSTD_e_end, out) ? out.pos : 0;
  }

 private:
  bool add(BytesView piece, ZSTD_EndDirective directive, ZSTD_outBuffer& out) noexcept {
    ZSTD_inBuffer in{piece.data(), piece.size(), 0};
    std::size_t left = 0;
    do {
      left = ZSTD_compressStream2(context_.get(), &out, &in, directive);
      if (ZSTD_isError(left) != 0) return false;
    } while (directive == ZSTD_e_end ? left != 0 : in.pos != in.size);
    return true;
  }

  std::unique_ptr<ZSTD_CCtx, FreeContext> context_;
};

int code_of(ZSTD_ErrorCode error) {
  switch (error) {
    case ZSTD_error_memory_allocation: return ENOMEM;
    case ZSTD_error_frameParameter_windowTooLarge:
    case ZSTD_error_version_unsupported:
    case ZSTD_error_frameParameter_unsupported: return ENOTSUP;
    default: return EBADMSG;
  }
}

class ZstdDecompressor final : public Decompressor {
 public:
  explicit ZstdDecompressor(ZSTD_DCtx* context) : context_(context) {}

  Progress decompress(BytesView from, MutableBytesView into) noexcept override {
    ZSTD_inBuffer in{from.data(), from.size(), 0};
    ZSTD_outBuffer out{into.data(), into.size(), 0};
    const std::size_t hint = ZSTD_decompressStream(context_.get(), &out, &in);
    if (ZSTD_isError(hint) == 0) return {in.pos, out.pos, hint == 0, 0, nullptr};
    return {in.pos, out.pos, false, code_of(ZSTD_getErrorCode(hint)), ZSTD_getErrorName(hint)};
  }

  void begin_frame() noexcept override { ZSTD_DCtx_reset(context_.get(), ZSTD_reset_session_only); }

 private:
  std::unique_ptr<ZSTD_DCtx, FreeContext> context_;
};

class Zstd final : public Codec {
 public:
  std::string_view name() const noexcept override { return "zstd"; }
  bool recognises(BytesView beginning) const noexcept override {
    constexpr std::byte magic[] = {std::byte{0x28}, std::byte{0xB5}, std::byte{0x2F},
                                   std::byte{0xFD}};
    // A skippable frame may come first: pzstd writes one before each frame.
    constexpr std::byte skippable[] = {std::byte{0x2A}, std::byte{0x4D}, std::byte{0x18}};
    if (beginning.size() != std::size(magic)) return false;
    return std::ranges::equal(beginning, magic) ||
           ((beginning[0] & std::byte{0xF0}) == std::byte{0x50} &&
            std::ranges::equal(beginning.subspan(1), skippable));
  }
  int default_level() const noexcept override { return 1; }
  int min_level() const noexcept override { return -7; }
  int max_level() const noexcept override { return ZSTD_maxCLevel(); }
  bool compresses() const noexcept override { return true; }
  std::unique_ptr<Compressor> make_compressor(int level, bool checksums) const override {
    ZSTD_CCtx* const context = ZSTD_createCCtx();
    if (context == nullptr) return nullptr;
    return std::make_unique<ZstdCompressor>(context, level, checksums);
  }
  std::unique_ptr<Decompressor> make_decompressor() const override {
    ZSTD_DCtx* const context = ZSTD_createDCtx();
    if (context == nullptr) return nullptr;
    // libzstd refuses windows above 128 MiB, for which the zstd command needs `--long`.
    return std::make_unique<ZstdDecompressor>(context);
  }
};

}  // namespace

const Codec& zstd() noexcept {
  static constinit Zstd codec;
  return codec;
}

}  // namespace sluice
