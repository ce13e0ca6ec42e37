// `sluice cat FILE...`: files to standard output, decompressed.
#pragma once

#include <string>

#include "cat/request.h"
#include "sluice/reader.h"
#include "sluice/status.h"

namespace sluice::cat {

// Opens the Reader for a file of the request.
using Open = Status (*)(Reader& reader, const std::string& path);

// Opens a file, compressed or not. "-" is standard input.
Status open_file(Reader& reader, const std::string& path);

// Returns the exit code: 1 if a file could not be read whole. Such a file is named on standard
// error, in a line that begins with `command`, and the files after it follow. Throws
// std::runtime_error if standard output cannot be written. If nothing reads standard output any
// more, SIGPIPE ends this process.
int run(const Request& request, const char* command = "sluice cat", Open open = open_file);

}  // namespace sluice::cat
