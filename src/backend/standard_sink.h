// The Sink of standard output and standard error: it writes to a descriptor, and no write sends
// SIGPIPE.
#pragma once

#include <memory>
#include <string>

#include "sluice/options.h"
#include "sluice/sink.h"
#include "sluice/status.h"

namespace sluice {

// always: the Sink wants lines. on_a_terminal: the Sink wants lines if it writes to a terminal.
enum class Lines : std::uint8_t { always, on_a_terminal };

Status open_standard_sink(int descriptor, const std::string& name, Lines lines,
                          const WriterOptions& options, std::unique_ptr<Sink>& sink);

}  // namespace sluice
