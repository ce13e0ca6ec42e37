// The Sinks and Sources of files opened by name, with the File behind each: for what the kernel
// does to files and a Sink or a Source has no call for.
#pragma once

#include <memory>
#include <string>

#include "os/file.h"
#include "sluice/options.h"
#include "sluice/sink.h"
#include "sluice/source.h"
#include "sluice/status.h"

namespace sluice {

// As the functions in sluice/sink.h and sluice/source.h. The Sink or Source owns `file`.
Status open_file_sink(const std::string& path, const WriterOptions& options,
                      std::unique_ptr<Sink>& sink, os::File*& file);
Status open_file_source(const std::string& path, const ReaderOptions& options,
                        std::unique_ptr<Source>& source, os::File*& file);

}  // namespace sluice
