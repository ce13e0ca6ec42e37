// The file that `sluice put --compress` writes.
#pragma once

#include "put/request.h"
#include "sluice/options.h"
#include "sluice/writer.h"

namespace sluice::put {

// Opens the Writer for the file, which it compresses in the format that the request names. Throws
// UsageError if this command was built without the format.
Status open_compressed_file(Writer& writer, const Request& request, const WriterOptions& options);

}  // namespace sluice::put
