// Opens the Sink or the Source of a file by its name, and also gives the os::File that the Sink or
// Source uses. The kernel can do work on an os::File for which a Sink or a Source has no call.
#pragma once

#include <memory>
#include <string>

#include "os/file.h"
#include "sluice/options.h"
#include "sluice/sink.h"
#include "sluice/source.h"
#include "sluice/status.h"

namespace sluice {

// These functions do the work of the functions with these names in sluice/sink.h and
// sluice/source.h. They also give `file`, which the Sink or Source owns.
Status open_file_sink(const std::string& path, const WriterOptions& options,
                      std::unique_ptr<Sink>& sink, os::File*& file);
Status open_file_source(const std::string& path, const ReaderOptions& options,
                        std::unique_ptr<Source>& source, os::File*& file);

}  // namespace sluice
