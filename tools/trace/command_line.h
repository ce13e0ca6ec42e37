// The options of `sluice trace`.
#pragma once

#include <CLI/CLI.hpp>

#include "trace/request.h"

namespace sluice::trace {

// The subcommand, which fills `request` in when it is parsed.
CLI::App* add_command(CLI::App& app, Request& request);

}  // namespace sluice::trace
