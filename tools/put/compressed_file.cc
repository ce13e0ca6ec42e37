#include "put/compressed_file.h"

#include "command_line/command_error.h"
#include "sluice/codecs.h"

namespace sluice::put {

Status open_compressed_file(Writer& writer, const Request& request, const WriterOptions& options) {
  if (request.compression.empty()) return writer.open(request.file, options);
  const Codec* const codec = codec_named(request.compression);
  if (codec == nullptr) {
    throw UsageError("this sluice was built without " + request.compression);
  }
  return open_compressed(writer, request.file, *codec, {.level = request.level}, options);
}

}  // namespace sluice::put
