#include "put/compressed_file.h"

#include "command_line/command_error.h"
#include "sluice/codecs.h"

#include <optional>
#include <string>

namespace sluice::put {
namespace {

void check_level(const Codec& codec, const Request& request) {
  const std::optional<CompressionLevels> levels = levels_of(codec);
  if (!levels || !request.level) return;
  const int level = *request.level;
  if (level >= levels->lowest && level <= levels->highest) return;
  throw UsageError("--compress: " + request.compression + " has no level " + std::to_string(level) +
                   ". Its levels are " + std::to_string(levels->lowest) + " to " +
                   std::to_string(levels->highest));
}

}  // namespace

Compression compression_of(const Request& request) {
  const Codec* const codec = codec_named(request.compression);
  if (codec == nullptr) {
    const bool is_lz4 = request.compression == "lz4";
    throw UsageError("this sluice was built without " + request.compression + ": install " +
                     (is_lz4 ? "liblz4-dev" : "libzstd-dev") + ", and build sluice again");
  }
  check_level(*codec, request);
  return {*codec, {.level = request.level}};
}

Status open_compressed_file(Writer& writer, const Request& request, const WriterOptions& options) {
  if (request.compression.empty()) return writer.open(request.file, options);
  const Compression compression = compression_of(request);
  return open_compressed(writer, request.file, compression.codec, compression.options, options);
}

}  // namespace sluice::put
