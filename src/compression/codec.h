// Codec: a format of compressed bytes. sluice/zstd.h has one.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "compression/frame_parts.h"
#include "sluice/bytes.h"

namespace sluice {

// Compresses pieces of memory into frames. One thread at a time uses it.
class Compressor {
 public:
  virtual ~Compressor() = default;
  // The room that a frame of `bytes` bytes may need.
  virtual std::size_t max_frame_bytes(std::size_t bytes) const noexcept = 0;
  // True if the next frame should be stored without an attempt to compress it, which takes little
  // time. Call compress() with the same pieces next.
  virtual bool will_store(std::span<const BytesView>) noexcept { return false; }
  // Makes one frame of the pieces, and adds the memory in which it stands to `frame`: parts of
  // `room`, and the pieces themselves if the frame is stored. False if there is no memory.
  virtual bool compress(std::span<const BytesView> pieces, MutableBytesView room,
                        FrameParts& frame) noexcept = 0;
};

// Decompresses frames, one after another. One thread at a time uses it.
class Decompressor {
 public:
  struct Progress {
    std::size_t consumed;  // bytes of `from`
    std::size_t produced;  // bytes of `into`
    bool frame_ended;      // `consumed` ends at the end of a frame
    int code;              // 0, EBADMSG (damaged bytes), EINVAL, ENOTSUP or ENOMEM
    const char* problem;   // why the bytes cannot be decompressed, unless `code` is 0
    // Unless it is 0: the frame is given at once, so the next call needs this room in `into`. It
    // is at most max_room_bytes.
    std::size_t wanted_room = 0;
  };
  static constexpr std::size_t max_room_bytes = std::size_t{8} << 20;

  virtual ~Decompressor() = default;
  // Decompresses as much as `from` and `into` allow.
  virtual Progress decompress(BytesView from, MutableBytesView into) noexcept = 0;
  // Forgets the present frame. The next bytes begin a frame.
  virtual void begin_frame() noexcept = 0;
};

class Codec {
 public:
  virtual std::string_view name() const noexcept = 0;
  // Why the program should not have asked for this codec, which neither compresses nor reads. Empty
  // for all other codecs.
  virtual std::string_view mistake() const noexcept { return {}; }
  // True if a file that begins with these bytes has the codec's format. At least 4 bytes are given,
  // or all bytes of the file.
  virtual bool recognises(BytesView beginning) const noexcept = 0;
  // Why the codec cannot read a file that begins with these bytes, which it recognises. Empty if it
  // can. May throw std::bad_alloc.
  virtual std::string refusal(BytesView) const { return {}; }
  // The number of first bytes that refusal() needs. With fewer bytes it refuses nothing.
  virtual std::size_t refusal_bytes() const noexcept { return 0; }
  virtual int default_level() const noexcept = 0;
  virtual int min_level() const noexcept = 0;
  virtual int max_level() const noexcept = 0;
  virtual bool compresses() const noexcept = 0;  // otherwise it only decompresses
  // Null, or std::bad_alloc, if there is no memory. make_compressor() needs a level that the codec
  // has, and returns null if the codec only decompresses.
  virtual std::unique_ptr<Compressor> make_compressor(int level, bool checksums) const = 0;
  virtual std::unique_ptr<Decompressor> make_decompressor() const = 0;

 protected:
  ~Codec() = default;
};

}  // namespace sluice
