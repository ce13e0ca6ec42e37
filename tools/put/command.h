// `sluice put FILE`: standard input into a file.
#pragma once

#include "put/request.h"
#include "sluice/options.h"
#include "sluice/writer.h"

namespace sluice::put {

// Opens the Writer for the file of the request.
using Open = Status (*)(Writer& writer, const Request& request, const WriterOptions& options);

inline Status open_file(Writer& writer, const Request& request, const WriterOptions& options) {
  return writer.open(request.file, options);
}

// Returns the exit code. After a signal, puts the file in order and ends this process by the
// signal. Throws std::runtime_error if standard input cannot be read or the file cannot be written.
int run(const Request& request, Open open = open_file);

}  // namespace sluice::put
