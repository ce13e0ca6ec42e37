#include "put/compressed_file.h"

#include "command_line/command_error.h"
#include "sluice/codecs.h"

namespace sluice::put {

Compression compression_of(const Request& request) {
  const Codec* const codec = codec_named(request.compression);
  if (codec == nullptr) {
    const bool is_lz4 = request.compression == "lz4";
    throw UsageError("this sluice was built without " + request.compression + ": install " +
                     (is_lz4 ? "liblz4-dev" : "libzstd-dev") + ", and build sluice again");
  }
  return {*codec, {.level = request.level}};
}

Status open_compressed_file(Writer& writer, const Request& request, const WriterOptions& options) {
  if (request.compression.empty()) return writer.open(request.file, options);
  const Compression compression = compression_of(request);
  return open_compressed(writer, request.file, compression.codec, compression.options, options);
}

}  // namespace sluice::put
