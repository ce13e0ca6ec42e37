// The options of `sluice bench`.
#pragma once

#include <CLI/CLI.hpp>

#include "bench/request.h"

namespace sluice::bench {

// The subcommand, which fills `request` in when it is parsed.
CLI::App* add_command(CLI::App& app, Request& request);

}  // namespace sluice::bench
