#include "sluice/gzip.h"

#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <limits>
#include <string_view>

#include "compression/codec.h"
#include "compression/magic.h"
#include "compression/problems.h"

namespace sluice {
namespace {

constexpr int largest_window_of_gzip = 15 + 16;  // zlib refuses zlib's own format then

uInt zlib_size(std::size_t bytes) {
  return static_cast<uInt>(std::min<std::size_t>(bytes, std::numeric_limits<uInt>::max()));
}

// zlib has no code of its own for a wrong checksum.
const char* problem_of(const char* message) {
  const bool is_checksum =
      message != nullptr && std::string_view(message) == "incorrect data check";
  return is_checksum ? checksum_problem : damaged_problem;
}

// A frame is a member of the file.
class GzipDecompressor final : public Decompressor {
 public:
  GzipDecompressor() { is_ready_ = inflateInit2(&stream_, largest_window_of_gzip) == Z_OK; }
  ~GzipDecompressor() override {
    if (is_ready_) inflateEnd(&stream_);
  }
  GzipDecompressor(const GzipDecompressor&) = delete;
  GzipDecompressor& operator=(const GzipDecompressor&) = delete;

  bool is_ready() const { return is_ready_; }

  Progress decompress(BytesView from, MutableBytesView into) noexcept override {
    // zlib only reads these bytes.
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(from.data()));
    stream_.avail_in = zlib_size(from.size());
    stream_.next_out = reinterpret_cast<Bytef*>(into.data());
    stream_.avail_out = zlib_size(into.size());
    const int result = inflate(&stream_, Z_NO_FLUSH);
    const auto consumed =
        static_cast<std::size_t>(reinterpret_cast<const std::byte*>(stream_.next_in) - from.data());
    const auto produced = static_cast<std::size_t>(
        reinterpret_cast<const std::byte*>(stream_.next_out) - into.data());
    switch (result) {
      case Z_OK:
      case Z_BUF_ERROR: return {consumed, produced, false, 0, nullptr};  // no room, or no bytes
      case Z_STREAM_END: return {consumed, produced, true, 0, nullptr};
      case Z_MEM_ERROR: return {consumed, produced, false, ENOMEM, no_memory_problem};
      default: return {consumed, produced, false, EBADMSG, problem_of(stream_.msg)};
    }
  }

  void begin_frame() noexcept override { inflateReset(&stream_); }

 private:
  z_stream stream_{};
  bool is_ready_ = false;
};

class Gzip final : public Codec {
 public:
  std::string_view name() const noexcept override { return "gzip"; }
  bool recognises(BytesView beginning) const noexcept override {
    return begins_with(beginning, gzip_magic, gzip_mask);
  }
  int default_level() const noexcept override { return 0; }
  int min_level() const noexcept override { return 0; }
  int max_level() const noexcept override { return 0; }
  bool compresses() const noexcept override { return false; }
  std::unique_ptr<Compressor> make_compressor(int, bool) const override { return nullptr; }
  std::unique_ptr<Decompressor> make_decompressor() const override {
    auto decompressor = std::make_unique<GzipDecompressor>();
    if (!decompressor->is_ready()) return nullptr;
    return decompressor;
  }
};

}  // namespace

const Codec& gzip() noexcept {
  static constinit Gzip codec;
  return codec;
}

}  // namespace sluice
