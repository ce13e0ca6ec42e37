// The Sink of CreateMode::replace_atomically: a new file that takes the place of the old one when
// it is published, and goes away otherwise.
#pragma once

#include <memory>
#include <string>

#include "sluice/options.h"
#include "sluice/sink.h"
#include "sluice/status.h"

namespace sluice {

// The options are taken as checked.
Status open_replacing_sink(const std::string& path, const WriterOptions& options,
                           std::unique_ptr<Sink>& sink);

}  // namespace sluice
