// The file that `sluice put --compress` writes.
#pragma once

#include "put/request.h"
#include "sluice/compression.h"
#include "sluice/options.h"
#include "sluice/writer.h"

namespace sluice::put {

struct Compression {
  const Codec& codec;
  CompressionOptions options;
};

// What the request says about compression; it must name a format. Throws UsageError if this command
// was built without the format, or if the format does not have the level.
Compression compression_of(const Request& request);

// Opens the Writer for the file, which it compresses in the format that the request names. Throws
// UsageError as compression_of().
Status open_compressed_file(Writer& writer, const Request& request, const WriterOptions& options);

}  // namespace sluice::put
