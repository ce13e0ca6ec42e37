// The Sink of CreateMode::replace_atomically: a new file that takes the place of the old one when
// it is published, and is removed otherwise.
#pragma once

#include <memory>
#include <string>

#include "os/file.h"
#include "sluice/options.h"
#include "sluice/sink.h"
#include "sluice/status.h"

namespace sluice {

// The caller has checked the options. `file` is the new file, which the Sink owns.
Status open_replacing_sink(const std::string& path, const WriterOptions& options,
                           std::unique_ptr<Sink>& sink, os::File*& file);

}  // namespace sluice
